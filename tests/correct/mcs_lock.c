/* mcs_lock.c -- the queue lock of Mellor-Crummey and Scott: each waits for a word of its own.
 *
 * RUN: -n 2,5 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define TIMES 3

static int tail;           /* at PE 0: PE + 1 of the last in the queue */
static int behind, locked; /* of the queue's member */
static int counter[2];     /* at PE 0 */

static void
take(int me)
{
    shmem_int_atomic_set(&behind, 0, me);
    shmem_int_atomic_set(&locked, 1, me);
    shmem_quiet();
    int before = shmem_int_atomic_swap(&tail, me + 1, 0);
    if (before == 0)
        return;
    shmem_int_atomic_set(&behind, me + 1, before - 1);
    shmem_int_wait_until(&locked, SHMEM_CMP_EQ, 0);
}

static void
give(int me)
{
    shmem_quiet();
    if (shmem_int_atomic_fetch(&behind, me) == 0) {
        if (shmem_int_atomic_compare_swap(&tail, me + 1, 0, 0) == me + 1)
            return;
        shmem_int_wait_until(&behind, SHMEM_CMP_NE, 0);
    }
    shmem_int_atomic_set(&locked, 0, shmem_int_atomic_fetch(&behind, me) - 1);
}

int
main(void)
{
    int bad = 0, both[2];
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < TIMES; i++) {
        take(me);
        shmem_int_get(both, counter, 2, 0);
        both[0]++;
        both[1] += me;
        shmem_int_put(counter, both, 2, 0);
        give(me);
    }
    shmem_barrier_all();
    bad |= me == 0 && (counter[0] != TIMES * npes || counter[1] != TIMES * npes * (npes - 1) / 2);
    shmem_finalize();
    return bad;
}
