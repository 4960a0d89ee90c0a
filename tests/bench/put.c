/* put.c -- blocking 8-byte puts of one PE to another, which waits in the barrier. Prints nanoseconds a put. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

static long target;

int
main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 1000000;
    shmem_init();
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        uint64_t start = bench_now_ns();
        for (long i = 0; i < count; i++)
            shmem_long_put(&target, &i, 1, 1);
        shmem_quiet();
        printf("ns=%.1f\n", (double)(bench_now_ns() - start) / (double)count);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
