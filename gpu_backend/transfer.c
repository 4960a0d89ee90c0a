/* transfer.c -- put, get, AMO and signal: which of their ends are a GPU's, and so which way they take.
 *
 * Where both ends are the host's (static objects, the library's own signals) the operation is the direct backend's,
 * after what a fence put before it is complete. */
#include <stdlib.h>
#include <string.h>

#include "gpu_backend/gpu.h"

static void *
there(const shmem_op_t *op, const void *address)
{
    const struct fp_pe *pe = op->ctx->pe;

    return fp_translate(pe->job, address, pe->rank, op->pe);
}

static void
counted(const shmem_op_t *op)
{
    __atomic_fetch_add(&op->ctx->pe->job->ops, 1, __ATOMIC_RELAXED);
}

static struct gpu_copy
copy_of(const shmem_op_t *op, void *dest, const void *source)
{
    return (struct gpu_copy){dest, source, op->block_bytes, op->nblocks, op->dest_step, op->source_step};
}

/* From a GPU into a static object: through memory of ours, as a put from there. */
static void
put_to_host(const shmem_op_t *op, struct gpu_pe *pe)
{
    const size_t bytes = op->block_bytes * op->nblocks;
    shmem_op_t packed = *op;
    char *memory = malloc(bytes);

    if (memory == NULL)
        fp_env_fail("%s: no memory for %zu bytes", op->call.name, bytes);
    struct gpu_copy copy = copy_of(op, memory, op->source);
    copy.dest_step = packed.source_step = (ptrdiff_t)op->block_bytes;
    gpu_copy_from_gpu(pe, &copy);
    packed.source = memory;
    packed.flags &= ~(unsigned)SHMEM_OPF_SIGNAL;
    direct_put(&packed);
    free(memory);
}

static void
put_data(const shmem_op_t *op, struct gpu_pe *pe)
{
    const struct fp_job *job = op->ctx->pe->job;
    const bool to_gpu = gpu_is_heap(job, op->dest);
    const bool from_gpu = !(op->flags & SHMEM_OPF_VALUE) && gpu_is_device(job, op->source);
    const struct gpu_copy copy = copy_of(op, there(op, op->dest), op->source);

    if (to_gpu && from_gpu) {
        gpu_copy_between(pe, &copy, op->flags & SHMEM_OPF_NBI ? GPU_POSTED : GPU_SOURCE_READ);
    } else if (to_gpu) {
        gpu_copy_to_gpu(pe, &copy, GPU_SOURCE_READ);
    } else if (from_gpu) {
        gpu_settle(pe);
        put_to_host(op, pe);
    } else {
        shmem_op_t plain = *op;
        plain.flags &= ~(unsigned)SHMEM_OPF_SIGNAL;
        gpu_settle(pe);
        direct_put(&plain);
    }
}

/* Behind the data, whichever way that went (H6). */
static void
put_signal(const shmem_op_t *op, struct gpu_pe *pe)
{
    if (!gpu_is_heap(op->ctx->pe->job, op->sig_addr)) {
        shmem_op_t signal = *op;
        signal.block_bytes = 0;
        gpu_complete(pe);
        direct_put(&signal);
        return;
    }
    if (pe->copying)
        gpu_complete(pe);
    gpu_lock(pe);
    gpu_post(pe, GPU_FENCE, NULL, 0);
    gpu_post(pe, GPU_AMO64 + op->sig_op, there(op, op->sig_addr), op->signal);
    gpu_kick(pe);
    gpu_unlock(pe);
}

void
gpu_put(const shmem_op_t *op)
{
    struct gpu_pe *pe = gpu_pe_of(op->ctx->pe);

    if (op->block_bytes > 0)
        put_data(op, pe);
    if (op->flags & SHMEM_OPF_SIGNAL)
        put_signal(op, pe);
    counted(op);
}

/* From a static object into a GPU: through memory of ours. */
static void
get_from_host(const shmem_op_t *op, struct gpu_pe *pe)
{
    const size_t bytes = op->block_bytes * op->nblocks;
    shmem_op_t packed = *op;
    char *memory = malloc(bytes);

    if (memory == NULL)
        fp_env_fail("%s: no memory for %zu bytes", op->call.name, bytes);
    packed.dest = memory;
    packed.dest_step = (ptrdiff_t)op->block_bytes;
    direct_get(&packed);
    struct gpu_copy copy = copy_of(op, op->dest, memory);
    copy.source_step = packed.dest_step;
    gpu_copy_to_gpu(pe, &copy, GPU_COMPLETE);
    free(memory);
}

