/* test_match.c -- collectives compared as they arrive: what differs, when it is told, who is listed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_run.h"
#include "reference/check/match.h"

static int
set_up(void **state)
{
    return set_up_run(4, 1 << 20);
}

static bool
enter(int pe, shmem_coll_t c)
{
    as(pe);
    return fp_match_enter(&job, &c);
}

#define BARRIER ((shmem_coll_t){.kind = SHMEM_COLL_BARRIER, .call = call("shmem_barrier_all")})
#define SYNC ((shmem_coll_t){.kind = SHMEM_COLL_SYNC, .call = call("shmem_sync_all")})
#define MALLOC(n) ((shmem_coll_t){.kind = SHMEM_COLL_MALLOC, .nelems = (n), .call = call("shmem_malloc")})
#define REDUCE(t, n)                                                                                                   \
    ((shmem_coll_t){.kind = SHMEM_COLL_REDUCE,                                                                         \
                    .type = SHMEM_TYPE_##t,                                                                            \
                    .elem_bytes = 4,                                                                                   \
                    .nelems = (n),                                                                                     \
                    .reduce = SHMEM_REDUCE_SUM,                                                                        \
                    .call = call("shmem_" #t "_sum_reduce")})
#define BROADCAST(r)                                                                                                   \
    ((shmem_coll_t){.kind = SHMEM_COLL_BROADCAST,                                                                      \
                    .type = SHMEM_TYPE_int,                                                                            \
                    .elem_bytes = 4,                                                                                   \
                    .nelems = 1,                                                                                       \
                    .root = (r),                                                                                       \
                    .call = call("shmem_int_broadcast")})

static void
test_equal_calls_are_silent_and_forgotten(void **state)
{
    for (int round = 0; round < 100; round++)
        for (int pe = 0; pe < 4; pe++)
            assert_true(enter(pe, round % 2 ? BARRIER : MALLOC(64)));
    assert_int_equal(fp_report_count(job.report), 0);
    assert_null(job.match->teams[0].rounds);
    assert_int_equal(syncs, 0);
}

static void
test_numbers_follow_each_pe(void **state)
{
    shmem_coll_t c = BARRIER;
    for (uint64_t k = 0; k < 3; k++) {
        as(1);
        assert_true(fp_match_enter(&job, &c));
        assert_int_equal(c.seq, k);
    }
    as(0);
    assert_true(fp_match_enter(&job, &c));
    assert_int_equal(c.seq, 0);
}

static void
test_sizes_are_listed_by_pe(void **state)
{
    for (int pe = 3; pe > 0; pe--)
        enter(pe, MALLOC(pe == 3 ? 128 : 64));
    assert_int_equal(syncs, 2); /* PEs 2 and 1 saw the difference and are held */
    assert_true(ends(enter(0, MALLOC(64))));
    const struct fp_finding *f = found(1, FP_CLASS_MISMATCH, "E150", "sizes differ between PEs: 64, 64, 64, 128");
    assert_int_equal(f->naccesses, 4);
    for (int pe = 0; pe < 4; pe++) {
        assert_int_equal(f->accesses[pe].pe, pe);
        assert_string_equal(f->accesses[pe].op, "shmem_malloc");
        assert_non_null(strstr(f->accesses[pe].note, pe == 3 ? "128 bytes" : "64 bytes"));
    }
    assert_string_equal(f->details, "");
    /* The job is ending: nobody begins anything. */
    assert_false(enter(2, BARRIER));
    assert_int_equal(fp_report_count(job.report), 1);
}

static void
test_different_calls(void **state)
{
    for (int pe = 0; pe < 4; pe++)
        assert_true(enter(pe, MALLOC(16)));
    assert_true(enter(3, MALLOC(32)));
    assert_false(enter(0, BARRIER));
    assert_false(enter(1, BARRIER));
    assert_true(ends(enter(2, BARRIER)));
    const struct fp_finding *f =
        found(1, FP_CLASS_MISMATCH, "E151", "PE 3 calls shmem_malloc (32 bytes, malloc call 2)");
    assert_non_null(strstr(f->message, "PEs 0, 1, 2 call shmem_barrier_all (barrier call 1)"));
    assert_int_equal(f->naccesses, 4);
    int line = fp_site_line(job.report, f->accesses[0].site).line;
    assert_true(line > 0 && line != fp_site_line(job.report, f->accesses[3].site).line);
}

static void
test_order_of_collectives(void **state)
{
    tear_down_run(state);
    set_up_run(2, 1 << 20);
    assert_true(enter(0, BROADCAST(0)));
    assert_true(enter(0, REDUCE(int, 1))); /* a root may run ahead */
    assert_true(ends(enter(1, REDUCE(int, 1))));
    const struct fp_finding *f = found(1, FP_CLASS_MISMATCH, "E110", "PE 0 calls shmem_int_broadcast");
    assert_non_null(strstr(f->message, "PE 1 calls shmem_int_sum_reduce"));
}

