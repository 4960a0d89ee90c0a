/* teams_nested.c -- teams of teams down to single PEs, each level with collectives of its own at the same time.
 *
 * RUN: -n 1,4,7 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define LEVELS 4

static long value[LEVELS], sum[LEVELS];

int
main(void)
{
    int bad = 0, depth = 0;
    shmem_init();
    int me = shmem_my_pe(), low = 0, size = shmem_n_pes();
    shmem_team_t team[LEVELS] = {SHMEM_TEAM_WORLD};
    for (;;) {
        value[depth] = me + 1;
        shmem_long_sum_reduce(team[depth], &sum[depth], &value[depth], 1);
        bad |= sum[depth] != (long)(low + 1 + low + size) * size / 2;
        if (size == 1)
            break;
        int half = size / 2, upper = me - low >= half, count = upper ? size - half : half;
        shmem_team_t parts[2] = {SHMEM_TEAM_INVALID, SHMEM_TEAM_INVALID};
        bad |= shmem_team_split_strided(team[depth], 0, 1, half, NULL, 0, &parts[0]) != 0;
        bad |= shmem_team_split_strided(team[depth], half, 1, size - half, NULL, 0, &parts[1]) != 0;
        bad |= parts[!upper] != SHMEM_TEAM_INVALID || shmem_team_n_pes(parts[upper]) != count;
        team[++depth] = parts[upper];
        low += upper ? half : 0;
        size = count;
        bad |= shmem_team_translate_pe(team[depth], 0, SHMEM_TEAM_WORLD) != low;
        bad |= shmem_team_translate_pe(SHMEM_TEAM_WORLD, me, team[depth]) != me - low;
    }
    for (; depth > 0; depth--)
        shmem_team_destroy(team[depth]);
    shmem_finalize();
    return bad;
}
