/* spin_lock.c -- compare-and-swap to take a lock, quiet and set to give it back; the table it protects lies elsewhere.
 *
 * RUN: -n 3,8 --seeds 1..3 --rules common,strict
 * RUN: -n 3 --seeds 1 --choosers pct --nets ideal,ordered
 * EXPECT: clean
 */
#include <shmem.h>

static long lock;       /* at PE 0 */
static int table[4][2]; /* at the last PE: count, sum */

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), home = npes - 1;
    for (int row = 0; row < 4; row++) {
        int entry[2];
        while (shmem_long_atomic_compare_swap(&lock, 0, me + 1, 0) != 0)
            ;
        shmem_int_get(entry, table[row], 2, home);
        entry[0]++;
        entry[1] += me;
        shmem_int_put(table[row], entry, 2, home);
        shmem_quiet();
        bad |= shmem_long_atomic_swap(&lock, 0, 0) != me + 1;
    }
    shmem_barrier_all();
    for (int row = 0; me == home && row < 4; row++)
        bad |= table[row][0] != npes || table[row][1] != npes * (npes - 1) / 2;
    shmem_finalize();
    return bad;
}
