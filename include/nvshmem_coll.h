/* nvshmem_coll.h -- broadcast, fcollect, alltoall, reductions and reduce-scatters. Part of nvshmem.h.
 *
 * On the host they are OpenSHMEM's, but for what that lacks: half and bfloat16, and the reduce-scatters, which read the
 * other members' sources and combine them here. */
#ifndef NVSHMEM_COLL_H
#define NVSHMEM_COLL_H

#include "nvshmem.h"

/* A team of the caller alone: what every collective comes to. */
FP_NV_HOST int
fp_nv_alone(void *dest, const void *source, size_t bytes)
{
    if (dest != source)
        shmem_putmem(dest, source, bytes, shmem_my_pe());
    shmem_quiet();
    return 0;
}

#define FP_NV_COLL(name, T, b_host, f_host, a_host, bytes)                                                             \
    FP_NV_BOTH int nvshmem_##name##broadcast(nvshmem_team_t team, T *dest, const T *source, size_t n, int root)        \
    {                                                                                                                  \
        return FP_NV_SIDE((fp_nv_broadcast<fp_nv_thread>(team, dest, source, n * bytes, root), 0),                     \
                          team == NVSHMEMX_TEAM_SAME_MYPE_NODE                                                         \
                              ? fp_nv_alone(dest, source, n * bytes)                                                   \
                              : b_host(fp_nv_shmem_team(team), dest, source, n, root));                                \
    }                                                                                                                  \
    FP_NV_BOTH int nvshmem_##name##fcollect(nvshmem_team_t team, T *dest, const T *source, size_t n)                   \
    {                                                                                                                  \
        return FP_NV_SIDE((fp_nv_fcollect<fp_nv_thread>(team, dest, source, n * bytes), 0),                            \
                          team == NVSHMEMX_TEAM_SAME_MYPE_NODE ? fp_nv_alone(dest, source, n * bytes)                  \
                                                               : f_host(fp_nv_shmem_team(team), dest, source, n));     \
    }                                                                                                                  \
    FP_NV_BOTH int nvshmem_##name##alltoall(nvshmem_team_t team, T *dest, const T *source, size_t n)                   \
    {                                                                                                                  \
        return FP_NV_SIDE((fp_nv_alltoall<fp_nv_thread>(team, dest, source, n * bytes), 0),                            \
                          team == NVSHMEMX_TEAM_SAME_MYPE_NODE ? fp_nv_alone(dest, source, n * bytes)                  \
                                                               : a_host(fp_nv_shmem_team(team), dest, source, n));     \
    }
