/* put, get, p, g and their nonblocking forms, all 24 types, on the default context and on one of the program's own;
 * lengths 0, 1 and many; own PE and another.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..2 --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

enum { N = 37 };

#define DEFINE(name, ctype)                                                                                            \
    DEFINE_VALUE(name, ctype)                                                                                          \
    static void is_from_##name(const ctype *data, size_t n, int pe)                                                    \
    {                                                                                                                  \
        for (size_t i = 0; i < n; i++)                                                                                 \
            CHECK(data[i] == value_##name(pe, i));                                                                     \
    }                                                                                                                  \
    static void test_##name(shmem_ctx_t ctx, int to, int from)                                                         \
    {                                                                                                                  \
        const int me = shmem_my_pe();                                                                                  \
        ctype *dest = shmem_calloc(N + 1, sizeof *dest), *own = shmem_malloc(N * sizeof *own);                         \
        ctype local[N], got[N + 1];                                                                                    \
                                                                                                                       \
        for (size_t i = 0; i < N; i++)                                                                                 \
            local[i] = own[i] = value_##name(me, i);                                                                   \
        shmem_barrier_all();                                                                                           \
                                                                                                                       \
        shmem_##name##_put(dest, local, 0, to);                                                                        \
        shmem_##name##_put(NULL, NULL, 0, to);                                                                         \
        shmem_##name##_put(dest, local, N, to);                                                                        \
        shmem_barrier_all();                                                                                           \
        is_from_##name(dest, N, from);                                                                                 \
        CHECK(dest[N] == 0);                                                                                           \
        memset(dest, 0, (N + 1) * sizeof *dest);                                                                       \
        shmem_barrier_all();                                                                                           \
        shmem_ctx_##name##_put(ctx, dest, local, N, to);                                                               \
        shmem_ctx_quiet(ctx);                                                                                          \
        shmem_barrier_all();                                                                                           \
        is_from_##name(dest, N, from);                                                                                 \
        memset(dest, 0, (N + 1) * sizeof *dest);                                                                       \
        shmem_barrier_all();                                                                                           \
        shmem_##name##_put_nbi(dest, local, N - 1, to);                                                                \
        shmem_ctx_##name##_put_nbi(ctx, dest + N - 1, local + N - 1, 1, to);                                           \
        shmem_ctx_quiet(ctx);                                                                                          \
        shmem_barrier_all();                                                                                           \
        is_from_##name(dest, N, from);                                                                                 \
        shmem_barrier_all();                                                                                           \
        for (size_t i = 0; i < N; i++)                                                                                 \
            (i % 2 == 0) ? shmem_##name##_p(&dest[N - 1 - i], value_##name(me, N - 1 - i), to)                         \
                         : shmem_ctx_##name##_p(ctx, &dest[N - 1 - i], value_##name(me, N - 1 - i), to);               \
        shmem_ctx_quiet(ctx);                                                                                          \
        shmem_barrier_all();                                                                                           \
        is_from_##name(dest, N, from);                                                                                 \
                                                                                                                       \
        memset(got, 0, sizeof got);                                                                                    \
        shmem_##name##_get(got, own, N, to);                                                                           \
        is_from_##name(got, N, to);                                                                                    \
        CHECK(got[N] == 0);                                                                                            \
        memset(got, 0, sizeof got);                                                                                    \
        shmem_ctx_##name##_get(ctx, got, own, N, to);                                                                  \
        is_from_##name(got, N, to);                                                                                    \
        memset(got, 0, sizeof got);                                                                                    \
        shmem_##name##_get_nbi(got, own, N - 1, to);                                                                   \
        shmem_ctx_##name##_get_nbi(ctx, got + N - 1, own + N - 1, 1, to);                                              \
        shmem_quiet();                                                                                                 \
        shmem_ctx_quiet(ctx);                                                                                          \
        is_from_##name(got, N, to);                                                                                    \
        for (size_t i = 0; i < 7; i++) {                                                                               \
            CHECK(shmem_##name##_g(&own[i], to) == value_##name(to, i));                                               \
            CHECK(shmem_ctx_##name##_g(ctx, &own[N - 1 - i], to) == value_##name(to, N - 1 - i));                      \
        }                                                                                                              \
        shmem_free(own);                                                                                               \
        shmem_free(dest);                                                                                              \
    }
SHMEM_RMA_TYPES(DEFINE)
#undef DEFINE

int
main(void)
{
    shmem_ctx_t ctx;

    shmem_init();
    CHECK(shmem_ctx_create(0, &ctx) == 0);
#define TEST(name, ctype)                                                                                              \
    test_##name(ctx, next_pe(), previous_pe());                                                                        \
    test_##name(SHMEM_CTX_DEFAULT, shmem_my_pe(), shmem_my_pe());
    SHMEM_RMA_TYPES(TEST)
#undef TEST
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return 0;
}
