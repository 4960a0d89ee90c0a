/* put_signal and its nonblocking form, all types, widths and mem, set and add, with and without a context;
 * signal_set, signal_add, signal_fetch, signal_wait_until. The receiver waits for the signal alone.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..2 --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

enum { N = 7 };

static unsigned char
pattern(int pe, int round, size_t i)
{
    return (unsigned char)(i * 5 + (size_t)pe * 17 + (size_t)round * 3 + 1);
}

/* Two signals: one that grows by SET, one by ADD of a number beyond 32 bits. dest of a round is its own, so that
 * the sender need not know whether the receiver has read the last one. */
#define DEFINE_TEST(test, ctype, element, put_signal, put_signal_nbi, ctx_put_signal, ctx_put_signal_nbi)              \
    static void test(shmem_ctx_t ctx)                                                                                  \
    {                                                                                                                  \
        const int me = shmem_my_pe(), to = next_pe(), from = previous_pe();                                            \
        const uint64_t step = UINT64_C(0x100000001);                                                                   \
        const size_t bytes = N * (element);                                                                            \
        unsigned char *dest = shmem_align(16, 4 * bytes), *source = shmem_align(16, 4 * bytes);                        \
        uint64_t *set = shmem_calloc(1, sizeof *set), *add = shmem_calloc(1, sizeof *add);                             \
                                                                                                                       \
        for (int round = 0; round < 4; round++) {                                                                      \
            ctype *d = (void *)(dest + (size_t)round * bytes), *s = (void *)(source + (size_t)round * bytes);          \
            for (size_t i = 0; i < bytes; i++)                                                                         \
                ((unsigned char *)s)[i] = pattern(me, round, i);                                                       \
            if (round == 0)                                                                                            \
                put_signal(d, s, N, set, 1, SHMEM_SIGNAL_SET, to);                                                     \
            else if (round == 1)                                                                                       \
                put_signal_nbi(d, s, N, add, step, SHMEM_SIGNAL_ADD, to);                                              \
            else if (round == 2)                                                                                       \
                ctx_put_signal(ctx, d, s, N, add, step, SHMEM_SIGNAL_ADD, to);                                         \
            else                                                                                                       \
                ctx_put_signal_nbi(ctx, d, s, N, set, 2, SHMEM_SIGNAL_SET, to);                                        \
            /* The sender may be ahead by one. */                                                                      \
            if (round == 0 || round == 3)                                                                              \
                CHECK(shmem_signal_wait_until(set, SHMEM_CMP_GE, round == 0 ? 1 : 2) >= (round == 0 ? 1 : 2));         \
            else                                                                                                       \
                CHECK(shmem_signal_wait_until(add, SHMEM_CMP_GE, (uint64_t)round *step) % step == 0);                  \
            for (size_t i = 0; i < bytes; i++)                                                                         \
                CHECK(((unsigned char *)d)[i] == pattern(from, round, i));                                             \
            shmem_ctx_quiet(ctx);                                                                                      \
            shmem_quiet();                                                                                             \
        }                                                                                                              \
        put_signal(NULL, NULL, 0, set, 3, SHMEM_SIGNAL_SET, to);                                                       \
        CHECK(shmem_signal_wait_until(set, SHMEM_CMP_GT, 2) == 3);                                                     \
        CHECK(shmem_signal_fetch(set) == 3);                                                                           \
        shmem_free(add);                                                                                               \
        shmem_free(set);                                                                                               \
        shmem_free(source);                                                                                            \
        shmem_free(dest);                                                                                              \
    }

#define DEFINE(name, ctype)                                                                                            \
    DEFINE_TEST(test_##name, ctype, sizeof(ctype), shmem_##name##_put_signal, shmem_##name##_put_signal_nbi,           \
                shmem_ctx_##name##_put_signal, shmem_ctx_##name##_put_signal_nbi)
SHMEM_RMA_TYPES(DEFINE)
#undef DEFINE
#define DEFINE(bits)                                                                                                   \
    DEFINE_TEST(test_##bits, void, bits / 8, shmem_put##bits##_signal, shmem_put##bits##_signal_nbi,                   \
                shmem_ctx_put##bits##_signal, shmem_ctx_put##bits##_signal_nbi)
SHMEM_SIZES(DEFINE)
#undef DEFINE
DEFINE_TEST(test_mem, void, 1, shmem_putmem_signal, shmem_putmem_signal_nbi, shmem_ctx_putmem_signal,
            shmem_ctx_putmem_signal_nbi)

static void
without_data(shmem_ctx_t ctx)
{
    const int n = shmem_n_pes();
    uint64_t *count = shmem_calloc(1, sizeof *count), *flag = shmem_calloc(1, sizeof *flag);

    for (int pe = 0; pe < n; pe++) {
        shmem_signal_add(count, 1, pe);
        (shmem_ctx_signal_add)(ctx, count, UINT64_C(1) << 32, pe);
    }
    CHECK(shmem_signal_wait_until(count, SHMEM_CMP_EQ, (uint64_t)n * (1 + (UINT64_C(1) << 32))) != 0);
    shmem_signal_set(flag, UINT64_MAX, next_pe());
    CHECK(shmem_signal_wait_until(flag, SHMEM_CMP_NE, 0) == UINT64_MAX);
    shmem_quiet();
    shmem_barrier_all();
    (shmem_ctx_signal_set)(ctx, flag, 7, next_pe());
    CHECK(shmem_signal_wait_until(flag, SHMEM_CMP_LT, UINT64_MAX) == 7);
    shmem_ctx_quiet(ctx);
    shmem_free(flag);
    shmem_free(count);
}

int
main(void)
{
    shmem_ctx_t ctx;

    shmem_init();
    CHECK(shmem_ctx_create(0, &ctx) == 0);
#define TEST(name, ctype) test_##name(ctx);
    SHMEM_RMA_TYPES(TEST)
#undef TEST
#define TEST(bits) test_##bits(ctx);
    SHMEM_SIZES(TEST)
#undef TEST
    test_mem(ctx);
    without_data(ctx);
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return 0;
}
