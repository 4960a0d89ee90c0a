/* host_api.c -- the OpenSHMEM interface on heaps that the CPU may not touch: everything goes through calls. The
 * operands are heap objects, static objects and the stack, of all sizes for which the way through the backend is
 * another one.
 *
 * Runs on every backend; on the CUDA backend the heaps are GPU memory.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: PE %d: not so: %s\n", __FILE__, __LINE__, shmem_my_pe(), #condition);              \
            shmem_global_exit(1);                                                                                      \
        }                                                                                                              \
    } while (0)

enum { SIZES = 14, BIG = 1 << 20 };
static const size_t sizes[SIZES] = {1, 2, 3, 4, 7, 8, 9, 16, 100, 1000, 4096, 65536, 65537, BIG};
static unsigned char static_bytes[BIG];
static uint64_t static_signal;
static long static_count;
static int me, npes, to, from;

static unsigned char
byte_of(int pe, size_t i)
{
    return (unsigned char)(pe * 37 + i * 11 + (i >> 8) + 1);
}

static void
fill(unsigned char *at, size_t bytes, int pe)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = byte_of(pe, i);
}

static int
is_of(const unsigned char *at, size_t bytes, int pe)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != byte_of(pe, i))
            return 0;
    return 1;
}

/* host -> heap -> heap -> host, at even and odd places. */
static void
test_contiguous(void)
{
    unsigned char *mine = malloc(BIG + 16), *back = malloc(BIG + 16);
    unsigned char *a = shmem_malloc(BIG + 16), *b = shmem_malloc(BIG + 16);

    for (int s = 0; s < SIZES; s++)
        for (size_t shift = 0; shift < 4; shift += 3) {
            const size_t n = sizes[s];
            fill(mine, n, me);
            shmem_putmem(a + shift, mine, n, to);
            memset(mine, 0, n);
            shmem_barrier_all();
            memset(back, 0, n);
            shmem_getmem(back, a + shift, n, me);
            CHECK(is_of(back, n, from));
            shmem_putmem_nbi(b + 1, a + shift, n, to);
            shmem_quiet();
            shmem_barrier_all();
            shmem_getmem(back, b + 1, n, to);
            CHECK(is_of(back, n, from));
            shmem_barrier_all();
            shmem_getmem(a + 5, b + 1, n, to);
            shmem_getmem_nbi(back, a + 5, n, me);
            shmem_quiet();
            CHECK(is_of(back, n, from));
            shmem_barrier_all();
            /* static objects at either end */
            shmem_putmem(static_bytes, a + 5, n, to);
            shmem_barrier_all();
            CHECK(is_of(static_bytes, n, (from + npes - 1) % npes));
            shmem_getmem(b, static_bytes, n, from);
            shmem_getmem(back, b, n, me);
            CHECK(is_of(back, n, (from + 2 * npes - 2) % npes));
            shmem_barrier_all();
        }
    shmem_free(a);
    shmem_free(b);
    free(mine);
    free(back);
}

static void
test_strided(void)
{
    enum { N = 300 };
    int *heap = shmem_calloc(3 * N, sizeof *heap), mine[2 * N], back[3 * N];
    long *words = shmem_calloc(3 * N, sizeof *words), *others = shmem_calloc(3 * N, sizeof *words);

    for (int i = 0; i < 2 * N; i++)
        mine[i] = me * 1000 + i;
    shmem_int_iput(heap, mine, 3, 2, N, to);
    shmem_barrier_all();
    memset(back, 0, sizeof back);
    shmem_int_iget(back, heap, 1, 3, N, me);
    for (int i = 0; i < N; i++)
        CHECK(back[i] == from * 1000 + 2 * i);
    for (int i = 0; i < 3 * N; i++)
        shmem_long_p(words + i, me * 1000 + i, me);
    shmem_quiet();
    shmem_long_iput(others, words, 1, 3, N, to);
    shmem_barrier_all();
    for (int i = 0; i < N; i += 29)
        CHECK(shmem_long_g(others + i, me) == from * 1000 + 3 * i);
    shmem_free(heap);
    shmem_free(words);
    shmem_free(others);
}

