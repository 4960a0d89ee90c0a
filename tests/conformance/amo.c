/* Every atomic operation of every type, blocking and nonblocking, with and without a context; integers wrap. Each
 * PE works on the object of the next one, which is its own for that time.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..2 --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

/* Issues a nonblocking form and completes it. */
#define NBI(ctx, call) (call, shmem_ctx_quiet(ctx), *fetch)

#define DEFINE(name, ctype)                                                                                            \
    static void extended_##name(shmem_ctx_t ctx, ctype *x, ctype *fetch, int pe)                                       \
    {                                                                                                                  \
        const ctype big = ALL_BUT_HIGH_BIT(ctype);                                                                     \
                                                                                                                       \
        shmem_##name##_atomic_set(x, 3, pe);                                                                           \
        shmem_quiet();                                                                                                 \
        CHECK(shmem_##name##_atomic_fetch(x, pe) == 3);                                                                \
        CHECK(shmem_##name##_atomic_swap(x, big, pe) == 3);                                                            \
        CHECK(NBI(SHMEM_CTX_DEFAULT, shmem_##name##_atomic_fetch_nbi(fetch, x, pe)) == big);                           \
        CHECK(NBI(SHMEM_CTX_DEFAULT, shmem_##name##_atomic_swap_nbi(fetch, x, 5, pe)) == big);                         \
        shmem_ctx_##name##_atomic_set(ctx, x, 9, pe);                                                                  \
        shmem_ctx_quiet(ctx);                                                                                          \
        CHECK(shmem_ctx_##name##_atomic_fetch(ctx, x, pe) == 9);                                                       \
        CHECK(shmem_ctx_##name##_atomic_swap(ctx, x, 8, pe) == 9);                                                     \
        CHECK(NBI(ctx, shmem_ctx_##name##_atomic_fetch_nbi(ctx, fetch, x, pe)) == 8);                                  \
        CHECK(NBI(ctx, shmem_ctx_##name##_atomic_swap_nbi(ctx, fetch, x, 7, pe)) == 8);                                \
        CHECK(shmem_##name##_atomic_fetch(x, pe) == 7);                                                                \
    }
SHMEM_AMO_EXTENDED_TYPES(DEFINE)
#undef DEFINE

#define DEFINE(name, ctype)                                                                                            \
    static void standard_##name(shmem_ctx_t ctx, ctype *x, ctype *fetch, int pe)                                       \
    {                                                                                                                  \
        const ctype top = ALL_BUT_HIGH_BIT(ctype), bottom = HIGH_BIT(ctype);                                           \
                                                                                                                       \
        CHECK(shmem_##name##_atomic_swap(x, top, pe) != bottom);                                                       \
        CHECK(shmem_##name##_atomic_fetch_inc(x, pe) == top);                                                          \
        CHECK(shmem_##name##_atomic_fetch(x, pe) == bottom);                                                           \
        CHECK(shmem_##name##_atomic_fetch_add(x, (ctype)-1, pe) == bottom);                                            \
        CHECK(shmem_##name##_atomic_fetch_add(x, 2, pe) == top);                                                       \
        CHECK(shmem_##name##_atomic_compare_swap(x, top, 1, pe) == (ctype)(bottom + 1));                               \
        CHECK(shmem_##name##_atomic_compare_swap(x, (ctype)(bottom + 1), 1, pe) == (ctype)(bottom + 1));               \
        shmem_##name##_atomic_inc(x, pe);                                                                              \
        shmem_quiet();                                                                                                 \
        shmem_##name##_atomic_add(x, 40, pe);                                                                          \
        shmem_quiet();                                                                                                 \
        CHECK(shmem_##name##_atomic_fetch(x, pe) == 42);                                                               \
        CHECK(NBI(SHMEM_CTX_DEFAULT, shmem_##name##_atomic_fetch_inc_nbi(fetch, x, pe)) == 42);                        \
        CHECK(NBI(SHMEM_CTX_DEFAULT, shmem_##name##_atomic_fetch_add_nbi(fetch, x, 7, pe)) == 43);                     \
        CHECK(NBI(SHMEM_CTX_DEFAULT, shmem_##name##_atomic_compare_swap_nbi(fetch, x, 50, 10, pe)) == 50);             \
                                                                                                                       \
        CHECK(shmem_ctx_##name##_atomic_fetch_inc(ctx, x, pe) == 10);                                                  \
        CHECK(shmem_ctx_##name##_atomic_fetch_add(ctx, x, 4, pe) == 11);                                               \
        CHECK(shmem_ctx_##name##_atomic_compare_swap(ctx, x, 15, 20, pe) == 15);                                       \
        shmem_ctx_##name##_atomic_inc(ctx, x, pe);                                                                     \
        shmem_ctx_quiet(ctx);                                                                                          \
        shmem_ctx_##name##_atomic_add(ctx, x, 9, pe);                                                                  \
        shmem_ctx_quiet(ctx);                                                                                          \
        CHECK(NBI(ctx, shmem_ctx_##name##_atomic_fetch_inc_nbi(ctx, fetch, x, pe)) == 30);                             \
        CHECK(NBI(ctx, shmem_ctx_##name##_atomic_fetch_add_nbi(ctx, fetch, x, 9, pe)) == 31);                          \
        CHECK(NBI(ctx, shmem_ctx_##name##_atomic_compare_swap_nbi(ctx, fetch, x, 41, 40, pe)) == 40);                  \
        CHECK(shmem_##name##_atomic_fetch(x, pe) == 40);                                                               \
    }
SHMEM_AMO_STANDARD_TYPES(DEFINE)
#undef DEFINE

#define DEFINE_BITWISE(name, ctype, op, sign)                                                                          \
    static void op##_##name(shmem_ctx_t ctx, ctype *x, ctype *fetch, int pe)                                           \
    {                                                                                                                  \
        const ctype mask = (ctype)(HIGH_BIT(ctype) | 0x5a);                                                            \
        ctype model = (ctype)(ALL_BUT_HIGH_BIT(ctype) - 0x3c);                                                         \
                                                                                                                       \
        shmem_##name##_atomic_swap(x, model, pe);                                                                      \
        CHECK(shmem_##name##_atomic_fetch_##op(x, mask, pe) == model);                                                 \
        model = (ctype)(model sign mask);                                                                              \
        CHECK(NBI(SHMEM_CTX_DEFAULT, shmem_##name##_atomic_fetch_##op##_nbi(fetch, x, 0x33, pe)) == model);            \
        model = (ctype)(model sign 0x33);                                                                              \
        shmem_##name##_atomic_##op(x, (ctype)-1, pe);                                                                  \
        shmem_quiet();                                                                                                 \
        model = (ctype)(model sign(ctype) - 1);                                                                        \
        CHECK(shmem_ctx_##name##_atomic_fetch_##op(ctx, x, mask, pe) == model);                                        \
        model = (ctype)(model sign mask);                                                                              \
        CHECK(NBI(ctx, shmem_ctx_##name##_atomic_fetch_##op##_nbi(ctx, fetch, x, 0x0f, pe)) == model);                 \
        model = (ctype)(model sign 0x0f);                                                                              \
        shmem_ctx_##name##_atomic_##op(ctx, x, 0, pe);                                                                 \
        shmem_ctx_quiet(ctx);                                                                                          \
        model = (ctype)(model sign 0);                                                                                 \
        CHECK(shmem_##name##_atomic_fetch(x, pe) == model);                                                            \
    }
#define DEFINE(name, ctype)                                                                                            \
    DEFINE_BITWISE(name, ctype, and, &) DEFINE_BITWISE(name, ctype, or, |) DEFINE_BITWISE(name, ctype, xor, ^)
SHMEM_AMO_BITWISE_TYPES(DEFINE)
#undef DEFINE

/* All PEs on one object: no update is lost, and no two see the same old value. */
static void
everybody(void)
{
    const int n = shmem_n_pes(), rounds = 5;
    long *count = shmem_calloc(1, sizeof *count);
    int *seen = shmem_calloc((size_t)(rounds * n), sizeof *seen);

    for (int i = 0; i < rounds; i++) {
        const long old = shmem_long_atomic_fetch_add(count, 1, n - 1);
        CHECK(old >= 0 && old < rounds * n);
        shmem_int_atomic_inc(&seen[old], 0);
        shmem_long_atomic_add(count, 0, n - 1);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == n - 1)
        CHECK(*count == rounds * n);
    for (int i = 0; shmem_my_pe() == 0 && i < rounds * n; i++)
        CHECK(seen[i] == 1);
    shmem_free(seen);
    shmem_free(count);
}

int
main(void)
{
    shmem_ctx_t ctx;

    shmem_init();
    CHECK(shmem_ctx_create(0, &ctx) == 0);
#define TEST(group, name, ctype)                                                                                       \
    {                                                                                                                  \
        ctype *x = shmem_calloc(1, sizeof *x), fetch = 0;                                                              \
        group##_##name(ctx, x, &fetch, next_pe());                                                                     \
        shmem_free(x);                                                                                                 \
    }
#define EXTENDED(name, ctype) TEST(extended, name, ctype)
#define STANDARD(name, ctype) TEST(standard, name, ctype)
#define BITWISE(name, ctype) TEST(and, name, ctype) TEST(or, name, ctype) TEST(xor, name, ctype)
    SHMEM_AMO_EXTENDED_TYPES(EXTENDED)
    SHMEM_AMO_STANDARD_TYPES(STANDARD)
    SHMEM_AMO_BITWISE_TYPES(BITWISE)
    shmem_ctx_destroy(ctx);
    everybody();
    shmem_finalize();
    return 0;
}
