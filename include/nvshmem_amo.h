/* nvshmem_amo.h -- atomics and signals. Part of nvshmem.h. On the host they are OpenSHMEM's. */
#ifndef NVSHMEM_AMO_H
#define NVSHMEM_AMO_H

#include "nvshmem.h"

#define FP_NV_AMO_EXTENDED(name, T)                                                                                    \
    FP_NV_BOTH T nvshmem_##name##_atomic_fetch(const T *source, int pe)                                                \
    {                                                                                                                  \
        return FP_NV_SIDE(fp_nv_g(source, pe), shmem_##name##_atomic_fetch(source, pe));                               \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_##name##_atomic_set(T *dest, T value, int pe)                                              \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_p(dest, value, pe), shmem_##name##_atomic_set(dest, value, pe));                              \
    }                                                                                                                  \
    FP_NV_BOTH T nvshmem_##name##_atomic_swap(T *dest, T value, int pe)                                                \
    {                                                                                                                  \
        return FP_NV_SIDE(fp_nv_amo('=', dest, value, value, pe), shmem_##name##_atomic_swap(dest, value, pe));        \
    }
SHMEM_AMO_EXTENDED_TYPES(FP_NV_AMO_EXTENDED)

#define FP_NV_AMO_STANDARD(name, T)                                                                                    \
    FP_NV_BOTH T nvshmem_##name##_atomic_compare_swap(T *dest, T cond, T value, int pe)                                \
    {                                                                                                                  \
        return FP_NV_SIDE(fp_nv_amo('?', dest, value, cond, pe),                                                       \
                          shmem_##name##_atomic_compare_swap(dest, cond, value, pe));                                  \
    }                                                                                                                  \
    FP_NV_BOTH T nvshmem_##name##_atomic_fetch_inc(T *dest, int pe)                                                    \
    {                                                                                                                  \
        return FP_NV_SIDE(fp_nv_amo('+', dest, (T)1, (T)1, pe), shmem_##name##_atomic_fetch_inc(dest, pe));            \
    }                                                                                                                  \
    FP_NV_BOTH T nvshmem_##name##_atomic_fetch_add(T *dest, T value, int pe)                                           \
    {                                                                                                                  \
        return FP_NV_SIDE(fp_nv_amo('+', dest, value, value, pe), shmem_##name##_atomic_fetch_add(dest, value, pe));   \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_##name##_atomic_inc(T *dest, int pe)                                                       \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_add(dest, (T)1, pe), shmem_##name##_atomic_inc(dest, pe));                                    \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_##name##_atomic_add(T *dest, T value, int pe)                                              \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_add(dest, value, pe), shmem_##name##_atomic_add(dest, value, pe));                            \
    }
SHMEM_AMO_STANDARD_TYPES(FP_NV_AMO_STANDARD)

#define FP_NV_AMO_BITS(name, T, op, sign)                                                                              \
    FP_NV_BOTH T nvshmem_##name##_atomic_fetch_##op(T *dest, T value, int pe)                                          \
    {                                                                                                                  \
        return FP_NV_SIDE(fp_nv_amo(sign, dest, value, value, pe), shmem_##name##_atomic_fetch_##op(dest, value, pe)); \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_##name##_atomic_##op(T *dest, T value, int pe)                                             \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_amo(sign, dest, value, value, pe), shmem_##name##_atomic_##op(dest, value, pe));              \
    }
#define FP_NV_AMO_BITWISE(name, T)                                                                                     \
    FP_NV_AMO_BITS(name, T, and, '&') FP_NV_AMO_BITS(name, T, or, '|') FP_NV_AMO_BITS(name, T, xor, '^')
SHMEM_AMO_BITWISE_TYPES(FP_NV_AMO_BITWISE)

FP_NV_BOTH uint64_t
nvshmem_signal_fetch(uint64_t *signal)
{
    return FP_NV_SIDE(fp_ptx_load_acquire_64(signal), shmem_signal_fetch(signal));
}
FP_NV_BOTH void
nvshmemx_signal_op(uint64_t *signal, uint64_t value, int op, int pe)
{
    FP_NV_SIDE(fp_nv_signal(signal, value, op, pe),
               op == NVSHMEM_SIGNAL_ADD ? shmem_signal_add(signal, value, pe) : shmem_signal_set(signal, value, pe));
}

#endif