void
gpu_get(const shmem_op_t *op)
{
    struct gpu_pe *pe = gpu_pe_of(op->ctx->pe);
    const struct fp_job *job = op->ctx->pe->job;
    const bool from_gpu = gpu_is_heap(job, op->source);
    const bool to_gpu = !(op->flags & SHMEM_OPF_G) && gpu_is_device(job, op->dest);

    if (from_gpu) {
        const struct gpu_copy copy = copy_of(op, op->dest, there(op, op->source));
        if (to_gpu)
            gpu_copy_between(pe, &copy, op->flags & SHMEM_OPF_NBI ? GPU_POSTED : GPU_COMPLETE);
        else
            gpu_copy_from_gpu(pe, &copy);
    } else {
        gpu_settle(pe);
        if (to_gpu)
            get_from_host(op, pe);
        else
            direct_get(op);
    }
    counted(op);
}

/* ---- */

static void
fetched(const shmem_op_t *op, struct gpu_pe *pe, uint64_t old)
{
    if (!gpu_is_device(op->ctx->pe->job, op->fetch)) {
        memcpy(op->fetch, &old, op->elem_bytes);
        return;
    }
    const struct gpu_copy copy = {
        .dest = op->fetch, .source = (char *)&old, .block_bytes = op->elem_bytes, .nblocks = 1};
    gpu_copy_to_gpu(pe, &copy, GPU_COMPLETE);
}

static void
amo_on_host(const shmem_op_t *op, struct gpu_pe *pe)
{
    uint64_t old = 0;
    shmem_op_t here = *op;

    gpu_settle(pe);
    if (op->flags & SHMEM_OPF_FETCH)
        here.fetch = &old;
    direct_amo(&here);
    if (op->flags & SHMEM_OPF_FETCH)
        fetched(op, pe, old);
}

void
gpu_amo(const shmem_op_t *op)
{
    struct gpu_pe *pe = gpu_pe_of(op->ctx->pe);
    const bool fetch = op->flags & SHMEM_OPF_FETCH, wide = op->elem_bytes == 8;
    const unsigned kind = (fetch ? wide ? GPU_FETCH64 : GPU_FETCH32 : wide ? GPU_AMO64 : GPU_AMO32) + op->amo;
    uint64_t operand = 0, cond = 0, reply = 0;

    if (!gpu_is_heap(op->ctx->pe->job, op->dest)) {
        amo_on_host(op, pe);
        return;
    }
    memcpy(&operand, op->operand, op->elem_bytes);
    memcpy(&cond, op->cond, op->elem_bytes);
    gpu_settle_copies(pe);
    gpu_lock(pe);
    if (op->amo == SHMEM_AMO_CSWAP)
        gpu_post(pe, GPU_ARGUMENT, (void *)0, cond);
    if (fetch)
        reply = gpu_post_reply(pe, kind, there(op, op->dest), operand);
    else
        gpu_post(pe, kind, there(op, op->dest), operand);
    gpu_kick(pe);
    gpu_unlock(pe);
    if (fetch)
        fetched(op, pe, gpu_reply(pe, reply));
    counted(op);
}

static uint64_t
word_read(struct gpu_pe *pe, const void *word)
{
    uint64_t value;
    const struct gpu_copy copy = {.dest = (char *)&value, .source = word, .block_bytes = sizeof value, .nblocks = 1};

    gpu_copy_from_gpu(pe, &copy);
    return value;
}

uint64_t
gpu_signal_fetch(const uint64_t *sig_addr, const shmem_call_t *call)
{
    if (!gpu_is_heap(fp_self->job, sig_addr))
        return direct_signal_fetch(sig_addr, call);
    return word_read(gpu_pe_of(fp_self), sig_addr);
}

long
gpu_lock_load(const long *lock)
{
    if (!gpu_is_heap(fp_self->job, lock))
        return __atomic_load_n(lock, __ATOMIC_RELAXED);
    return (long)word_read(gpu_pe_of(fp_self), lock);
}
