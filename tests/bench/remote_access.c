/* remote_access.c -- updates at random places of random PEs' tables: each a get, a put elsewhere, and now and
 * then an atomic. What recording costs an operation is measured on it (bench/run). Prints nanoseconds an operation. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define WORDS (1u << 16)

int
main(int argc, char **argv)
{
    long updates = argc > 1 ? atol(argv[1]) : 200000;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    /* What is read is never written, and each PE has a part of every copy to write to, so there is no race. */
    uint64_t words = WORDS / (uint64_t)npes, first = words * (uint64_t)me;
    uint64_t *table = shmem_calloc(WORDS, sizeof *table), *out = shmem_calloc(WORDS, sizeof *out),
             *counter = shmem_calloc(1, sizeof *counter);
    uint64_t at = 88172645463325252u + (uint64_t)me * 7919;
    shmem_barrier_all();
    uint64_t start = bench_now_ns();
    for (long i = 0; i < updates; i++) {
        at ^= at << 13;
        at ^= at >> 7;
        at ^= at << 17;
        int pe = (int)((at >> 32) % (uint64_t)npes);
        shmem_uint64_p(&out[first + (uint64_t)i * 40503 % words], shmem_uint64_g(&table[at % WORDS], pe) ^ at, pe);
        if (i % 8 == 7)
            shmem_uint64_atomic_inc(counter, pe);
        if (i % 64 == 63)
            shmem_quiet();
    }
    shmem_barrier_all();
    if (me == 0)
        printf("ns=%.2f\n", (double)(bench_now_ns() - start) / (2.125 * (double)updates * npes));
    shmem_free(counter);
    shmem_free(out);
    shmem_free(table);
    shmem_finalize();
    return 0;
}
