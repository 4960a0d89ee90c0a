/* team_backwards.c -- a team with a negative stride: collects and scans go in the team's order, not the world's.
 *
 * RUN: -n 1,3,6 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static int mine, all[64], before, upto;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    shmem_team_t team;
    if (shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, npes > 1 ? -1 : 1, npes, NULL, 0, &team))
        return 1;
    bad |= shmem_team_my_pe(team) != npes - 1 - me;
    mine = me + 1;
    shmem_int_fcollect(team, all, &mine, 1);
    shmem_int_sum_exscan(team, &before, &mine, 1);
    shmem_int_sum_inscan(team, &upto, &mine, 1);
    int sum = 0;
    for (int pe = npes - 1; pe >= 0; pe--) {
        bad |= all[npes - 1 - pe] != pe + 1;
        if (pe > me)
            sum += pe + 1;
    }
    bad |= before != sum || upto != sum + mine;
    shmem_team_destroy(team);
    shmem_finalize();
    return bad;
}
