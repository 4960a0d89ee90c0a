/* signal.c -- signals, with data and without (9.8). */
#include <string.h>

#include "reference/api/ctx.h"
#include "reference/check/check.h"

static void
put_signal(unsigned flags, shmem_type_t type, size_t elem_bytes, shmem_ctx_t ctx, void *dest, const void *source,
           size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe_in_team, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    size_t bytes;

    if (pe == NULL)
        return;
    shmem_ctx_state_t *state = fp_ctx_find(pe, ctx, &call);
    const int target = state == NULL ? -1 : fp_ctx_target(state, pe_in_team, &call);
    if (target < 0) {
        /* told already */
    } else if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD) {
        fp_usage(FP_CLASS_USAGE, "E039, S 9.8", &call,
                 "%s was given signal operator %d; it takes SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD", call.name, sig_op);
    } else if (__builtin_mul_overflow(nelems, elem_bytes, &bytes) || bytes > PTRDIFF_MAX) {
        fp_usage(FP_CLASS_USAGE, "E037, S 9.8", &call, "%s was given a length that overflows: %zu elements of %zu",
                 call.name, nelems, elem_bytes);
    } else {
        const shmem_op_t op = {
            .kind = SHMEM_OP_PUT,
            .type = type,
            .flags = flags | SHMEM_OPF_SIGNAL,
            .pe = target,
            .ctx = state,
            .dest = dest,
            .source = source,
            .elem_bytes = elem_bytes,
            .block_bytes = bytes,
            .nblocks = 1,
            .sig_addr = sig_addr,
            .signal = signal,
            .sig_op = sig_op == SHMEM_SIGNAL_ADD ? SHMEM_AMO_ADD : SHMEM_AMO_SET,
            .call = call,
        };
        pe->job->backend->put(&op);
    }
    fp_leave(pe);
}

static void
signal_update(shmem_amo_t function, shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe_in_team,
              shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    shmem_ctx_state_t *state = fp_ctx_find(pe, ctx, &call);
    const int target = state == NULL ? -1 : fp_ctx_target(state, pe_in_team, &call);
    if (target >= 0) {
        shmem_op_t op = {
            .kind = SHMEM_OP_AMO,
            .type = SHMEM_TYPE_uint64,
            .amo = function,
            .flags = SHMEM_OPF_SIGNAL,
            .pe = target,
            .ctx = state,
            .dest = sig_addr,
            .elem_bytes = sizeof signal,
            .block_bytes = sizeof signal,
            .nblocks = 1,
            .call = call,
        };
        memcpy(op.operand, &signal, sizeof signal);
        pe->job->backend->amo(&op);
    }
    fp_leave(pe);
}

static uint64_t
signal_fetch(const uint64_t *sig_addr, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    uint64_t value;

    if (pe == NULL)
        return 0;
    value = pe->job->backend->signal_fetch(sig_addr, &call);
    fp_leave(pe);
    return value;
}

#define DEFINE_BOTH(name, type, elem_bytes, T)                                                                         \
    FP_ROUTINE_CTX(void, name##_signal,                                                                                \
                   put_signal(0, type, elem_bytes, ctx, dest, source, nelems, sig_addr, signal, sig_op, pe, call),     \
                   T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)   \
    FP_ROUTINE_CTX(                                                                                                    \
        void, name##_signal_nbi,                                                                                       \
        put_signal(SHMEM_OPF_NBI, type, elem_bytes, ctx, dest, source, nelems, sig_addr, signal, sig_op, pe, call),    \
        T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
#define DEFINE(N, T) DEFINE_BOTH(N##_put, SHMEM_TYPE_##N, sizeof(T), T)
SHMEM_RMA_TYPES(DEFINE)
#undef DEFINE
#define DEFINE(S) DEFINE_BOTH(put##S, SHMEM_TYPE_BITS##S, S / 8, void)
SHMEM_SIZES(DEFINE)
#undef DEFINE
DEFINE_BOTH(putmem, SHMEM_TYPE_MEM, 1, void)
#undef DEFINE_BOTH

FP_ROUTINE_CTX(void, signal_add, signal_update(SHMEM_AMO_ADD, ctx, sig_addr, signal, pe, call), uint64_t *sig_addr,
               uint64_t signal, int pe)
FP_ROUTINE_CTX(void, signal_set, signal_update(SHMEM_AMO_SET, ctx, sig_addr, signal, pe, call), uint64_t *sig_addr,
               uint64_t signal, int pe)
FP_ROUTINE_IS(uint64_t, signal_fetch, (const uint64_t *sig_addr), return signal_fetch(sig_addr, call))
