/* nvshmemx_stream.h -- forms on a CUDA stream, and collective launch. Part of nvshmemx.h.
 *
 * Order between kernels of one stream is CUDA's: a kernel's accesses are complete, at whichever GPU, before the next
 * operation of the stream begins. So only what other PEs have to see in an order (signals, meetings) needs fences, and
 * the kernels that write those have them. */
#ifndef NVSHMEMX_STREAM_H
#define NVSHMEMX_STREAM_H
#ifdef __CUDACC__

#include "nvshmem.h"

/* ---- Kernels. */
template <typename T>
static __global__ void
fp_nv_kernel_p(T *dest, T value, int pe)
{
    fp_nv_p(dest, value, pe);
}
template <typename T>
static __global__ void
fp_nv_kernel_iput(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe)
{
    fp_nv_iput<fp_nv_block>(dest, source, dst, sst, n, pe);
}
template <typename T>
static __global__ void
fp_nv_kernel_iget(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe)
{
    fp_nv_iget<fp_nv_block>(dest, source, dst, sst, n, pe);
}
static __global__ void
fp_nv_kernel_signal(uint64_t *signal, uint64_t value, int op, int pe)
{
    fp_nv_fence();
    fp_nv_signal(signal, value, op, pe);
}
template <typename T>
static __global__ void
fp_nv_kernel_wait(T *ivar, int cmp, T value)
{
    fp_nv_wait(ivar, cmp, value);
}
template <typename T>
static __global__ void
fp_nv_kernel_wait_all(T *ivars, size_t n, const int *status, int cmp, T value, const T *values)
{
    fp_nv_wait_all(ivars, n, status, cmp, values != nullptr ? values : &value, values != nullptr);
}
static __global__ void
fp_nv_kernel_meet(int team, bool complete)
{
    fp_nv_meet<fp_nv_warp>(team, complete);
}
/* The share of the caller, by all blocks; the meetings around it are kernels of their own. */
template <class op, typename T>
static __global__ void
fp_nv_kernel_reduce(int number, T *dest, const T *source, size_t first, size_t end)
{
    const struct fencepost_gpu_team *team = fp_nv_team(number);
    for (size_t i = first + blockIdx.x * blockDim.x + threadIdx.x; i < end; i += (size_t)gridDim.x * blockDim.x) {
        const T value = fp_nv_combined<op>(team, source, i);
        for (int r = 0; r < team->size; r++)
            fp_nv_at(dest, fp_nv_team_pe(team, r))[i] = value;
    }
}
template <class op, typename T>
static __global__ void
fp_nv_kernel_reducescatter(int number, T *dest, const T *source, size_t first, size_t n)
{
    const struct fencepost_gpu_team *team = fp_nv_team(number);
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        dest[i] = fp_nv_combined<op>(team, source, first + i);
}

/* ---- The host's part. A routine that starts a kernel of its own type is a template, so that the kernel exists only
 * where it is used. */
