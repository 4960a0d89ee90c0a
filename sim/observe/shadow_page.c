/* shadow_page.c -- a page of the shadow as runs of granules with one content.
 *
 * A change cuts the runs at its borders, changes those in between, and joins neighbours that have become the same: a
 * loop over an array costs one update a page, however many elements it has. A page that more than SHADOW_RUNS runs
 * would be needed for becomes an array of granules, and runs again once a change of the whole page has made it uniform.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/observe/race.h"
#include "sim/observe/shadow.h"

static unsigned
run_at(const struct shadow_page *page, unsigned granule)
{
    unsigned i = 0;
    while (page->starts[i + 1] <= granule)
        i++;
    return i;
}

/* From runs to an array. */
static void
spread(struct race *race, struct shadow_page *page)
{
    page->granules = race_alloc(SHADOW_GRANULES * sizeof *page->granules);
    for (unsigned i = 0; i < page->nruns; i++) {
        page->granules[page->starts[i]] = page->runs[i];
        for (unsigned g = page->starts[i] + 1u; g < page->starts[i + 1]; g++)
            page->granules[g] = shadow_granule_copy(race, &page->runs[i]);
    }
}

/* From an array to runs, if few are enough. */
static void
gather(struct race *race, struct shadow_page *page)
{
    const unsigned few = SHADOW_RUNS / 2;
    struct shadow_granule *granules = page->granules;
    uint16_t starts[SHADOW_RUNS + 1] = {0};
    unsigned n = 1;

    for (unsigned g = 1; g < SHADOW_GRANULES && n <= few; g++)
        if (!shadow_granule_same(&granules[g - 1], &granules[g]))
            starts[n++] = (uint16_t)g;
    if (n > few)
        return;
    starts[n] = SHADOW_GRANULES;
    for (unsigned i = 0; i < n; i++) {
        page->runs[i] = granules[starts[i]];
        for (unsigned g = starts[i] + 1u; g < starts[i + 1]; g++)
            shadow_granule_clear(race, &granules[g]);
    }
    memcpy(page->starts, starts, sizeof starts);
    page->nruns = (uint8_t)n;
    page->granules = NULL;
    free(granules);
}

/* Makes a run begin at `granule`. False: the page has no runs any more. */
static bool
cut(struct race *race, struct shadow_page *page, unsigned granule)
{
    unsigned i = run_at(page, granule);
    if (page->starts[i] == granule)
        return true;
    if (page->nruns == SHADOW_RUNS) {
        if (!shadow_palette_make(race, page))
            spread(race, page);
        return false;
    }
    unsigned behind = page->nruns - i;
    memmove(&page->starts[i + 2], &page->starts[i + 1], behind * sizeof page->starts[0]);
    memmove(&page->runs[i + 1], &page->runs[i], behind * sizeof page->runs[0]);
    page->starts[i + 1] = (uint16_t)granule;
    page->runs[i + 1] = shadow_granule_copy(race, &page->runs[i]);
    page->nruns++;
    return true;
}

/* Joins what is the same among runs first - 1 to last. */
static void
join(struct race *race, struct shadow_page *page, unsigned first, unsigned last)
{
    unsigned to = first ? first - 1 : 0, i = to + 1;

    for (; i <= last && i < page->nruns; i++) {
        if (shadow_granule_same(&page->runs[to], &page->runs[i])) {
            shadow_granule_clear(race, &page->runs[i]);
        } else if (++to != i) {
            page->runs[to] = page->runs[i];
            page->starts[to] = page->starts[i];
        }
    }
    if (++to == i)
        return;
    unsigned behind = page->nruns - i;
    memmove(&page->runs[to], &page->runs[i], behind * sizeof page->runs[0]);
    memmove(&page->starts[to], &page->starts[i], (behind + 1) * sizeof page->starts[0]);
    page->nruns = (uint8_t)(to + behind);
}

void
shadow_page_change(struct race *race, struct shadow_page *page, unsigned from, unsigned to, shadow_visit *visit,
                   void *arg)
{
    if (!page->granules && !page->palette && cut(race, page, from) && (to == SHADOW_GRANULES || cut(race, page, to))) {
        unsigned first = run_at(page, from), i = first;
        for (; i < page->nruns && page->starts[i] < to; i++)
            visit(race, &page->runs[i], page->starts[i], page->starts[i + 1], arg);
        join(race, page, first, i);
        return;
    }
    if (page->palette && shadow_palette_change(race, page, from, to, visit, arg))
        return;
    for (unsigned g = from; g < to; g++)
        visit(race, &page->granules[g], g, g + 1, arg);
    if (from == 0 && to == SHADOW_GRANULES)
        gather(race, page);
}

void
shadow_page_look(struct race *race, struct shadow_page *page, unsigned from, unsigned to, shadow_visit *visit,
                 void *arg)
{
    if (page->granules) {
        for (unsigned g = from; g < to; g++)
            visit(race, &page->granules[g], g, g + 1, arg);
        return;
    }
    if (page->palette) {
        shadow_palette_look(race, page, from, to, visit, arg);
        return;
    }
    for (unsigned i = run_at(page, from); i < page->nruns && page->starts[i] < to; i++) {
        unsigned lo = page->starts[i], hi = page->starts[i + 1];
        visit(race, &page->runs[i], lo < from ? from : lo, hi > to ? to : hi, arg);
    }
}

const struct shadow_granule *
shadow_page_at(const struct shadow_page *page, unsigned granule)
{
    if (page->granules)
        return &page->granules[granule];
    return &page->runs[page->palette ? shadow_palette_slot(page, granule) : run_at(page, granule)];
}

void
shadow_page_clear(struct race *race, struct shadow_page *page)
{
    for (unsigned g = 0; page->granules && g < SHADOW_GRANULES; g++)
        shadow_granule_clear(race, &page->granules[g]);
    if (page->palette)
        shadow_palette_clear(race, page);
    else
        for (unsigned i = 0; !page->granules && i < page->nruns; i++)
            shadow_granule_clear(race, &page->runs[i]);
    free(page->granules);
    page->granules = NULL;
    page->nruns = 1;
    page->starts[1] = SHADOW_GRANULES;
    page->runs[0] = (struct shadow_granule){0};
}
