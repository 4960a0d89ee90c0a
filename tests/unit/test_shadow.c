/* test_shadow.c -- a page of the shadow says of each granule what was said last, however it is kept: as runs, with a
 * palette, as an array. Compared with an array of numbers, over random changes; references to records are counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/observe/shadow.h"

#define IDS 24

static struct fp_job job;
static struct race race;
static struct shadow_page *page;
static uint32_t ids[IDS];
static uint32_t said[SHADOW_GRANULES]; /* the record of each granule, 0: none */
static bool marked[SHADOW_GRANULES];
static uint64_t state;

static unsigned
below(unsigned bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 20) % bound;
}

static int
open_one(void **unused)
{
    (void)unused;
    race = (struct race){.job = &job};
    shadow_open(&race);
    page = shadow_page_get(&race, &(struct fp_place){.region = FP_STATIC});
    for (int i = 0; i < IDS; i++)
        ids[i] = shadow_record_new(&race);
    memset(said, 0, sizeof said);
    memset(marked, 0, sizeof marked);
    state = 88172645463325252u;
    return 0;
}

static int
close_one(void **unused)
{
    (void)unused;
    shadow_page_drop(&race, page);
    for (int i = 0; i < IDS; i++)
        assert_int_equal(shadow_record(&race, ids[i])->refs, 1); /* ours */
    shadow_close(&race);
    return 0;
}

static void
say(struct race *r, struct shadow_granule *granule, unsigned from, unsigned to, void *arg)
{
    uint32_t id = *(uint32_t *)arg;
    uint8_t history = granule->has_history;
    assert_true(from < to && to <= SHADOW_GRANULES);
    shadow_granule_clear(r, granule);
    granule->has_history = history;
    if (!id)
        return;
    granule->record[0] = id;
    granule->mask[0] = 0xff;
    shadow_record(r, id)->refs++;
}

static void
mark(struct race *r, struct shadow_granule *granule, unsigned from, unsigned to, void *arg)
{
    (void)r, (void)arg;
    assert_int_equal(to, from + 1);
    granule->has_history = 1;
}

static void
change(unsigned from, unsigned to, uint32_t id)
{
    shadow_page_change(&race, page, from, to, say, &id);
    for (unsigned g = from; g < to; g++)
        said[g] = id;
}

/* Each content is met at the first granule that has it at the least. */
static void
note_first(struct race *r, struct shadow_granule *granule, unsigned from, unsigned to, void *arg)
{
    bool *met = arg;
    (void)r, (void)to;
    uint32_t id = granule->mask[0] ? granule->record[0] : 0;
    assert_int_equal(id, said[from]);
    for (int i = 0; i < IDS; i++)
        if (ids[i] == id)
            met[i] = true;
}

static void
compare_all(void)
{
    unsigned from = below(SHADOW_GRANULES), to = from + 1 + below(SHADOW_GRANULES - from);
    bool met[IDS] = {false};
    for (unsigned g = 0; g < SHADOW_GRANULES; g++) {
        const struct shadow_granule *granule = shadow_page_at(page, g);
        assert_int_equal(granule->mask[0] ? granule->record[0] : 0, said[g]);
        assert_int_equal(granule->has_history, marked[g]);
    }
    shadow_page_look(&race, page, from, to, note_first, met);
    for (int i = 0; i < IDS; i++) {
        bool there = false;
        for (unsigned g = from; g < to; g++)
            there |= said[g] == ids[i];
        assert_int_equal(met[i], there);
    }
}

/* One change: a granule, a stretch, now and then all of the page; of few contents or of many. */
static void
change_something(unsigned contents)
{
    unsigned from = below(SHADOW_GRANULES), to = from + 1, what = below(40);
    if (what == 0)
        from = 0, to = SHADOW_GRANULES;
    else if (what < 8)
        to = from + 1 + below(SHADOW_GRANULES - from);
    unsigned id = below(contents + 1);
    change(from, to, id ? ids[id - 1] : 0);
}

static void
contents_are_kept(unsigned contents, unsigned marks)
{
    bool palette = false, array = false, runs_again = false;
    for (int i = 0; i < 20000; i++) {
        if (marks && below(1000) < marks) {
            unsigned g = below(SHADOW_GRANULES);
            shadow_page_change(&race, page, g, g + 1, mark, NULL);
            marked[g] = true;
        }
        change_something(contents);
        runs_again |= (palette || array) && !page->palette && !page->granules;
        palette |= page->palette != NULL;
        array |= page->granules != NULL;
        if (i % 8 == 0)
            compare_all();
    }
    assert_true(palette || array);
    assert_true(marks || (palette && runs_again));
}

static void
few_contents(void **unused)
{
    (void)unused;
    contents_are_kept(5, 0);
}

static void
many_contents(void **unused)
{
    (void)unused;
    for (unsigned g = 0; g < SHADOW_GRANULES; g++) /* no palette is ever enough */
        change(g, g + 1, ids[g % IDS]);
    assert_non_null(page->granules);
    compare_all();
    change(0, SHADOW_GRANULES, ids[3]);
    assert_null(page->granules);
    compare_all();
}

static void
more_contents_than_a_palette_has(void **unused)
{
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        change_something(1 + (unsigned)(i / 100) % IDS);
        if (i % 8 == 0)
            compare_all();
    }
}

static void
locations_with_a_history(void **unused)
{
    (void)unused;
    contents_are_kept(5, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(few_contents, open_one, close_one),
        cmocka_unit_test_setup_teardown(many_contents, open_one, close_one),
        cmocka_unit_test_setup_teardown(more_contents_than_a_palette_has, open_one, close_one),
        cmocka_unit_test_setup_teardown(locations_with_a_history, open_one, close_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
