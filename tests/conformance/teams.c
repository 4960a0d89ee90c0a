/* Teams: strided and two-dimensional splits of every shape, splits of splits, translation, configuration, contexts with
 * the team's numbers, shmem_team_ptr, collectives on the new teams, and their end.
 *
 * RUN: -n 1,2,3,5,8,16 --seeds 1..2
 * RUN: -n 1,2,3,5,8,16 --backends direct
 * EXPECT: clean
 */
#include "conformance.h"

static int me, n;

/* Every member of the team sees the same numbers; what is pushed by rank arrives by rank. */
static void
use(shmem_team_t team)
{
    const int rank = shmem_team_my_pe(team), size = shmem_team_n_pes(team);
    static long sum[2], all[64], slot;
    long mine[2] = {rank + 1, me};
    shmem_ctx_t ctx;
    shmem_team_t of_ctx;

    CHECK(rank >= 0 && rank < size);
    CHECK(shmem_team_translate_pe(team, rank, SHMEM_TEAM_WORLD) == me);
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, me, team) == rank);
    CHECK(shmem_team_translate_pe(team, size, SHMEM_TEAM_WORLD) == -1);
    CHECK(shmem_team_ptr(team, sum, rank) == sum);
    CHECK(shmem_team_ptr(team, sum, size) == NULL);

    slot = -1;
    shmem_team_sync(team);
    CHECK(shmem_team_create_ctx(team, 0, &ctx) == 0);
    CHECK(shmem_ctx_get_team(ctx, &of_ctx) == 0 && of_ctx == team);
    shmem_ctx_long_p(ctx, &slot, me, (rank + 1) % size);
    shmem_ctx_quiet(ctx);
    shmem_team_sync(team);
    CHECK(slot == shmem_team_translate_pe(team, (rank + size - 1) % size, SHMEM_TEAM_WORLD));
    CHECK(*(long *)shmem_team_ptr(team, &slot, (rank + 1) % size) == me);
    shmem_team_sync(team);
    shmem_ctx_destroy(ctx);

    static long source[2];
    source[0] = mine[0];
    source[1] = mine[1];
    CHECK(shmem_long_sum_reduce(team, sum, source, 1) == 0);
    CHECK(sum[0] == (long)size * (size + 1) / 2);
    CHECK(shmem_long_fcollect(team, all, source + 1, 1) == 0);
    for (int i = 0; i < size; i++)
        CHECK(all[i] == shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD));
    shmem_team_sync(team);
    for (int root = 0; root < size; root++) {
        CHECK(shmem_long_broadcast(team, sum, source, 2, root) == 0);
        CHECK(sum[0] == root + 1 && sum[1] == shmem_team_translate_pe(team, root, SHMEM_TEAM_WORLD));
        shmem_team_sync(team);
    }
}

static void
strided(shmem_team_t parent, int start, int stride, int size)
{
    const int rank = shmem_team_my_pe(parent);
    shmem_team_config_t config = {.num_contexts = 3}, told = {0};
    shmem_team_t team = SHMEM_TEAM_WORLD;
    int expected = -1;

    for (int i = 0; i < size; i++)
        if (start + stride * i == rank)
            expected = i;
    CHECK(shmem_team_split_strided(parent, start, stride, size, &config, SHMEM_TEAM_NUM_CONTEXTS, &team) == 0);
    CHECK(shmem_team_my_pe(team) == expected);
    CHECK((team == SHMEM_TEAM_INVALID) == (expected < 0));
    if (expected < 0)
        return;
    CHECK(shmem_team_n_pes(team) == size);
    CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &told) == 0 && told.num_contexts == 3);
    CHECK(shmem_team_get_config(team, 0, NULL) == 0);
    use(team);
    shmem_team_destroy(team);
}

static void
every_triplet(shmem_team_t parent)
{
    const int size = shmem_team_n_pes(parent);

    for (int start = 0; start < size; start += 1 + size / 4)
        for (int stride = -2; stride <= 3; stride++)
            for (int count = 1; count <= size; count += 1 + count / 2) {
                const int last = start + stride * (count - 1);
                if (last >= 0 && last < size && (stride != 0 || count == 1))
                    strided(parent, start, stride, count);
            }
}

static void
grid(shmem_team_t parent, int xrange)
{
    const int rank = shmem_team_my_pe(parent), size = shmem_team_n_pes(parent), wide = xrange < size ? xrange : size;
    shmem_team_t x, y, half;

    CHECK(shmem_team_split_2d(parent, xrange, NULL, 0, &x, NULL, 0, &y) == 0);
    CHECK(shmem_team_my_pe(x) == rank % wide && shmem_team_my_pe(y) == rank / wide);
    CHECK(shmem_team_translate_pe(x, 0, parent) == rank / wide * wide);
    CHECK(shmem_team_translate_pe(y, 0, parent) == rank % wide);
    use(x);
    use(y);
    CHECK(shmem_team_split_strided(x, 0, 2, (shmem_team_n_pes(x) + 1) / 2, NULL, 0, &half) == 0);
    CHECK((half != SHMEM_TEAM_INVALID) == (shmem_team_my_pe(x) % 2 == 0));
    if (half != SHMEM_TEAM_INVALID)
        use(half);
    shmem_team_destroy(half);
    shmem_team_destroy(x);
    shmem_team_destroy(y);
}

int
main(void)
{
    shmem_team_t none = SHMEM_TEAM_INVALID, team = SHMEM_TEAM_WORLD, other = SHMEM_TEAM_WORLD;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    CHECK(shmem_team_my_pe(none) == -1 && shmem_team_n_pes(none) == -1);
    CHECK(shmem_team_translate_pe(none, 0, SHMEM_TEAM_WORLD) == -1);
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, none) == -1);
    CHECK(shmem_team_get_config(none, 0, NULL) != 0);
    CHECK(shmem_team_ptr(none, &me, 0) == NULL);
    CHECK(shmem_team_split_strided(none, 0, 1, 1, NULL, 0, &team) != 0 && team == none);
    CHECK(shmem_team_split_2d(none, 1, NULL, 0, &team, NULL, 0, &other) != 0 && team == none && other == none);
    shmem_team_destroy(none);
    use(SHMEM_TEAM_WORLD);
    use(SHMEM_TEAM_SHARED);
    every_triplet(SHMEM_TEAM_WORLD);
    strided(SHMEM_TEAM_SHARED, n - 1, -1, n);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &team) == 0);
    every_triplet(team);
    grid(team, 2);
    shmem_team_destroy(team);
    for (int xrange = 1; xrange <= n + 1; xrange += 1 + xrange / 3)
        grid(SHMEM_TEAM_WORLD, xrange);
    shmem_finalize();
    return 0;
}
