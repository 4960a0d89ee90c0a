/* backend.c -- the direct backend's table. */
#include <stdio.h>
#include <stdlib.h>

#include "reference/direct/direct.h"

static int
direct_start(struct fp_job *job)
{
    struct direct_job *direct = calloc(1, sizeof *direct);

    if (direct == NULL) {
        fprintf(stderr, "fencepost: no memory for %d PEs; use fewer\n", job->npes);
        return -1;
    }
    if (direct_open(job, direct) == 0)
        return 0;
    free(direct);
    return -1;
}

static void
direct_stop(struct fp_job *job)
{
    struct direct_job *direct = direct_of(job);

    direct_close(job);
    free(direct);
}

static int
direct_ctx_create(shmem_ctx_state_t *ctx)
{
    return 0;
}

static void
direct_ctx_destroy(shmem_ctx_state_t *ctx)
{
}

/* Every call has completed; what is left is that plain stores of the caller do not pass it. */
static void
direct_order(shmem_ctx_state_t *ctx, const shmem_call_t *call)
{
    atomic_thread_fence(memory_order_seq_cst);
}

static void
direct_pe_quiet(shmem_ctx_state_t *ctx, const int *pes, size_t npes, const shmem_call_t *call)
{
    atomic_thread_fence(memory_order_seq_cst);
}

static void
direct_coll(const shmem_coll_t *c)
{
}

static void
direct_heap_block(struct fp_pe *pe, size_t offset, size_t bytes, const shmem_call_t *call)
{
}

static const shmem_backend_t direct_backend = {
    .name = "direct",
    .start = direct_start,
    .run = direct_run,
    .stop = direct_stop,
    .pe_end = direct_pe_end,
    .ctx_create = direct_ctx_create,
    .ctx_destroy = direct_ctx_destroy,
    .put = direct_put,
    .get = direct_get,
    .amo = direct_amo,
    .fence = direct_order,
    .quiet = direct_order,
    .pe_quiet = direct_pe_quiet,
    .wait = direct_wait,
    .test = direct_test,
    .signal_fetch = direct_signal_fetch,
    .coll_enter = direct_coll,
    .coll_leave = direct_coll,
    .sync = direct_sync,
    .lock_set = direct_lock_set,
    .lock_test = direct_lock_test,
    .lock_clear = direct_lock_clear,
    .block_born = direct_heap_block,
    .block_died = direct_heap_block,
};

const shmem_backend_t *const fp_backend = &direct_backend;
