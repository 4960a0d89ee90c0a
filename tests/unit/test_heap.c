/* test_heap.c -- the allocator and the collective heap routines, without a simulator.
 *
 * The allocator is driven by random seeded sequences, with a plain list of live blocks beside it as the truth. The
 * collective routines run on four threads over a backend that only has a rendezvous, which is all they ask of one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_heap.h"
#include "reference/heap/allocator.h"

/* --- the allocator alone ---------------------------------------------------------------------------------------------
 */

static uint64_t random_state;

static uint64_t
draw(uint64_t below)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (random_state >> 33) % below;
}

#define LIVE_MAX 256
struct truth {
    struct fp_block *block;
    uint64_t offset, bytes, id;
};

static void
assert_consistent(struct fp_allocator *a, const struct truth *live, int nlive, uint64_t limit)
{
    uint64_t total = 0, sum, peak, before = 0;
    int seen = 0;
    for (int i = 0; i < nlive; i++) {
        const struct truth *t = &live[i];
        total += t->bytes;
        assert_ptr_equal(fp_allocator_find(a, t->offset), t->block);
        assert_ptr_equal(fp_allocator_find(a, t->offset + t->bytes - 1), t->block);
        assert_int_equal(t->block->id, t->id);
        for (int j = 0; j < i; j++)
            assert_true(t->offset + t->bytes <= live[j].offset || live[j].offset + live[j].bytes <= t->offset);
    }
    fp_allocator_usage(a, &sum, &peak);
    assert_int_equal(sum, total);
    assert_true(total <= limit);
    for (struct fp_block *b = fp_allocator_next_live(a, 0); b; b = fp_allocator_next_live(a, b->offset + b->span)) {
        assert_true(b->offset >= before);
        before = b->offset + b->span;
        seen++;
    }
    assert_int_equal(seen, nlive);
}

/* Hash of every offset that a sequence of calls yields: equal sequences must yield equal offsets. */
static uint64_t
drive(uint64_t seed, const struct fp_allocator_config *config)
{
    struct fp_allocator *a = fp_allocator_open(config);
    struct truth live[LIVE_MAX];
    int nlive = 0;
    uint64_t hash = 0, total = 0;
    random_state = seed;
    assert_non_null(a);
    for (int step = 0; step < 3000; step++) {
        if (nlive == LIVE_MAX || (nlive && draw(5) < 2)) {
            int i = (int)draw((uint64_t)nlive);
            total -= live[i].bytes;
            fp_allocator_release(a, live[i].block, draw(2) ? FP_BLOCK_FREED : FP_BLOCK_MOVED);
            live[i] = live[--nlive];
        } else {
            uint64_t bytes = 1 + draw(UINT64_C(1) << (1 + draw(16))), align = UINT64_C(1) << draw(14);
            struct fp_block *b = fp_allocator_take(a, bytes, align, NULL);
            if (total + bytes > config->limit)
                assert_null(b);
            if (b) {
                assert_int_equal(b->offset % align, 0);
                assert_int_equal(b->offset % 16, 0);
                assert_true(b->offset >= config->begin && b->offset + b->span <= config->end);
                live[nlive++] = (struct truth){b, b->offset, bytes, b->id};
                total += bytes;
                hash = hash * 31 + b->offset;
            }
        }
        if (step % 100 == 0)
            assert_consistent(a, live, nlive, config->limit);
    }
    assert_consistent(a, live, nlive, config->limit);
    fp_allocator_close(a);
    return hash;
}

static void
random_sequences_keep_the_invariants(void **state)
{
    (void)state;
    struct fp_allocator_config roomy = {
        .begin = 65536, .middle = 1 << 28, .end = 1 << 29, .limit = 1 << 22, .page_blocks_max = 100, .check = true};
    struct fp_allocator_config tight = {
        .begin = 65536, .middle = 1 << 21, .end = 1 << 22, .limit = 1 << 20, .page_blocks_max = 30, .check = true};
    struct fp_allocator_config packed = {.begin = 65536, .middle = 65536, .end = 1 << 22, .limit = 1 << 20};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        assert_int_equal(drive(seed, &roomy), drive(seed, &roomy));
        assert_int_equal(drive(seed, &tight), drive(seed, &tight));
        assert_int_equal(drive(seed, &packed), drive(seed, &packed));
    }
}

