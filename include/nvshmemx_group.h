/* nvshmemx_group.h -- RMA, signals, meetings and collectives by a warp or a block. Part of nvshmemx.h.
 *
 * All threads of the group call with the same arguments. Blocking forms are synchronised on entry and exit. */
#ifndef NVSHMEMX_GROUP_H
#define NVSHMEMX_GROUP_H
#ifdef __CUDACC__

#include "nvshmem.h"

#define FP_NV_FORM static __device__ inline __attribute__((unused))

#define FP_NV_GROUP_BULK(name, T, group, bytes)                                                                        \
    FP_NV_FORM void nvshmemx_##name##put_##group(T *dest, const T *source, size_t n, int pe)                           \
    {                                                                                                                  \
        fp_nv_put<fp_nv_##group>(dest, source, n * bytes, pe);                                                         \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_##name##put_nbi_##group(T *dest, const T *source, size_t n, int pe)                       \
    {                                                                                                                  \
        fp_nv_put_nbi<fp_nv_##group>(dest, source, n * bytes, pe);                                                     \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_##name##get_##group(T *dest, const T *source, size_t n, int pe)                           \
    {                                                                                                                  \
        fp_nv_get<fp_nv_##group>(dest, source, n * bytes, pe);                                                         \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_##name##get_nbi_##group(T *dest, const T *source, size_t n, int pe)                       \
    {                                                                                                                  \
        fp_nv_get<fp_nv_##group>(dest, source, n * bytes, pe);                                                         \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_##name##put_signal_##group(T *dest, const T *source, size_t n, uint64_t *signal,          \
                                                        uint64_t value, int op, int pe)                                \
    {                                                                                                                  \
        fp_nv_put_signal<fp_nv_##group>(dest, source, n * bytes, signal, value, op, pe);                               \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_##name##put_signal_nbi_##group(T *dest, const T *source, size_t n, uint64_t *signal,      \
                                                            uint64_t value, int op, int pe)                            \
    {                                                                                                                  \
        fp_nv_put_signal<fp_nv_##group>(dest, source, n * bytes, signal, value, op, pe);                               \
    }
#define FP_NV_GROUP_STRIDED(name, T, group)                                                                            \
    FP_NV_FORM void nvshmemx_##name##_iput_##group(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n,   \
                                                   int pe)                                                             \
    {                                                                                                                  \
        fp_nv_iput<fp_nv_##group>(dest, source, dst, sst, n, pe);                                                      \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_##name##_iget_##group(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n,   \
                                                   int pe)                                                             \
    {                                                                                                                  \
        fp_nv_iget<fp_nv_##group>(dest, source, dst, sst, n, pe);                                                      \
    }
#define FP_NV_GROUPS_RMA(name, T)                                                                                      \
    FP_NV_GROUP_BULK(name##_, T, warp, sizeof(T))                                                                      \
    FP_NV_GROUP_BULK(name##_, T, block, sizeof(T))                                                                     \
    FP_NV_GROUP_STRIDED(name, T, warp) FP_NV_GROUP_STRIDED(name, T, block)
NVSHMEM_RMA_TYPES(FP_NV_GROUPS_RMA)

/* By width, and bytes: the width stands behind put and get. */
#define FP_NV_GROUP_SIZED(size, bytes, group)                                                                          \
    FP_NV_FORM void nvshmemx_put##size##_##group(void *dest, const void *source, size_t n, int pe)                     \
    {                                                                                                                  \
        fp_nv_put<fp_nv_##group>(dest, source, n * bytes, pe);                                                         \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_put##size##_nbi_##group(void *dest, const void *source, size_t n, int pe)                 \
    {                                                                                                                  \
        fp_nv_put_nbi<fp_nv_##group>(dest, source, n * bytes, pe);                                                     \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_get##size##_##group(void *dest, const void *source, size_t n, int pe)                     \
    {                                                                                                                  \
        fp_nv_get<fp_nv_##group>(dest, source, n * bytes, pe);                                                         \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_get##size##_nbi_##group(void *dest, const void *source, size_t n, int pe)                 \
    {                                                                                                                  \
        fp_nv_get<fp_nv_##group>(dest, source, n * bytes, pe);                                                         \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_put##size##_signal_##group(void *dest, const void *source, size_t n, uint64_t *signal,    \
                                                        uint64_t value, int op, int pe)                                \
    {                                                                                                                  \
        fp_nv_put_signal<fp_nv_##group>(dest, source, n * bytes, signal, value, op, pe);                               \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_put##size##_signal_nbi_##group(void *dest, const void *source, size_t n,                  \
                                                            uint64_t *signal, uint64_t value, int op, int pe)          \
    {                                                                                                                  \
        fp_nv_put_signal<fp_nv_##group>(dest, source, n * bytes, signal, value, op, pe);                               \
    }
#define FP_NV_GROUP_ISIZED(bits, group)                                                                                \
    FP_NV_FORM void nvshmemx_iput##bits##_##group(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,        \
                                                  size_t n, int pe)                                                    \
    {                                                                                                                  \
        fp_nv_iput<fp_nv_##group>((FP_NV_WORD##bits *)dest, (const FP_NV_WORD##bits *)source, dst, sst, n, pe);        \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_iget##bits##_##group(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,        \
                                                  size_t n, int pe)                                                    \
    {                                                                                                                  \
        fp_nv_iget<fp_nv_##group>((FP_NV_WORD##bits *)dest, (const FP_NV_WORD##bits *)source, dst, sst, n, pe);        \
    }
#define FP_NV_GROUPS_SIZED(bits)                                                                                       \
    FP_NV_GROUP_SIZED(bits, (bits / 8), warp)                                                                          \
    FP_NV_GROUP_SIZED(bits, (bits / 8), block) FP_NV_GROUP_ISIZED(bits, warp) FP_NV_GROUP_ISIZED(bits, block)
SHMEM_SIZES(FP_NV_GROUPS_SIZED)
FP_NV_GROUP_SIZED(mem, 1, warp)
FP_NV_GROUP_SIZED(mem, 1, block)

/* ---- Order and meetings. */
#define FP_NV_GROUP_MEET(group)                                                                                        \
    FP_NV_FORM int nvshmemx_barrier_##group(nvshmem_team_t team)                                                       \
    {                                                                                                                  \
        fp_nv_meet<fp_nv_##group>(team, true);                                                                         \
        return 0;                                                                                                      \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_barrier_all_##group()                                                                     \
    {                                                                                                                  \
        fp_nv_meet<fp_nv_##group>(NVSHMEM_TEAM_WORLD, true);                                                           \
    }                                                                                                                  \
    FP_NV_FORM int nvshmemx_team_sync_##group(nvshmem_team_t team)                                                     \
    {                                                                                                                  \
        fp_nv_meet<fp_nv_##group>(team, false);                                                                        \
        return 0;                                                                                                      \
    }                                                                                                                  \
    FP_NV_FORM int nvshmemx_sync_##group(nvshmem_team_t team)                                                          \
    {                                                                                                                  \
        return nvshmemx_team_sync_##group(team);                                                                       \
    }                                                                                                                  \
    FP_NV_FORM void nvshmemx_sync_all_##group()                                                                        \
    {                                                                                                                  \
        fp_nv_meet<fp_nv_##group>(NVSHMEM_TEAM_WORLD, false);                                                          \
    }
FP_NV_GROUP_MEET(warp)
FP_NV_GROUP_MEET(warpgroup)
FP_NV_GROUP_MEET(block)
/* Sources of nonblocking puts have been read when the put returns: there is nothing to wait for. */
FP_NV_FORM void
nvshmemx_flush()
{
}
FP_NV_FORM void
nvshmemx_flush_warp()
{
    __syncwarp();
}
FP_NV_FORM void
nvshmemx_flush_block()
{
    __syncthreads();
}

/* ---- Collectives. */
#define FP_NV_GROUP_COLL(name, T, group)                                                                               \
    FP_NV_FORM int nvshmemx_##name##_broadcast_##group(nvshmem_team_t team, T *dest, const T *source, size_t n,        \
                                                       int root)                                                       \
    {                                                                                                                  \
        fp_nv_broadcast<fp_nv_##group>(team, dest, source, n * sizeof(T), root);                                       \
        return 0;                                                                                                      \
    }                                                                                                                  \
    FP_NV_FORM int nvshmemx_##name##_fcollect_##group(nvshmem_team_t team, T *dest, const T *source, size_t n)         \
    {                                                                                                                  \
        fp_nv_fcollect<fp_nv_##group>(team, dest, source, n * sizeof(T));                                              \
        return 0;                                                                                                      \
    }                                                                                                                  \
    FP_NV_FORM int nvshmemx_##name##_alltoall_##group(nvshmem_team_t team, T *dest, const T *source, size_t n)         \
    {                                                                                                                  \
        fp_nv_alltoall<fp_nv_##group>(team, dest, source, n * sizeof(T));                                              \
        return 0;                                                                                                      \
    }
#define FP_NV_GROUPS_COLL(name, T) FP_NV_GROUP_COLL(name, T, warp) FP_NV_GROUP_COLL(name, T, block)
NVSHMEM_RMA_TYPES(FP_NV_GROUPS_COLL)
#define FP_NV_GROUP_COLL_MEM(group)                                                                                    \
    FP_NV_FORM int nvshmemx_broadcastmem_##group(nvshmem_team_t team, void *dest, const void *source, size_t n,        \
                                                 int root)                                                             \
    {                                                                                                                  \
        fp_nv_broadcast<fp_nv_##group>(team, dest, source, n, root);                                                   \
        return 0;                                                                                                      \
    }                                                                                                                  \
    FP_NV_FORM int nvshmemx_fcollectmem_##group(nvshmem_team_t team, void *dest, const void *source, size_t n)         \
    {                                                                                                                  \
        fp_nv_fcollect<fp_nv_##group>(team, dest, source, n);                                                          \
        return 0;                                                                                                      \
    }                                                                                                                  \
    FP_NV_FORM int nvshmemx_alltoallmem_##group(nvshmem_team_t team, void *dest, const void *source, size_t n)         \
    {                                                                                                                  \
        fp_nv_alltoall<fp_nv_##group>(team, dest, source, n);                                                          \
        return 0;                                                                                                      \
    }
FP_NV_GROUP_COLL_MEM(warp)
FP_NV_GROUP_COLL_MEM(block)

#define FP_NV_GROUP_REDUCE(name, T, op, group)                                                                         \
    FP_NV_FORM int nvshmemx_##name##_##op##_reduce_##group(nvshmem_team_t team, T *dest, const T *source, size_t n)    \
    {                                                                                                                  \
        fp_nv_reduce<fp_nv_##group, fp_nv_##op>(team, dest, source, n);                                                \
        return 0;                                                                                                      \
    }                                                                                                                  \
    FP_NV_FORM int nvshmemx_##name##_##op##_reducescatter_##group(nvshmem_team_t team, T *dest, const T *source,       \
                                                                  size_t n)                                            \
    {                                                                                                                  \
        fp_nv_reducescatter<fp_nv_##group, fp_nv_##op>(team, dest, source, n);                                         \
        return 0;                                                                                                      \
    }
#define FP_NV_GROUPS_REDUCE(name, T, op) FP_NV_GROUP_REDUCE(name, T, op, warp) FP_NV_GROUP_REDUCE(name, T, op, block)
#define FP_NV_GROUPS_BITWISE(name, T)                                                                                  \
    FP_NV_GROUPS_REDUCE(name, T, and) FP_NV_GROUPS_REDUCE(name, T, or) FP_NV_GROUPS_REDUCE(name, T, xor)
#define FP_NV_GROUPS_ARITH(name, T)                                                                                    \
    FP_NV_GROUPS_REDUCE(name, T, max)                                                                                  \
    FP_NV_GROUPS_REDUCE(name, T, min) FP_NV_GROUPS_REDUCE(name, T, sum) FP_NV_GROUPS_REDUCE(name, T, prod)
SHMEM_REDUCE_BITWISE_TYPES(FP_NV_GROUPS_BITWISE)
NVSHMEM_RMA_TYPES(FP_NV_GROUPS_ARITH)

#endif
#endif
