/* put.c -- blocking 8-byte puts of one PE to another, which waits in the barrier: bursts of 1,024 to different words,
 * each burst completed by a quiet. Prints nanoseconds a put, quiets included. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

enum { BURST = 1024 };

static long target[BURST];

int
main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 1000000;
    shmem_init();
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        uint64_t start = bench_now_ns();
        for (long i = 0; i < count; i++) {
            shmem_long_put(&target[i % BURST], &i, 1, 1);
            if (i % BURST == BURST - 1)
                shmem_quiet();
        }
        shmem_quiet();
        printf("ns=%.1f\n", (double)(bench_now_ns() - start) / (double)count);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