static void
limit_is_exact(void **state)
{
    (void)state;
    struct fp_allocator_config c = {
        .begin = 65536, .middle = 1 << 27, .end = 1 << 28, .limit = 1 << 20, .page_blocks_max = 10, .check = true};
    struct fp_allocator *a = fp_allocator_open(&c);
    assert_null(fp_allocator_take(a, (1 << 20) + 1, 1, NULL));
    struct fp_block *all = fp_allocator_take(a, 1 << 20, 1, NULL);
    assert_non_null(all);
    assert_null(fp_allocator_take(a, 1, 1, NULL));
    /* A realloc of everything to everything fits: only one of the two is live afterwards. */
    struct fp_block *moved = fp_allocator_take(a, 1 << 20, 1, all);
    assert_non_null(moved);
    fp_allocator_release(a, all, FP_BLOCK_MOVED);
    fp_allocator_release(a, moved, FP_BLOCK_FREED);
    assert_non_null(fp_allocator_take(a, 1 << 20, 1, NULL));
    fp_allocator_close(a);
}

static void
dead_blocks_are_not_reused_while_space_lasts(void **state)
{
    (void)state;
    struct fp_allocator_config c = {.begin = 65536,
                                    .middle = 65536 + 64 * 4096,
                                    .end = 1 << 22,
                                    .limit = 1 << 20,
                                    .page_blocks_max = 100,
                                    .check = true};
    struct fp_allocator *a = fp_allocator_open(&c);
    for (int i = 0; i < 32; i++) { /* two pages each: fills the page zone to the last page */
        struct fp_block *b = fp_allocator_take(a, 100, 1, NULL);
        assert_int_equal(b->offset, 65536 + i * 8192);
        fp_allocator_release(a, b, FP_BLOCK_FREED);
        assert_int_equal(fp_allocator_find(a, 65536 + 50)->id, 1);
        assert_int_equal(fp_allocator_find(a, 65536 + 50)->state, FP_BLOCK_FREED);
    }
    assert_int_equal(fp_allocator_take(a, 100, 1, NULL)->offset, 65536);
    assert_int_equal(fp_allocator_take(a, 100, 1, NULL)->offset, 65536 + 8192);
    fp_allocator_close(a);
}

/* --- the collective calls --------------------------------------------------------------------------------------------
 */

static void (*thread_body)(struct fp_pe *pe);

static void *
thread_main(void *pe)
{
    fp_self = pe;
    thread_body(pe);
    return NULL;
}

static void
on_every_pe(void (*body)(struct fp_pe *pe))
{
    pthread_t threads[NPES];
    thread_body = body;
    for (int i = 0; i < job.npes; i++)
        pthread_create(&threads[i], NULL, thread_main, &pes[i]);
    for (int i = 0; i < job.npes; i++)
        pthread_join(threads[i], NULL);
}

static uint64_t
offset_of(const struct fp_pe *pe, const void *block)
{
    return (uint64_t)((const char *)block - pe->heap_base);
}

#define CHURN 200
static uint64_t offsets[NPES][CHURN];
static int wrong_bytes[NPES]; /* cmocka's assertions belong to the main thread */

static size_t
churn_bytes(int i)
{
    return (size_t)(i * 37) % 5000 + 1;
}

static void
churn(struct fp_pe *pe)
{
    unsigned char *blocks[CHURN];
    int *wrong = &wrong_bytes[pe->rank];
    for (int i = 0; i < CHURN; i++) {
        size_t bytes = churn_bytes(i);
        bool zero = i % 3 == 0;
        blocks[i] =
            zero ? fp_heap_calloc(bytes, 1, call("shmem_calloc")) : fp_heap_malloc(bytes, 0, call("shmem_malloc"));
        offsets[pe->rank][i] = offset_of(pe, blocks[i]);
        for (size_t j = 0; j < bytes; j++)
            *wrong += zero ? blocks[i][j] != 0 : job.config.check && blocks[i][j] == 0;
        memset(blocks[i], i + pe->rank, bytes);
        if (i % 4 != 3)
            continue;
        fp_heap_free(blocks[i - 2], call("shmem_free"));
        unsigned char *moved = fp_heap_realloc(blocks[i - 1], 6000, call("shmem_realloc"));
        for (size_t j = 0; j < churn_bytes(i - 1); j++)
            *wrong += moved[j] != (unsigned char)(i - 1 + pe->rank);
        *wrong += job.config.check && moved == blocks[i - 1];
        fp_heap_free(moved, call("shmem_free"));
    }
}

