/* contexts_of_teams.c -- operations on a team's context count PEs in the team; each context is completed by its own
 * quiet; private, serialized and without stores.
 *
 * RUN: -n 2,5 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static int word[4][8], flag[2];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    shmem_team_t parts[2], back;
    for (int i = 0; i < 2; i++)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, i, 2, (npes + 1 - i) / 2, NULL, 0, &parts[i]);
    shmem_team_t half = parts[me % 2];
    int rank = shmem_team_my_pe(half), size = shmem_team_n_pes(half), right = (rank + 1) % size;
    static const long options[3] = {SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED, SHMEM_CTX_NOSTORE};
    for (int i = 0; i < 3; i++) {
        shmem_ctx_t ctx;
        if (shmem_team_create_ctx(half, options[i], &ctx))
            return 1;
        bad |= shmem_ctx_get_team(ctx, &back) != 0 || back != half;
        shmem_ctx_int_p(ctx, &word[i][0], 10 * me + i, right);
        shmem_ctx_int_put_nbi(ctx, &word[i][1], (int[]){1, 2, 3}, 0, right); /* nothing */
        shmem_ctx_quiet(ctx);
        shmem_team_sync(half);
        int left = shmem_team_translate_pe(half, (rank + size - 1) % size, SHMEM_TEAM_WORLD);
        bad |= word[i][0] != 10 * left + i;
        shmem_ctx_destroy(ctx);
    }
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx))
        return 1;
    shmem_ctx_int_p(ctx, &word[3][me % 8], me + 1, (me + 1) % npes);
    shmem_ctx_fence(ctx);
    shmem_ctx_int_atomic_add(ctx, &flag[0], 1, (me + 1) % npes);
    shmem_int_wait_until(&flag[0], SHMEM_CMP_EQ, 1);
    bad |= word[3][(me + npes - 1) % npes % 8] != (me + npes - 1) % npes + 1;
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(half);
    shmem_finalize();
    return bad;
}
