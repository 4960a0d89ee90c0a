/* random_access.c -- plain updates at random places of the PE's own symmetric table: the worst case for looking at each
 * load and store. Prints nanoseconds an update. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define WORDS (1u << 20)

int
main(int argc, char **argv)
{
    long updates = argc > 1 ? atol(argv[1]) : 2000000;
    shmem_init();
    uint64_t *table = shmem_calloc(WORDS, sizeof *table), at = 88172645463325252u + (uint64_t)shmem_my_pe();
    shmem_barrier_all();
    uint64_t start = bench_now_ns();
    for (long i = 0; i < updates; i++) {
        at ^= at << 13;
        at ^= at >> 7;
        at ^= at << 17;
        table[at & (WORDS - 1)] ^= at;
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("ns=%.2f mib=%.1f\n", (double)(bench_now_ns() - start) / ((double)updates * shmem_n_pes()),
               bench_peak_mib());
    shmem_free(table);
    shmem_finalize();
    return 0;
}
