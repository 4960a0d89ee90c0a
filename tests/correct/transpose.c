/* transpose.c -- a matrix distributed by rows is transposed twice: by alltoall with local shuffles, and by gets of
 * columns.
 *
 * RUN: -n 1,3,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define BLOCK 3
#define PES_MAX 4

static short send[PES_MAX * BLOCK * BLOCK], received[PES_MAX * BLOCK * BLOCK];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), side = npes * BLOCK;
    short *rows = shmem_malloc(sizeof *rows * (size_t)(side * BLOCK)), back[PES_MAX * BLOCK];
    for (int pe = 0; pe < npes; pe++)
        for (int i = 0; i < BLOCK; i++)
            for (int j = 0; j < BLOCK; j++)
                send[(pe * BLOCK + j) * BLOCK + i] = (short)((me * BLOCK + i) * 100 + pe * BLOCK + j);
    shmem_short_alltoall(SHMEM_TEAM_WORLD, received, send, BLOCK * BLOCK);
    for (int pe = 0; pe < npes; pe++)
        for (int j = 0; j < BLOCK; j++)
            for (int i = 0; i < BLOCK; i++)
                rows[j * side + pe * BLOCK + i] = received[(pe * BLOCK + j) * BLOCK + i];
    for (int j = 0; j < BLOCK; j++)
        for (int i = 0; i < side; i++)
            bad |= rows[j * side + i] != i * 100 + me * BLOCK + j;
    shmem_sync_all();
    for (int i = 0; i < BLOCK; i++) { /* row of the original is a column of what the others have */
        for (int pe = 0; pe < npes; pe++)
            shmem_short_iget(&back[pe * BLOCK], &rows[me * BLOCK + i], 1, side, BLOCK, pe);
        for (int j = 0; j < side; j++)
            bad |= back[j] != (me * BLOCK + i) * 100 + j;
    }
    shmem_barrier_all();
    shmem_free(rows);
    shmem_finalize();
    return bad;
}
