/* order.c -- fence and quiet over the ways that lead to a heap (gpu.h).
 *
 * A fence costs an entry of the ring and waits for nothing. What it put in order is only waited for when the next
 * operation takes another way: into the host's memory, or through the copy engine. */
#include "gpu_backend/gpu.h"

/* Without the lock. All entries posted so far are complete when it returns. */
static void
ring_complete(struct gpu_pe *pe)
{
    gpu_lock(pe);
    if (pe->settled == pe->posted) {
        gpu_unlock(pe);
        return;
    }
    const uint64_t reply = gpu_post_reply(pe, GPU_QUIET, NULL, 0), entries = pe->posted;
    gpu_kick(pe);
    gpu_unlock(pe);
    gpu_reply(pe, reply);
    gpu_settled(pe, entries);
}

void
gpu_settled(struct gpu_pe *pe, uint64_t entries)
{
    gpu_lock(pe);
    if (entries > pe->settled)
        pe->settled = entries;
    gpu_unlock(pe);
}

static void
copies_complete(struct gpu_pe *pe)
{
    if (!pe->copying)
        return;
    gpu_check(gpu_driver.cuStreamSynchronize(pe->copy_stream), "copy GPU memory");
    pe->copying = pe->copying_fenced = false;
}

void
gpu_complete(struct gpu_pe *pe)
{
    ring_complete(pe);
    copies_complete(pe);
}

void
gpu_settle(struct gpu_pe *pe)
{
    if (pe->fenced > pe->settled)
        ring_complete(pe);
    gpu_settle_copies(pe);
}

void
gpu_settle_copies(struct gpu_pe *pe)
{
    if (pe->copying_fenced)
        copies_complete(pe);
}

void
gpu_fence(shmem_ctx_state_t *ctx, const shmem_call_t *call)
{
    struct gpu_pe *pe = gpu_pe_of(ctx->pe);

    atomic_thread_fence(memory_order_seq_cst);
    gpu_lock(pe);
    if (pe->posted > pe->settled && pe->posted > pe->fenced) {
        gpu_post(pe, GPU_FENCE, NULL, 0);
        pe->fenced = pe->posted;
    }
    pe->copying_fenced = pe->copying;
    gpu_unlock(pe);
}

void
gpu_quiet(shmem_ctx_state_t *ctx, const shmem_call_t *call)
{
    atomic_thread_fence(memory_order_seq_cst);
    gpu_complete(gpu_pe_of(ctx->pe));
}

void
gpu_pe_quiet(shmem_ctx_state_t *ctx, const int *pes, size_t npes, const shmem_call_t *call)
{
    gpu_quiet(ctx, call);
}