static void
test_amo(void)
{
    long *count = shmem_calloc(2, sizeof *count);
    unsigned *bits = shmem_calloc(1, sizeof *bits);
    double *real = shmem_calloc(1, sizeof *real);
    long seen = 0;

    for (int i = 0; i < 50; i++) {
        shmem_long_atomic_inc(count, 0);
        shmem_long_atomic_add(count, 2, 0);
        seen += shmem_long_atomic_fetch_add(count + 1, 1, 0) >= 0;
        shmem_long_atomic_inc(&static_count, 0);
    }
    shmem_uint_atomic_or(bits, 1u << me, 0);
    shmem_barrier_all();
    CHECK(seen == 50);
    CHECK(shmem_long_atomic_fetch(count, 0) == 150L * npes);
    CHECK(shmem_long_atomic_fetch(count + 1, 0) == 50L * npes);
    CHECK(shmem_long_atomic_fetch(&static_count, 0) == 50L * npes);
    CHECK(shmem_uint_atomic_fetch(bits, 0) == (1u << npes) - 1);
    shmem_barrier_all();
    if (me == 0) {
        CHECK(shmem_uint_atomic_fetch_and(bits, 1, 0) == (1u << npes) - 1);
        CHECK(shmem_uint_atomic_fetch_xor(bits, 3, 0) == 1);
        CHECK(shmem_uint_atomic_swap(bits, 9, 0) == 2);
        CHECK(shmem_uint_atomic_compare_swap(bits, 8, 1, 0) == 9);
        CHECK(shmem_uint_atomic_compare_swap(bits, 9, 1, 0) == 9);
        CHECK(shmem_uint_g(bits, 0) == 1);
        shmem_double_atomic_set(real, 2.5, npes - 1);
        CHECK(shmem_double_atomic_fetch(real, npes - 1) == 2.5);
        CHECK(shmem_double_atomic_swap(real, 3.5, npes - 1) == 2.5);
        shmem_long_atomic_fetch_add_nbi(count + 1, count, 1, 0);
        shmem_quiet();
        CHECK(shmem_long_g(count + 1, 0) == 150L * npes);
    }
    shmem_barrier_all();
    shmem_free(count);
    shmem_free(bits);
    shmem_free(real);
}

static void
test_signals(void)
{
    enum { N = 5000 };
    uint64_t *signal = shmem_calloc(1, sizeof *signal);
    long *data = shmem_calloc(N, sizeof *data), *mine = malloc(N * sizeof *mine), *back = malloc(N * sizeof *back);

    for (int round = 1; round <= 6; round++) {
        const int on_static = round % 2, n = round <= 2 ? 1 : round <= 4 ? 100 : N;
        uint64_t *where = on_static ? &static_signal : signal;
        for (int i = 0; i < n; i++)
            mine[i] = me * 10 + round + i;
        if (round % 3)
            shmem_long_put_signal(data, mine, (size_t)n, where, 1, SHMEM_SIGNAL_ADD, to);
        else
            shmem_long_put_signal_nbi(data, mine, (size_t)n, where, (uint64_t)(round + 1) / 2, SHMEM_SIGNAL_SET, to);
        shmem_signal_wait_until(where, SHMEM_CMP_GE, (uint64_t)(round + 1) / 2);
        shmem_long_get(back, data, (size_t)n, me);
        for (int i = 0; i < n; i++)
            CHECK(back[i] == from * 10 + round + i);
        shmem_barrier_all();
    }
    CHECK(shmem_signal_fetch(signal) == 3 && shmem_signal_fetch(&static_signal) == 3);
    shmem_barrier_all();
    shmem_free(signal);
    shmem_free(data);
    free(mine);
    free(back);
}

static void
test_waits(void)
{
    enum { N = 100 };
    int *flags = shmem_calloc(N, sizeof *flags), status[N] = {0}, wanted[N];
    size_t indices[N], found = 0;

    CHECK(!shmem_int_test(flags, SHMEM_CMP_NE, 0));
    shmem_barrier_all();
    for (int i = 0; i < N; i++) {
        wanted[i] = i + 1;
        shmem_int_p(flags + i, i + 1, to);
    }
    shmem_int_wait_until(flags, SHMEM_CMP_EQ, 1);
    while (found < N) {
        const size_t n = shmem_int_wait_until_some(flags, N, indices, status, SHMEM_CMP_NE, 0);
        CHECK(n > 0);
        for (size_t i = 0; i < n; i++)
            status[indices[i]] = 1;
        found += n;
    }
    CHECK(shmem_int_test_all_vector(flags, N, NULL, SHMEM_CMP_EQ, wanted));
    CHECK(shmem_int_wait_until_any(flags, N, NULL, SHMEM_CMP_GT, N - 1) == N - 1);
    CHECK(shmem_int_test_any(flags, N, NULL, SHMEM_CMP_LT, 0) == SIZE_MAX);
    shmem_free(flags);
}

