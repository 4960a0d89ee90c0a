/* matrix_vector.c -- y = A x on a grid of PEs: x travels down the columns by broadcast, y is summed along the rows.
 *
 * RUN: -n 1,4,6 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define BLOCK 2

static double x[BLOCK], down[BLOCK], part[BLOCK], y[BLOCK];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), wide = npes % 2 ? 1 : 2, column = me % wide, row = me / wide;
    shmem_team_t along, across;
    if (shmem_team_split_2d(SHMEM_TEAM_WORLD, wide, NULL, 0, &along, NULL, 0, &across))
        return 1;
    bad |= shmem_team_my_pe(along) != column || shmem_team_my_pe(across) != row;
    for (int i = 0; row == 0 && i < BLOCK; i++)
        x[i] = column * BLOCK + i + 1;
    shmem_double_broadcast(across, down, x, BLOCK, 0);
    for (int i = 0; i < BLOCK; i++) {
        part[i] = 0;
        for (int j = 0; j < BLOCK; j++)
            part[i] += ((row * BLOCK + i) + 2 * (column * BLOCK + j)) * down[j];
    }
    shmem_double_sum_reduce(along, y, part, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
        double sum = 0;
        for (int j = 0; j < wide * BLOCK; j++)
            sum += (double)((row * BLOCK + i) + 2 * j) * (j + 1);
        bad |= y[i] != sum;
    }
    shmem_team_destroy(across);
    shmem_team_destroy(along);
    shmem_finalize();
    return bad;
}