#define FP_NV_LAZY template <int = 0> FP_NV_HOST
template <typename T>
static inline T *
fp_nv_there(T *address, int pe)
{
    const struct fencepost_gpu_state *here = fencepost_gpu_here();
    return (T *)((uintptr_t)address + (uint64_t)(int64_t)(pe - here->pe) * here->stride);
}
static inline int
fp_nv_launched(const char *routine)
{
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        fprintf(stderr, "fencepost: %s: %s\n", routine, cudaGetErrorString(error));
        shmem_global_exit(71);
    }
    return 0;
}
static inline void
fp_nv_copy_on(void *dest, const void *source, size_t bytes, cudaStream_t stream, const char *routine)
{
    fp_nv_publish();
    if (bytes > 0)
        (void)cudaMemcpyAsync(dest, source, bytes, cudaMemcpyDefault, stream);
    fp_nv_launched(routine);
}
static inline int
fp_nv_meet_on(nvshmem_team_t team, bool complete, cudaStream_t stream)
{
    fp_nv_publish();
    fp_nv_kernel_meet<<<1, 32, 0, stream>>>(team, complete);
    return fp_nv_launched("a barrier on a stream");
}
static inline void
fp_nv_signal_on(uint64_t *signal, uint64_t value, int op, int pe, cudaStream_t stream)
{
    fp_nv_publish();
    fp_nv_kernel_signal<<<1, 1, 0, stream>>>(signal, value, op, pe);
    fp_nv_launched("a signal on a stream");
}
static inline unsigned
fp_nv_blocks_for(size_t n)
{
    const size_t blocks = (n + 511) / 512, most = 128 / (size_t)fencepost_gpu_here()->pes_on_gpu;
    return (unsigned)(blocks < 1 ? 1 : blocks < most ? blocks : most < 1 ? 1 : most);
}
static inline int
fp_nv_member(nvshmem_team_t team, int rank)
{
    return fp_nv_host_translate(team, rank, NVSHMEM_TEAM_WORLD);
}
static inline int
fp_nv_broadcast_on(nvshmem_team_t team, void *dest, const void *source, size_t bytes, int root, cudaStream_t stream)
{
    for (int i = 0; nvshmem_team_my_pe(team) == root && i < nvshmem_team_n_pes(team); i++)
        fp_nv_copy_on(fp_nv_there(dest, fp_nv_member(team, i)), source, bytes, stream, "broadcast on a stream");
    return fp_nv_meet_on(team, true, stream);
}
static inline int
fp_nv_fcollect_on(nvshmem_team_t team, void *dest, const void *source, size_t bytes, cudaStream_t stream)
{
    const int size = nvshmem_team_n_pes(team), me = nvshmem_team_my_pe(team);
    for (int k = 0; k < size; k++)
        fp_nv_copy_on((char *)fp_nv_there(dest, fp_nv_member(team, (me + k) % size)) + (size_t)me * bytes, source,
                      bytes, stream, "fcollect on a stream");
    return fp_nv_meet_on(team, true, stream);
}
static inline int
fp_nv_alltoall_on(nvshmem_team_t team, void *dest, const void *source, size_t bytes, cudaStream_t stream)
{
    const int size = nvshmem_team_n_pes(team), me = nvshmem_team_my_pe(team);
    for (int k = 0; k < size; k++) {
        const int to = (me + k) % size;
        fp_nv_copy_on((char *)fp_nv_there(dest, fp_nv_member(team, to)) + (size_t)me * bytes,
                      (const char *)source + (size_t)to * bytes, bytes, stream, "alltoall on a stream");
    }
    return fp_nv_meet_on(team, true, stream);
}
template <class op, typename T>
static inline int
fp_nv_reduce_on(nvshmem_team_t team, T *dest, const T *source, size_t n, cudaStream_t stream)
{
    const size_t size = (size_t)nvshmem_team_n_pes(team), share = (n + size - 1) / size;
    const size_t first = share * (size_t)nvshmem_team_my_pe(team), end = first + share < n ? first + share : n;
    fp_nv_meet_on(team, false, stream);
    if (first < end)
        fp_nv_kernel_reduce<op><<<fp_nv_blocks_for(end - first), 512, 0, stream>>>(team, dest, source, first, end);
    return fp_nv_meet_on(team, true, stream);
}
template <class op, typename T>
static inline int
fp_nv_reducescatter_on(nvshmem_team_t team, T *dest, const T *source, size_t n, cudaStream_t stream)
{
    fp_nv_meet_on(team, false, stream);
    fp_nv_kernel_reducescatter<op>
        <<<fp_nv_blocks_for(n), 512, 0, stream>>>(team, dest, source, (size_t)nvshmem_team_my_pe(team) * n, n);
    return fp_nv_meet_on(team, false, stream);
}

