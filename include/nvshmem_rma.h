/* nvshmem_rma.h -- put, get, p, g, strided and with a signal, for all types and widths. Part of nvshmem.h.
 *
 * On the host they are OpenSHMEM's routines of the same name; those of half and bfloat16 are the 16-bit ones. */
#ifndef NVSHMEM_RMA_H
#define NVSHMEM_RMA_H

#include "nvshmem.h"

#define FP_NV_RMA(name, T, put, get, iput, iget, U)                                                                    \
    FP_NV_BOTH void nvshmem_##name##_put(T *dest, const T *source, size_t n, int pe)                                   \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_put<fp_nv_thread>(dest, source, n * sizeof(T), pe), put(U dest, U source, n, pe));            \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_##name##_put_nbi(T *dest, const T *source, size_t n, int pe)                               \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_put_nbi<fp_nv_thread>(dest, source, n * sizeof(T), pe), put##_nbi(U dest, U source, n, pe));  \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_##name##_get(T *dest, const T *source, size_t n, int pe)                                   \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_get<fp_nv_thread>(dest, source, n * sizeof(T), pe), get(U dest, U source, n, pe));            \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_##name##_get_nbi(T *dest, const T *source, size_t n, int pe)                               \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_get<fp_nv_thread>(dest, source, n * sizeof(T), pe), get##_nbi(U dest, U source, n, pe));      \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_##name##_iput(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe)    \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_iput<fp_nv_thread>(dest, source, dst, sst, n, pe), iput(U dest, U source, dst, sst, n, pe));  \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_##name##_iget(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe)    \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_iget<fp_nv_thread>(dest, source, dst, sst, n, pe), iget(U dest, U source, dst, sst, n, pe));  \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_##name##_put_signal(T *dest, const T *source, size_t n, uint64_t *signal, uint64_t value,  \
                                                int op, int pe)                                                        \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_put_signal<fp_nv_thread>(dest, source, n * sizeof(T), signal, value, op, pe),                 \
                   put##_signal(U dest, U source, n, signal, value, fp_nv_signal_op(op), pe));                         \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_##name##_put_signal_nbi(T *dest, const T *source, size_t n, uint64_t *signal,              \
                                                    uint64_t value, int op, int pe)                                    \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_put_signal<fp_nv_thread>(dest, source, n * sizeof(T), signal, value, op, pe),                 \
                   put##_signal_nbi(U dest, U source, n, signal, value, fp_nv_signal_op(op), pe));                     \
    }
#define FP_NV_PG(name, T)                                                                                              \
    FP_NV_BOTH void nvshmem_##name##_p(T *dest, const T value, int pe)                                                 \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_p(dest, (T)value, pe), shmem_putmem(dest, &value, sizeof value, pe));                         \
    }                                                                                                                  \
    FP_NV_BOTH T nvshmem_##name##_g(const T *source, int pe)                                                           \
    {                                                                                                                  \
        T value;                                                                                                       \
        FP_NV_SIDE(value = fp_nv_g(source, pe), shmem_getmem(&value, source, sizeof value, pe));                       \
        return value;                                                                                                  \
    }
