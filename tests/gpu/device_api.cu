/* device_api.cu -- NVSHMEM's interface from kernels and on streams: every family, each type where types differ, by a
 * thread, a warp and a block, at any number of PEs on any number of GPUs.
 *
 * A kernel counts what is wrong in `wrong`; the host looks after each step. All steps use the PE's own stream.
 */
#include <nvshmem.h>
#include <nvshmemx.h>
#include <stdio.h>

#define CUDA(call)                                                                                                     \
    do {                                                                                                               \
        const cudaError_t error = (call);                                                                              \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));                  \
            nvshmem_global_exit(2);                                                                                    \
        }                                                                                                              \
    } while (0)

enum { N = 1000, THREADS = 128, CELLS = 1 << 16 };

static cudaStream_t stream;
static int *wrong; /* memory that host and kernels see */
static int me, npes, to, from, failed;
static char *a, *b, *c; /* heap objects of CELLS * 16 bytes */
static uint64_t *signals;

static void
step_ends(const char *what)
{
    CUDA(cudaStreamSynchronize(stream));
    if (*wrong) {
        fprintf(stderr, "PE %d of %d: %s: %d wrong\n", me, npes, what, *wrong);
        failed = 1;
    }
    *wrong = 0;
    nvshmem_barrier_all();
}

static void
heaps_clear(void)
{
    CUDA(cudaMemsetAsync(a, 0, CELLS * 16, stream));
    CUDA(cudaMemsetAsync(b, 0, CELLS * 16, stream));
    CUDA(cudaMemsetAsync(c, 0, CELLS * 16, stream));
    CUDA(cudaMemsetAsync(signals, 0, 64 * sizeof *signals, stream));
    CUDA(cudaStreamSynchronize(stream));
    nvshmem_barrier_all();
}

template <typename T>
__device__ T
value(int pe, size_t i)
{
    return (T)(float)((pe * 13 + (int)(i % 89) + 1) % 100);
}
template <typename T>
__device__ bool
same(T x, T y)
{
    return (float)x == (float)y;
}
#define WRONG_UNLESS(condition)                                                                                        \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            atomicAdd(wrong, 1);                                                                                       \
    } while (0)

template <typename T>
__global__ void
fill(T *at, size_t n, int pe)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        at[i] = value<T>(pe, i);
}
template <typename T>
__global__ void
verify(const T *at, size_t n, int pe, int *wrong)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        WRONG_UNLESS(same(at[i], value<T>(pe, i)));
}

