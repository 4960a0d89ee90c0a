/* memory.c -- the heaps: one range of addresses, in which each PE's heap is memory of its GPU, mapped for all of them.
 *
 * Memory is taken as the heap grows and kept until the end: a block that is freed and allocated again costs nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_backend/gpu.h"

#define STEP_BYTES ((size_t)32 << 20)

struct chunk {
    CUmemGenericAllocationHandle handle;
    CUdeviceptr at;
    size_t bytes;
};

static pthread_mutex_t chunks_lock = PTHREAD_MUTEX_INITIALIZER;
static struct chunk *chunks;
static size_t nchunks;

static char *
memory_reserve(struct fp_job *job, size_t bytes, size_t align)
{
    CUdeviceptr at = 0;

    if (gpu_devices_open(job->npes) != 0)
        return NULL;
    const CUresult result = gpu_driver.cuMemAddressReserve(&at, bytes, align, 0, 0);
    if (result != CUDA_SUCCESS)
        fprintf(stderr,
                "fencepost: cannot reserve %zu bytes of GPU addresses for the heaps: %s; make them smaller "
                "(SHMEM_SYMMETRIC_SIZE)\n",
                bytes, gpu_error_text(result));
    return result == CUDA_SUCCESS ? (char *)at : NULL;
}

static void
memory_release(char *reserved, size_t bytes)
{
    for (size_t i = 0; i < nchunks; i++) {
        gpu_driver.cuMemUnmap(chunks[i].at, chunks[i].bytes);
        gpu_driver.cuMemRelease(chunks[i].handle);
    }
    free(chunks);
    chunks = NULL;
    nchunks = 0;
    gpu_driver.cuMemAddressFree((CUdeviceptr)reserved, bytes);
    gpu_devices_close();
}

static _Noreturn void
no_memory(const struct fp_pe *pe, size_t bytes, CUresult result)
{
    size_t total = 0;
    const int gpu = pe->rank % gpu_ndevices;

    gpu_driver.cuDeviceTotalMem(&total, gpu_devices[gpu].device);
    fp_env_fail(
        "GPU %d (%zu MiB in all) has no %zu MiB left for the heap of PE %d: %s; use fewer PEs or smaller blocks", gpu,
        total >> 20, bytes >> 20, pe->rank, gpu_error_text(result));
}

/* Memory of the PE's GPU at [at, at + bytes), which every GPU may use. The lock is held. */
static void
chunk_map(struct fp_pe *pe, CUdeviceptr at, size_t bytes)
{
    const CUmemAllocationProp kind = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = gpu_devices[pe->rank % gpu_ndevices].device},
    };
    CUmemAccessDesc *access = calloc((size_t)gpu_ndevices, sizeof *access);
    struct chunk *more = realloc(chunks, (nchunks + 1) * sizeof *chunks);
    struct chunk chunk = {.at = at, .bytes = bytes};

    if (access == NULL || more == NULL)
        fp_env_fail("out of memory");
    chunks = more;
    CUresult result = gpu_driver.cuMemCreate(&chunk.handle, bytes, &kind, 0);
    if (result != CUDA_SUCCESS)
        no_memory(pe, bytes, result);
    for (int i = 0; i < gpu_ndevices; i++)
        access[i] = (CUmemAccessDesc){.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = gpu_devices[i].device},
                                      .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    gpu_check(gpu_driver.cuMemMap(at, bytes, 0, chunk.handle, 0), "map the symmetric heap");
    gpu_check(gpu_driver.cuMemSetAccess(at, bytes, access, (size_t)gpu_ndevices),
              "map the symmetric heap for every GPU");
    chunks[nchunks++] = chunk;
    free(access);
}

static void
memory_grow(struct fp_pe *pe, size_t end)
{
    struct gpu_pe *gpu = gpu_pe_of(pe);

    pthread_mutex_lock(&chunks_lock);
    if (end > gpu->mapped) {
        size_t bytes = (end - gpu->mapped + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
        if (gpu->mapped + bytes > pe->job->stride)
            bytes = pe->job->stride - gpu->mapped;
        chunk_map(pe, (CUdeviceptr)(pe->heap_base + gpu->mapped), bytes);
        gpu->mapped += bytes;
    }
    pthread_mutex_unlock(&chunks_lock);
}

static void
memory_copy(struct fp_pe *pe, void *dest, const void *source, size_t bytes)
{
    struct gpu_pe *gpu = gpu_pe_of(pe);

    if (bytes == 0)
        return;
    gpu_complete(gpu);
    gpu_check(gpu_driver.cuMemcpyAsync((CUdeviceptr)dest, (CUdeviceptr)source, bytes, gpu->copy_stream),
              "copy GPU memory");
    gpu_check(gpu_driver.cuStreamSynchronize(gpu->copy_stream), "copy GPU memory");
}

static void
memory_zero(struct fp_pe *pe, void *dest, size_t bytes)
{
    struct gpu_pe *gpu = gpu_pe_of(pe);

    gpu_check(gpu_driver.cuMemsetD8Async((CUdeviceptr)dest, 0, bytes, gpu->copy_stream), "clear GPU memory");
    gpu_check(gpu_driver.cuStreamSynchronize(gpu->copy_stream), "clear GPU memory");
}

const shmem_heap_memory_t gpu_memory = {
    .reserve = memory_reserve,
    .release = memory_release,
    .grow = memory_grow,
    .copy = memory_copy,
    .zero = memory_zero,
};

static bool
is_static(const struct fp_pe *pe, const void *address)
{
    return (uintptr_t)address - (uintptr_t)pe->static_lo < (uintptr_t)(pe->static_hi - pe->static_lo);
}

/* The calling thread's stack, near the frames that are live: most buffers of a program that are not symmetric. */
static bool
is_near_stack(const void *address)
{
    return (uintptr_t)address - (uintptr_t)__builtin_frame_address(0) < 65536;
}

bool
gpu_is_device(const struct fp_job *job, const void *address)
{
    /* The form for several attributes, since it does not call an address that CUDA knows nothing of an error. */
    CUpointer_attribute which = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    unsigned type = 0;
    void *answer = &type;

    if (gpu_is_heap(job, address))
        return true;
    if (is_near_stack(address) || (fp_self != NULL && is_static(fp_self, address)) ||
        (uintptr_t)address - (uintptr_t)job->internal < job->internal_bytes)
        return false;
    return gpu_driver.cuPointerGetAttributes(1, &which, &answer, (CUdeviceptr)address) == CUDA_SUCCESS &&
           type == CU_MEMORYTYPE_DEVICE;
}