static void
offsets_are_equal_on_all_pes(void **state)
{
    (void)state;
    for (int check = 0; check < 2; check++) {
        job_open(NPES, 1 << 20, check);
        on_every_pe(churn);
        for (int pe = 0; pe < NPES; pe++) {
            assert_memory_equal(offsets[pe], offsets[0], sizeof offsets[0]);
            assert_int_equal(wrong_bytes[pe], 0);
        }
        assert_int_equal(findings, 0);
        if (check) {
            assert_int_equal(nborn, NPES * (CHURN + CHURN / 4));
            assert_int_equal(ndied, NPES * (CHURN / 4 * 3));
        }
        job_close();
    }
}

static char *ones[NPES];

static void
allocate_one(struct fp_pe *pe)
{
    ones[pe->rank] = fp_heap_calloc(10, 10, call("shmem_calloc"));
}

static void
count_block(const struct fp_block *block, void *count)
{
    assert_int_equal(block->state, FP_BLOCK_LIVE);
    ++*(int *)count;
}

static void
failure_leaves_everything_as_it_was(void **state)
{
    (void)state;
    shmem_call_t failed;
    uint64_t bytes, live, peak, limit;
    int count = 0;
    job_open(1, 1 << 20, true);
    fp_self = &pes[0];
    assert_false(fp_heap_failed(&job, &failed, &bytes));
    assert_null(fp_heap_malloc(2 << 20, 0, call("shmem_malloc")));
    assert_true(fp_heap_failed(&job, &failed, &bytes));
    assert_int_equal(bytes, 2 << 20);
    char *b = fp_heap_malloc(100, 0, call("shmem_malloc"));
    strcpy(b, "kept");
    assert_null(fp_heap_realloc(b, 2 << 20, call("shmem_realloc")));
    assert_string_equal(b, "kept");
    assert_null(fp_heap_calloc(SIZE_MAX / 2, 3, call("shmem_calloc")));
    assert_int_equal(findings, 1);
    assert_null(fp_heap_align(24, 8, call("shmem_align")));
    assert_int_equal(findings, 2);
    assert_null(fp_heap_malloc(0, 0, call("shmem_malloc")));
    assert_int_equal((uintptr_t)fp_heap_align(1 << 21, 8, call("shmem_align")) % (1 << 21), 0);
    fp_heap_usage(&job, &live, &peak, &limit);
    assert_int_equal(live, 108);
    assert_int_equal(limit, 1 << 20);
    fp_heap_each_live(&job, count_block, &count);
    assert_int_equal(count, 2);
    job_close();
}

static void
assert_finding(int number, enum fp_class class_, const char *rule)
{
    assert_int_equal(findings, number);
    assert_int_equal(last_finding.class_, class_);
    assert_memory_equal(last_finding.rule, rule, 4);
}

static void
wrong_pointers_are_reported(void **state)
{
    (void)state;
    char private[8];
    job_open(1, 1 << 20, true);
    fp_self = &pes[0];
    char *b = fp_heap_malloc(100, 0, call("shmem_malloc"));
    fp_heap_free(b + 16, call("shmem_free"));
    assert_finding(1, FP_CLASS_BAD_ADDRESS, "E154");
    fp_heap_free(b + 101, call("shmem_free"));
    assert_finding(2, FP_CLASS_BAD_ADDRESS, "E154");
    fp_heap_free(private, call("shmem_free"));
    assert_finding(3, FP_CLASS_LIFETIME, "E157");
    fp_heap_free(pes[0].static_lo, call("shmem_free"));
    assert_finding(4, FP_CLASS_BAD_ADDRESS, "E154");
    char *moved = fp_heap_realloc(b, 200, call("shmem_realloc"));
    assert_null(fp_heap_realloc(b, 300, call("shmem_realloc")));
    assert_finding(5, FP_CLASS_LIFETIME, "E026");
    assert_int_equal(last_finding.accesses[1].kind, FP_REALLOC);
    fp_heap_free(moved, call("shmem_free"));
    fp_heap_free(moved, call("shmem_free"));
    assert_finding(6, FP_CLASS_LIFETIME, "E155");
    assert_int_equal(last_finding.accesses[0].kind, FP_FREE);
    assert_int_equal(last_finding.accesses[1].kind, FP_FREE);
    job_close();
}

static void
places_and_translation_agree(void **state)
{
    (void)state;
    job_open(NPES, 1 << 20, true);
    for (int from = 0; from < NPES; from++) {
        struct fp_place place = fp_place_of(&job, pes[from].heap_base + 70000);
        assert_int_equal(place.region, FP_HEAP);
        assert_int_equal(place.pe, from);
        assert_int_equal(place.offset, 70000);
        place = fp_place_of(&job, pes[from].static_lo + 63);
        assert_int_equal(place.region, FP_STATIC);
        assert_int_equal(place.pe, from);
        assert_int_equal(place.offset, 63);
        for (int to = 0; to < NPES; to++) {
            assert_ptr_equal(fp_translate(&job, pes[from].heap_base + 5, from, to), pes[to].heap_base + 5);
            assert_ptr_equal(fp_translate(&job, pes[from].static_lo + 5, from, to), pes[to].static_lo + 5);
        }
        memset(fp_heap_internal(&pes[from]), 1, fp_heap_internal_bytes(NPES));
    }
    assert_int_equal(fp_place_of(&job, &job).region, FP_PRIVATE);
    assert_int_equal(fp_place_of(&job, NULL).region, FP_PRIVATE);
    job_close();
}