/* ---- RMA. */
#define FP_NV_STREAM_BULK(pre, post, T, bytes)                                                                         \
    FP_NV_HOST void nvshmemx_##pre##put##post##_on_stream(T *dest, const T *source, size_t n, int pe,                  \
                                                          cudaStream_t stream)                                         \
    {                                                                                                                  \
        fp_nv_copy_on(fp_nv_there(dest, pe), source, n *bytes, stream, "put on a stream");                             \
    }                                                                                                                  \
    FP_NV_HOST void nvshmemx_##pre##put##post##_nbi_on_stream(T *dest, const T *source, size_t n, int pe,              \
                                                              cudaStream_t stream)                                     \
    {                                                                                                                  \
        fp_nv_copy_on(fp_nv_there(dest, pe), source, n *bytes, stream, "put on a stream");                             \
    }                                                                                                                  \
    FP_NV_HOST void nvshmemx_##pre##get##post##_on_stream(T *dest, const T *source, size_t n, int pe,                  \
                                                          cudaStream_t stream)                                         \
    {                                                                                                                  \
        fp_nv_copy_on(dest, fp_nv_there(source, pe), n *bytes, stream, "get on a stream");                             \
    }                                                                                                                  \
    FP_NV_HOST void nvshmemx_##pre##get##post##_nbi_on_stream(T *dest, const T *source, size_t n, int pe,              \
                                                              cudaStream_t stream)                                     \
    {                                                                                                                  \
        fp_nv_copy_on(dest, fp_nv_there(source, pe), n *bytes, stream, "get on a stream");                             \
    }                                                                                                                  \
    FP_NV_HOST void nvshmemx_##pre##put##post##_signal_on_stream(T *dest, const T *source, size_t n, uint64_t *signal, \
                                                                 uint64_t value, int op, int pe, cudaStream_t stream)  \
    {                                                                                                                  \
        fp_nv_copy_on(fp_nv_there(dest, pe), source, n *bytes, stream, "put_signal on a stream");                      \
        fp_nv_signal_on(signal, value, op, pe, stream);                                                                \
    }                                                                                                                  \
    FP_NV_HOST void nvshmemx_##pre##put##post##_signal_nbi_on_stream(                                                  \
        T *dest, const T *source, size_t n, uint64_t *signal, uint64_t value, int op, int pe, cudaStream_t stream)     \
    {                                                                                                                  \
        fp_nv_copy_on(fp_nv_there(dest, pe), source, n *bytes, stream, "put_signal on a stream");                      \
        fp_nv_signal_on(signal, value, op, pe, stream);                                                                \
    }
#define FP_NV_STREAM_RMA(name, T)                                                                                      \
    FP_NV_STREAM_BULK(name##_, , T, sizeof(T))                                                                         \
    FP_NV_LAZY void nvshmemx_##name##_p_on_stream(T *dest, const T value, int pe, cudaStream_t stream)                 \
    {                                                                                                                  \
        fp_nv_publish();                                                                                               \
        fp_nv_kernel_p<T><<<1, 1, 0, stream>>>(dest, value, pe);                                                       \
        fp_nv_launched("p on a stream");                                                                               \
    }                                                                                                                  \
    FP_NV_HOST T nvshmemx_##name##_g_on_stream(const T *source, int pe, cudaStream_t stream)                           \
    {                                                                                                                  \
        T value;                                                                                                       \
        fp_nv_copy_on(&value, fp_nv_there(source, pe), sizeof value, stream, "g on a stream");                         \
        (void)cudaStreamSynchronize(stream);                                                                           \
        return value;                                                                                                  \
    }                                                                                                                  \
    FP_NV_LAZY void nvshmemx_##name##_iput_on_stream(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, \
                                                     int pe, cudaStream_t stream)                                      \
    {                                                                                                                  \
        fp_nv_publish();                                                                                               \
        fp_nv_kernel_iput<T><<<1, 512, 0, stream>>>(dest, source, dst, sst, n, pe);                                    \
        fp_nv_launched("iput on a stream");                                                                            \
    }                                                                                                                  \
    FP_NV_LAZY void nvshmemx_##name##_iget_on_stream(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, \
                                                     int pe, cudaStream_t stream)                                      \
    {                                                                                                                  \
        fp_nv_publish();                                                                                               \
        fp_nv_kernel_iget<T><<<1, 512, 0, stream>>>(dest, source, dst, sst, n, pe);                                    \
        fp_nv_launched("iget on a stream");                                                                            \
    }
