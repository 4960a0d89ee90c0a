/* same_pe.c -- calls that are scheduling points, on a PE that is alone and so goes on each time. Prints nanoseconds a
 * call. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

static long flag;

int
main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 3000000, hits = 0;
    shmem_init();
    uint64_t start = bench_now_ns();
    for (long i = 0; i < count; i++)
        hits += shmem_long_test(&flag, SHMEM_CMP_NE, 0);
    printf("ns=%.1f\n", (double)(bench_now_ns() - start) / (double)count);
    shmem_finalize();
    return hits != 0;
}
