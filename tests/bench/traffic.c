/* traffic.c -- updates at random places of random PEs' tables: remote puts and atomics, a quiet now and then, a
 * barrier each round. What a trace of many operations costs is measured on it (bench/run, selftest/test_view.py). */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define WORDS 4096

int
main(int argc, char **argv)
{
    long updates = argc > 1 ? atol(argv[1]) : 1000, rounds = 10;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    uint64_t *table = shmem_calloc(WORDS, sizeof *table), *slots = shmem_calloc((size_t)npes * 64, sizeof *slots);
    uint64_t at = 88172645463325252u + (uint64_t)me * 7919;
    shmem_barrier_all();
    uint64_t start = bench_now_ns();
    for (long i = 0; i < updates; i++) {
        at ^= at << 13;
        at ^= at >> 7;
        at ^= at << 17;
        int pe = (int)(at >> 32) % npes;
        if (pe < 0)
            pe += npes;
        if (i % 4 == 0)
            shmem_uint64_atomic_add(&table[at % WORDS], 1, pe);
        else
            shmem_uint64_atomic_xor(&table[at % WORDS], at, pe);
        if (i % 32 == 31)
            shmem_quiet();
        if (i % 16 == 5) /* each PE has slots of its own in every copy */
            shmem_uint64_p(&slots[(size_t)me * 64 + (size_t)(i / 16) % 64], at, pe), shmem_fence();
        if ((i + 1) % (updates / rounds + 1) == 0)
            shmem_barrier_all();
    }
    shmem_barrier_all();
    if (me == 0)
        printf("ns=%.2f\n", (double)(bench_now_ns() - start) / ((double)updates * npes));
    shmem_free(slots);
    shmem_free(table);
    shmem_finalize();
    return 0;
}
