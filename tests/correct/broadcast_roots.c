/* broadcast_roots.c -- every PE is root once, into one buffer with a sync before it is used again, and into two in
 * turn.
 *
 * RUN: -n 1,2,5 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define WORDS 5

static int source[WORDS], one[WORDS], turn[3][WORDS];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < WORDS; i++)
        source[i] = me * 10 + i;
    for (int root = 0; root < npes; root++) {
        shmem_int_broadcast(SHMEM_TEAM_WORLD, one, source, WORDS, root);
        for (int i = 0; i < WORDS; i++)
            bad |= one[i] != root * 10 + i;
        shmem_sync_all();
    }
    for (int round = 0; round < npes; round++) {
        /* What the barrier of this round separates are the reads of the round before from the next but one. */
        shmem_broadcastmem(SHMEM_TEAM_WORLD, turn[round % 2], source, sizeof source, round);
        for (int i = 0; i < WORDS; i++)
            bad |= turn[round % 2][i] != round * 10 + i;
        shmem_barrier_all();
    }
    shmem_finalize();
    return bad;
}
