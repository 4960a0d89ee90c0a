/* figures.cu -- what NVSHMEM's interface costs, from the host and from kernels, and what the hardware gives.
 *
 * The same source is compiled against Fencepost (oshcc) and against NVIDIA's library (-DNVIDIA); `compare` runs both
 * and puts their figures side by side. PE 0 measures, towards PE 1, or itself where there is one PE. Each line of
 * output is: name, value, unit.
 */
#include <nvshmem.h>
#include <nvshmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CUDA(call)                                                                                                     \
    do {                                                                                                               \
        const cudaError_t error = (call);                                                                              \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                             \
            exit(2);                                                                                                   \
        }                                                                                                              \
    } while (0)

static int me, npes, to;
static cudaStream_t stream;

static double
now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int
by_size(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void
say(const char *name, double value, const char *unit)
{
    if (me == 0)
        printf("%-44s %12.4f %s\n", name, value, unit);
    fflush(stdout);
}

/* The median of n times of body(i), by PE 0; `all`: by every PE at once. */
template <typename F>
static void
host_row(const char *name, int n, bool all, F body)
{
    static double times[4096];
    for (int i = 0; (me == 0 || all) && i < 10; i++)
        body(i);
    if (me == 0 || all)
        for (int i = 0; i < n; i++) {
            const double begin = now_us();
            body(i);
            times[i] = now_us() - begin;
        }
    qsort(times, (size_t)n, sizeof *times, by_size);
    say(name, times[n / 2], "us");
    nvshmem_barrier_all();
}

/* ---- Kernels: one thread, cycles of one operation; `out` gets the least of several. */
enum { AGAIN = 64 };
#define CYCLES(name, body)                                                                                             \
    __global__ void name(long *word, long *out, int to)                                                                \
    {                                                                                                                  \
        long long least = 1ll << 40;                                                                                   \
        for (int i = 0; i < AGAIN; i++) {                                                                              \
            const long long begin = clock64();                                                                         \
            body;                                                                                                      \
            const long long end = clock64();                                                                           \
            least = end - begin < least ? end - begin : least;                                                         \
        }                                                                                                              \
        *out = least;                                                                                                  \
    }
__device__ long sink;
CYCLES(k_p_quiet, (nvshmem_long_p(word, i, to), nvshmem_quiet()))
CYCLES(k_fetch_add, sink = nvshmem_long_atomic_fetch_add(word, 1, to))
CYCLES(k_g, sink = nvshmem_long_g(word, to))
CYCLES(k_add_quiet, (nvshmem_long_atomic_add(word, 1, to), nvshmem_quiet()))
/* The instructions themselves, on the same place. */
CYCLES(raw_load, sink = *(volatile long *)word)
CYCLES(raw_atomic, sink = (long)atomicAdd_system((unsigned long long *)word, 1ull))
CYCLES(raw_store_fence, (*(volatile long *)word = i, __threadfence_system()))

__global__ void
k_ping(uint64_t *signal, long *out, int to, int first)
{
    const long long begin = clock64();
    for (int i = 1; i <= 200; i++) {
        if (first)
            nvshmemx_signal_op(signal, i, NVSHMEM_SIGNAL_SET, to);
        nvshmem_signal_wait_until(signal, NVSHMEM_CMP_GE, i);
        if (!first)
            nvshmemx_signal_op(signal, i, NVSHMEM_SIGNAL_SET, to);
    }
    *out = (clock64() - begin) / 200;
}
__global__ void
k_barrier(long *out)
{
    for (int i = 0; i < 10; i++)
        nvshmem_barrier_all();
    const long long begin = clock64();
    for (int i = 0; i < 200; i++)
        nvshmem_barrier_all();
    *out = (clock64() - begin) / 200;
}
/* Every block puts its share. */
__global__ void
k_put_block(char *dest, const char *source, size_t bytes, int to)
{
    const size_t share = bytes / gridDim.x;
    nvshmemx_putmem_nbi_block(dest + share * blockIdx.x, source + share * blockIdx.x, share, to);
    __syncthreads();
    if (threadIdx.x == 0)
        nvshmem_quiet();
}
__global__ void
raw_put_block(char *dest, const char *source, size_t bytes)
{
    const size_t n = bytes / gridDim.x / 16;
    const uint4 *from = (const uint4 *)source + n * blockIdx.x;
    uint4 *at = (uint4 *)dest + n * blockIdx.x;
    size_t i = threadIdx.x;
    for (; i + 7 * blockDim.x < n; i += 8 * blockDim.x) {
        uint4 v[8];
#pragma unroll
        for (int k = 0; k < 8; k++)
            v[k] = from[i + k * blockDim.x];
#pragma unroll
        for (int k = 0; k < 8; k++)
            at[i + k * blockDim.x] = v[k];
    }
    for (; i < n; i += blockDim.x)
        at[i] = from[i];
}

static void
cycle_row(const char *name, void (*kernel)(long *, long *, int), long *word, long *out)
{
    if (me == 0) {
        kernel<<<1, 1, 0, stream>>>(word, out, to);
        kernel<<<1, 1, 0, stream>>>(word, out, to);
        CUDA(cudaStreamSynchronize(stream));
        say(name, (double)*out, "cycles");
    }
    nvshmem_barrier_all();
}

template <typename F>
static double
kernel_us(F launch)
{
    cudaEvent_t begin, end;
    float ms = 0;
    double least = 1e30;
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    launch();
    CUDA(cudaStreamSynchronize(stream));
    for (int i = 0; i < 7; i++) {
        CUDA(cudaEventRecord(begin, stream));
        launch();
        CUDA(cudaEventRecord(end, stream));
        CUDA(cudaStreamSynchronize(stream));
        CUDA(cudaEventElapsedTime(&ms, begin, end));
        least = ms * 1e3 < least ? ms * 1e3 : least;
    }
    return least;
}

static void
host_rows(long *words, char *a, char *b)
{
    char name[64];
    static double rate;
    host_row("host long_p", 1000, false, [=](int i) { nvshmem_long_p(words, i, to); });
    nvshmem_quiet();
    if (me == 0) {
        const double begin = now_us();
        for (int i = 0; i < 20000; i++)
            nvshmem_long_p(words + (i & 255), i, to);
        nvshmem_quiet();
        rate = 20000 / (now_us() - begin);
    }
    say("host long_p, rate", rate, "M/s");
    nvshmem_barrier_all();
    host_row("host long_p + quiet", 500, false, [=](int i) {
        nvshmem_long_p(words, i, to);
        nvshmem_quiet();
    });
    host_row("host long_g", 500, false, [=](int i) { (void)nvshmem_long_g(words, to); });
#ifndef NVIDIA /* only declared there */
    host_row("host long_atomic_fetch_add", 500, false,
             [=](int i) { (void)nvshmem_long_atomic_fetch_add(words, 1, to); });
#endif
    for (size_t bytes = 8; bytes <= (256 << 20); bytes *= bytes < (1 << 15) ? 64 : bytes < (1 << 20) ? 16 : 32) {
        snprintf(name, sizeof name, "host putmem + quiet %zu", bytes);
        host_row(name, bytes > (1 << 22) ? 20 : 200, false, [=](int i) {
            nvshmem_putmem(a, b, bytes, to);
            nvshmem_quiet();
        });
    }
    host_row("host barrier_all", 500, true, [](int i) { nvshmem_barrier_all(); });
    host_row("host malloc + free 1 MiB", 20, true, [](int i) { nvshmem_free(nvshmem_malloc(1 << 20)); });
}

static void
device_rows(long *words, char *a, char *b, long *out)
{
    char name[64];
    long *there = (long *)nvshmem_ptr(words, to);
    char *far = (char *)nvshmem_ptr(a, to);
    cycle_row("device p + quiet", k_p_quiet, words, out);
    cycle_row("device store + fence, raw", raw_store_fence, there, out);
    cycle_row("device g", k_g, words, out);
    cycle_row("device load, raw", raw_load, there, out);
    cycle_row("device fetch_add", k_fetch_add, words, out);
    cycle_row("device atomic, raw", raw_atomic, there, out);
    cycle_row("device add + quiet", k_add_quiet, words, out);
    if (npes > 1) {
        if (me < 2)
            k_ping<<<1, 1, 0, stream>>>((uint64_t *)(words + 512), out, 1 - me, me == 0);
        CUDA(cudaStreamSynchronize(stream));
        say("device signal, round trip", (double)*out, "cycles");
    }
    k_barrier<<<1, 1, 0, stream>>>(out);
    CUDA(cudaStreamSynchronize(stream));
    say("device barrier_all", (double)*out, "cycles");
    nvshmem_barrier_all();
    for (size_t bytes = 1 << 16; bytes <= (256 << 20); bytes *= 64)
        for (int blocks = 1; blocks <= 128 && me == 0; blocks *= blocks == 8 ? 4 : blocks == 32 ? 4 : 8) {
            if (bytes < (1 << 20) && blocks != 1 && blocks != 128)
                continue;
            const double put = kernel_us([=] { k_put_block<<<blocks, 1024, 0, stream>>>(a, b, bytes, to); });
            const double raw = kernel_us([=] { raw_put_block<<<blocks, 1024, 0, stream>>>(far, b, bytes); });
            snprintf(name, sizeof name, "device put_block %zu, %d blocks", bytes, blocks);
            say(name, (double)bytes / put * 1e-3, "GB/s");
            snprintf(name, sizeof name, "device put_block %zu, %d blocks, raw", bytes, blocks);
            say(name, (double)bytes / raw * 1e-3, "GB/s");
        }
    nvshmem_barrier_all();
    if (me == 0)
        say("copy engine 256 MiB, raw",
            268435.456 / kernel_us([=] { cudaMemcpyAsync(far, b, 256 << 20, cudaMemcpyDefault, stream); }), "GB/s");
    nvshmem_barrier_all();
}

static void
start(void)
{
#ifdef NVIDIA
    /* One process a PE: rank, number, and the file through which the unique id travels. */
    const char *rank = getenv("FIGURES_RANK"), *n = getenv("FIGURES_NPES"), *path = getenv("FIGURES_ID");
    if (rank != NULL && n != NULL && path != NULL) {
        nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
        nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
        int gpus = 1;
        CUDA(cudaGetDeviceCount(&gpus));
        CUDA(cudaSetDevice(atoi(rank) % gpus));
        if (atoi(rank) == 0) {
            nvshmemx_get_uniqueid(&id);
            char part[256];
            snprintf(part, sizeof part, "%s.part", path);
            FILE *file = fopen(part, "wb");
            fwrite(&id, sizeof id, 1, file);
            fclose(file);
            rename(part, path);
        } else {
            FILE *file;
            while ((file = fopen(path, "rb")) == NULL)
                usleep(1000);
            if (fread(&id, sizeof id, 1, file) != 1)
                exit(2);
            fclose(file);
        }
        nvshmemx_set_attr_uniqueid_args(atoi(rank), atoi(n), &id, &attributes);
        nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes);
        return;
    }
#endif
    nvshmem_init();
}

int
main(void)
{
    const double begin = now_us();
    long *out;
    CUDA(cudaFree(0));
    start();
    const double end = now_us();
    me = nvshmem_my_pe();
    npes = nvshmem_n_pes();
    to = (me + 1) % npes;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaHostAlloc((void **)&out, sizeof *out, cudaHostAllocMapped));
    long *words = (long *)nvshmem_calloc(1024, sizeof *words);
    char *a = (char *)nvshmem_malloc(256 << 20), *b = (char *)nvshmem_malloc(256 << 20);
    if (words == NULL || a == NULL || b == NULL) {
        fprintf(stderr, "no memory: NVSHMEM_SYMMETRIC_SIZE or SHMEM_SYMMETRIC_SIZE of 1g is needed\n");
        return 2;
    }
    CUDA(cudaMemsetAsync(b, 1, 256 << 20, stream));
    CUDA(cudaStreamSynchronize(stream));
    nvshmem_barrier_all();
    say("init", (end - begin) / 1e3, "ms");
    host_rows(words, a, b);
    device_rows(words, a, b, out);
    nvshmem_free(a);
    nvshmem_free(b);
    nvshmem_free(words);
    nvshmem_finalize();
    return 0;
}
