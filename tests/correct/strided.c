/* strided.c -- columns of a matrix: iput, iget, ibput and ibget, with neighbours' columns written at the same time.
 *
 * RUN: -n 3 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ROWS 4
#define COLUMNS 6

static int matrix[ROWS][COLUMNS], blocks[ROWS][COLUMNS];

int
main(void)
{
    int bad = 0, column[ROWS], got[ROWS], pairs[ROWS][2];
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < ROWS; i++) {
        column[i] = 10 * me + i;
        pairs[i][0] = 100 * me + 2 * i;
        pairs[i][1] = 100 * me + 2 * i + 1;
    }
    for (int pe = 0; pe < npes; pe++) { /* column `me` of matrix, columns 2 me and 2 me + 1 of blocks, everywhere */
        shmem_int_iput(&matrix[0][me], column, COLUMNS, 1, ROWS, pe);
        shmem_int_ibput(&blocks[0][2 * me], pairs[0], COLUMNS, 2, 2, ROWS, pe);
    }
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) {
        int from = (me + 1) % npes;
        shmem_int_iget(got, &matrix[0][pe], 1, COLUMNS, ROWS, from);
        shmem_int_ibget(pairs[0], &blocks[0][2 * pe], 2, COLUMNS, 2, ROWS, from);
        for (int i = 0; i < ROWS; i++) {
            bad |= matrix[i][pe] != 10 * pe + i || got[i] != 10 * pe + i;
            bad |= pairs[i][0] != 100 * pe + 2 * i || pairs[i][1] != 100 * pe + 2 * i + 1;
        }
    }
    shmem_finalize();
    return bad;
}