#define FP_NV_COLL_STANDARD(name, T)                                                                                   \
    FP_NV_COLL(name##_, T, shmem_##name##_broadcast, shmem_##name##_fcollect, shmem_##name##_alltoall, sizeof(T))
NVSHMEM_STANDARD_TYPES(FP_NV_COLL_STANDARD)
/* int nvshmem_broadcastmem(...): the word stands at the end there. */
FP_NV_BOTH int
nvshmem_broadcastmem(nvshmem_team_t team, void *dest, const void *source, size_t n, int root)
{
    return nvshmem_uint8_broadcast(team, (uint8_t *)dest, (const uint8_t *)source, n, root);
}
FP_NV_BOTH int
nvshmem_fcollectmem(nvshmem_team_t team, void *dest, const void *source, size_t n)
{
    return nvshmem_uint8_fcollect(team, (uint8_t *)dest, (const uint8_t *)source, n);
}
FP_NV_BOTH int
nvshmem_alltoallmem(nvshmem_team_t team, void *dest, const void *source, size_t n)
{
    return nvshmem_uint8_alltoall(team, (uint8_t *)dest, (const uint8_t *)source, n);
}
#ifdef __CUDACC__
#define FP_NV_BYTES_BROADCAST(team, dest, source, n, root) shmem_broadcastmem(team, dest, source, 2 * (n), root)
#define FP_NV_BYTES_FCOLLECT(team, dest, source, n) shmem_fcollectmem(team, dest, source, 2 * (n))
#define FP_NV_BYTES_ALLTOALL(team, dest, source, n) shmem_alltoallmem(team, dest, source, 2 * (n))
#define FP_NV_COLL_CUDA(name, T)                                                                                       \
    FP_NV_COLL(name##_, T, FP_NV_BYTES_BROADCAST, FP_NV_BYTES_FCOLLECT, FP_NV_BYTES_ALLTOALL, sizeof(T))
NVSHMEM_CUDA_TYPES(FP_NV_COLL_CUDA)
#endif

/* ---- Reductions. */
#define FP_NV_HOST_AND(a, b) (a) & (b)
#define FP_NV_HOST_OR(a, b) (a) | (b)
#define FP_NV_HOST_XOR(a, b) (a) ^ (b)
#define FP_NV_HOST_SUM(a, b) (a) + (b)
#define FP_NV_HOST_PROD(a, b) (a) * (b)
#define FP_NV_HOST_MIN(a, b) (b) < (a) ? (b) : (a)
#define FP_NV_HOST_MAX(a, b) (b) > (a) ? (b) : (a)

/* n elements from `first` of every member's source, combined in order of rank, into the caller's dest. */
#define FP_NV_HOST_COMBINE(name, T, op, OP)                                                                            \
    FP_NV_HOST int fp_nv_host_##name##_##op(nvshmem_team_t team, T *dest, const T *source, size_t first, size_t n)     \
    {                                                                                                                  \
        const int size = nvshmem_team_n_pes(team), me = shmem_my_pe();                                                 \
        T *sum = (T *)malloc(2 * n * sizeof(T) + 1), *next = sum + n;                                                  \
        if (sum == NULL)                                                                                               \
            return -1;                                                                                                 \
        shmem_quiet();                                                                                                 \
        fp_nv_host_sync(team);                                                                                         \
        for (int r = 0; r < size; r++) {                                                                               \
            shmem_getmem(r == 0 ? sum : next, source + first, n * sizeof(T),                                           \
                         fp_nv_host_translate(team, r, NVSHMEM_TEAM_WORLD));                                           \
            for (size_t i = 0; r > 0 && i < n; i++)                                                                    \
                sum[i] = (T)(FP_NV_HOST_##OP(sum[i], next[i]));                                                        \
        }                                                                                                              \
        fp_nv_host_sync(team); /* all have read: dest may be source */                                                 \
        shmem_putmem(dest, sum, n * sizeof(T), me);                                                                    \
        shmem_quiet();                                                                                                 \
        free(sum);                                                                                                     \
        fp_nv_host_sync(team);                                                                                         \
        return 0;                                                                                                      \
    }
#define FP_NV_REDUCE(name, T, op, OP)                                                                                  \
    FP_NV_HOST_COMBINE(name, T, op, OP)                                                                                \
    FP_NV_BOTH int nvshmem_##name##_##op##_reduce(nvshmem_team_t team, T *dest, const T *source, size_t n)             \
    {                                                                                                                  \
        return FP_NV_SIDE((fp_nv_reduce<fp_nv_thread, fp_nv_##op>(team, dest, source, n), 0),                          \
                          FP_NV_HOST_REDUCE(name, op));                                                                \
    }                                                                                                                  \
    FP_NV_BOTH int nvshmem_##name##_##op##_reducescatter(nvshmem_team_t team, T *dest, const T *source, size_t n)      \
    {                                                                                                                  \
        return FP_NV_SIDE((fp_nv_reducescatter<fp_nv_thread, fp_nv_##op>(team, dest, source, n), 0),                   \
                          fp_nv_host_##name##_##op(team, dest, source, (size_t)nvshmem_team_my_pe(team) * n, n));      \
    }
#define FP_NV_HOST_REDUCE(name, op)                                                                                    \
    team == NVSHMEMX_TEAM_SAME_MYPE_NODE ? fp_nv_alone(dest, source, n * sizeof *dest)                                 \
                                         : shmem_##name##_##op##_reduce(fp_nv_shmem_team(team), dest, source, n)
#define FP_NV_REDUCE_BITWISE(name, T)                                                                                  \
    FP_NV_REDUCE(name, T, and, AND) FP_NV_REDUCE(name, T, or, OR) FP_NV_REDUCE(name, T, xor, XOR)
#define FP_NV_REDUCE_ARITH(name, T)                                                                                    \
    FP_NV_REDUCE(name, T, max, MAX)                                                                                    \
    FP_NV_REDUCE(name, T, min, MIN) FP_NV_REDUCE(name, T, sum, SUM) FP_NV_REDUCE(name, T, prod, PROD)
SHMEM_REDUCE_BITWISE_TYPES(FP_NV_REDUCE_BITWISE)
NVSHMEM_STANDARD_TYPES(FP_NV_REDUCE_ARITH)
#ifdef __CUDACC__
#undef FP_NV_HOST_REDUCE
#define FP_NV_HOST_REDUCE(name, op) fp_nv_host_##name##_##op(team, dest, source, 0, n)
NVSHMEM_CUDA_TYPES(FP_NV_REDUCE_ARITH)
#endif

#endif