#define FP_NV_PG_STANDARD(name, T)                                                                                     \
    FP_NV_BOTH void nvshmem_##name##_p(T *dest, const T value, int pe)                                                 \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_p(dest, (T)value, pe), shmem_##name##_p(dest, value, pe));                                    \
    }                                                                                                                  \
    FP_NV_BOTH T nvshmem_##name##_g(const T *source, int pe)                                                           \
    {                                                                                                                  \
        return FP_NV_SIDE(fp_nv_g(source, pe), shmem_##name##_g(source, pe));                                          \
    }
#define FP_NV_RMA_STANDARD(name, T)                                                                                    \
    FP_NV_RMA(name, T, shmem_##name##_put, shmem_##name##_get, shmem_##name##_iput, shmem_##name##_iget, )             \
    FP_NV_PG_STANDARD(name, T)
NVSHMEM_STANDARD_TYPES(FP_NV_RMA_STANDARD)

#ifdef __CUDACC__
/* OpenSHMEM names the width at the end: shmem_put16_nbi, shmem_put16_signal. */
#define FP_NV_RMA_CUDA(name, T)                                                                                        \
    FP_NV_RMA(name, T, shmem_put16, shmem_get16, shmem_iput16, shmem_iget16, (void *))                                 \
    FP_NV_PG(name, T)
NVSHMEM_CUDA_TYPES(FP_NV_RMA_CUDA)
#endif

/* ---- By width, and bytes. */
#define FP_NV_SIZED(name, isize, bytes, put, get)                                                                      \
    FP_NV_BOTH void nvshmem_put##name(void *dest, const void *source, size_t n, int pe)                                \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_put<fp_nv_thread>(dest, source, n * bytes, pe), put(dest, source, n, pe));                    \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_put##name##_nbi(void *dest, const void *source, size_t n, int pe)                          \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_put_nbi<fp_nv_thread>(dest, source, n * bytes, pe), put##_nbi(dest, source, n, pe));          \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_get##name(void *dest, const void *source, size_t n, int pe)                                \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_get<fp_nv_thread>(dest, source, n * bytes, pe), get(dest, source, n, pe));                    \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_get##name##_nbi(void *dest, const void *source, size_t n, int pe)                          \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_get<fp_nv_thread>(dest, source, n * bytes, pe), get##_nbi(dest, source, n, pe));              \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_put##name##_signal(void *dest, const void *source, size_t n, uint64_t *signal,             \
                                               uint64_t value, int op, int pe)                                         \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_put_signal<fp_nv_thread>(dest, source, n * bytes, signal, value, op, pe),                     \
                   put##_signal(dest, source, n, signal, value, fp_nv_signal_op(op), pe));                             \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_put##name##_signal_nbi(void *dest, const void *source, size_t n, uint64_t *signal,         \
                                                   uint64_t value, int op, int pe)                                     \
    {                                                                                                                  \
        FP_NV_SIDE(fp_nv_put_signal<fp_nv_thread>(dest, source, n * bytes, signal, value, op, pe),                     \
                   put##_signal_nbi(dest, source, n, signal, value, fp_nv_signal_op(op), pe));                         \
    }
#ifdef __CUDACC__
/* Elements of 8 to 128 bits, for strided copies by kernels. */
struct __attribute__((aligned(16))) fp_nv_word128 {
    uint64_t low, high;
};
#define FP_NV_WORD8 uint8_t
#define FP_NV_WORD16 uint16_t
#define FP_NV_WORD32 uint32_t
#define FP_NV_WORD64 uint64_t
#define FP_NV_WORD128 fp_nv_word128
#endif
#define FP_NV_ISIZED(bits)                                                                                             \
    FP_NV_SIZED(bits, bits, (bits / 8), shmem_put##bits, shmem_get##bits)                                              \
    FP_NV_BOTH void nvshmem_iput##bits(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) \
    {                                                                                                                  \
        FP_NV_SIDE(                                                                                                    \
            fp_nv_iput<fp_nv_thread>((FP_NV_WORD##bits *)dest, (const FP_NV_WORD##bits *)source, dst, sst, n, pe),     \
            shmem_iput##bits(dest, source, dst, sst, n, pe));                                                          \
    }                                                                                                                  \
    FP_NV_BOTH void nvshmem_iget##bits(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) \
    {                                                                                                                  \
        FP_NV_SIDE(                                                                                                    \
            fp_nv_iget<fp_nv_thread>((FP_NV_WORD##bits *)dest, (const FP_NV_WORD##bits *)source, dst, sst, n, pe),     \
            shmem_iget##bits(dest, source, dst, sst, n, pe));                                                          \
    }
SHMEM_SIZES(FP_NV_ISIZED)
FP_NV_SIZED(mem, 8, 1, shmem_putmem, shmem_getmem)

#endif
