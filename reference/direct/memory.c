/* memory.c -- put, get, AMO and signal as copies and atomic instructions.
 *
 * One element of a machine word is written and read by one atomic access, so a flag sent with shmem_p is never torn,
 * and the release order keeps what was written before it in front of it. Longer data is copied, then released. */
#include <string.h>

#include "reference/direct/direct.h"

void
direct_arrived(struct fp_job *job, int pe)
{
    struct direct_pe *there = &direct_of(job)->pes[pe];

    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&there->waiting, memory_order_relaxed) != 0) {
        atomic_fetch_add(&there->arrivals, 1);
        direct_wake(&there->arrivals);
    }
}

static bool
is_aligned(const void *a, size_t bytes)
{
    return ((uintptr_t)a & (bytes - 1)) == 0;
}

/* One block. A block may overlap its destination only where the program is wrong; memmove keeps even that defined. */
static void
copy(void *dest, const void *source, size_t bytes)
{
    switch (bytes) {
#define ONE_WORD(n, type)                                                                                              \
    case n:                                                                                                            \
        if (is_aligned(dest, n) && is_aligned(source, n)) {                                                            \
            type word = __atomic_load_n((const type *)source, __ATOMIC_ACQUIRE);                                       \
            __atomic_store_n((type *)dest, word, __ATOMIC_RELEASE);                                                    \
            return;                                                                                                    \
        }                                                                                                              \
        break;
        ONE_WORD(1, uint8_t)
        ONE_WORD(2, uint16_t)
        ONE_WORD(4, uint32_t)
        ONE_WORD(8, uint64_t)
#undef ONE_WORD
    default:
        break;
    }
    atomic_thread_fence(memory_order_release);
    memmove(dest, source, bytes);
    atomic_thread_fence(memory_order_acq_rel);
}

static void
copy_blocks(char *dest, const char *source, const shmem_op_t *op)
{
    for (size_t i = 0; i < op->nblocks; i++)
        copy(dest + (ptrdiff_t)i * op->dest_step, source + (ptrdiff_t)i * op->source_step, op->block_bytes);
}

static void *
there(const shmem_op_t *op, const void *address)
{
    struct fp_pe *pe = op->ctx->pe;

    return fp_translate(pe->job, address, pe->rank, op->pe);
}

void
direct_put(const shmem_op_t *op)
{
    struct fp_job *job = op->ctx->pe->job;

    if (op->block_bytes > 0)
        copy_blocks(there(op, op->dest), op->source, op);
    if (op->flags & SHMEM_OPF_SIGNAL) {
        uint64_t *signal = there(op, op->sig_addr);
        if (op->sig_op == SHMEM_AMO_ADD)
            __atomic_fetch_add(signal, op->signal, __ATOMIC_SEQ_CST);
        else
            __atomic_store_n(signal, op->signal, __ATOMIC_SEQ_CST);
    }
    __atomic_fetch_add(&job->ops, 1, __ATOMIC_RELAXED);
    direct_arrived(job, op->pe);
}

void
direct_get(const shmem_op_t *op)
{
    copy_blocks(op->dest, there(op, op->source), op);
    __atomic_fetch_add(&op->ctx->pe->job->ops, 1, __ATOMIC_RELAXED);
}

/* Every AMO type is 4 or 8 bytes wide, and two's complement makes signed and unsigned arithmetic the same bits. */
#define AMO(bits)                                                                                                      \
    static uint64_t amo##bits(shmem_amo_t amo, uint##bits##_t *object, uint##bits##_t operand, uint##bits##_t cond)    \
    {                                                                                                                  \
        switch (amo) {                                                                                                 \
        case SHMEM_AMO_FETCH:                                                                                          \
            return __atomic_load_n(object, __ATOMIC_SEQ_CST);                                                          \
        case SHMEM_AMO_SET:                                                                                            \
        case SHMEM_AMO_SWAP:                                                                                           \
            return __atomic_exchange_n(object, operand, __ATOMIC_SEQ_CST);                                             \
        case SHMEM_AMO_ADD:                                                                                            \
        case SHMEM_AMO_INC:                                                                                            \
            return __atomic_fetch_add(object, operand, __ATOMIC_SEQ_CST);                                              \
        case SHMEM_AMO_AND:                                                                                            \
            return __atomic_fetch_and(object, operand, __ATOMIC_SEQ_CST);                                              \
        case SHMEM_AMO_OR:                                                                                             \
            return __atomic_fetch_or(object, operand, __ATOMIC_SEQ_CST);                                               \
        case SHMEM_AMO_XOR:                                                                                            \
            return __atomic_fetch_xor(object, operand, __ATOMIC_SEQ_CST);                                              \
        case SHMEM_AMO_CSWAP:                                                                                          \
            __atomic_compare_exchange_n(object, &cond, operand, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
            return cond;                                                                                               \
        default:                                                                                                       \
            FP_BUG("no such AMO: %d", (int)amo);                                                                       \
        }                                                                                                              \
    }
AMO(32)
AMO(64)

void
direct_amo(const shmem_op_t *op)
{
    struct fp_job *job = op->ctx->pe->job;
    void *object = there(op, op->dest);
    uint64_t operand = 0, cond = 0, old;

    memcpy(&operand, op->operand, op->elem_bytes);
    memcpy(&cond, op->cond, op->elem_bytes);
    if (op->elem_bytes == 4)
        old = amo32(op->amo, object, (uint32_t)operand, (uint32_t)cond);
    else
        old = amo64(op->amo, object, operand, cond);
    if (op->flags & SHMEM_OPF_FETCH)
        memcpy(op->fetch, &old, op->elem_bytes);
    __atomic_fetch_add(&job->ops, 1, __ATOMIC_RELAXED);
    direct_arrived(job, op->pe);
}

uint64_t
direct_signal_fetch(const uint64_t *sig_addr, const shmem_call_t *call)
{
    return __atomic_load_n(sig_addr, __ATOMIC_SEQ_CST);
}
