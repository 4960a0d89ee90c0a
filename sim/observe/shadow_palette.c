/* shadow_palette.c -- a page of the shadow whose granules differ in no order, but in few ways.
 *
 * Where memory is accessed here and there, neighbours differ, and yet a page has only a few contents: untouched, loaded
 * from this place, stored from that one. The page keeps those, up to SHADOW_RUNS, and for each granule a byte that says
 * which it has. A change makes another content, or more often finds it there: contents that no granule has any more
 * stay until their place is needed. What an access has made of one content is remembered with it (hit, note), so that
 * the next granule costs no comparison.
 *
 * Contents with a history are not shared: a page with such a granule is an array.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/observe/race.h"
#include "sim/observe/shadow.h"

struct step {
    uint32_t id; /* the access's record; 0: nothing is remembered */
    uint8_t mask, to;
};

struct shadow_palette {
    struct step steps[SHADOW_RUNS]; /* by the content that was accessed */
    uint32_t reports;               /* as many had been made then: a reported access is treated differently */
    uint16_t counts[SHADOW_RUNS];   /* granules that have the content */
    uint8_t index[SHADOW_GRANULES];
};

/* ---- Contents --------------------------------------------------------------------------------------------------- */

static void
forget_steps(struct shadow_palette *palette, unsigned slot)
{
    palette->steps[slot].id = 0;
    for (unsigned i = 0; i < SHADOW_RUNS; i++)
        if (palette->steps[i].to == slot)
            palette->steps[i].id = 0;
}

/* A slot that no granule has, emptied; SHADOW_RUNS: there is none. */
static unsigned
free_slot(struct race *race, struct shadow_page *page)
{
    struct shadow_palette *palette = page->palette;
    for (unsigned i = 0; i < SHADOW_RUNS; i++)
        if (palette->counts[i] == 0) {
            shadow_granule_clear(race, &page->runs[i]);
            forget_steps(palette, i);
            return i;
        }
    return SHADOW_RUNS;
}

static unsigned
same_slot(const struct shadow_page *page, const struct shadow_granule *granule, unsigned end)
{
    unsigned i = 0;
    while (i < end && !shadow_granule_same(granule, &page->runs[i]))
        i++;
    return i;
}

/* ---- From runs, to an array, back to runs ----------------------------------------------------------------------- */

bool
shadow_palette_make(struct race *race, struct shadow_page *page)
{
    const unsigned few = SHADOW_RUNS / 2;
    uint8_t slots[SHADOW_RUNS];
    unsigned n = 0;

    for (unsigned i = 0; i < page->nruns; i++) {
        slots[i] = (uint8_t)same_slot(page, &page->runs[i], i);
        n += slots[i] == i;
        if (page->runs[i].has_history)
            return false;
    }
    if (n > few)
        return false;
    struct shadow_palette *palette = race_alloc(sizeof *palette);
    memset(palette, 0, sizeof *palette);
    for (unsigned i = 0; i < page->nruns; i++) {
        unsigned bytes = page->starts[i + 1] - page->starts[i];
        memset(palette->index + page->starts[i], slots[i], bytes);
        palette->counts[slots[i]] = (uint16_t)(palette->counts[slots[i]] + bytes);
        if (slots[i] != i)
            shadow_granule_clear(race, &page->runs[i]);
    }
    memset(page->runs + page->nruns, 0, (SHADOW_RUNS - page->nruns) * sizeof page->runs[0]);
    page->palette = palette;
    return true;
}

static void
palette_free(struct race *race, struct shadow_page *page)
{
    for (unsigned i = 0; i < SHADOW_RUNS; i++)
        shadow_granule_clear(race, &page->runs[i]);
    free(page->palette);
    page->palette = NULL;
}

static void
spread(struct race *race, struct shadow_page *page)
{
    page->granules = race_alloc(SHADOW_GRANULES * sizeof *page->granules);
    for (unsigned g = 0; g < SHADOW_GRANULES; g++)
        page->granules[g] = shadow_granule_copy(race, &page->runs[page->palette->index[g]]);
    palette_free(race, page);
}

static void
gather(struct race *race, struct shadow_page *page)
{
    const unsigned few = SHADOW_RUNS / 2;
    const uint8_t *index = page->palette->index;
    struct shadow_granule runs[SHADOW_RUNS];
    unsigned n = 1;

    page->starts[0] = 0;
    for (unsigned g = 1; g < SHADOW_GRANULES && n <= few; g++)
        if (index[g] != index[g - 1])
            page->starts[n++] = (uint16_t)g;
    if (n > few)
        return;
    page->starts[n] = SHADOW_GRANULES;
    for (unsigned i = 0; i < n; i++)
        runs[i] = shadow_granule_copy(race, &page->runs[index[page->starts[i]]]);
    palette_free(race, page);
    memcpy(page->runs, runs, n * sizeof runs[0]);
    page->nruns = (uint8_t)n;
}

void
shadow_palette_clear(struct race *race, struct shadow_page *page)
{
    palette_free(race, page);
}

/* ---- Changes ---------------------------------------------------------------------------------------------------- */

