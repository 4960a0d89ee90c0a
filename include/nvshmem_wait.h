/* nvshmem_wait.h -- wait_until and test, all forms. Part of nvshmem.h. On the host they are OpenSHMEM's, which has no
 * forms for short and ushort: those are for kernels only. */
#ifndef NVSHMEM_WAIT_H
#define NVSHMEM_WAIT_H

#include "nvshmem.h"

FP_NV_BOTH uint64_t
nvshmem_signal_wait_until(uint64_t *signal, int cmp, uint64_t value)
{
    return FP_NV_SIDE(fp_nv_wait(signal, cmp, value), shmem_signal_wait_until(signal, fp_nv_cmp(cmp), value));
}

#define FP_NV_WAIT(KIND, name, T, SIDE)                                                                                \
    KIND void nvshmem_##name##_wait_until(T *ivar, int cmp, T value)                                                   \
    {                                                                                                                  \
        SIDE((void)fp_nv_wait(ivar, cmp, value), shmem_##name##_wait_until(ivar, fp_nv_cmp(cmp), value));              \
    }                                                                                                                  \
    KIND void nvshmem_##name##_wait_until_all(T *ivars, size_t n, const int *status, int cmp, T value)                 \
    {                                                                                                                  \
        SIDE(fp_nv_wait_all(ivars, n, status, cmp, &value, false),                                                     \
             shmem_##name##_wait_until_all(ivars, n, status, fp_nv_cmp(cmp), value));                                  \
    }                                                                                                                  \
    KIND size_t nvshmem_##name##_wait_until_any(T *ivars, size_t n, const int *status, int cmp, T value)               \
    {                                                                                                                  \
        return SIDE(fp_nv_test_any(ivars, n, status, cmp, &value, false, true),                                        \
                    shmem_##name##_wait_until_any(ivars, n, status, fp_nv_cmp(cmp), value));                           \
    }                                                                                                                  \
    KIND size_t nvshmem_##name##_wait_until_some(T *ivars, size_t n, size_t *indices, const int *status, int cmp,      \
                                                 T value)                                                              \
    {                                                                                                                  \
        return SIDE(fp_nv_test_some(ivars, n, indices, status, cmp, &value, false, true),                              \
                    shmem_##name##_wait_until_some(ivars, n, indices, status, fp_nv_cmp(cmp), value));                 \
    }                                                                                                                  \
    KIND void nvshmem_##name##_wait_until_all_vector(T *ivars, size_t n, const int *status, int cmp, T *values)        \
    {                                                                                                                  \
        SIDE(fp_nv_wait_all(ivars, n, status, cmp, values, true),                                                      \
             shmem_##name##_wait_until_all_vector(ivars, n, status, fp_nv_cmp(cmp), values));                          \
    }                                                                                                                  \
    KIND size_t nvshmem_##name##_wait_until_any_vector(T *ivars, size_t n, const int *status, int cmp, T *values)      \
    {                                                                                                                  \
        return SIDE(fp_nv_test_any(ivars, n, status, cmp, values, true, true),                                         \
                    shmem_##name##_wait_until_any_vector(ivars, n, status, fp_nv_cmp(cmp), values));                   \
    }                                                                                                                  \
    KIND size_t nvshmem_##name##_wait_until_some_vector(T *ivars, size_t n, size_t *indices, const int *status,        \
                                                        int cmp, T *values)                                            \
    {                                                                                                                  \
        return SIDE(fp_nv_test_some(ivars, n, indices, status, cmp, values, true, true),                               \
                    shmem_##name##_wait_until_some_vector(ivars, n, indices, status, fp_nv_cmp(cmp), values));         \
    }                                                                                                                  \
    KIND int nvshmem_##name##_test(T *ivar, int cmp, T value)                                                          \
    {                                                                                                                  \
        return SIDE(fp_nv_test(ivar, cmp, value), shmem_##name##_test(ivar, fp_nv_cmp(cmp), value));                   \
    }                                                                                                                  \
    KIND int nvshmem_##name##_test_all(T *ivars, size_t n, const int *status, int cmp, T value)                        \
    {                                                                                                                  \
        return SIDE(fp_nv_test_all(ivars, n, status, cmp, &value, false),                                              \
                    shmem_##name##_test_all(ivars, n, status, fp_nv_cmp(cmp), value));                                 \
    }                                                                                                                  \
    KIND size_t nvshmem_##name##_test_any(T *ivars, size_t n, const int *status, int cmp, T value)                     \
    {                                                                                                                  \
        return SIDE(fp_nv_test_any(ivars, n, status, cmp, &value, false, false),                                       \
                    shmem_##name##_test_any(ivars, n, status, fp_nv_cmp(cmp), value));                                 \
    }                                                                                                                  \
    KIND size_t nvshmem_##name##_test_some(T *ivars, size_t n, size_t *indices, const int *status, int cmp, T value)   \
    {                                                                                                                  \
        return SIDE(fp_nv_test_some(ivars, n, indices, status, cmp, &value, false, false),                             \
                    shmem_##name##_test_some(ivars, n, indices, status, fp_nv_cmp(cmp), value));                       \
    }                                                                                                                  \
    KIND int nvshmem_##name##_test_all_vector(T *ivars, size_t n, const int *status, int cmp, T *values)               \
    {                                                                                                                  \
        return SIDE(fp_nv_test_all(ivars, n, status, cmp, values, true),                                               \
                    shmem_##name##_test_all_vector(ivars, n, status, fp_nv_cmp(cmp), values));                         \
    }                                                                                                                  \
    KIND size_t nvshmem_##name##_test_any_vector(T *ivars, size_t n, const int *status, int cmp, T *values)            \
    {                                                                                                                  \
        return SIDE(fp_nv_test_any(ivars, n, status, cmp, values, true, false),                                        \
                    shmem_##name##_test_any_vector(ivars, n, status, fp_nv_cmp(cmp), values));                         \
    }                                                                                                                  \
    KIND size_t nvshmem_##name##_test_some_vector(T *ivars, size_t n, size_t *indices, const int *status, int cmp,     \
                                                  T *values)                                                           \
    {                                                                                                                  \
        return SIDE(fp_nv_test_some(ivars, n, indices, status, cmp, values, true, false),                              \
                    shmem_##name##_test_some_vector(ivars, n, indices, status, fp_nv_cmp(cmp), values));               \
    }
#define FP_NV_WAIT_BOTH(name, T) FP_NV_WAIT(FP_NV_BOTH, name, T, FP_NV_SIDE)
SHMEM_AMO_STANDARD_TYPES(FP_NV_WAIT_BOTH)
#ifdef __CUDACC__
#define FP_NV_ONLY_DEVICE(device, host) device
#define FP_NV_WAIT_DEVICE(name, T)                                                                                     \
    FP_NV_WAIT(static __device__ inline __attribute__((unused)), name, T, FP_NV_ONLY_DEVICE)
SHMEM_P2P_DEPRECATED_TYPES(FP_NV_WAIT_DEVICE)
#endif

#endif
