/* active_sets_reused.c -- the deprecated collectives in a loop: two pSync arrays in turn, or one with a barrier
 * between; pWrk likewise; every second PE, and all.
 *
 * RUN: -n 2,5 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ROUNDS 4

static long reduce_sync[2][SHMEM_REDUCE_SYNC_SIZE], bcast_sync[2][SHMEM_BCAST_SYNC_SIZE];
static long barrier_sync[SHMEM_BARRIER_SYNC_SIZE], collect_sync[SHMEM_COLLECT_SYNC_SIZE];
static int work[2][SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static int mine[2], sum[2];
static uint32_t word[2], copy[2], all[64];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), even = (npes + 1) / 2;
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        reduce_sync[0][i] = reduce_sync[1][i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_BCAST_SYNC_SIZE; i++)
        bcast_sync[0][i] = bcast_sync[1][i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++)
        barrier_sync[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_COLLECT_SYNC_SIZE; i++)
        collect_sync[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    for (int round = 0; me % 2 == 0 && round < ROUNDS; round++) {
        int turn = round % 2;
        mine[turn] = me + round;
        shmem_int_sum_to_all(&sum[turn], &mine[turn], 1, 0, 1, even, work[turn], reduce_sync[turn]);
        int wanted = 0;
        for (int pe = 0; pe < npes; pe += 2)
            wanted += pe + round;
        bad |= sum[turn] != wanted;
        shmem_barrier(0, 1, even, barrier_sync); /* may be used again at once */
    }
    for (int round = 0; round < ROUNDS; round++) {
        int turn = round % 2, root = round % npes;
        word[turn] = (uint32_t)(100 * round + me);
        shmem_broadcast32(&copy[turn], &word[turn], 1, root, 0, 0, npes, bcast_sync[turn]);
        bad |= me != root && copy[turn] != (uint32_t)(100 * round + root);
        shmem_barrier_all();
    }
    for (int round = 0; round < ROUNDS; round++) {
        word[0] = (uint32_t)(me * 7 + round);
        shmem_fcollect32(all, word, 1, 0, 0, npes, collect_sync);
        for (int pe = 0; pe < npes; pe++)
            bad |= all[pe] != (uint32_t)(pe * 7 + round);
        shmem_barrier_all();
    }
    shmem_finalize();
    return bad;
}
