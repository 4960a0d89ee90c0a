/* nvshmem.h -- NVSHMEM's interface, on every backend of Fencepost.
 *
 * The host side is OpenSHMEM's under other names, and works wherever a program can be linked: in C and C++, on sim
 * (with --heap=device, since the memory is a GPU's), direct and gpu. Under nvcc there is the device side too
 * (nvshmem_device.h), for programs linked with the gpu backend:
 *
 *     __global__ void ring(int *dest, int next) { nvshmem_int_p(dest, nvshmem_my_pe(), next); }
 *     ...
 *     nvshmem_init();
 *     int *dest = (int *)nvshmem_malloc(sizeof *dest);
 *     ring<<<1, 1, 0, stream>>>(dest, next);
 *     nvshmemx_barrier_all_on_stream(stream);
 *
 * PEs share a process, so several of them may use one GPU: compile with --default-stream=per-thread, or use streams of
 * your own, for the legacy default stream of a GPU would be one for all its PEs.
 *
 * What differs from OpenSHMEM: teams are integers, comparisons and signal operations have other numbers, there are no
 * contexts, and host atomics, which NVSHMEM only declares, work.
 */
#ifndef NVSHMEM_H
#define NVSHMEM_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fencepost_gpu.h"
#include "shmem.h"

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "nvshmem_device.h"
/* A routine of both sides; `device` and `host` are statements. */
#define FP_NV_BOTH static __host__ __device__ inline __attribute__((unused))
#define FP_NV_HOST static __host__ inline __attribute__((unused))
#ifdef __CUDA_ARCH__
#define FP_NV_SIDE(device, host) device
#else
#define FP_NV_SIDE(device, host) host
#endif
#else
/* Always inlined: what a finding names is the caller's line. */
#define FP_NV_BOTH static inline __attribute__((always_inline, unused))
#define FP_NV_HOST FP_NV_BOTH
#define FP_NV_SIDE(device, host) host
#endif

#define NVSHMEM_MAJOR_VERSION 1
#define NVSHMEM_MINOR_VERSION 3
#define _NVSHMEM_MAJOR_VERSION NVSHMEM_MAJOR_VERSION
#define _NVSHMEM_MINOR_VERSION NVSHMEM_MINOR_VERSION
#define NVSHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define NVSHMEM_VENDOR_STRING SHMEM_VENDOR_STRING

enum { NVSHMEM_THREAD_SINGLE, NVSHMEM_THREAD_FUNNELED, NVSHMEM_THREAD_SERIALIZED, NVSHMEM_THREAD_MULTIPLE };
enum nvshmemi_cmp_type {
    NVSHMEM_CMP_EQ,
    NVSHMEM_CMP_NE,
    NVSHMEM_CMP_GT,
    NVSHMEM_CMP_LE,
    NVSHMEM_CMP_LT,
    NVSHMEM_CMP_GE
};
enum nvshmemi_signal_op { NVSHMEM_SIGNAL_SET = 9, NVSHMEM_SIGNAL_ADD = 10 };

typedef int32_t nvshmem_team_t;
typedef nvshmem_team_t nvshmemx_team_t;
enum {
    NVSHMEM_TEAM_INVALID = -1,
    NVSHMEM_TEAM_WORLD = 0,
    NVSHMEM_TEAM_SHARED = 1,
    NVSHMEMX_TEAM_NODE = 2,
    NVSHMEMX_TEAM_SAME_MYPE_NODE = 3
};
typedef struct nvshmem_team_config {
    int num_contexts;
} nvshmem_team_config_t;
#define NVSHMEM_TEAM_NUM_CONTEXTS 1L

/* ---- Types: OpenSHMEM's without long double, and under nvcc half and bfloat16. */
#define NVSHMEM_C_TYPES(X)                                                                                             \
    SHMEM_FLOAT_TYPES(X) SHMEM_SMALL_TYPES(X) SHMEM_INT_TYPES(X) SHMEM_USMALL_TYPES(X) SHMEM_UINT_TYPES(X)
#define NVSHMEM_STANDARD_TYPES(X) NVSHMEM_C_TYPES(X) SHMEM_WIDTH_TYPES(X)
#ifdef __CUDACC__
#define NVSHMEM_CUDA_TYPES(X) X(half, __half) X(bfloat16, __nv_bfloat16)
#else
#define NVSHMEM_CUDA_TYPES(X)
#endif
#define NVSHMEM_RMA_TYPES(X) NVSHMEM_STANDARD_TYPES(X) NVSHMEM_CUDA_TYPES(X)
#define NVSHMEM_WAIT_TYPES(X) SHMEM_AMO_STANDARD_TYPES(X) SHMEM_P2P_DEPRECATED_TYPES(X) /* 14 */