NVSHMEM_RMA_TYPES(FP_NV_STREAM_RMA)
#define FP_NV_STREAM_SIZED(bits)                                                                                       \
    FP_NV_STREAM_BULK(, bits, void, (bits / 8))                                                                        \
    FP_NV_LAZY void nvshmemx_iput##bits##_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,      \
                                                    size_t n, int pe, cudaStream_t stream)                             \
    {                                                                                                                  \
        fp_nv_publish();                                                                                               \
        fp_nv_kernel_iput<FP_NV_WORD##bits>                                                                            \
            <<<1, 512, 0, stream>>>((FP_NV_WORD##bits *)dest, (const FP_NV_WORD##bits *)source, dst, sst, n, pe);      \
        fp_nv_launched("iput on a stream");                                                                            \
    }                                                                                                                  \
    FP_NV_LAZY void nvshmemx_iget##bits##_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,      \
                                                    size_t n, int pe, cudaStream_t stream)                             \
    {                                                                                                                  \
        fp_nv_publish();                                                                                               \
        fp_nv_kernel_iget<FP_NV_WORD##bits>                                                                            \
            <<<1, 512, 0, stream>>>((FP_NV_WORD##bits *)dest, (const FP_NV_WORD##bits *)source, dst, sst, n, pe);      \
        fp_nv_launched("iget on a stream");                                                                            \
    }
SHMEM_SIZES(FP_NV_STREAM_SIZED)
FP_NV_STREAM_BULK(, mem, void, 1)

/* ---- Signals and waits. */
FP_NV_HOST void
nvshmemx_signal_op_on_stream(uint64_t *signal, uint64_t value, int op, int pe, cudaStream_t stream)
{
    fp_nv_signal_on(signal, value, op, pe, stream);
}
FP_NV_HOST void
nvshmemx_signal_wait_until_on_stream(uint64_t *signal, int cmp, uint64_t value, cudaStream_t stream)
{
    fp_nv_kernel_wait<uint64_t><<<1, 1, 0, stream>>>(signal, cmp, value);
    fp_nv_launched("signal_wait_until on a stream");
}
#define FP_NV_STREAM_WAIT(name, T)                                                                                     \
    FP_NV_LAZY void nvshmemx_##name##_wait_until_on_stream(T *ivar, int cmp, T value, cudaStream_t stream)             \
    {                                                                                                                  \
        fp_nv_kernel_wait<T><<<1, 1, 0, stream>>>(ivar, cmp, value);                                                   \
        fp_nv_launched("wait_until on a stream");                                                                      \
    }                                                                                                                  \
    FP_NV_LAZY void nvshmemx_##name##_wait_until_all_on_stream(T *ivars, size_t n, const int *status, int cmp,         \
                                                               T value, cudaStream_t stream)                           \
    {                                                                                                                  \
        fp_nv_kernel_wait_all<T><<<1, 1, 0, stream>>>(ivars, n, status, cmp, value, nullptr);                          \
        fp_nv_launched("wait_until_all on a stream");                                                                  \
    }                                                                                                                  \
    FP_NV_LAZY void nvshmemx_##name##_wait_until_all_vector_on_stream(T *ivars, size_t n, const int *status, int cmp,  \
                                                                      T *values, cudaStream_t stream)                  \
    {                                                                                                                  \
        fp_nv_kernel_wait_all<T><<<1, 1, 0, stream>>>(ivars, n, status, cmp, (T)0, values);                            \
        fp_nv_launched("wait_until_all_vector on a stream");                                                           \
    }
NVSHMEM_WAIT_TYPES(FP_NV_STREAM_WAIT)

/* ---- Order, meetings, collectives. */
FP_NV_HOST void
nvshmemx_quiet_on_stream(cudaStream_t stream)
{
    (void)stream;
}
FP_NV_HOST void
nvshmemx_flush_on_stream(cudaStream_t stream)
{
    (void)stream;
}
FP_NV_HOST void
nvshmemx_barrier_all_on_stream(cudaStream_t stream)
{
    fp_nv_meet_on(NVSHMEM_TEAM_WORLD, true, stream);
}
FP_NV_HOST void
nvshmemx_sync_all_on_stream(cudaStream_t stream)
{
    fp_nv_meet_on(NVSHMEM_TEAM_WORLD, false, stream);
}
FP_NV_HOST int
nvshmemx_barrier_on_stream(nvshmem_team_t team, cudaStream_t stream)
{
    return fp_nv_meet_on(team, true, stream);
}
FP_NV_HOST int
nvshmemx_team_sync_on_stream(nvshmem_team_t team, cudaStream_t stream)
{
    return fp_nv_meet_on(team, false, stream);
}
#define nvshmemx_sync_on_stream nvshmemx_team_sync_on_stream
#define FP_NV_STREAM_COLL(name, T)                                                                                     \
    FP_NV_HOST int nvshmemx_##name##_broadcast_on_stream(nvshmem_team_t team, T *dest, const T *source, size_t n,      \
                                                         int root, cudaStream_t stream)                                \
    {                                                                                                                  \
        return fp_nv_broadcast_on(team, dest, source, n * sizeof(T), root, stream);                                    \
    }                                                                                                                  \
    FP_NV_HOST int nvshmemx_##name##_fcollect_on_stream(nvshmem_team_t team, T *dest, const T *source, size_t n,       \
                                                        cudaStream_t stream)                                           \
    {                                                                                                                  \
        return fp_nv_fcollect_on(team, dest, source, n * sizeof(T), stream);                                           \
    }                                                                                                                  \
    FP_NV_HOST int nvshmemx_##name##_alltoall_on_stream(nvshmem_team_t team, T *dest, const T *source, size_t n,       \
                                                        cudaStream_t stream)                                           \
    {                                                                                                                  \
        return fp_nv_alltoall_on(team, dest, source, n * sizeof(T), stream);                                           \
    }
