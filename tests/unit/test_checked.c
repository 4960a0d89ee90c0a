/* test_checked.c -- every way in which an address can be wrong, and calls that only look so. A faulty call is not
 * carried out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "fake_run.h"

static void *block[NPES]; /* 64 bytes at each PE */
static const int private_words[64];

static void *
allocate(size_t bytes)
{
    void *mine = NULL;
    for (int pe = job.npes - 1; pe >= 0; pe--) {
        as(pe);
        block[pe] = mine = fp_heap_malloc(bytes, 0, call("shmem_malloc"));
    }
    return mine;
}

static void
release(void)
{
    for (int pe = job.npes - 1; pe >= 0; pe--) {
        as(pe);
        fp_heap_free(block[pe], call("shmem_free"));
    }
}

static int
set_up(void **state)
{
    set_up_run(NPES, 1 << 20);
    allocate(64);
    return 0;
}

/* Its place is where it is called: a line of the test. */
static __attribute__((noinline)) shmem_op_t
op_of(shmem_op_kind_t kind, const void *dest, const void *source, size_t nelems, int target)
{
    return (shmem_op_t){
        .kind = kind,
        .type = SHMEM_TYPE_int,
        .pe = target,
        .ctx = fp_self->ctxs[0],
        .dest = (void *)(uintptr_t)dest,
        .source = source,
        .elem_bytes = 4,
        .block_bytes = 4 * nelems,
        .nblocks = 1,
        .call = {kind == SHMEM_OP_PUT ? "shmem_int_put" : "shmem_int_get", __builtin_return_address(0)}};
}

/* Carries the operation out or not, as the table decides. */
static bool
done(shmem_op_t op)
{
    int before = carried_out;
    if (op.kind == SHMEM_OP_PUT)
        job.backend->put(&op);
    else if (op.kind == SHMEM_OP_GET)
        job.backend->get(&op);
    else
        job.backend->amo(&op);
    return carried_out > before;
}

static __attribute__((noinline)) bool
put(const void *dest, const void *source, size_t nelems, int target)
{
    shmem_op_t op = op_of(SHMEM_OP_PUT, dest, source, nelems, target);
    op.call.site = __builtin_return_address(0);
    return done(op);
}

static void
test_right_calls_are_silent(void **state)
{
    int mine[16] = {0};
    char *b = block[0];
    for (int round = 0; round < 2; round++) {
        assert_true(put(b, mine, 16, 1));
        assert_true(put(b + 60, mine, 1, 0));
        assert_true(put(b, b, 16, 1)); /* the same object at another PE */
        assert_true(put(b, private_words, 16, 1));
        assert_true(put(static_words, static_words, 4, 3));
        assert_true(put(static_words, b, 4, 3));
        assert_true(done(op_of(SHMEM_OP_GET, mine, b, 16, 2)));
        assert_true(done(op_of(SHMEM_OP_GET, b, static_words, 4, 2)));
        assert_true(put(b, block[2], 16, 1)); /* reading another PE's copy is a load through shmem_ptr */
    }
    shmem_op_t amo = {.kind = SHMEM_OP_AMO,
                      .type = SHMEM_TYPE_long,
                      .pe = 1,
                      .ctx = fp_self->ctxs[0],
                      .dest = &static_flag,
                      .elem_bytes = 8,
                      .block_bytes = 8,
                      .nblocks = 1,
                      .call = call("shmem_long_atomic_inc")};
    assert_true(done(amo));
    assert_int_equal(fp_report_count(job.report), 0);
}

static void
test_null(void **state)
{
    assert_false(put(NULL, private_words, 2, 1));
    const struct fp_finding *f = found(1, FP_CLASS_BAD_ADDRESS, "E029", "null pointer for dest (8 bytes)");
    assert_int_equal(f->naccesses, 1);
    assert_int_equal(f->accesses[0].kind, FP_WRITE);
    assert_true(fp_site_line(job.report, f->accesses[0].site).line > 0);
    assert_false(put(block[0], NULL, 2, 1));
    found(2, FP_CLASS_BAD_ADDRESS, "E029", "for source");
}

static void
test_failed_allocation(void **state)
{
    assert_null(allocate(2 << 20));
    assert_false(put((int *)(uintptr_t)12, private_words, 1, 1));
    const struct fp_finding *f = found(1, FP_CLASS_BAD_ADDRESS, "E159", "asked 2097152 bytes, limit 1048576");
    assert_int_equal(f->naccesses, 2);
    assert_int_equal(f->accesses[1].kind, FP_ALLOC);
    assert_string_equal(f->accesses[1].op, "shmem_malloc");
}

