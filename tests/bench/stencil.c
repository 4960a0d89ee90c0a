/* stencil.c -- a five-point stencil on a square a PE, rows exchanged each step: mostly plain loads and stores that walk
 * through memory. Prints nanoseconds a point. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define SIDE 512

int
main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 20;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), up = (me + npes - 1) % npes, down = (me + 1) % npes;
    double *now = shmem_calloc((SIDE + 2) * SIDE, sizeof *now), *next = shmem_calloc((SIDE + 2) * SIDE, sizeof *next);
    for (int i = 0; i < (SIDE + 2) * SIDE; i++)
        now[i] = i % 7;
    shmem_barrier_all();
    uint64_t start = bench_now_ns();
    for (int step = 0; step < steps; step++) {
        shmem_double_put(now + (SIDE + 1) * SIDE, now + SIDE, SIDE, up);
        shmem_double_put(now, now + SIDE * SIDE, SIDE, down);
        shmem_barrier_all();
        for (int row = 1; row <= SIDE; row++)
            for (int col = 1; col < SIDE - 1; col++) {
                const double *p = now + row * SIDE + col;
                next[row * SIDE + col] = 0.25 * (p[-1] + p[1] + p[-SIDE] + p[SIDE]);
            }
        double *swap = now;
        now = next;
        next = swap;
        shmem_barrier_all();
    }
    if (me == 0)
        printf("ns=%.2f mib=%.1f\n", (double)(bench_now_ns() - start) / ((double)steps * SIDE * SIDE * npes),
               bench_peak_mib());
    shmem_free(now < next ? now : next);
    shmem_free(now < next ? next : now);
    shmem_finalize();
    return 0;
}
