/* Collectives on teams of every size and with lengths on both sides of every threshold, so that each algorithm is run:
 * broadcast from each root, fcollect, reductions of integers and of reals, in place too. Reals are added from left to
 * right, whatever the schedule.
 *
 * RUN: -n 1,2,3,5,8,13,16 --seeds 1 --hooks no
 * RUN: -n 1,2,3,5,8,13,16 --backends direct
 * EXPECT: clean
 */
#include "conformance.h"

enum { MOST = 12000, PES_MAX = 16 };

static const size_t lengths[] = {0, 1, 7, 300, 4500, MOST};
static long source[MOST], dest[MOST], all[PES_MAX * 1500];
static double real[64], sum[64];

static long
value(int pe, size_t i)
{
    return (long)(pe + 1) * 1000003 + (long)i;
}

static void
fill(int rank, size_t n)
{
    for (size_t i = 0; i < n; i++)
        source[i] = value(rank, i);
}

static void
broadcasts(shmem_team_t team, int rank, int size, size_t n)
{
    fill(rank, n);
    for (int root = 0; root < size; root += 1 + size / 4) {
        CHECK(shmem_long_broadcast(team, dest, source, n, root) == 0);
        for (size_t i = 0; i < n; i++)
            CHECK(dest[i] == value(root, i));
        shmem_team_sync(team);
    }
}

static void
fcollects(shmem_team_t team, int rank, int size, size_t n)
{
    if (n > 1500)
        return;
    fill(rank, n);
    CHECK(shmem_long_fcollect(team, all, source, n) == 0);
    for (int pe = 0; pe < size; pe++)
        for (size_t i = 0; i < n; i++)
            CHECK(all[(size_t)pe * n + i] == value(pe, i));
    shmem_team_sync(team);
}

static void
reductions(shmem_team_t team, int rank, int size, size_t n)
{
    const long members = (long)size * (size + 1) / 2 * 1000003;

    fill(rank, n);
    CHECK(shmem_long_sum_reduce(team, dest, source, n) == 0);
    for (size_t i = 0; i < n; i++)
        CHECK(dest[i] == members + (long)size * (long)i);
    CHECK(shmem_long_max_reduce(team, source, source, n) == 0);
    for (size_t i = 0; i < n; i++)
        CHECK(source[i] == value(size - 1, i));
    shmem_team_sync(team);
}

/* 1e16 + 1 is 1e16: any other order than from left to right gives other bits. */
static double
part(int rank, size_t i)
{
    return rank % 3 == 0 ? 1e16 : rank % 3 == 1 ? 1.0 + (double)i : -1e16;
}

static void
reals(shmem_team_t team, int rank, int size)
{
    for (size_t i = 0; i < 64; i++)
        real[i] = part(rank, i);
    CHECK(shmem_double_sum_reduce(team, sum, real, 64) == 0);
    for (size_t i = 0; i < 64; i++) {
        volatile double expected = part(0, i);
        for (int pe = 1; pe < size; pe++)
            expected += part(pe, i);
        CHECK(sum[i] == expected);
    }
    shmem_team_sync(team);
}

static void
each(shmem_team_t team)
{
    const int rank = shmem_team_my_pe(team), size = shmem_team_n_pes(team);

    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        broadcasts(team, rank, size, lengths[k]);
        fcollects(team, rank, size, lengths[k]);
        reductions(team, rank, size, lengths[k]);
    }
    reals(team, rank, size);
}

int
main(void)
{
    shmem_team_t team, reversed;

    shmem_init();
    const int npes = shmem_n_pes();
    each(SHMEM_TEAM_WORLD);
    for (int size = npes - 1; size > 0; size -= 1 + size / 3) {
        shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, -1, size, NULL, 0, &team);
        if (team == SHMEM_TEAM_INVALID)
            continue;
        each(team);
        CHECK(shmem_team_split_strided(team, size - 1, -1, size, NULL, 0, &reversed) == 0);
        reals(reversed, shmem_team_my_pe(reversed), size);
        shmem_team_destroy(reversed);
        shmem_team_destroy(team);
    }
    shmem_finalize();
    return 0;
}