static void
test_private_memory(void **state)
{
    int on_stack[4] = {0};
    int *in_heap = calloc(1, 4096);
    assert_false(put(on_stack, private_words, 4, 1));
    found(1, FP_CLASS_BAD_ADDRESS, "E042", "a variable on the stack");
    assert_false(put(in_heap, private_words, 4, 1));
    found(2, FP_CLASS_BAD_ADDRESS, "E020", "private memory");
    assert_false(put(private_words, on_stack, 4, 1));
    found(3, FP_CLASS_BAD_ADDRESS, "E046", "read-only memory");
    shmem_call_t fetch = call("shmem_signal_fetch");
    assert_int_equal(job.backend->signal_fetch((uint64_t *)in_heap, &fetch), 0);
    found(4, FP_CLASS_BAD_ADDRESS, "E043", "for the signal");
    free(in_heap);
}

static void
test_other_pes_addresses(void **state)
{
    assert_false(put(block[1], private_words, 4, 1));
    const struct fp_finding *f = found(1, FP_CLASS_BAD_ADDRESS, "E021", "address of PE1 used as symmetric address");
    assert_int_equal(f->object.pe, 1);
    assert_true(f->object.allocated != 0);
    fp_check_note_mapped(fp_self, 2);
    assert_false(put(block[2], private_words, 4, 2));
    found(2, FP_CLASS_BAD_ADDRESS, "E022", "mapped pointer of PE2 used as symmetric address");
    assert_false(put(pes[3].static_lo, private_words, 4, 3));
    found(3, FP_CLASS_BAD_ADDRESS, "E021", "address of PE3");
}

static void
test_past_the_end(void **state)
{
    char *b = block[0];
    assert_false(put(b + 56, private_words, 4, 1));
    const struct fp_finding *f = found(1, FP_CLASS_BAD_ADDRESS, "E023",
                                       "dest is bytes 56 to 71 of a block of 64 bytes and runs 8 bytes past its end");
    assert_int_equal(f->object.pe, 1);
    assert_int_equal(f->object.bytes, 64);
    assert_false(put(b + 68, private_words, 1, 1));
    found(2, FP_CLASS_BAD_ADDRESS, "E023", "begins 4 bytes past the end of a block of 64 bytes");
    assert_false(put(static_words, private_words, 5, 1));
    found(3, FP_CLASS_BAD_ADDRESS, "E023", "bytes 0 to 19 of static_words and runs 4 bytes past its end");
    assert_false(put(__stop_fp_statics, private_words, 1, 1));
    found(4, FP_CLASS_BAD_ADDRESS, "E023", "of static_");
    assert_false(put(b, static_words, 6, 1)); /* as a local buffer too */
    found(5, FP_CLASS_BAD_ADDRESS, "E023", "source");
    assert_false(put((char *)fp_heap_internal(fp_self) + 64, private_words, 1, 1));
    found(6, FP_CLASS_BAD_ADDRESS, "E024", "where no block is");
}

static void
test_strides_are_exact(void **state)
{
    shmem_op_t op = op_of(SHMEM_OP_PUT, block[0], private_words, 1, 1);
    op.nblocks = 6;
    op.dest_step = 12; /* the last element is bytes 60 to 63 */
    op.source_step = 4;
    assert_true(done(op));
    op.dest_step = 13 * 4;
    op.nblocks = 2;
    assert_true(done(op));
    op.dest = (char *)op.dest + 12;
    assert_false(done(op));
    found(1, FP_CLASS_BAD_ADDRESS, "E023", "runs 4 bytes past");
}

static void
test_use_after_free(void **state)
{
    assert_true(put(block[0], private_words, 4, 1));
    release();
    assert_false(put(block[0], private_words, 1, 2));
    const struct fp_finding *f = found(1, FP_CLASS_LIFETIME, "E025", "use after free: shmem_int_put by PE 0 writes to");
    assert_non_null(strstr(f->message, "a block of 64 bytes on PE 2 that shmem_free released at "));
    assert_int_equal(f->object.pe, 2);
    assert_int_equal(f->naccesses, 2);
    assert_int_equal(f->accesses[1].kind, FP_FREE);
    assert_int_equal(f->accesses[1].pe, 3); /* who came first */
    assert_true(f->object.allocated != 0);
    assert_true(fp_site_line(job.report, f->object.allocated).line > 0);
}

