/* switch.c -- two PEs hand a flag to and fro: each half of a round blocks one and resumes the other. Prints nanoseconds
 * a hand-over, with the put and the wait that it takes. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

static long flag;

int
main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 200000;
    shmem_init();
    int me = shmem_my_pe();
    shmem_barrier_all();
    uint64_t start = bench_now_ns();
    for (long i = 1; i <= count; i++) {
        if (me == 0)
            shmem_long_atomic_set(&flag, i, 1);
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, i);
        if (me == 1)
            shmem_long_atomic_set(&flag, i, 0);
    }
    if (me == 0)
        printf("ns=%.1f\n", (double)(bench_now_ns() - start) / (double)count / 2);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
