/* amo.c -- atomic memory operations (9.7): every routine is one function on one element. */
#include <string.h>

#include "reference/api/ctx.h"

/* operand, cond: values of the type, or NULL. fetch: where the old value goes, or NULL. INC carries operand 1, so a
 * backend may treat it as ADD. */
static void
amo(shmem_amo_t function, unsigned flags, shmem_type_t type, size_t elem_bytes, shmem_ctx_t ctx, const void *dest,
    const void *operand, const void *cond, void *fetch, int pe_in_team, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    shmem_ctx_state_t *state = fp_ctx_find(pe, ctx, &call);
    const int target = state == NULL ? -1 : fp_ctx_target(state, pe_in_team, &call);
    if (target >= 0) {
        shmem_op_t op = {
            .kind = SHMEM_OP_AMO,
            .type = type,
            .amo = function,
            .flags = flags,
            .pe = target,
            .ctx = state,
            .dest = (void *)dest,
            .elem_bytes = elem_bytes,
            .block_bytes = elem_bytes,
            .nblocks = 1,
            .fetch = fetch,
            .call = call,
        };
        if (operand != NULL)
            memcpy(op.operand, operand, elem_bytes);
        else if (function == SHMEM_AMO_INC)
            op.operand[0] = 1;
        if (cond != NULL)
            memcpy(op.cond, cond, elem_bytes);
        pe->job->backend->amo(&op);
    }
    fp_leave(pe);
}

#define FETCHING SHMEM_OPF_FETCH
#define NBI (SHMEM_OPF_FETCH | SHMEM_OPF_NBI)
#define AMO(N, T, function, flags, dest, operand, cond, fetch)                                                         \
    amo(SHMEM_AMO_##function, flags, SHMEM_TYPE_##N, sizeof(T), ctx, dest, operand, cond, fetch, pe, call)
#define FETCH(N, T, function, dest, operand, cond)                                                                     \
    FP_RESULT(T, AMO(N, T, function, FETCHING, dest, operand, cond, &result))

#define DEFINE(N, T)                                                                                                   \
    FP_ROUTINE_CTX(T, N##_atomic_fetch, FETCH(N, T, FETCH, source, NULL, NULL), const T *source, int pe)               \
    FP_ROUTINE_CTX(void, N##_atomic_set, AMO(N, T, SET, 0, dest, &value, NULL, NULL), T *dest, T value, int pe)        \
    FP_ROUTINE_CTX(T, N##_atomic_swap, FETCH(N, T, SWAP, dest, &value, NULL), T *dest, T value, int pe)                \
    FP_ROUTINE_CTX(void, N##_atomic_fetch_nbi, AMO(N, T, FETCH, NBI, source, NULL, NULL, fetch), T *fetch,             \
                   const T *source, int pe)                                                                            \
    FP_ROUTINE_CTX(void, N##_atomic_swap_nbi, AMO(N, T, SWAP, NBI, dest, &value, NULL, fetch), T *fetch, T *dest,      \
                   T value, int pe)
SHMEM_AMO_EXTENDED_TYPES(DEFINE)
#undef DEFINE

#define DEFINE(N, T)                                                                                                   \
    FP_ROUTINE_CTX(T, N##_atomic_compare_swap, FETCH(N, T, CSWAP, dest, &value, &cond), T *dest, T cond, T value,      \
                   int pe)                                                                                             \
    FP_ROUTINE_CTX(T, N##_atomic_fetch_inc, FETCH(N, T, INC, dest, NULL, NULL), T *dest, int pe)                       \
    FP_ROUTINE_CTX(void, N##_atomic_inc, AMO(N, T, INC, 0, dest, NULL, NULL, NULL), T *dest, int pe)                   \
    FP_ROUTINE_CTX(T, N##_atomic_fetch_add, FETCH(N, T, ADD, dest, &value, NULL), T *dest, T value, int pe)            \
    FP_ROUTINE_CTX(void, N##_atomic_add, AMO(N, T, ADD, 0, dest, &value, NULL, NULL), T *dest, T value, int pe)        \
    FP_ROUTINE_CTX(void, N##_atomic_compare_swap_nbi, AMO(N, T, CSWAP, NBI, dest, &value, &cond, fetch), T *fetch,     \
                   T *dest, T cond, T value, int pe)                                                                   \
    FP_ROUTINE_CTX(void, N##_atomic_fetch_inc_nbi, AMO(N, T, INC, NBI, dest, NULL, NULL, fetch), T *fetch, T *dest,    \
                   int pe)                                                                                             \
    FP_ROUTINE_CTX(void, N##_atomic_fetch_add_nbi, AMO(N, T, ADD, NBI, dest, &value, NULL, fetch), T *fetch, T *dest,  \
                   T value, int pe)
SHMEM_AMO_STANDARD_TYPES(DEFINE)
#undef DEFINE

#define DEFINE_BITWISE(N, T, function, name)                                                                           \
    FP_ROUTINE_CTX(T, N##_atomic_fetch_##name, FETCH(N, T, function, dest, &value, NULL), T *dest, T value, int pe)    \
    FP_ROUTINE_CTX(void, N##_atomic_##name, AMO(N, T, function, 0, dest, &value, NULL, NULL), T *dest, T value,        \
                   int pe)                                                                                             \
    FP_ROUTINE_CTX(void, N##_atomic_fetch_##name##_nbi, AMO(N, T, function, NBI, dest, &value, NULL, fetch), T *fetch, \
                   T *dest, T value, int pe)
#define DEFINE(N, T) DEFINE_BITWISE(N, T, AND, and) DEFINE_BITWISE(N, T, OR, or) DEFINE_BITWISE(N, T, XOR, xor)
SHMEM_AMO_BITWISE_TYPES(DEFINE)
#undef DEFINE
#undef DEFINE_BITWISE

/* Older names (Annex E). */
#define DEFINE(N, T)                                                                                                   \
    FP_ROUTINE_DEFAULT(T, N##_fetch, FETCH(N, T, FETCH, source, NULL, NULL), const T *source, int pe)                  \
    FP_ROUTINE_DEFAULT(void, N##_set, AMO(N, T, SET, 0, dest, &value, NULL, NULL), T *dest, T value, int pe)           \
    FP_ROUTINE_DEFAULT(T, N##_swap, FETCH(N, T, SWAP, dest, &value, NULL), T *dest, T value, int pe)
SHMEM_AMO_OLD_EXTENDED_TYPES(DEFINE)
#undef DEFINE
#define DEFINE(N, T)                                                                                                   \
    FP_ROUTINE_DEFAULT(T, N##_cswap, FETCH(N, T, CSWAP, dest, &value, &cond), T *dest, T cond, T value, int pe)        \
    FP_ROUTINE_DEFAULT(T, N##_finc, FETCH(N, T, INC, dest, NULL, NULL), T *dest, int pe)                               \
    FP_ROUTINE_DEFAULT(void, N##_inc, AMO(N, T, INC, 0, dest, NULL, NULL, NULL), T *dest, int pe)                      \
    FP_ROUTINE_DEFAULT(T, N##_fadd, FETCH(N, T, ADD, dest, &value, NULL), T *dest, T value, int pe)                    \
    FP_ROUTINE_DEFAULT(void, N##_add, AMO(N, T, ADD, 0, dest, &value, NULL, NULL), T *dest, T value, int pe)
SHMEM_AMO_OLD_TYPES(DEFINE)
#undef DEFINE