NVSHMEM_RMA_TYPES(FP_NV_STREAM_COLL)
FP_NV_HOST int
nvshmemx_broadcastmem_on_stream(nvshmem_team_t team, void *dest, const void *source, size_t n, int root,
                                cudaStream_t stream)
{
    return fp_nv_broadcast_on(team, dest, source, n, root, stream);
}
FP_NV_HOST int
nvshmemx_fcollectmem_on_stream(nvshmem_team_t team, void *dest, const void *source, size_t n, cudaStream_t stream)
{
    return fp_nv_fcollect_on(team, dest, source, n, stream);
}
FP_NV_HOST int
nvshmemx_alltoallmem_on_stream(nvshmem_team_t team, void *dest, const void *source, size_t n, cudaStream_t stream)
{
    return fp_nv_alltoall_on(team, dest, source, n, stream);
}
#define FP_NV_STREAM_REDUCE(name, T, op)                                                                               \
    FP_NV_LAZY int nvshmemx_##name##_##op##_reduce_on_stream(nvshmem_team_t team, T *dest, const T *source, size_t n,  \
                                                             cudaStream_t stream)                                      \
    {                                                                                                                  \
        return fp_nv_reduce_on<fp_nv_##op>(team, dest, source, n, stream);                                             \
    }                                                                                                                  \
    FP_NV_LAZY int nvshmemx_##name##_##op##_reducescatter_on_stream(nvshmem_team_t team, T *dest, const T *source,     \
                                                                    size_t n, cudaStream_t stream)                     \
    {                                                                                                                  \
        return fp_nv_reducescatter_on<fp_nv_##op>(team, dest, source, n, stream);                                      \
    }
#define FP_NV_STREAM_BITWISE(name, T)                                                                                  \
    FP_NV_STREAM_REDUCE(name, T, and) FP_NV_STREAM_REDUCE(name, T, or) FP_NV_STREAM_REDUCE(name, T, xor)
#define FP_NV_STREAM_ARITH(name, T)                                                                                    \
    FP_NV_STREAM_REDUCE(name, T, max)                                                                                  \
    FP_NV_STREAM_REDUCE(name, T, min) FP_NV_STREAM_REDUCE(name, T, sum) FP_NV_STREAM_REDUCE(name, T, prod)
SHMEM_REDUCE_BITWISE_TYPES(FP_NV_STREAM_BITWISE)
NVSHMEM_RMA_TYPES(FP_NV_STREAM_ARITH)

/* ---- Collective launch: all blocks of all PEs run at once, so kernels may wait for each other. PEs that share a GPU
 * share its room. */
FP_NV_HOST int
nvshmemx_collective_launch_query_gridsize(const void *kernel, dim3 block, void **arguments, size_t shared, int *blocks)
{
    int gpu = 0, processors = 0, each = 0;
    (void)arguments;
    if (cudaGetDevice(&gpu) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, gpu) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, (int)(block.x * block.y * block.z), shared) !=
            cudaSuccess)
        return NVSHMEMX_ERROR_INTERNAL;
    *blocks = each * processors / fencepost_gpu_here()->pes_on_gpu;
    return NVSHMEMX_SUCCESS;
}
FP_NV_HOST int
nvshmemx_collective_launch(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                           cudaStream_t stream)
{
    int most = 0;
    fp_nv_publish();
    if (nvshmemx_collective_launch_query_gridsize(kernel, block, arguments, shared, &most) != NVSHMEMX_SUCCESS)
        return NVSHMEMX_ERROR_INTERNAL;
    if (grid.x == 0 && grid.y == 0 && grid.z == 0)
        grid = dim3((unsigned)most);
    if ((size_t)grid.x * grid.y * grid.z > (size_t)most)
        return NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED;
    const cudaError_t error = cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, stream);
    return error == cudaSuccess ? NVSHMEMX_SUCCESS : NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED;
}

#endif
#endif