static void
test_stale_after_realloc(void **state)
{
    void *old = block[0];
    for (int pe = 0; pe < NPES; pe++) {
        as(pe);
        assert_ptr_not_equal(fp_heap_realloc(block[pe], 256, call("shmem_realloc")), block[pe]);
    }
    as(0);
    assert_false(put(old, private_words, 1, 1));
    const struct fp_finding *f = found(1, FP_CLASS_LIFETIME, "E026", "use after realloc");
    assert_int_equal(f->accesses[1].kind, FP_REALLOC);
    assert_non_null(strstr(f->repair, "shmem_realloc"));
}

static void
test_alignment(void **state)
{
    char *b = block[0];
    assert_true(put(b + 2, private_words, 1, 1)); /* reported, and moved as bytes */
    found(1, FP_CLASS_BAD_ADDRESS, "E030", "dest is misaligned, 2 bytes off a multiple of 4");
    shmem_op_t op = op_of(SHMEM_OP_PUT, b + 4, private_words, 2, 1);
    op.type = SHMEM_TYPE_BITS64;
    assert_true(done(op));
    found(2, FP_CLASS_BAD_ADDRESS, "E031", "multiple of 8");
    op.type = SHMEM_TYPE_MEM;
    op.dest = b + 1;
    assert_true(done(op));
    op.type = SHMEM_TYPE_int;
    op.dest = b;
    op.source = (const char *)private_words + 1; /* a local buffer has no rule */
    assert_true(done(op));
    assert_int_equal(fp_report_count(job.report), 2);
}

static void
test_overlap(void **state)
{
    char *b = block[0];
    assert_true(put(b, b, 4, 0));
    found(1, FP_CLASS_USAGE, "E033", "dest and source are the same memory (the target is the calling PE)");
    assert_true(put(b, (char *)block[1] + 4, 4, 1)); /* the target's own copy, through shmem_ptr */
    found(2, FP_CLASS_USAGE, "E033", "overlapping memory");
    shmem_op_t op = op_of(SHMEM_OP_PUT, b, b + 4, 1, 0);
    op.nblocks = 4;
    op.dest_step = op.source_step = 8; /* they pass each other */
    assert_true(done(op));
    assert_int_equal(fp_report_count(job.report), 2);
    op.source_step = 12; /* 4, 16, 28: 16 is written too */
    assert_true(done(op));
    found(3, FP_CLASS_USAGE, "E033", "overlapping");
    op = op_of(SHMEM_OP_PUT, b, private_words, 4, 1);
    op.flags = SHMEM_OPF_SIGNAL;
    op.sig_addr = (uint64_t *)(b + 8);
    assert_true(done(op));
    found(4, FP_CLASS_USAGE, "E033", "the signal");
}

static void
test_signal_without_data(void **state)
{
    shmem_op_t op = op_of(SHMEM_OP_PUT, NULL, NULL, 0, 1);
    op.flags = SHMEM_OPF_SIGNAL;
    op.sig_addr = block[0];
    assert_true(done(op));
    assert_int_equal(fp_report_count(job.report), 0);
}

static void
test_faulty_reads_give_zero(void **state)
{
    int words[4] = {1, 2, 3, 4};
    assert_false(done(op_of(SHMEM_OP_GET, words, private_words, 3, 1)));
    assert_int_equal(words[0] + words[1] + words[2], 0);
    assert_int_equal(words[3], 4);
    long old = 7;
    shmem_op_t amo = {.kind = SHMEM_OP_AMO,
                      .type = SHMEM_TYPE_long,
                      .flags = SHMEM_OPF_FETCH,
                      .pe = 1,
                      .ctx = fp_self->ctxs[0],
                      .dest = words,
                      .fetch = &old,
                      .elem_bytes = 8,
                      .block_bytes = 8,
                      .nblocks = 1,
                      .call = call("shmem_long_atomic_fetch_inc")};
    assert_false(done(amo));
    assert_int_equal(old, 0);
    uint64_t seen = 9, wanted = 1;
    shmem_wait_t wait = {.type = SHMEM_TYPE_uint64,
                         .elem_bytes = 8,
                         .ivars = words,
                         .n = 1,
                         .values = &wanted,
                         .seen = &seen,
                         .flags = SHMEM_OPF_SIGNAL,
                         .call = call("shmem_signal_wait_until")};
    assert_int_equal(job.backend->wait(&wait), 1);
    assert_int_equal(seen, 0);
    assert_int_equal(carried_out, 0);
}

