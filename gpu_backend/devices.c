/* devices.c -- the GPUs of the process: chosen, checked, and each with the backend's kernels loaded. */
#include <stdio.h>
#include <stdlib.h>

#include "gpu_backend/gpu.h"

int gpu_ndevices;
struct gpu_device *gpu_devices;

/* The kernels, as nvcc left them (CMakeLists.txt). */
extern const unsigned char gpu_kernels[];

static int
attribute(const struct gpu_device *gpu, CUdevice_attribute which)
{
    int value = 0;

    gpu_driver.cuDeviceGetAttribute(&value, which, gpu->device);
    return value;
}

static bool
device_open(struct gpu_device *gpu, int number)
{
    CUresult result = gpu_driver.cuDeviceGet(&gpu->device, number);

    if (result == CUDA_SUCCESS && !attribute(gpu, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED)) {
        fprintf(stderr, "fencepost: GPU %d cannot map memory at chosen addresses; it is too old for this backend\n",
                number);
        return false;
    }
    if (result == CUDA_SUCCESS)
        result = gpu_driver.cuDevicePrimaryCtxRetain(&gpu->context, gpu->device);
    if (result == CUDA_SUCCESS)
        result = gpu_driver.cuCtxSetCurrent(gpu->context);
    if (result == CUDA_SUCCESS)
        result = gpu_driver.cuModuleLoadData(&gpu->module, gpu_kernels);
    if (result == CUDA_ERROR_NO_BINARY_FOR_GPU || result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
        fprintf(stderr,
                "fencepost: GPU %d is of an architecture that this Fencepost was not built for "
                "(-DFENCEPOST_GPU_ARCHITECTURES=...)\n",
                number);
        return false;
    }
    if (result == CUDA_SUCCESS)
        result = gpu_driver.cuModuleGetFunction(&gpu->proxy, gpu->module, "fencepost_proxy");
    gpu->multiprocessors = attribute(gpu, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    gpu->cycles_per_us = attribute(gpu, CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000.0;
    if (result == CUDA_SUCCESS)
        return true;
    fprintf(stderr, "fencepost: GPU %d cannot be used: %s\n", number, gpu_error_text(result));
    return false;
}

/* Each GPU has to reach the memory of each other by loads, stores and atomics. */
static bool
are_peers(int a, int b)
{
    int access = 0, atomics = 0;

    gpu_driver.cuDeviceCanAccessPeer(&access, gpu_devices[a].device, gpu_devices[b].device);
    if (access)
        gpu_driver.cuDeviceGetP2PAttribute(&atomics, CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED,
                                           gpu_devices[a].device, gpu_devices[b].device);
    if (access && atomics)
        return true;
    fprintf(stderr,
            "fencepost: GPU %d has no %s the memory of GPU %d; choose GPUs that NVLink joins, or one "
            "(CUDA_VISIBLE_DEVICES)\n",
            a, access ? "atomics on" : "access to", b);
    return false;
}

int
gpu_devices_open(int npes)
{
    int n = 0;

    if (!gpu_driver_open())
        return -1;
    gpu_driver.cuDeviceGetCount(&n);
    if (n > npes)
        n = npes;
    if (n < 1) {
        fprintf(stderr, "fencepost: there is no CUDA GPU here (or CUDA_VISIBLE_DEVICES hides it)\n");
        return -1;
    }
    gpu_devices = calloc((size_t)n, sizeof *gpu_devices);
    if (gpu_devices == NULL)
        fp_env_fail("out of memory");
    for (int i = 0; i < n; i++, gpu_ndevices = i)
        if (!device_open(&gpu_devices[i], i))
            return -1;
    for (int i = 0; i < npes; i++)
        gpu_devices[i % n].pes++;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            if (i != k && !are_peers(i, k))
                return -1;
    return 0;
}

void
gpu_devices_close(void)
{
    for (int i = 0; i < gpu_ndevices; i++) {
        if (gpu_devices[i].module != NULL)
            gpu_driver.cuModuleUnload(gpu_devices[i].module);
        gpu_driver.cuDevicePrimaryCtxRelease(gpu_devices[i].device);
    }
    free(gpu_devices);
    gpu_devices = NULL;
    gpu_ndevices = 0;
}

void
gpu_enter(struct fp_pe *pe)
{
    gpu_check(gpu_driver.cuCtxSetCurrent(gpu_devices[pe->rank % gpu_ndevices].context), "use the GPU");
}
