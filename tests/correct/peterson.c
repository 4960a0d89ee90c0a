/* peterson.c -- Peterson's lock for two PEs: each store is an atomic that a quiet completes before the next look.
 *
 * RUN: -n 2 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define TIMES 4

static int wants[2], turn, counter; /* at PE 0 */

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), other = 1 - me;
    for (int i = 0; i < TIMES; i++) {
        shmem_int_atomic_set(&wants[me], 1, 0);
        shmem_quiet();
        shmem_int_atomic_set(&turn, other, 0);
        shmem_quiet();
        while (shmem_int_atomic_fetch(&wants[other], 0) && shmem_int_atomic_fetch(&turn, 0) == other)
            ;
        shmem_int_p(&counter, shmem_int_g(&counter, 0) + 1, 0);
        shmem_quiet();
        shmem_int_atomic_set(&wants[me], 0, 0);
        shmem_fence(); /* or the set of the next round may come first */
    }
    shmem_barrier_all();
    bad |= me == 0 && counter != 2 * TIMES;
    shmem_finalize();
    return bad;
}
