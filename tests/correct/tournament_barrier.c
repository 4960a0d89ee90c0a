/* tournament_barrier.c -- a barrier made by hand: losers signal winners up a tree, the champion wakes everybody down.
 *
 * Episodes are told apart by the signal's value. What was put before, and completed by a quiet, is read after.
 *
 * RUN: -n 1,2,6,9 --seeds 1..2 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ROUNDS 4
#define EPISODES 3

static uint64_t won[ROUNDS], go;
static int box[EPISODES];

static void
barrier(uint64_t episode)
{
    int me = shmem_my_pe(), npes = shmem_n_pes(), round = 0, step = 1;
    shmem_quiet();
    for (; step < npes && me % (2 * step) == 0; round++, step *= 2)
        if (me + step < npes)
            shmem_signal_wait_until(&won[round], SHMEM_CMP_GE, episode);
    if (me > 0) {
        shmem_signal_set(&won[round], episode, me - step);
        shmem_signal_wait_until(&go, SHMEM_CMP_GE, episode);
    }
    while (step > 1) {
        step /= 2;
        if (me + step < npes && me % (2 * step) == 0)
            shmem_signal_set(&go, episode, me + step);
    }
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < EPISODES; i++) {
        shmem_int_p(&box[i], me * 10 + i, (me + 1 + i) % npes);
        barrier((uint64_t)i + 1);
        bad |= box[i] != ((me + npes - 1 - i % npes + npes) % npes) * 10 + i;
    }
    shmem_finalize();
    return bad;
}
