/* atomics_domains.c -- atomics on one word from contexts of teams that descend from different predefined teams.
 *
 * RUN: -n 2 --seeds 1..2
 *
 * VARIANT shared: -DUSE=1
 * EXPECT: race object=word on=1 rule=E076 repair~"SHMEM_TEAM_SHARED" A=long_atomic_inc@0 B=ctx_long_atomic_inc@1
 *
 * VARIANT split_of_shared: -DUSE=2
 * EXPECT: race object=word on=1 rule=E076 A=shmem_long_atomic_inc@0 B=shmem_ctx_long_atomic_inc@1
 *
 * VARIANT fetched: -DUSE=3
 * EXPECT: race object=word on=1 rule=E076 A=shmem_long_atomic_inc@0 C=shmem_ctx_long_atomic_fetch@1
 *
 * VARIANT split_of_world: -DUSE=4
 * EXPECT: clean
 *
 * VARIANT both_shared: -DUSE=5
 * EXPECT: clean
 *
 * VARIANT phases: -DUSE=6
 * EXPECT: clean
 *
 * VARIANT only_read: -DUSE=7
 * EXPECT: clean
 */
#include <shmem.h>

static long word;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), bad = 0;
    shmem_team_t parent = USE == 4 ? SHMEM_TEAM_WORLD : SHMEM_TEAM_SHARED, team = parent;
    shmem_ctx_t ctx, own;
    if (USE == 2 || USE == 4)
        shmem_team_split_strided(parent, 0, 1, 2, NULL, 0, &team);
    shmem_team_create_ctx(team, 0, &ctx);
    shmem_team_create_ctx(SHMEM_TEAM_SHARED, 0, &own);
    if (me == 0 && USE == 5)
        shmem_ctx_long_atomic_inc(own, &word, 1);
    else if (me == 0 && USE == 7)
        bad = shmem_long_atomic_fetch(&word, 1) != 0;
    else if (me == 0)
        shmem_long_atomic_inc(&word, 1); // <- A
    if (USE == 6)
        shmem_barrier_all();
    if (me == 1 && (USE == 3 || USE == 7))
        bad = shmem_ctx_long_atomic_fetch(ctx, &word, 1) > 1; // <- C
    else if (me == 1)
        shmem_ctx_long_atomic_inc(ctx, &word, 1); // <- B
    shmem_ctx_destroy(ctx);
    shmem_ctx_destroy(own);
    shmem_barrier_all();
    if (USE == 2 || USE == 4)
        shmem_team_destroy(team);
    shmem_finalize();
    return bad;
}