static void
live_map_is_exact(void **state)
{
    (void)state;
    job_open(1, 1 << 20, true);
    fp_self = &pes[0];
    char *b = fp_heap_malloc(37, 0, call("shmem_malloc"));
    const unsigned char *map = job.heap_live + offset_of(&pes[0], b) / 16;
    assert_int_equal(map[0], 16);
    assert_int_equal(map[1], 16);
    assert_int_equal(map[2], 5);
    assert_int_equal(map[3], 0);
    fp_heap_free(b, call("shmem_free"));
    for (int i = 0; i < 4; i++)
        assert_int_equal(map[i], 0);
    assert_true(fp_heap_expose(&job, b, 37));
    b[36] = 1;
    job_close();
}

static void
large_blocks_are_fresh_and_take_memory_as_used(void **state)
{
    (void)state;
    job_open(1, 256 << 20, true);
    fp_self = &pes[0];
    size_t bytes = (100 << 20) + 5;
    char *b = fp_heap_malloc(bytes, 0, call("shmem_malloc"));
    for (size_t i = 0; i < bytes; i += 4093)
        assert_int_not_equal(b[i], 0);
    assert_int_not_equal(b[bytes - 1], 0);
    memset(b, 7, bytes);
    char *moved = fp_heap_realloc(b, bytes / 2, call("shmem_realloc"));
    assert_int_equal(moved[bytes / 2 - 1], 7);
    char *zero = fp_heap_calloc(bytes, 1, call("shmem_calloc"));
    assert_int_equal(zero[bytes - 1], 0);
    fp_heap_free(moved, call("shmem_free"));
    job_close();
}

static const void *passed_dest;

static void
backend_put(const shmem_op_t *op)
{
    passed_dest = op->dest;
}

static void
device_heap_has_addresses_of_its_own(void **state)
{
    (void)state;
    strcpy(heap_kind, "device");
    job_open(NPES, 1 << 20, true);
    strcpy(heap_kind, "direct");
    rendezvous_backend.put = backend_put;
    on_every_pe(allocate_one);
    for (int i = 0; i < NPES; i++) {
        fp_self = &pes[i];
        assert_ptr_equal(ones[i], ones[0]);
        struct fp_place place = fp_place_of(&job, ones[i]);
        assert_int_equal(place.region, FP_HEAP);
        assert_int_equal(place.pe, i);
        char *real = fp_heap_own(&pes[i], ones[i]);
        assert_ptr_equal(real, pes[i].heap_base + place.offset);
        assert_int_equal(*real, 0);
        fp_heap_table(&job, &rendezvous_backend)->put(&(shmem_op_t){.dest = ones[i]});
        assert_ptr_equal(passed_dest, real);
        char *peer = fp_translate(&job, ones[i], i, (i + 1) % NPES);
        assert_int_equal(fp_place_of(&job, peer).pe, (i + 1) % NPES);
        assert_ptr_equal(fp_heap_own(&pes[i], peer), pes[(i + 1) % NPES].heap_base + place.offset);
        assert_ptr_equal(fp_heap_own(&pes[i], &job), &job);
        int before = findings;
        assert_true(fp_check_plain(&job, ones[i], 4, true, "store", NULL));
        assert_int_equal(findings, before + 1);
        assert_memory_equal(last_finding.rule, "E200", 4);
    }
    job_close();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences_keep_the_invariants),
        cmocka_unit_test(limit_is_exact),
        cmocka_unit_test(dead_blocks_are_not_reused_while_space_lasts),
        cmocka_unit_test(offsets_are_equal_on_all_pes),
        cmocka_unit_test(failure_leaves_everything_as_it_was),
        cmocka_unit_test(wrong_pointers_are_reported),
        cmocka_unit_test(places_and_translation_agree),
        cmocka_unit_test(live_map_is_exact),
        cmocka_unit_test(device_heap_has_addresses_of_its_own),
        cmocka_unit_test(large_blocks_are_fresh_and_take_memory_as_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
