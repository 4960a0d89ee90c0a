/* shmem_locks.c -- set_lock, test_lock and clear_lock around puts, gets, loads and stores; two locks, two counters.
 *
 * RUN: -n 2,4 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static long lock[2];
static int counter[2]; /* counter[0] at PE 0, counter[1] at PE 1 */

static void
add(int which, int amount)
{
    int seen = shmem_int_g(&counter[which], which);
    shmem_int_p(&counter[which], seen + amount, which);
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < 3; i++) {
        shmem_set_lock(&lock[0]);
        if (me == 0)
            counter[0] += 1; /* its own copy, plainly */
        else
            add(0, 1);
        shmem_clear_lock(&lock[0]);
        while (shmem_test_lock(&lock[1]) != 0)
            ;
        add(1, 2);
        shmem_clear_lock(&lock[1]);
    }
    shmem_barrier_all();
    if (me < 2)
        bad |= counter[me] != 3 * npes * (me + 1);
    shmem_finalize();
    return bad;
}
