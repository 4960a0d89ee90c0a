/* broadcast, collect, fcollect, alltoall, alltoalls, all 24 types and mem, over both predefined teams; each root;
 * lengths 0, 1, many and unequal.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..2 --backends sim,direct
 * RUN: -n 16 --seeds 1 --choosers random --hooks no --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

enum { N = 5 };

/* How much PE `pe` contributes to collect: nothing, one, several. */
static size_t
share(int pe)
{
    return (size_t)(pe * 2 + 1) % 4;
}

#define DEFINE_TEST(test, value, ctype, broadcast, collect, fcollect, alltoall, alltoalls)                             \
    static void test(shmem_team_t team)                                                                                \
    {                                                                                                                  \
        const int me = shmem_team_my_pe(team), n = shmem_team_n_pes(team);                                             \
        const size_t room = (size_t)n * N * 3;                                                                         \
        ctype *dest = shmem_malloc(room * sizeof *dest), *source = shmem_malloc(room * sizeof *source);                \
        size_t at = 0;                                                                                                 \
                                                                                                                       \
        for (size_t i = 0; i < room; i++)                                                                              \
            source[i] = value(me, i);                                                                                  \
        memset(dest, 0, room * sizeof *dest);                                                                          \
        shmem_sync_all();                                                                                              \
        for (int root = 0; root < n; root++) {                                                                         \
            CHECK(broadcast(team, dest, source, N, root) == 0);                                                        \
            for (size_t i = 0; i < N; i++)                                                                             \
                CHECK(dest[i] == value(root, i));                                                                      \
            CHECK(dest[N] == 0 || n * N * 3 == N);                                                                     \
            shmem_sync_all();                                                                                          \
        }                                                                                                              \
        CHECK(broadcast(team, NULL, NULL, 0, n - 1) == 0);                                                             \
        CHECK(fcollect(team, dest, source, N) == 0);                                                                   \
        for (int pe = 0; pe < n; pe++)                                                                                 \
            for (size_t i = 0; i < N; i++)                                                                             \
                CHECK(dest[(size_t)pe * N + i] == value(pe, i));                                                       \
        shmem_sync_all();                                                                                              \
        memset(dest, 0, room * sizeof *dest);                                                                          \
        shmem_sync_all();                                                                                              \
        CHECK(collect(team, dest, source, share(me)) == 0);                                                            \
        for (int pe = 0; pe < n; pe++)                                                                                 \
            for (size_t i = 0; i < share(pe); i++)                                                                     \
                CHECK(dest[at++] == value(pe, i));                                                                     \
        CHECK(at == room || dest[at] == 0);                                                                            \
        CHECK(collect(team, dest, source, 0) == 0);                                                                    \
        shmem_sync_all();                                                                                              \
        CHECK(alltoall(team, dest, source, N) == 0);                                                                   \
        for (int pe = 0; pe < n; pe++)                                                                                 \
            for (size_t i = 0; i < N; i++)                                                                             \
                CHECK(dest[(size_t)pe * N + i] == value(pe, (size_t)me * N + i));                                      \
        shmem_sync_all();                                                                                              \
        memset(dest, 0, room * sizeof *dest);                                                                          \
        shmem_sync_all();                                                                                              \
        CHECK(alltoalls(team, dest, source, 3, 2, N) == 0);                                                            \
        for (int pe = 0; pe < n; pe++)                                                                                 \
            for (size_t i = 0; i < N; i++)                                                                             \
                for (size_t gap = 0; gap < 3; gap++)                                                                   \
                    CHECK(dest[((size_t)pe * N + i) * 3 + gap] ==                                                      \
                          (gap > 0 ? 0 : value(pe, ((size_t)me * N + i) * 2)));                                        \
        shmem_free(source);                                                                                            \
        shmem_free(dest);                                                                                              \
    }

#define DEFINE(name, ctype)                                                                                            \
    DEFINE_VALUE(name, ctype)                                                                                          \
    DEFINE_TEST(test_##name, value_##name, ctype, shmem_##name##_broadcast, shmem_##name##_collect,                    \
                shmem_##name##_fcollect, shmem_##name##_alltoall, shmem_##name##_alltoalls)
SHMEM_RMA_TYPES(DEFINE)
#undef DEFINE
DEFINE_TEST(test_mem, value_uchar, unsigned char, shmem_broadcastmem, shmem_collectmem, shmem_fcollectmem,
            shmem_alltoallmem, shmem_alltoallsmem)

int
main(void)
{
    shmem_init();
#define TEST(name, ctype) test_##name(SHMEM_TEAM_WORLD);
    SHMEM_RMA_TYPES(TEST)
    test_mem(SHMEM_TEAM_WORLD);
    test_int(SHMEM_TEAM_SHARED);
    test_mem(SHMEM_TEAM_SHARED);
    CHECK(shmem_team_sync(SHMEM_TEAM_SHARED) == 0);
    shmem_finalize();
    return 0;
}
