/* litmus.cu -- litmus tests between kernels of two PEs: the shapes of tests/litmus/canonical with NVSHMEM's calls.
 *
 * Each test runs many rounds, between meetings, with a delay that differs from round to round. An outcome that the
 * axioms forbid fails the program; the histogram is printed for all. x and y are words of the heap; where they lie (at
 * PE 0 or PE 1) is part of the test.
 */
#include <nvshmem.h>
#include <nvshmemx.h>
#include <stdio.h>

enum { MP, MP_FENCE, MP_QUIET, MP_SIGNAL, MP_BLOCK, MP_AMO, SB, SB_QUIET, SB_AMO_QUIET, LB, CORR, W2, W2_FENCE, TESTS };
enum { BULK = 4096 };

/* Outcome a * 2 + b. forbidden: bits of outcomes. Where x and y are. */
static const struct {
    const char *name, *outcome;
    unsigned forbidden;
    int x_at, y_at;
} tests[TESTS] = {
    {"MP: p x; p y | y; x", "y x", 0, 1, 1},
    {"MP+fence: p x; fence; p y | y; x", "y x", 1 << 2, 1, 1},
    {"MP+quiet: p x@1; quiet; p y@0 | g y; g x", "y x", 1 << 2, 1, 0},
    {"MP+signal: put_signal x, y | y; x", "y x", 1 << 2, 1, 1},
    {"MP+block: put_block; barrier; fence; signal | y; all of it", "y x", 1 << 2, 1, 1},
    {"MP+amo: add x; fence; add y | y; x", "y x", 1 << 2, 1, 1},
    {"SB: p x; g y | p y; g x", "y x", 0, 1, 0},
    {"SB+quiet: p x; quiet; g y | p y; quiet; g x", "y x", 1 << 0, 1, 0},
    {"SB+amo: add x; quiet; fetch y | add y; quiet; fetch x", "y x", 1 << 0, 0, 1},
    {"LB: g y; p x | g x; p y", "y x", 1 << 3, 1, 0},
    {"CoRR: p x | x; x", "x x", 1 << 2, 1, 1},
    {"2+2W: p x 1; p y 2 | p y 1; p x 2", "x=1 y=1", 0, 1, 0},
    {"2+2W+fence: p x 1; fence; p y 2 | p y 1; fence; p x 2", "x=1 y=1", 1 << 3, 1, 0},
};

__device__ void
delay(unsigned cycles)
{
    const long long begin = clock64();
    while (clock64() - begin < cycles)
        ;
}

/* One round of one side: what it saw, *a and *b. Called by the block; thread 0 acts where nothing else is said. */
__device__ void
side(int test, int me, long *x, long *y, int x_at, int y_at, char *bulk, const char *source, int *a, int *b)
{
    const bool first = threadIdx.x == 0;
    __shared__ long seen;
    if (test == MP_BLOCK) {
        if (me == 0) {
            nvshmemx_putmem_nbi_block(bulk, source, BULK, 1);
            __syncthreads();
            if (first) {
                nvshmem_fence();
                nvshmem_long_p(y, 1, 1);
            }
        } else {
            if (first)
                seen = (long)nvshmem_signal_fetch((uint64_t *)y);
            __syncthreads();
            int whole = 1;
            for (int i = threadIdx.x; i < BULK; i += blockDim.x)
                whole &= ((volatile char *)bulk)[i] == 1;
            *a = seen != 0;
            *b = __syncthreads_and(whole);
        }
        return;
    }
    if (!first)
        return;
    switch (test) {
    case MP:
    case MP_FENCE:
    case MP_QUIET:
    case MP_SIGNAL:
    case MP_AMO:
        if (me == 1) {
            *a = nvshmem_long_test(y, NVSHMEM_CMP_EQ, 1);
            if (test == MP_QUIET)
                *a = nvshmem_long_g(y, y_at) == 1;
            nvshmem_fence(); /* two gets of one thread are ordered by a fence alone */
            *b = nvshmem_long_g(x, x_at) == 1;
        } else if (test == MP_SIGNAL) {
            nvshmem_putmem_signal(x, source, 1, (uint64_t *)y, 1, NVSHMEM_SIGNAL_SET, 1);
        } else if (test == MP_AMO) {
            nvshmem_long_atomic_add(x, 1, x_at);
            nvshmem_fence();
            nvshmem_long_atomic_add(y, 1, y_at);
        } else {
            nvshmem_long_p(x, 1, x_at);
            if (test == MP_FENCE)
                nvshmem_fence();
            if (test == MP_QUIET)
                nvshmem_quiet();
            nvshmem_long_p(y, 1, y_at);
        }
        break;
    case SB:
    case SB_QUIET:
        nvshmem_long_p(me == 0 ? x : y, 1, me == 0 ? x_at : y_at);
        if (test == SB_QUIET)
            nvshmem_quiet();
        *(me == 0 ? a : b) = nvshmem_long_g(me == 0 ? y : x, me == 0 ? y_at : x_at) == 1;
        break;
    case SB_AMO_QUIET:
        nvshmem_long_atomic_add(me == 0 ? x : y, 1, me == 0 ? x_at : y_at);
        nvshmem_quiet();
        *(me == 0 ? a : b) = nvshmem_long_atomic_fetch(me == 0 ? y : x, me == 0 ? y_at : x_at) == 1;
        break;
    case LB:
        *(me == 0 ? a : b) = nvshmem_long_g(me == 0 ? y : x, me == 0 ? y_at : x_at) == 1;
        nvshmem_long_p(me == 0 ? x : y, 1, me == 0 ? x_at : y_at);
        break;
    case CORR:
        if (me == 0) {
            nvshmem_long_p(x, 1, x_at);
        } else {
            *a = nvshmem_long_g(x, x_at) == 1;
            *b = nvshmem_long_g(x, x_at) == 1;
        }
        break;
    default:
        nvshmem_long_p(me == 0 ? x : y, 1, me == 0 ? x_at : y_at);
        if (test == W2_FENCE)
            nvshmem_fence();
        nvshmem_long_p(me == 0 ? y : x, 2, me == 0 ? y_at : x_at);
    }
}

