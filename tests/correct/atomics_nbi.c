/* atomics_nbi.c -- tickets drawn without waiting for them; after the quiet they are there, and the places are filled.
 *
 * RUN: -n 1,4 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define TICKETS 5

static long next[4], place[64 * TICKETS];

int
main(void)
{
    int bad = 0;
    long ticket[TICKETS], old = -1, swapped = -1, looked = -1;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < TICKETS; i++)
        shmem_long_atomic_fetch_inc_nbi(&ticket[i], &next[0], 0);
    shmem_long_atomic_fetch_add_nbi(&old, &next[1], me + 1, 0);
    shmem_long_atomic_compare_swap_nbi(&swapped, &next[2], 0, me + 1, 0);
    shmem_long_atomic_fetch_nbi(&looked, &next[3], 0);
    shmem_quiet();
    bad |= old < 0 || swapped < 0 || swapped > npes || looked != 0;
    for (int i = 0; i < TICKETS; i++)
        shmem_long_p(&place[ticket[i]], me + 1, 0);
    shmem_barrier_all();
    int count[64] = {0};
    for (int i = 0; me == 0 && i < TICKETS * npes; i++)
        count[place[i] - 1]++;
    for (int pe = 0; me == 0 && pe < npes; pe++)
        bad |= count[pe] != TICKETS;
    bad |= me == 0 && (next[1] != npes * (npes + 1) / 2 || next[2] < 1 || next[2] > npes);
    shmem_finalize();
    return bad;
}
