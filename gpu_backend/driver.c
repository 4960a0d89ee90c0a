/* driver.c -- see driver.h. */
#include "gpu_backend/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "reference/job.h"

struct gpu_driver gpu_driver;

#define TEXT_OF(name) #name
/* cuda.h gives many names a version: cuMemAlloc is cuMemAlloc_v2. */
#define SYMBOL(name) TEXT_OF(name)

const char *
gpu_error_text(CUresult result)
{
    const char *text = NULL;

    if (gpu_driver.cuGetErrorString == NULL || gpu_driver.cuGetErrorString(result, &text) != CUDA_SUCCESS ||
        text == NULL)
        return "an error that the CUDA driver does not explain";
    return text;
}

/* NULL, or the first routine that this driver lacks. */
static const char *
symbols_find(void *library)
{
    const char *missing = NULL;

#define FIND(name)                                                                                                     \
    if ((gpu_driver.name = (__typeof__(gpu_driver.name))dlsym(library, SYMBOL(name))) == NULL)                         \
        missing = SYMBOL(name);
    GPU_DRIVER_ROWS(FIND)
#undef FIND
    return missing;
}

/* Several PEs may share a GPU, and a kernel of one may be waiting for a kernel of another that has yet to be launched:
 * so no kernel may be loaded only then, since loading waits for those that run, and streams need queues of their
 * own. */
static void
environment_set(void)
{
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
}

bool
gpu_driver_open(void)
{
    static bool open;
    int version = 0, needed = CUDA_VERSION / 1000 * 1000;
    CUresult result;

    if (open)
        return true;
    environment_set();
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) {
        fprintf(stderr, "fencepost: no CUDA driver here (libcuda.so.1); run on a machine with an NVIDIA GPU, or relink "
                        "with another backend (oshcc --backend=sim or direct)\n");
        return false;
    }
    const char *missing = symbols_find(library);
    if (gpu_driver.cuDriverGetVersion != NULL)
        gpu_driver.cuDriverGetVersion(&version);
    if (missing != NULL || version < needed) {
        fprintf(stderr, "fencepost: the CUDA driver is too old: it is for CUDA %d.%d, and %d.0 is needed%s%s\n",
                version / 1000, version % 1000 / 10, needed / 1000, missing != NULL ? "; it lacks " : "",
                missing != NULL ? missing : "");
        return false;
    }
    result = gpu_driver.cuInit(0);
    if (result == CUDA_ERROR_NO_DEVICE || result == CUDA_ERROR_INVALID_DEVICE)
        fprintf(stderr, "fencepost: there is no CUDA GPU here (or CUDA_VISIBLE_DEVICES hides it)\n");
    else if (result != CUDA_SUCCESS)
        fprintf(stderr,
                "fencepost: the CUDA driver does not start: %s; do the driver and its library belong together?\n",
                gpu_error_text(result));
    return open = result == CUDA_SUCCESS;
}

static bool
is_kernel_fault(CUresult result)
{
    switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
        return true;
    default:
        return false;
    }
}

void
gpu_check(CUresult result, const char *what)
{
    if (result == CUDA_SUCCESS)
        return;
    if (is_kernel_fault(result))
        fp_env_fail("a kernel has failed: %s (compute-sanitizer shows where)", gpu_error_text(result));
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        fp_env_fail("cannot %s: the GPU has not enough memory", what);
    fp_env_fail("cannot %s: %s", what, gpu_error_text(result));
}