static void
test_wait_arrays(void **state)
{
    long *ivars = block[0], values[8] = {0};
    int status[8] = {0};
    size_t indices[8];
    shmem_wait_t wait = {.mode = SHMEM_WAIT_SOME,
                         .type = SHMEM_TYPE_long,
                         .elem_bytes = 8,
                         .ivars = ivars,
                         .n = 8,
                         .status = status,
                         .values = values,
                         .vector = true,
                         .indices = indices,
                         .call = call("shmem_long_wait_until_some_vector")};
    assert_int_equal(job.backend->wait(&wait), 1);
    assert_int_equal(fp_report_count(job.report), 0);
    wait.indices = (size_t *)values;
    job.backend->wait(&wait);
    found(1, FP_CLASS_USAGE, "E033", "indices");
    wait.indices = indices;
    wait.n = 9;
    job.backend->wait(&wait);
    found(2, FP_CLASS_BAD_ADDRESS, "E023", "runs 8 bytes past");
}

static void
test_collectives(void **state)
{
    shmem_coll_t c = {.kind = SHMEM_COLL_FCOLLECT,
                      .type = SHMEM_TYPE_int,
                      .elem_bytes = 4,
                      .nelems = 4,
                      .dest = block[0],
                      .source = static_words,
                      .call = call("shmem_int_fcollect")};
    job.backend->coll_enter(&c);
    assert_int_equal(carried_out, 1);
    assert_int_equal(fp_report_count(job.report), 0);
    c.kind = SHMEM_COLL_REDUCE;
    c.nelems = 8;
    c.source = c.dest;
    job.backend->coll_enter(&c); /* in place */
    assert_int_equal(fp_report_count(job.report), 0);
    c.source = (char *)c.dest + 4;
    job.backend->coll_enter(&c);
    found(1, FP_CLASS_USAGE, "E034", "overlap in part");
    c.kind = SHMEM_COLL_FCOLLECT;
    c.nelems = 5;
    c.source = static_words;
    assert_true(ends(job.backend->coll_enter(&c)));
    found(2, FP_CLASS_BAD_ADDRESS, "E023", "dest is bytes 0 to 79");
    int local[4] = {0};
    c.nelems = 1;
    c.dest = local;
    assert_true(ends(job.backend->coll_enter(&c)));
    found(3, FP_CLASS_BAD_ADDRESS, "E04", "which has to be symmetric");
}

static void
test_internal_operations_pass(void **state)
{
    shmem_op_t op = op_of(SHMEM_OP_PUT, private_words, private_words, 1, 1);
    op.flags = SHMEM_OPF_INTERNAL;
    assert_true(done(op));
    assert_int_equal(fp_report_count(job.report), 0);
}

static void
test_same_fault_of_many_pes_is_one(void **state)
{
    for (int pe = 0; pe < NPES; pe++) {
        as(pe);
        for (int i = 0; i < 3; i++)
            assert_false(put((char *)block[pe] + 64, private_words, 1, 0));
    }
    uint64_t count;
    const struct fp_finding *f = fp_report_get(job.report, 0, &count);
    assert_int_equal(fp_report_count(job.report), 1);
    assert_int_equal(count, 3 * NPES);
    assert_int_equal(f->naccesses, NPES);
}

/* Not a test of correctness: prints what the checks add to an 8-byte put (COST=1). */
static void
test_cost(void **state)
{
    if (!getenv("COST"))
        return;
    long value = 1;
    shmem_op_t op = op_of(SHMEM_OP_PUT, block[0], &value, 2, 1);
    const shmem_backend_t *tables[] = {job.plain, job.backend};
    for (int t = 0; t < 2; t++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int i = 0; i < 100000000; i++)
            tables[t]->put(&op);
        clock_gettime(CLOCK_MONOTONIC, &to);
        print_message("%s: %.2f ns a put\n", t ? "checked" : "plain",
                      ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / 1e8);
    }
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down_run)
    const struct CMUnitTest tests[] = {
        TEST(test_right_calls_are_silent),
        TEST(test_null),
        TEST(test_failed_allocation),
        TEST(test_private_memory),
        TEST(test_other_pes_addresses),
        TEST(test_past_the_end),
        TEST(test_strides_are_exact),
        TEST(test_use_after_free),
        TEST(test_stale_after_realloc),
        TEST(test_alignment),
        TEST(test_overlap),
        TEST(test_signal_without_data),
        TEST(test_faulty_reads_give_zero),
        TEST(test_wait_arrays),
        TEST(test_collectives),
        TEST(test_internal_operations_pass),
        TEST(test_same_fault_of_many_pes_is_one),
        TEST(test_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