static void
test_barrier_is_not_sync(void **state)
{
    for (int pe = 0; pe < 3; pe++)
        assert_true(enter(pe, BARRIER));
    assert_true(ends(enter(3, SYNC)));
    found(1, FP_CLASS_MISMATCH, "E110", "shmem_sync_all");
}

static void
expect_difference(shmem_coll_t one, shmem_coll_t other, const char *rule, const char *words)
{
    tear_down_run(NULL);
    set_up_run(2, 1 << 20);
    assert_true(enter(0, one));
    assert_true(ends(enter(1, other)));
    found(1, FP_CLASS_MISMATCH, rule, words);
}

static void
test_arguments(void **state)
{
    expect_difference(BROADCAST(0), BROADCAST(1), "E111, S 9.10.7", "roots differ between PEs: 0, 1");
    expect_difference(REDUCE(int, 1), REDUCE(int, 2), "E111", "numbers of elements differ between PEs: 1, 2");
    expect_difference(REDUCE(int, 1), REDUCE(float, 1), "E111", "shmem_int_sum_reduce, shmem_float_sum_reduce");
    shmem_coll_t a = REDUCE(int, 1), b = REDUCE(int, 1), c = a;
    a.dest = static_words;
    b.dest = pes[1].static_lo + 4;
    expect_difference(a, b, "E111", "destinations differ between PEs: ");
    shmem_coll_t x = {.kind = SHMEM_COLL_CALLOC, .nelems = 4, .elem_bytes = 16, .call = call("shmem_calloc")}, y = x;
    y.nelems = 16, y.elem_bytes = 4;
    expect_difference(x, y, "E150", "4 x 16, 16 x 4");
    shmem_coll_t p = {.kind = SHMEM_COLL_ALLTOALLS,
                      .nelems = 1,
                      .elem_bytes = 4,
                      .dest_step = 4,
                      .source_step = 4,
                      .call = call("shmem_int_alltoalls")},
                 q = p;
    q.source_step = 8;
    expect_difference(p, q, "E111", "strides differ");
    /* Aliases of one type, and what a collect may have, are no differences. */
    tear_down_run(NULL);
    set_up_run(2, 1 << 20);
    c.type = SHMEM_TYPE_int32;
    assert_true(enter(0, REDUCE(int, 1)));
    assert_true(enter(1, c));
    shmem_coll_t collect = {.kind = SHMEM_COLL_COLLECT,
                            .type = SHMEM_TYPE_int,
                            .elem_bytes = 4,
                            .dest = static_words,
                            .call = call("shmem_int_collect")};
    assert_true(enter(0, collect));
    collect.nelems = 2;
    collect.dest = pes[1].static_lo;
    assert_true(enter(1, collect));
    assert_int_equal(fp_report_count(job.report), 0);
}

static void
test_difference_is_told_when_nobody_moves(void **state)
{
    assert_true(enter(0, MALLOC(64)));
    fp_match_pending_mismatch(&job);
    assert_int_equal(fp_report_count(job.report), 0);
    assert_false(enter(2, MALLOC(128)));
    assert_true(ends(fp_match_pending_mismatch(&job)));
    const struct fp_finding *f = found(1, FP_CLASS_MISMATCH, "E150", "64 on PE 0, 128 on PE 2");
    assert_non_null(strstr(f->details, "PEs 1, 3 have not come to this call"));
    assert_int_equal(f->naccesses, 2);
}

static void
test_collect_needs_room_for_all(void **state)
{
    shmem_coll_t collect = {.kind = SHMEM_COLL_COLLECT,
                            .type = SHMEM_TYPE_int,
                            .elem_bytes = 4,
                            .nelems = 5,
                            .call = call("shmem_int_collect")};
    size_t room = sizeof(int) * 19;
    void *blocks[4];
    for (int pe = 0; pe < 4; pe++) {
        as(pe);
        blocks[pe] = fp_heap_malloc(room, 0, call("shmem_malloc"));
    }
    for (int pe = 0; pe < 3; pe++) {
        collect.dest = blocks[pe];
        assert_true(enter(pe, collect));
    }
    collect.dest = blocks[3];
    assert_true(ends(enter(3, collect)));
    found(1, FP_CLASS_BAD_ADDRESS, "E126", "runs 4 bytes past its end");
}

static void
test_without_checks_calls_are_only_numbered(void **state)
{
    job.config.check = false;
    for (int pe = 0; pe < 4; pe++)
        assert_true(enter(pe, pe == 2 ? BARRIER : MALLOC(16)));
    assert_int_equal(fp_report_count(job.report), 0);
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down_run)
    const struct CMUnitTest tests[] = {
        TEST(test_equal_calls_are_silent_and_forgotten),
        TEST(test_numbers_follow_each_pe),
        TEST(test_sizes_are_listed_by_pe),
        TEST(test_different_calls),
        TEST(test_order_of_collectives),
        TEST(test_barrier_is_not_sync),
        TEST(test_arguments),
        TEST(test_difference_is_told_when_nobody_moves),
        TEST(test_collect_needs_room_for_all),
        TEST(test_without_checks_calls_are_only_numbered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
