/* backend.c -- the CUDA backend's table, its start and its end. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gpu_backend/gpu.h"
#include "reference/heap/heap.h"

/* Looks at a rendezvous before the PE sleeps, where each PE has a processor: some ten microseconds. */
#define LOOKS_AT_MEETING 20000

/* What kernels of the program use of the library's own: at the beginning of each heap (include/nvshmem.h). */
static void
device_part_open(struct fp_pe *pe)
{
    const size_t bytes = fp_heap_internal_bytes(pe->job->npes);

    gpu_enter(pe);
    gpu_memory.grow(pe, bytes);
    gpu_memory.zero(pe, pe->heap_base, bytes);
    gpu_publish_open(pe);
}

static int
gpu_start(struct fp_job *job)
{
    struct gpu_job *gpu = calloc(1, sizeof *gpu);

    if (gpu == NULL || (gpu->pes = calloc((size_t)job->npes, sizeof *gpu->pes)) == NULL)
        fp_env_fail("no memory for %d PEs; use fewer", job->npes);
    gpu->ndevices = gpu_ndevices;
    gpu->devices = gpu_devices;
    gpu->direct.enter = gpu_enter;
    gpu->direct.lock_load = gpu_lock_load;
    gpu->direct.looks = sysconf(_SC_NPROCESSORS_ONLN) >= job->npes ? LOOKS_AT_MEETING : 0;
    if (direct_open(job, &gpu->direct) != 0)
        return -1;
    for (int i = 0; i < job->npes; i++) {
        gpu->pes[i].device = &gpu_devices[i % gpu_ndevices];
        if (gpu_ring_open(job, &gpu->pes[i]) != 0)
            return -1;
        device_part_open(&job->pes[i]);
    }
    return 0;
}

static void
gpu_stop(struct fp_job *job)
{
    struct gpu_job *gpu = gpu_of(job);

    for (int i = 0; i < job->npes; i++) {
        gpu_publish_close(&gpu->pes[i]);
        gpu_ring_close(&gpu->pes[i]);
    }
    direct_close(job);
    free(gpu->pes);
    free(gpu);
}

static int
gpu_ctx_create(shmem_ctx_state_t *ctx)
{
    return 0;
}

static void
gpu_ctx_destroy(shmem_ctx_state_t *ctx)
{
}

static void
gpu_coll(const shmem_coll_t *c)
{
}

static void
gpu_block(struct fp_pe *pe, size_t offset, size_t bytes, const shmem_call_t *call)
{
}

static const shmem_backend_t gpu_backend = {
    .name = "gpu",
    .memory = &gpu_memory,
    .start = gpu_start,
    .run = direct_run,
    .stop = gpu_stop,
    .pe_end = direct_pe_end,
    .ctx_create = gpu_ctx_create,
    .ctx_destroy = gpu_ctx_destroy,
    .put = gpu_put,
    .get = gpu_get,
    .amo = gpu_amo,
    .fence = gpu_fence,
    .quiet = gpu_quiet,
    .pe_quiet = gpu_pe_quiet,
    .wait = gpu_wait,
    .test = gpu_test,
    .signal_fetch = gpu_signal_fetch,
    .coll_enter = gpu_coll,
    .coll_leave = gpu_coll,
    .sync = direct_sync,
    .lock_set = direct_lock_set,
    .lock_test = direct_lock_test,
    .lock_clear = direct_lock_clear,
    .block_born = gpu_block,
    .block_died = gpu_block,
};

const shmem_backend_t *const fp_backend = &gpu_backend;