__global__ void
rounds(int test, int x_at, int y_at, int n, long *words, char *bulk, const char *source, int *seen, int *counts)
{
    const int me = nvshmem_my_pe();
    long *x = words, *y = words + 64;
    unsigned random = 12345u + 77u * me;
    for (int r = 0; r < n; r++) {
        int a = 0, b = 0;
        if (threadIdx.x == 0)
            *(volatile long *)x = *(volatile long *)y = 0;
        for (int i = threadIdx.x; test == MP_BLOCK && i < BULK; i += blockDim.x)
            bulk[i] = 0;
        nvshmemx_barrier_all_block();
        random = random * 1664525u + 1013904223u;
        delay((random >> 16) % 3000);
        side(test, me, x, y, x_at, y_at, bulk, source, &a, &b);
        nvshmemx_barrier_all_block();
        if (test >= W2 && threadIdx.x == 0) {
            a = nvshmem_long_g(x, x_at) == 1;
            b = nvshmem_long_g(y, y_at) == 1;
        }
        /* Each side tells PE 0 what it saw; those that look alone (MP, CoRR) are PE 1. */
        if (threadIdx.x == 0) {
            nvshmem_int_p(seen + 2 * me, a, 0);
            nvshmem_int_p(seen + 2 * me + 1, b, 0);
        }
        nvshmemx_barrier_all_block();
        if (me == 0 && threadIdx.x == 0) {
            volatile int *s = seen;
            counts[(s[0] | s[2]) * 2 + (s[1] | s[3])]++;
        }
    }
}

int
main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 20000;
    int wrong = 0;
    nvshmem_init();
    const int me = nvshmem_my_pe();
    long *words = (long *)nvshmem_calloc(128, sizeof *words);
    char *bulk = (char *)nvshmem_calloc(BULK, 1), *source = (char *)nvshmem_malloc(BULK);
    int *seen = (int *)nvshmem_calloc(4, sizeof *seen), *counts;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaHostAlloc((void **)&counts, 4 * sizeof *counts, cudaHostAllocMapped);
    cudaMemsetAsync(source, 1, BULK, stream);
    cudaStreamSynchronize(stream);
    if (nvshmem_n_pes() != 2) {
        fprintf(stderr, "litmus: 2 PEs are needed\n");
        nvshmem_global_exit(64);
    }
    for (int t = 0; t < TESTS; t++) {
        memset(counts, 0, 4 * sizeof *counts);
        nvshmem_barrier_all();
        rounds<<<1, 128, 0, stream>>>(t, tests[t].x_at, tests[t].y_at, n, words, bulk, source, seen, counts);
        if (cudaStreamSynchronize(stream) != cudaSuccess)
            nvshmem_global_exit(2);
        if (me != 0)
            continue;
        printf("%-62s %-8s", tests[t].name, tests[t].outcome);
        for (int i = 0; i < 4; i++) {
            const bool bad = counts[i] && (tests[t].forbidden >> i & 1);
            printf("  %d%d:%d%s", i / 2, i % 2, counts[i], tests[t].forbidden >> i & 1 ? " (forbidden)" : "");
            wrong |= bad;
        }
        printf("\n");
    }
    if (me == 0)
        printf("%s\n", wrong ? "an outcome that the model forbids" : "no outcome outside the model");
    nvshmem_free(words);
    nvshmem_free(bulk);
    nvshmem_free(source);
    nvshmem_free(seen);
    nvshmem_finalize();
    return wrong;
}