/* ---- Numbers of OpenSHMEM. */
FP_NV_HOST int
fp_nv_cmp(int cmp)
{
    static const int shmem[] = {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE};
    return cmp >= 0 && cmp < 6 ? shmem[cmp] : 0;
}
FP_NV_HOST int
fp_nv_signal_op(int op)
{
    return op == NVSHMEM_SIGNAL_ADD ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET;
}
/* Handles of OpenSHMEM are one more than the index of the team. All PEs are one node. */
FP_NV_HOST shmem_team_t
fp_nv_shmem_team(nvshmem_team_t team)
{
    if (team < 0 || team == NVSHMEMX_TEAM_SAME_MYPE_NODE)
        return SHMEM_TEAM_INVALID;
    return (shmem_team_t)(uintptr_t)(team < 2 ? team + 1 : team == NVSHMEMX_TEAM_NODE ? 1 : team - 1);
}
FP_NV_HOST nvshmem_team_t
fp_nv_team_of(shmem_team_t team)
{
    return team == SHMEM_TEAM_INVALID ? NVSHMEM_TEAM_INVALID : (nvshmem_team_t)((uintptr_t)team + 1);
}
/* The program's kernels learn who they are on the GPU that is current. */
FP_NV_HOST void
fp_nv_publish(void)
{
#ifdef __CUDACC__
    int gpu = -1;
    if (fencepost_gpu_publish && cudaGetDevice(&gpu) == cudaSuccess)
        fencepost_gpu_publish(gpu);
#endif
}

/* No PE's kernels run before those of all PEs are loaded: loading waits for kernels that run, and they may wait for
 * the PE that loads. */
FP_NV_HOST void
fp_nv_loaded(void)
{
#ifdef __CUDACC__
    shmem_sync_all();
#endif
}

/* ---- Set-up and queries. */
FP_NV_HOST void
nvshmem_init(void)
{
    int provided;
    shmem_init_thread(SHMEM_THREAD_SERIALIZED, &provided);
    fp_nv_publish();
    fp_nv_loaded();
}
FP_NV_HOST int
nvshmem_init_thread(int requested, int *provided)
{
    const int result = shmem_init_thread(requested, provided);
    fp_nv_publish();
    fp_nv_loaded();
    return result;
}
FP_NV_HOST void
nvshmem_query_thread(int *provided)
{
    shmem_query_thread(provided);
}
FP_NV_HOST void
nvshmem_finalize(void)
{
    shmem_finalize();
}
FP_NV_HOST void
nvshmem_global_exit(int status)
{
    shmem_global_exit(status);
}
FP_NV_BOTH int
nvshmem_my_pe(void)
{
    return FP_NV_SIDE(fp_nv_state.pe, shmem_my_pe());
}
FP_NV_BOTH int
nvshmem_n_pes(void)
{
    return FP_NV_SIDE(fp_nv_state.npes, shmem_n_pes());
}
FP_NV_BOTH void
nvshmem_info_get_version(int *major, int *minor)
{
    *major = NVSHMEM_MAJOR_VERSION;
    *minor = NVSHMEM_MINOR_VERSION;
}
FP_NV_HOST void
nvshmem_info_get_name(char *name)
{
    shmem_info_get_name(name);
}

/* ---- Memory. */
FP_NV_HOST void *
nvshmem_malloc(size_t bytes)
{
    fp_nv_publish();
    return shmem_malloc(bytes);
}
FP_NV_HOST void *
nvshmem_calloc(size_t count, size_t size)
{
    fp_nv_publish();
    return shmem_calloc(count, size);
}
FP_NV_HOST void *
nvshmem_align(size_t alignment, size_t bytes)
{
    fp_nv_publish();
    return shmem_align(alignment, bytes);
}
FP_NV_HOST void
nvshmem_free(void *block)
{
    shmem_free(block);
}
/* An address for kernels and CUDA copies. */
FP_NV_BOTH void *
nvshmem_ptr(const void *dest, int pe)
{
    return FP_NV_SIDE(pe >= 0 && pe < fp_nv_state.npes && fp_nv_in_heap(dest) ? (void *)(uintptr_t)fp_nv_at(dest, pe)
                                                                              : (void *)0,
                      shmem_ptr(dest, pe));
}

