/* many_pes.c -- sixty-four and more PEs: a dissemination barrier of atomics, then a reduction.
 *
 * RUN: -n 64 --seeds 1..2 --rules common,strict
 * RUN: -n 257 --seeds 1 --choosers random
 * EXPECT: clean
 */
#include <shmem.h>

#define ROUNDS 9

static int arrived[ROUNDS], value, sum, source;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    shmem_int_p(&value, me + 1, (me + 1) % npes);
    shmem_quiet();
    for (int round = 0; 1 << round < npes; round++) {
        shmem_int_atomic_set(&arrived[round], 1, (me + (1 << round)) % npes);
        shmem_int_wait_until(&arrived[round], SHMEM_CMP_EQ, 1);
    }
    source = value; /* everybody has arrived after its quiet */
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum, &source, 1);
    bad |= sum != npes * (npes + 1) / 2 || value != (me + npes - 1) % npes + 1;
    shmem_finalize();
    return bad;
}