static void
test_locks(void)
{
    long *lock = shmem_calloc(1, sizeof *lock), *value = shmem_calloc(1, sizeof *value);

    for (int i = 0; i < 10; i++) {
        shmem_set_lock(lock);
        shmem_long_p(value, shmem_long_g(value, 0) + 1, 0);
        shmem_clear_lock(lock);
    }
    shmem_barrier_all();
    CHECK(shmem_long_g(value, 0) == 10L * npes);
    shmem_barrier_all();
    shmem_free(value);
    shmem_free(lock);
}

static void
test_collectives(void)
{
    enum { N = 3000 };
    int *source = shmem_malloc(N * sizeof *source), *dest = shmem_malloc((size_t)npes * N * sizeof *dest);
    int *mine = malloc(N * sizeof *mine), *back = malloc((size_t)npes * N * sizeof *back);
    const size_t part = N / (size_t)npes;
    int wrong = 0;

    for (int i = 0; i < N; i++)
        mine[i] = me + i;
    shmem_int_put(source, mine, N, me);
    shmem_barrier_all();
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, dest, source, N);
    shmem_int_get(back, dest, N, me);
    for (int i = 0; i < N; i++)
        wrong += back[i] != npes * (npes - 1) / 2 + npes * i;
    shmem_barrier_all();
    shmem_int_fcollect(SHMEM_TEAM_WORLD, dest, source, N);
    shmem_int_get(back, dest, (size_t)npes * N, me);
    for (int i = 0; i < npes * N; i++)
        wrong += back[i] != i / N + i % N;
    shmem_barrier_all();
    shmem_int_broadcast(SHMEM_TEAM_WORLD, dest, source, N, npes - 1);
    shmem_int_get(back, dest, N, me);
    for (int i = 0; i < N; i++)
        wrong += back[i] != npes - 1 + i;
    shmem_barrier_all();
    shmem_int_alltoall(SHMEM_TEAM_WORLD, dest, source, part);
    shmem_int_get(back, dest, part * (size_t)npes, me);
    for (size_t i = 0; i < part * (size_t)npes; i++)
        wrong += back[i] != (int)(i / part + (size_t)me * part + i % part);
    CHECK(wrong == 0);
    shmem_barrier_all();
    shmem_free(source);
    shmem_free(dest);
    free(mine);
    free(back);
}

static void
test_memory(void)
{
    long *a = shmem_malloc(100 * sizeof *a);
    long value = me;

    for (int i = 0; i < 100; i++)
        shmem_long_p(a + i, me + i, me);
    a = shmem_realloc(a, (size_t)BIG);
    for (int i = 0; i < 100; i += 33)
        CHECK(shmem_long_g(a + i, me) == me + i);
    shmem_free(a);
    for (int i = 0; i < 10; i++) {
        a = shmem_calloc(BIG, 4);
        CHECK(a != NULL && shmem_long_g(a + 1000, to) == 0);
        shmem_barrier_all();
        shmem_long_put(a + 1000, &value, 1, to);
        CHECK(shmem_ptr(a, to) != NULL);
        shmem_free(a);
    }
}

static void
test_teams(void)
{
    long *x = shmem_calloc(2, sizeof *x);

    shmem_long_p(x, me, me);
    shmem_barrier_all();
    for (int parity = 0; parity < 2; parity++) {
        shmem_team_t team = SHMEM_TEAM_INVALID;
        shmem_team_split_strided(SHMEM_TEAM_WORLD, parity, 2, npes / 2, NULL, 0, &team);
        if (team == SHMEM_TEAM_INVALID)
            continue;
        CHECK(shmem_long_max_reduce(team, x + 1, x, 1) == 0);
        CHECK(shmem_long_g(x + 1, me) == parity + npes - 2);
        shmem_team_destroy(team);
    }
    shmem_barrier_all();
    shmem_free(x);
}

int
main(void)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    to = (me + 1) % npes;
    from = (me + npes - 1) % npes;
    test_contiguous();
    test_strided();
    test_amo();
    test_signals();
    test_waits();
    test_locks();
    test_collectives();
    test_memory();
    if (npes % 2 == 0)
        test_teams();
    shmem_finalize();
    return 0;
}
