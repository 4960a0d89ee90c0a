/* collectives.c -- every data collective on the world team, each into its own buffers, checked element by element.
 *
 * RUN: -n 1,2,5,8 --seeds 1..2 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define PES_MAX 8

static int source[2 * PES_MAX], dest[6][4 * PES_MAX];
static double real[2][3];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), total = 0;
    for (int i = 0; i < 2 * npes; i++)
        source[i] = me * 100 + i;
    for (int i = 0; i < 3; i++)
        real[0][i] = me + 0.5 * i;
    shmem_int_broadcast(SHMEM_TEAM_WORLD, dest[0], source, 2, npes - 1);
    shmem_int_fcollect(SHMEM_TEAM_WORLD, dest[1], source, 2);
    shmem_int_collect(SHMEM_TEAM_WORLD, dest[2], source, (size_t)(me % 2 + 1));
    shmem_int_alltoall(SHMEM_TEAM_WORLD, dest[3], source, 2);
    shmem_int_sum_inscan(SHMEM_TEAM_WORLD, dest[4], source, 1);
    shmem_int_sum_exscan(SHMEM_TEAM_WORLD, dest[5], source, 1);
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, real[1], real[0], 3);
    for (int i = 0; i < 2; i++)
        bad |= dest[0][i] != (npes - 1) * 100 + i;
    for (int pe = 0, at = 0; pe < npes; pe++) {
        for (int i = 0; i < 2; i++) {
            bad |= dest[1][2 * pe + i] != pe * 100 + i;
            bad |= dest[3][2 * pe + i] != pe * 100 + 2 * me + i;
            if (i <= pe % 2)
                bad |= dest[2][at++] != pe * 100 + i;
        }
        total += pe < me ? pe * 100 : 0;
    }
    bad |= dest[5][0] != total || dest[4][0] != total + me * 100;
    for (int i = 0; i < 3; i++)
        bad |= real[1][i] != npes - 1 + 0.5 * i;
    shmem_finalize();
    return bad;
}
