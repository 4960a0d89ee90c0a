/* Contexts, fence, quiet and pe_quiet: creation with every option, teams of contexts, what each call completes,
 * invalid handles.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..2 --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

static void
handles(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT, again;
    shmem_team_t team = SHMEM_TEAM_INVALID;

    CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team) == 0 && team == SHMEM_TEAM_WORLD);
    CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0 && team == SHMEM_TEAM_INVALID);
    CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0 && ctx == SHMEM_CTX_INVALID);
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
    shmem_ctx_fence(SHMEM_CTX_INVALID);
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, NULL, 1);
    shmem_pe_quiet(NULL, 0);
    for (long options = 0; options <= 7; options++) {
        CHECK(shmem_ctx_create(options, &ctx) == 0 && ctx != SHMEM_CTX_INVALID && ctx != SHMEM_CTX_DEFAULT);
        CHECK(shmem_team_create_ctx(SHMEM_TEAM_SHARED, options, &again) == 0 && again != ctx);
        CHECK(shmem_ctx_get_team(ctx, &team) == 0 && team == SHMEM_TEAM_WORLD);
        CHECK(shmem_ctx_get_team(again, &team) == 0 && team == SHMEM_TEAM_SHARED);
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);
        shmem_ctx_session_stop(ctx);
        shmem_ctx_destroy(ctx);
        shmem_ctx_destroy(again);
    }
}

/* Data, an ordering call, a flag on the same context: whoever sees the flag has the data. */
static void
order(int how)
{
    const int to = next_pe(), me = shmem_my_pe();
    long *data = shmem_calloc(8, sizeof *data), *flag = shmem_calloc(1, sizeof *flag), local[8];
    shmem_ctx_t ctx;

    CHECK(shmem_ctx_create(0, &ctx) == 0);
    for (int i = 0; i < 8; i++)
        local[i] = 1000 * me + i;
    if (how < 3)
        shmem_long_put(data, local, 8, to);
    else
        shmem_ctx_long_put(ctx, data, local, 8, to);
    switch (how) {
    case 0:
        shmem_fence();
        break;
    case 1:
        shmem_quiet();
        break;
    case 2:
        shmem_pe_quiet(&to, 1);
        break;
    case 3:
        shmem_ctx_fence(ctx);
        break;
    case 4:
        shmem_ctx_quiet(ctx);
        break;
    case 5:
        shmem_ctx_pe_quiet(ctx, (const int[]){to, me, to}, 3);
        break;
    default:
        shmem_ctx_destroy(ctx);
    }
    if (how < 3)
        shmem_long_atomic_set(flag, 1, to);
    else if (how < 6)
        shmem_ctx_long_atomic_set(ctx, flag, 1, to);
    else
        shmem_long_atomic_set(flag, 1, to);
    shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
    for (int i = 0; i < 8; i++)
        CHECK(data[i] == 1000 * previous_pe() + i);
    if (how < 6)
        shmem_ctx_destroy(ctx);
    shmem_free(flag);
    shmem_free(data);
}

int
main(void)
{
    shmem_init();
    handles();
    for (int how = 0; how <= 6; how++)
        order(how);
    shmem_finalize();
    return 0;
}