static void
change_one(struct race *race, struct shadow_page *page, unsigned g, shadow_visit *visit, void *arg)
{
    struct shadow_palette *palette = page->palette;
    unsigned from = palette->index[g], to;
    struct shadow_granule granule = shadow_granule_copy(race, &page->runs[from]);

    visit(race, &granule, g, g + 1, arg);
    to = same_slot(page, &granule, SHADOW_RUNS);
    if (to < SHADOW_RUNS) {
        shadow_granule_clear(race, &granule);
    } else if (granule.has_history || (to = free_slot(race, page)) == SHADOW_RUNS) {
        spread(race, page);
        shadow_granule_clear(race, &page->granules[g]);
        page->granules[g] = granule;
        return;
    } else {
        page->runs[to] = granule;
    }
    palette->counts[from]--;
    palette->counts[to]++;
    palette->index[g] = (uint8_t)to;
}

/* The contents of granules [from, to), in the order of the first granule that has each. */
struct present {
    unsigned n;
    uint8_t slots[SHADOW_RUNS];
    uint16_t first[SHADOW_RUNS], counts[SHADOW_RUNS]; /* by slot */
};

static struct present
present_in(const struct shadow_page *page, unsigned from, unsigned to)
{
    struct present present = {0};
    for (unsigned g = from; g < to; g++) {
        unsigned slot = page->palette->index[g];
        if (present.counts[slot]++ == 0) {
            present.first[slot] = (uint16_t)g;
            present.slots[present.n++] = (uint8_t)slot;
        }
    }
    return present;
}

/* Whether the contents that are in and outside of the range can be had twice. */
static bool
have_room(const struct shadow_palette *palette, const struct present *present)
{
    unsigned needed = 0, room = 0;
    for (unsigned i = 0; i < SHADOW_RUNS; i++) {
        needed += present->counts[i] > 0 && present->counts[i] < palette->counts[i];
        room += palette->counts[i] == 0;
    }
    return needed <= room;
}

static void
join_same(struct race *race, struct shadow_page *page)
{
    struct shadow_palette *palette = page->palette;
    uint8_t to[SHADOW_RUNS];
    bool any = false;

    for (unsigned i = 0; i < SHADOW_RUNS; i++) {
        to[i] = (uint8_t)same_slot(page, &page->runs[i], i);
        if (to[i] == i || palette->counts[i] == 0)
            continue;
        any = true;
        palette->counts[to[i]] = (uint16_t)(palette->counts[to[i]] + palette->counts[i]);
        palette->counts[i] = 0;
    }
    for (unsigned g = 0; any && g < SHADOW_GRANULES; g++)
        palette->index[g] = to[palette->index[g]];
}

bool
shadow_palette_change(struct race *race, struct shadow_page *page, unsigned from, unsigned to, shadow_visit *visit,
                      void *arg)
{
    struct shadow_palette *palette = page->palette;

    if (to == from + 1) {
        change_one(race, page, from, visit, arg);
        return true;
    }
    struct present present = present_in(page, from, to);
    if (!have_room(palette, &present)) {
        spread(race, page);
        return false;
    }
    memset(palette->steps, 0, sizeof palette->steps);
    uint8_t moved[SHADOW_RUNS];
    for (unsigned i = 0; i < present.n; i++) {
        unsigned slot = present.slots[i], own = slot;
        if (present.counts[slot] < palette->counts[slot]) {
            own = free_slot(race, page);
            page->runs[own] = shadow_granule_copy(race, &page->runs[slot]);
            palette->counts[own] = present.counts[slot];
            palette->counts[slot] = (uint16_t)(palette->counts[slot] - present.counts[slot]);
        }
        moved[slot] = (uint8_t)own;
        visit(race, &page->runs[own], present.first[slot], present.first[slot] + 1u, arg);
    }
    for (unsigned g = from; g < to; g++)
        palette->index[g] = moved[palette->index[g]];
    join_same(race, page);
    if (from == 0 && to == SHADOW_GRANULES)
        gather(race, page);
    return true;
}

void
shadow_palette_look(struct race *race, struct shadow_page *page, unsigned from, unsigned to, shadow_visit *visit,
                    void *arg)
{
    struct present present = present_in(page, from, to);
    for (unsigned i = 0; i < present.n; i++) {
        unsigned slot = present.slots[i];
        visit(race, &page->runs[slot], present.first[slot], present.first[slot] + 1u, arg);
    }
}

unsigned
shadow_palette_slot(const struct shadow_page *page, unsigned granule)
{
    return page->palette->index[granule];
}

/* ---- What accesses make of contents ----------------------------------------------------------------------------- */

bool
shadow_palette_hit(const struct shadow_access *access, struct shadow_page *page, unsigned granule)
{
    struct shadow_palette *palette = page->palette;
    unsigned from = palette->index[granule];
    const struct step *step = &palette->steps[from];

    if (step->id != access->id || step->mask != access->mask || palette->reports != access->race->nreports)
        return false;
    palette->counts[from]--;
    palette->counts[step->to]++;
    palette->index[granule] = step->to;
    return true;
}

/* The content that was made holds the record, so that its number stays its own as long as this is remembered. */
void
shadow_palette_note(const struct shadow_access *access, struct shadow_page *page, unsigned granule, unsigned from)
{
    struct shadow_palette *palette = page->palette;

    if (palette->reports != access->race->nreports) {
        memset(palette->steps, 0, sizeof palette->steps);
        palette->reports = access->race->nreports;
    }
    palette->steps[from] = (struct step){.id = access->id, .mask = access->mask, .to = palette->index[granule]};
}