/* ---- RMA: for each type p and g, and put, get, iput, iget, put_signal by each group. a is the source. */
#define RMA_KERNEL(name, T)                                                                                            \
    __global__ void rma_##name(T *source, T *dest, T *got, uint64_t *signals, int to, int from, int *wrong)            \
    {                                                                                                                  \
        const int me = nvshmem_my_pe();                                                                                \
        if (threadIdx.x == 0) {                                                                                        \
            for (int i = 0; i < 10; i++)                                                                               \
                nvshmem_##name##_p(dest + i, value<T>(me, i), to);                                                     \
            nvshmem_##name##_put(dest + 10, source + 10, 11, to);                                                      \
            nvshmem_##name##_put_nbi(dest + 21, source + 21, 79, to);                                                  \
            nvshmem_##name##_iput(dest + N, source, 2, 3, 20, to);                                                     \
        }                                                                                                              \
        __syncthreads();                                                                                               \
        if (threadIdx.x < 32) {                                                                                        \
            nvshmemx_##name##_put_warp(dest + 100, source + 100, 200, to);                                             \
            nvshmemx_##name##_put_nbi_warp(dest + 300, source + 300, 33, to);                                          \
            nvshmemx_##name##_iput_warp(dest + N + 100, source, 1, 2, 40, to);                                         \
        }                                                                                                              \
        nvshmemx_##name##_put_block(dest + 333, source + 333, 301, to);                                                \
        nvshmemx_##name##_put_nbi_block(dest + 634, source + 634, 1, to);                                              \
        nvshmemx_##name##_iput_block(dest + N + 200, source, 3, 1, 50, to);                                            \
        nvshmemx_barrier_all_block();                                                                                  \
        for (int i = threadIdx.x; i < 635; i += blockDim.x)                                                            \
            WRONG_UNLESS(same(dest[i], value<T>(from, i)));                                                            \
        for (int i = threadIdx.x; i < 50; i += blockDim.x) {                                                           \
            WRONG_UNLESS(i >= 20 || same(dest[N + 2 * i], value<T>(from, 3 * i)));                                     \
            WRONG_UNLESS(i >= 40 || same(dest[N + 100 + i], value<T>(from, 2 * i)));                                   \
            WRONG_UNLESS(same(dest[N + 200 + 3 * i], value<T>(from, i)));                                              \
        }                                                                                                              \
        if (threadIdx.x == 0) {                                                                                        \
            WRONG_UNLESS(same(nvshmem_##name##_g(source + 7, to), value<T>(to, 7)));                                   \
            nvshmem_##name##_get(got, source, 15, to);                                                                 \
            nvshmem_##name##_get_nbi(got + 15, source + 15, 85, to);                                                   \
            nvshmem_##name##_iget(got + N, source, 2, 3, 20, to);                                                      \
            nvshmem_quiet();                                                                                           \
        }                                                                                                              \
        if (threadIdx.x < 32) {                                                                                        \
            nvshmemx_##name##_get_warp(got + 100, source + 100, 203, to);                                              \
            nvshmemx_##name##_iget_warp(got + N + 100, source, 1, 2, 40, to);                                          \
        }                                                                                                              \
        nvshmemx_##name##_get_block(got + 303, source + 303, 400, to);                                                 \
        nvshmemx_##name##_get_nbi_block(got + 703, source + 703, 3, to);                                               \
        nvshmem_quiet();                                                                                               \
        __syncthreads();                                                                                               \
        for (int i = threadIdx.x; i < 706; i += blockDim.x)                                                            \
            WRONG_UNLESS(same(got[i], value<T>(to, i)));                                                               \
        for (int i = threadIdx.x; i < 40; i += blockDim.x) {                                                           \
            WRONG_UNLESS(i >= 20 || same(got[N + 2 * i], value<T>(to, 3 * i)));                                        \
            WRONG_UNLESS(same(got[N + 100 + i], value<T>(to, 2 * i)));                                                 \
        }                                                                                                              \
        nvshmemx_barrier_all_block();                                                                                  \
        if (threadIdx.x == 0)                                                                                          \
            nvshmem_##name##_put_signal(dest, source + 5, 9, signals, 1, NVSHMEM_SIGNAL_ADD, to);                      \
        if (threadIdx.x < 32)                                                                                          \
            nvshmemx_##name##_put_signal_warp(dest + 100, source + 50, 77, signals + 1, 5, NVSHMEM_SIGNAL_SET, to);    \
        nvshmemx_##name##_put_signal_nbi_block(dest + 300, source + 50, 500, signals + 2, 1, NVSHMEM_SIGNAL_ADD, to);  \
        if (threadIdx.x == 0) {                                                                                        \
            nvshmem_signal_wait_until(signals, NVSHMEM_CMP_EQ, 1);                                                     \
            nvshmem_signal_wait_until(signals + 1, NVSHMEM_CMP_EQ, 5);                                                 \
            nvshmem_signal_wait_until(signals + 2, NVSHMEM_CMP_GE, 1);                                                 \
        }                                                                                                              \
        __syncthreads();                                                                                               \
        for (int i = threadIdx.x; i < 500; i += blockDim.x) {                                                          \
            WRONG_UNLESS(i >= 9 || same(dest[i], value<T>(from, 5 + i)));                                              \
            WRONG_UNLESS(i >= 77 || same(dest[100 + i], value<T>(from, 50 + i)));                                      \
            WRONG_UNLESS(same(dest[300 + i], value<T>(from, 50 + i)));                                                 \
        }                                                                                                              \
    }                                                                                                                  \
    static void test_rma_##name()                                                                                      \
    {                                                                                                                  \
        heaps_clear();                                                                                                 \
        fill<T><<<1, THREADS, 0, stream>>>((T *)a, N, me);                                                             \
        nvshmemx_barrier_all_on_stream(stream);                                                                        \
        rma_##name<<<1, THREADS, 0, stream>>>((T *)a, (T *)b, (T *)c, signals, to, from, wrong);                       \
        step_ends("RMA of " #name);                                                                                    \
    }                                                                                                                  \
    static void test_stream_##name()                                                                                   \
    {                                                                                                                  \
        heaps_clear();                                                                                                 \
        fill<T><<<1, THREADS, 0, stream>>>((T *)a, N, me);                                                             \
        nvshmemx_##name##_put_on_stream((T *)b, (T *)a, N, to, stream);                                                \
        nvshmemx_barrier_all_on_stream(stream);                                                                        \
        verify<T><<<1, THREADS, 0, stream>>>((T *)b, N, from, wrong);                                                  \
        nvshmemx_##name##_get_on_stream((T *)c, (T *)a, N, to, stream);                                                \
        verify<T><<<1, THREADS, 0, stream>>>((T *)c, N, to, wrong);                                                    \
        nvshmemx_##name##_put_signal_on_stream((T *)c + N, (T *)a, 10, signals, 3, NVSHMEM_SIGNAL_SET, to, stream);    \
        nvshmemx_signal_wait_until_on_stream(signals, NVSHMEM_CMP_EQ, 3, stream);                                      \
        verify<T><<<1, THREADS, 0, stream>>>((T *)c + N, 10, from, wrong);                                             \
        nvshmemx_barrier_all_on_stream(stream);                                                                        \
        const T seven = nvshmemx_##name##_g_on_stream((T *)a + 7, to, stream);                                         \
        nvshmemx_##name##_p_on_stream((T *)b, seven, to, stream);                                                      \
        nvshmemx_##name##_iput_on_stream((T *)b + 1, (T *)a + 8, 1, 1, 9, to, stream);                                 \
        nvshmemx_##name##_iget_on_stream((T *)b + N, (T *)a, 1, 1, 9, to, stream);                                     \
        nvshmemx_quiet_on_stream(stream);                                                                              \
        nvshmemx_barrier_all_on_stream(stream);                                                                        \
        verify<T><<<1, THREADS, 0, stream>>>((T *)b + N, 9, to, wrong);                                                \
        step_ends("RMA on a stream of " #name);                                                                        \
    }
NVSHMEM_RMA_TYPES(RMA_KERNEL)

/* ---- Atomics: all PEs on PE 0's words. */
#define AMO_KERNEL(name, T)                                                                                            \
    __global__ void amo_##name(T *words, int *wrong)                                                                   \
    {                                                                                                                  \
        const int me = nvshmem_my_pe(), npes = nvshmem_n_pes();                                                        \
        nvshmem_##name##_atomic_inc(words, 0);                                                                         \
        nvshmem_##name##_atomic_add(words, (T)2, 0);                                                                   \
        WRONG_UNLESS(nvshmem_##name##_atomic_fetch_inc(words + 1, 0) < (T)(npes * THREADS * 4));                       \
        WRONG_UNLESS(nvshmem_##name##_atomic_fetch_add(words + 1, (T)3, 0) < (T)(npes * THREADS * 4));                 \
        for (T old = nvshmem_##name##_atomic_fetch(words + 2, 0);;) {                                                  \
            const T seen = nvshmem_##name##_atomic_compare_swap(words + 2, old, (T)(old + 1), 0);                      \
            if (seen == old)                                                                                           \
                break;                                                                                                 \
            old = seen;                                                                                                \
        }                                                                                                              \
        if (threadIdx.x == 0)                                                                                          \
            nvshmem_##name##_atomic_set(words + 3 + me, (T)(me + 7), 0);                                               \
        nvshmemx_barrier_all_block();                                                                                  \
        if (threadIdx.x == 0) {                                                                                        \
            WRONG_UNLESS(nvshmem_##name##_g(words, 0) == (T)(3 * npes * THREADS));                                     \
            WRONG_UNLESS(nvshmem_##name##_g(words + 1, 0) == (T)(4 * npes * THREADS));                                 \
            WRONG_UNLESS(nvshmem_##name##_atomic_fetch(words + 2, 0) == (T)(npes * THREADS));                          \
            WRONG_UNLESS(nvshmem_##name##_atomic_swap(words + 3 + me, (T)1, 0) == (T)(me + 7));                        \
        }                                                                                                              \
        nvshmemx_barrier_all_block();                                                                                  \
    }                                                                                                                  \
    static void test_amo_##name()                                                                                      \
    {                                                                                                                  \
        heaps_clear();                                                                                                 \
        amo_##name<<<1, THREADS, 0, stream>>>((T *)a, wrong);                                                          \
        step_ends("atomics of " #name);                                                                                \
        /* From the host, on the same word: performed by the same GPU instructions. */                                 \
        const T before = nvshmem_##name##_atomic_fetch_add((T *)a, (T)1, 0);                                           \
        if (before < (T)(3 * npes * THREADS) || before >= (T)(3 * npes * THREADS + npes))                              \
            *wrong += 1;                                                                                               \
        step_ends("host atomics of " #name);                                                                           \
    }
SHMEM_AMO_STANDARD_TYPES(AMO_KERNEL)
#define BITS_KERNEL(name, T)                                                                                           \
    __global__ void bits_##name(T *words, int *wrong)                                                                  \
    {                                                                                                                  \
        const int me = nvshmem_my_pe(), npes = nvshmem_n_pes();                                                        \
        const T mine = (T)((T)1 << me), all = (T)(((T)1 << npes) - 1);                                                 \
        if (threadIdx.x == 0) {                                                                                        \
            nvshmem_##name##_atomic_or(words, mine, 0);                                                                \
            WRONG_UNLESS((nvshmem_##name##_atomic_fetch_or(words + 1, mine, 0) & mine) == 0);                          \
            nvshmem_##name##_atomic_xor(words + 2, mine, 0);                                                           \
            WRONG_UNLESS((nvshmem_##name##_atomic_fetch_xor(words + 3, mine, 0) & mine) == 0);                         \
        }                                                                                                              \
        nvshmemx_barrier_all_block();                                                                                  \
        if (threadIdx.x == 0) {                                                                                        \
            for (int i = 0; i < 4; i++)                                                                                \
                WRONG_UNLESS(nvshmem_##name##_g(words + i, 0) == all);                                                 \
            nvshmem_barrier_all();                                                                                     \
            nvshmem_##name##_atomic_and(words, (T)~mine, 0);                                                           \
            WRONG_UNLESS((nvshmem_##name##_atomic_fetch_and(words + 1, (T)~mine, 0) & mine) == mine);                  \
            nvshmem_barrier_all();                                                                                     \
            WRONG_UNLESS(nvshmem_##name##_g(words, 0) == 0 && nvshmem_##name##_g(words + 1, 0) == 0);                  \
        }                                                                                                              \
    }                                                                                                                  \
    static void test_bits_##name()                                                                                     \
    {                                                                                                                  \
        heaps_clear();                                                                                                 \
        bits_##name<<<1, THREADS, 0, stream>>>((T *)a, wrong);                                                         \
        step_ends("bitwise atomics of " #name);                                                                        \
    }
SHMEM_AMO_BITWISE_TYPES(BITS_KERNEL)
__global__ void
amo_floats(float *f, double *d, int *wrong)
{
    const int me = nvshmem_my_pe();
    nvshmem_float_atomic_set(f + me, 1.5f + me, 0);
    nvshmem_double_atomic_set(d + me, 2.5 + me, 0);
    nvshmem_barrier_all();
    WRONG_UNLESS(nvshmem_float_atomic_fetch(f + me, 0) == 1.5f + me);
    WRONG_UNLESS(nvshmem_float_atomic_swap(f + me, 0.0f, 0) == 1.5f + me);
    WRONG_UNLESS(nvshmem_double_atomic_fetch(d + me, 0) == 2.5 + me);
    WRONG_UNLESS(nvshmem_double_atomic_swap(d + me, 0.0, 0) == 2.5 + me);
}

/* ---- Waits and tests: the neighbour writes the words one by one. */
#define WAIT_KERNEL(name, T)                                                                                           \
    __global__ void wait_##name(T *words, int *status, int to, int *wrong)                                             \
    {                                                                                                                  \
        enum { K = 20 };                                                                                               \
        T wanted[K];                                                                                                   \
        size_t indices[K];                                                                                             \
        WRONG_UNLESS(!nvshmem_##name##_test(words, NVSHMEM_CMP_NE, (T)0));                                             \
        WRONG_UNLESS(nvshmem_##name##_test_any(words, K, nullptr, NVSHMEM_CMP_GT, (T)0) == SIZE_MAX);                  \
        WRONG_UNLESS(nvshmem_##name##_test_some(words, K, indices, nullptr, NVSHMEM_CMP_GT, (T)0) == 0);               \
        WRONG_UNLESS(nvshmem_##name##_test_all(words, K, nullptr, NVSHMEM_CMP_EQ, (T)0));                              \
        nvshmem_barrier_all();                                                                                         \
        for (int i = 0; i < K; i++) {                                                                                  \
            wanted[i] = (T)(i + 1);                                                                                    \
            nvshmem_##name##_p(words + i, (T)(i + 1), to);                                                             \
        }                                                                                                              \
        nvshmem_##name##_wait_until(words, NVSHMEM_CMP_EQ, (T)1);                                                      \
        for (size_t found = 0; found < K;) {                                                                           \
            const size_t n = nvshmem_##name##_wait_until_some(words, K, indices, status, NVSHMEM_CMP_NE, (T)0);        \
            WRONG_UNLESS(n > 0);                                                                                       \
            for (size_t i = 0; i < n; i++)                                                                             \
                status[indices[i]] = 1;                                                                                \
            found += n;                                                                                                \
        }                                                                                                              \
        WRONG_UNLESS(nvshmem_##name##_wait_until_any(words, K, nullptr, NVSHMEM_CMP_GE, (T)K) == K - 1);               \
        WRONG_UNLESS(nvshmem_##name##_wait_until_any_vector(words, K, nullptr, NVSHMEM_CMP_EQ, wanted) == 0);          \
        WRONG_UNLESS(nvshmem_##name##_wait_until_some_vector(words, K, indices, nullptr, NVSHMEM_CMP_EQ, wanted) == K);\
        nvshmem_##name##_wait_until_all(words, K, nullptr, NVSHMEM_CMP_LE, (T)K);                                      \
        nvshmem_##name##_wait_until_all_vector(words, K, nullptr, NVSHMEM_CMP_EQ, wanted);                             \
        WRONG_UNLESS(nvshmem_##name##_test_all_vector(words, K, nullptr, NVSHMEM_CMP_EQ, wanted));                     \
        WRONG_UNLESS(nvshmem_##name##_test_any_vector(words, K, nullptr, NVSHMEM_CMP_LT, wanted) == SIZE_MAX);         \
        WRONG_UNLESS(nvshmem_##name##_test_some_vector(words, K, indices, nullptr, NVSHMEM_CMP_EQ, wanted) == K);      \
        nvshmem_barrier_all();                                                                                         \
    }                                                                                                                  \
    static void test_wait_##name()                                                                                     \
    {                                                                                                                  \
        heaps_clear();                                                                                                 \
        wait_##name<<<1, 1, 0, stream>>>((T *)a, (int *)b, to, wrong);                                                 \
        nvshmemx_##name##_wait_until_on_stream((T *)a, NVSHMEM_CMP_EQ, (T)1, stream);                                  \
        nvshmemx_##name##_wait_until_all_on_stream((T *)a, 20, (const int *)nullptr, NVSHMEM_CMP_GT, (T)0, stream);    \
        step_ends("waits of " #name);                                                                                  \
    }
NVSHMEM_WAIT_TYPES(WAIT_KERNEL)

/* ---- Collectives of a team, by each group. */
#define COLL_KERNEL(name, T)                                                                                           \
    template <int group>                                                                                               \
    __global__ void coll_##name(nvshmem_team_t team, T *source, T *dest, T *small, int *wrong)                         \
    {                                                                                                                  \
        const int size = nvshmem_team_n_pes(team), rank = nvshmem_team_my_pe(team), K = 50;                            \
        const int root = size - 1, step = group == 0 ? 1 : blockDim.x;                                                 \
        auto first_pe = [&](int r) { return nvshmem_team_translate_pe(team, r, NVSHMEM_TEAM_WORLD); };                 \
        for (int i = threadIdx.x; i < size * K; i += step)                                                             \
            source[i] = value<T>(nvshmem_my_pe(), i);                                                                  \
        for (int i = threadIdx.x; i < size * K + K; i += step)                                                         \
            small[i] = (T)(float)((rank + i) % 3);                                                                     \
        COLL(barrier, (team));                                                                                         \
        COLL_T(name, broadcast, (team, dest, source, K, root));                                                        \
        for (int i = threadIdx.x; i < K; i += step)                                                                    \
            WRONG_UNLESS(same(dest[i], value<T>(first_pe(root), i)));                                                  \
        COLL(team_sync, (team));                                                                                       \
        COLL_T(name, fcollect, (team, dest, source, K));                                                               \
        for (int i = threadIdx.x; i < size * K; i += step)                                                             \
            WRONG_UNLESS(same(dest[i], value<T>(first_pe(i / K), i % K)));                                             \
        COLL(team_sync, (team));                                                                                       \
        COLL_T(name, alltoall, (team, dest, source, K));                                                               \
        for (int i = threadIdx.x; i < size * K; i += step)                                                             \
            WRONG_UNLESS(same(dest[i], value<T>(first_pe(i / K), rank * K + i % K)));                                  \
        COLL(team_sync, (team));                                                                                       \
        COLL_T(name, sum_reduce, (team, dest, small, 2 * K));                                                          \
        COLL_T(name, max_reduce, (team, dest + 2 * K, small, K));                                                      \
        COLL_T(name, min_reduce, (team, dest + 3 * K, small, K));                                                      \
        COLL_T(name, prod_reduce, (team, dest + 4 * K, small, K));                                                     \
        COLL_T(name, sum_reducescatter, (team, dest + 5 * K, small, K));                                               \
        for (int i = threadIdx.x; i < 2 * K; i += step) {                                                              \
            float sum = 0, max = 0, min = 9, prod = 1, part = 0;                                                       \
            for (int r = 0; r < size; r++) {                                                                           \
                const float x = (r + i) % 3;                                                                           \
                sum += x;                                                                                              \
                max = x > max ? x : max;                                                                               \
                min = x < min ? x : min;                                                                               \
                prod *= x;                                                                                             \
                part += (r + rank * K + i) % 3;                                                                        \
            }                                                                                                          \
            WRONG_UNLESS(same(dest[i], (T)sum));                                                                       \
            if (i >= K)                                                                                                \
                continue;                                                                                              \
            WRONG_UNLESS(same(dest[2 * K + i], (T)max) && same(dest[3 * K + i], (T)min));                              \
            WRONG_UNLESS(same(dest[4 * K + i], (T)prod) && same(dest[5 * K + i], (T)part));                            \
        }                                                                                                              \
        COLL(barrier, (team));                                                                                         \
        COLL_T(name, sum_reduce, (team, small, small, K)); /* in place */                                              \
        for (int i = threadIdx.x; i < K; i += step)                                                                    \
            WRONG_UNLESS(same(small[i], dest[i]));                                                                     \
        COLL(barrier, (team));                                                                                         \
    }                                                                                                                  \
    static void test_coll_##name(nvshmem_team_t team)                                                                  \
    {                                                                                                                  \
        heaps_clear();                                                                                                 \
        if (team != NVSHMEM_TEAM_INVALID) {                                                                            \
            coll_##name<0><<<1, 1, 0, stream>>>(team, (T *)a, (T *)b, (T *)c, wrong);                                  \
            coll_##name<1><<<1, 32, 0, stream>>>(team, (T *)a, (T *)b, (T *)c, wrong);                                 \
            coll_##name<2><<<1, THREADS, 0, stream>>>(team, (T *)a, (T *)b, (T *)c, wrong);                            \
            fill<T><<<1, THREADS, 0, stream>>>((T *)a, N, nvshmem_my_pe());                                            \
            nvshmemx_##name##_broadcast_on_stream(team, (T *)b, (T *)a, N, 0, stream);                                 \
            verify<T><<<1, THREADS, 0, stream>>>(                                                                      \
                (T *)b, N, nvshmem_team_translate_pe(team, 0, NVSHMEM_TEAM_WORLD), wrong);                             \
            nvshmemx_team_sync_on_stream(team, stream);                                                                \
            nvshmemx_##name##_fcollect_on_stream(team, (T *)b, (T *)a, 100, stream);                                   \
            verify<T><<<1, THREADS, 0, stream>>>((T *)b + 100 * nvshmem_team_my_pe(team), 100, nvshmem_my_pe(), wrong);\
            nvshmemx_barrier_on_stream(team, stream);                                                                  \
            nvshmemx_##name##_alltoall_on_stream(team, (T *)b, (T *)a, 10, stream);                                    \
            nvshmemx_##name##_max_reduce_on_stream(team, (T *)c, (T *)a, N, stream);                                   \
            nvshmemx_##name##_sum_reducescatter_on_stream(team, (T *)c + N, (T *)a, 10, stream);                       \
        }                                                                                                              \
        step_ends("collectives of " #name);                                                                            \
    }
#define COLL(what, arguments)                                                                                          \
    do {                                                                                                               \
        if (group == 0)                                                                                                \
            COLL_THREAD(what) arguments;                                                                               \
        else if (group == 1)                                                                                           \
            nvshmemx_##what##_warp arguments;                                                                          \
        else                                                                                                           \
            nvshmemx_##what##_block arguments;                                                                         \
    } while (0)
#define COLL_THREAD(what) nvshmem_##what
#define COLL_T(name, what, arguments)                                                                                  \
    do {                                                                                                               \
        if (group == 0)                                                                                                \
            nvshmem_##name##_##what arguments;                                                                         \
        else if (group == 1)                                                                                           \
            nvshmemx_##name##_##what##_warp arguments;                                                                 \
        else                                                                                                           \
            nvshmemx_##name##_##what##_block arguments;                                                                \
    } while (0)
#define COLL_TYPES(X)                                                                                                  \
    X(float, float) X(double, double) X(int, int) X(ulong, unsigned long) X(int8, int8_t) NVSHMEM_CUDA_TYPES(X)
COLL_TYPES(COLL_KERNEL)

/* ---- Memory order and launch. */
__global__ void
message(int *data, uint64_t *flag, int to, int rounds, int *wrong)
{
    for (int i = 1; i <= rounds; i++) {
        nvshmem_int_p(data + threadIdx.x, i * 1000 + threadIdx.x, to);
        __syncthreads();
        if (threadIdx.x == 0) {
            nvshmem_fence(); /* covers the block: it has observed the others through the barrier */
            nvshmemx_signal_op(flag, 1, NVSHMEM_SIGNAL_ADD, to);
            nvshmem_signal_wait_until(flag, NVSHMEM_CMP_GE, i);
        }
        __syncthreads();
        WRONG_UNLESS(*(volatile int *)(data + threadIdx.x) == i * 1000 + (int)threadIdx.x);
        nvshmemx_barrier_all_block();
    }
}
/* All blocks of all PEs at once: the last block of each PE waits for the first block of the next PE. */
__global__ void
everybody(uint64_t *flag, int to)
{
    if (threadIdx.x != 0)
        return;
    nvshmemx_signal_op(flag, 1, NVSHMEM_SIGNAL_ADD, to);
    nvshmem_signal_wait_until(flag, NVSHMEM_CMP_GE, gridDim.x);
}
__global__ void
addresses(char *heap, int to, int *wrong)
{
    WRONG_UNLESS(nvshmem_ptr(heap, nvshmem_my_pe()) == heap);
    WRONG_UNLESS(nvshmem_ptr(heap, to) != nullptr && nvshmem_ptr(heap, -1) == nullptr);
    WRONG_UNLESS(nvshmem_ptr(wrong, to) == nullptr);
    *((char *)nvshmem_ptr(heap, to) + nvshmem_my_pe()) = 'x';
    nvshmem_barrier_all();
}

static void
test_order(void)
{
    heaps_clear();
    message<<<1, THREADS, 0, stream>>>((int *)a, signals, to, 200, wrong);
    step_ends("messages");
    heaps_clear();
    int blocks = 0;
    void *arguments[] = {&signals, &to};
    if (nvshmemx_collective_launch_query_gridsize((const void *)everybody, dim3(64), arguments, 0, &blocks) ||
        blocks < 1)
        *wrong += 1;
    if (nvshmemx_collective_launch((const void *)everybody, dim3(0, 0, 0), dim3(64), arguments, 0, stream))
        *wrong += 1;
    if (!nvshmemx_collective_launch((const void *)everybody, dim3(blocks + 1), dim3(64), arguments, 0, stream))
        *wrong += 1;
    step_ends("collective launch");
    addresses<<<1, 1, 0, stream>>>(a, to, wrong);
    step_ends("nvshmem_ptr");
    amo_floats<<<1, 1, 0, stream>>>((float *)b, (double *)c, wrong);
    step_ends("atomics of floats");
}

/* The host's routines beside a kernel that waits for them. */
__global__ void
waits_for_host(uint64_t *flag, long *data, long wanted, int *wrong)
{
    nvshmem_signal_wait_until(flag, NVSHMEM_CMP_EQ, 1);
    for (int i = 0; i < 100; i++)
        WRONG_UNLESS(data[i] == wanted + i);
    nvshmem_long_p(data + 100, 5, nvshmem_my_pe());
    nvshmem_quiet();
}
static void
test_host_and_kernel(void)
{
    long mine[100];
    heaps_clear();
    waits_for_host<<<1, 1, 0, stream>>>(signals, (long *)a, from * 1000L, wrong);
    for (int i = 0; i < 100; i++)
        mine[i] = me * 1000L + i;
    nvshmem_long_put_signal((long *)a, mine, 100, signals, 1, NVSHMEM_SIGNAL_SET, to);
    nvshmem_long_wait_until((long *)a + 100, NVSHMEM_CMP_EQ, 5);
    step_ends("host and kernel");
}

int
main(void)
{
    nvshmem_init();
    me = nvshmem_my_pe();
    npes = nvshmem_n_pes();
    to = (me + 1) % npes;
    from = (me + npes - 1) % npes;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaHostAlloc((void **)&wrong, sizeof *wrong, cudaHostAllocMapped));
    *wrong = 0;
    a = (char *)nvshmem_malloc(CELLS * 16);
    b = (char *)nvshmem_malloc(CELLS * 16);
    c = (char *)nvshmem_malloc(CELLS * 16);
    signals = (uint64_t *)nvshmem_calloc(64, sizeof *signals);
    test_order();
#define RUN_RMA(name, T) test_rma_##name();
    NVSHMEM_RMA_TYPES(RUN_RMA)
#define RUN_STREAM(name, T) test_stream_##name();
    NVSHMEM_RMA_TYPES(RUN_STREAM)
#define RUN_AMO(name, T) test_amo_##name();
    SHMEM_AMO_STANDARD_TYPES(RUN_AMO)
#define RUN_BITS(name, T) test_bits_##name();
    SHMEM_AMO_BITWISE_TYPES(RUN_BITS)
#define RUN_WAIT(name, T) test_wait_##name();
    NVSHMEM_WAIT_TYPES(RUN_WAIT)
#define RUN_COLL(name, T) test_coll_##name(NVSHMEM_TEAM_WORLD);
    COLL_TYPES(RUN_COLL)
    nvshmem_team_t even = NVSHMEM_TEAM_INVALID;
    nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 2, (npes + 1) / 2, NULL, 0, &even);
    test_coll_int(even);
    test_coll_double(NVSHMEMX_TEAM_NODE);
    test_host_and_kernel();
    nvshmem_team_destroy(even);
    nvshmem_free(a);
    nvshmem_free(b);
    nvshmem_free(c);
    nvshmem_free(signals);
    if (me == 0 && !failed)
        printf("%d PEs: all right\n", npes);
    nvshmem_finalize();
    return failed;
}
