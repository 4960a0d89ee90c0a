/* central_barrier.c -- arrivals counted at PE 0 by fetch_inc; the last to come tells everybody by atomic_set.
 *
 * RUN: -n 1,3,6 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define EPISODES 4

static long arrived, go, word[EPISODES];

static void
barrier(long episode)
{
    int npes = shmem_n_pes();
    shmem_quiet();
    if (shmem_long_atomic_fetch_inc(&arrived, 0) == episode * npes - 1)
        for (int pe = 0; pe < npes; pe++)
            shmem_long_atomic_set(&go, episode, pe);
    shmem_long_wait_until(&go, SHMEM_CMP_GE, episode);
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (long i = 0; i < EPISODES; i++) {
        word[i] = me + 100 * i;
        shmem_quiet(); /* makes the store visible as well */
        barrier(i + 1);
        bad |= shmem_long_g(&word[i], (me + 1) % npes) != (me + 1) % npes + 100 * i;
    }
    shmem_barrier_all();
    shmem_finalize();
    return bad;
}