/* ---- Teams. */
FP_NV_BOTH int
nvshmem_team_my_pe(nvshmem_team_t team)
{
    return FP_NV_SIDE(team < 0 ? -1 : fp_nv_team(team)->rank,
                      team == NVSHMEMX_TEAM_SAME_MYPE_NODE ? 0 : shmem_team_my_pe(fp_nv_shmem_team(team)));
}
FP_NV_BOTH int
nvshmem_team_n_pes(nvshmem_team_t team)
{
    return FP_NV_SIDE(team < 0 ? -1 : fp_nv_team(team)->size,
                      team == NVSHMEMX_TEAM_SAME_MYPE_NODE ? 1 : shmem_team_n_pes(fp_nv_shmem_team(team)));
}
FP_NV_HOST void
nvshmem_team_get_config(nvshmem_team_t team, nvshmem_team_config_t *config)
{
    (void)team;
    config->num_contexts = 0;
}
#ifdef __CUDACC__
/* The rank in team b of the member `pe` of team a; -1: none. */
FP_NV_DEVICE int
fp_nv_translate(int pe, const struct fencepost_gpu_team *a, const struct fencepost_gpu_team *b)
{
    if (pe < 0 || pe >= a->size)
        return -1;
    const int from_start = fp_nv_team_pe(a, pe) - b->start, rank = b->stride ? from_start / b->stride : 0;
    return from_start >= 0 && rank < b->size && rank * b->stride == from_start ? rank : -1;
}
#endif
FP_NV_HOST int
fp_nv_host_translate(nvshmem_team_t a, int pe, nvshmem_team_t b)
{
    const int me = shmem_my_pe();
    if (a == NVSHMEMX_TEAM_SAME_MYPE_NODE)
        return pe != 0 ? -1 : b == a ? 0 : shmem_team_translate_pe(SHMEM_TEAM_WORLD, me, fp_nv_shmem_team(b));
    if (b == NVSHMEMX_TEAM_SAME_MYPE_NODE)
        return shmem_team_translate_pe(fp_nv_shmem_team(a), pe, SHMEM_TEAM_WORLD) == me ? 0 : -1;
    return shmem_team_translate_pe(fp_nv_shmem_team(a), pe, fp_nv_shmem_team(b));
}
FP_NV_BOTH int
nvshmem_team_translate_pe(nvshmem_team_t a, int pe, nvshmem_team_t b)
{
    return FP_NV_SIDE(a < 0 || b < 0 ? -1 : fp_nv_translate(pe, fp_nv_team(a), fp_nv_team(b)),
                      fp_nv_host_translate(a, pe, b));
}
/* Kernels may use the team when all members have returned from the split: it meets once more behind it. */
FP_NV_HOST void
fp_nv_team_born(nvshmem_team_t team)
{
    if (team == NVSHMEM_TEAM_INVALID)
        return;
    if (fencepost_gpu_team)
        fencepost_gpu_team(team);
    shmem_team_sync(fp_nv_shmem_team(team));
}
FP_NV_HOST int
nvshmem_team_split_strided(nvshmem_team_t parent, int start, int stride, int size, const nvshmem_team_config_t *config,
                           long mask, nvshmem_team_t *made)
{
    (void)config, (void)mask; /* contexts, of which there are none */
    shmem_team_t team = SHMEM_TEAM_INVALID;
    const int result = shmem_team_split_strided(fp_nv_shmem_team(parent), start, stride, size, NULL, 0, &team);
    *made = fp_nv_team_of(team);
    fp_nv_team_born(*made);
    return result;
}
FP_NV_HOST int
nvshmem_team_split_2d(nvshmem_team_t parent, int xrange, const nvshmem_team_config_t *xconfig, long xmask,
                      nvshmem_team_t *x, const nvshmem_team_config_t *yconfig, long ymask, nvshmem_team_t *y)
{
    (void)xconfig, (void)xmask, (void)yconfig, (void)ymask;
    shmem_team_t xteam = SHMEM_TEAM_INVALID, yteam = SHMEM_TEAM_INVALID;
    const int result = shmem_team_split_2d(fp_nv_shmem_team(parent), xrange, NULL, 0, &xteam, NULL, 0, &yteam);
    *x = fp_nv_team_of(xteam);
    *y = fp_nv_team_of(yteam);
    fp_nv_team_born(*x);
    fp_nv_team_born(*y);
    return result;
}
FP_NV_HOST void
nvshmem_team_destroy(nvshmem_team_t team)
{
    shmem_team_destroy(fp_nv_shmem_team(team));
}

/* ---- Order. The host's orders what the host issued, a kernel's what kernels did. */
FP_NV_BOTH void
nvshmem_fence(void)
{
    FP_NV_SIDE(fp_nv_fence(), shmem_fence());
}
FP_NV_BOTH void
nvshmem_quiet(void)
{
    FP_NV_SIDE(fp_nv_quiet(), shmem_quiet());
}
FP_NV_HOST int
fp_nv_host_sync(nvshmem_team_t team)
{
    return team == NVSHMEMX_TEAM_SAME_MYPE_NODE ? 0 : shmem_team_sync(fp_nv_shmem_team(team));
}
FP_NV_BOTH void
nvshmem_barrier_all(void)
{
    FP_NV_SIDE(fp_nv_meet<fp_nv_thread>(0, true), shmem_barrier_all());
}
FP_NV_BOTH void
nvshmem_sync_all(void)
{
    FP_NV_SIDE(fp_nv_meet<fp_nv_thread>(0, false), shmem_sync_all());
}
FP_NV_BOTH int
nvshmem_team_sync(nvshmem_team_t team)
{
    return FP_NV_SIDE((fp_nv_meet<fp_nv_thread>(team, false), 0), fp_nv_host_sync(team));
}
#define nvshmem_sync nvshmem_team_sync
FP_NV_BOTH int
nvshmem_barrier(nvshmem_team_t team)
{
    return FP_NV_SIDE((fp_nv_meet<fp_nv_thread>(team, true), 0), (shmem_quiet(), fp_nv_host_sync(team)));
}

#include "nvshmem_amo.h"
#include "nvshmem_coll.h"
#include "nvshmem_rma.h"
#include "nvshmem_wait.h"

#endif
