/* area.c -- blocks in which a PE jumps about: what it loads and stores there is told a page at a time.
 *
 * See reference/check/area.h. Here is decided when a block becomes an area: after AREA_JUMPS accesses that did not
 * continue what their instruction did before, at the first one where it has been an area before. From then until
 * everything is told, all plain accesses of the PE to it go to its sets. Never where it matters what the bytes were
 * before (sim_observer.unwritten), and never in an exhaustive search, which needs each access by itself.
 *
 * What is told are pages: all of it, or those bytes that the event's `bits` say. It is told late: not before the PE
 * does something that others can learn of, even if they run in between (sim_stretch_point). Until then nothing can be
 * ordered behind these accesses, and nothing that others do can come to be ordered before them, so that verdicts are
 * the same.
 */
#include <stdlib.h>

#include "reference/check/hooks.h"
#include "sim/sim.h"

#ifndef AREA_JUMPS
#define AREA_JUMPS 16
#endif
#define AREAS 8

/* An area that has been told keeps its memory, and is open again when the PE comes back. */
struct sim_areas {
    bool open[AREAS];
    struct fp_area *at[AREAS];
};

static bool
within(const struct fp_area *area, const char *at, const char *end)
{
    return (uintptr_t)at >= area->lo && (uintptr_t)end <= area->lo + area->bytes;
}

struct fp_area *
sim_area_of(const struct sim_pe *sp, const char *at, const char *end)
{
    const struct sim_areas *areas = sp->areas;
    for (unsigned i = 0; sp->open_areas && i < AREAS; i++)
        if (areas->open[i] && within(areas->at[i], at, end))
            return areas->at[i];
    return NULL;
}

static struct fp_area *
area_new(const struct fp_known *block, const char *base, size_t npages)
{
    struct fp_area *area = calloc(1, sizeof *area);
    if (!area)
        fp_env_fail("out of memory for plain accesses: run fewer PEs, or without -fsanitize=shmem");
    area->base = base;
    area->lo = block->lo;
    area->bytes = block->bytes;
    area->npages = npages;
    return area;
}

/* Where the area of the block was, or can be. AREAS: they are all open. */
static unsigned
place_for(const struct sim_areas *areas, const struct fp_known *block)
{
    unsigned place = AREAS;
    for (unsigned i = 0; i < AREAS; i++) {
        const struct fp_area *area = areas->at[i];
        if (area && area->lo == block->lo && area->bytes == block->bytes)
            return i;
        if (!areas->open[i] && (place == AREAS || (!area && areas->at[place])))
            place = i;
    }
    return place;
}

struct fp_area *
sim_area_open(struct sim_pe *sp, const char *at, const char *end)
{
    if (sp->sim->search)
        return NULL;
    struct sim_areas *areas = sp->areas;
    if (!areas)
        areas = sp->areas = calloc(1, sizeof *areas);
    if (!areas)
        fp_env_fail("out of memory for the plain accesses of PE %d: run fewer PEs", sp->rank);
    sp->jumps++;
    struct fp_known block = fp_touch_block(sp->pe, at);
    if ((uintptr_t)end > block.lo + block.bytes)
        return NULL;
    unsigned place = place_for(areas, &block);
    if (place == AREAS || areas->open[place] || sim_unwritten(sp->sim, at, (size_t)(end - at)))
        return NULL;
    struct fp_area *area = areas->at[place];
    bool known = area && area->lo == block.lo && area->bytes == block.bytes;
    if (!known && sp->jumps < AREA_JUMPS)
        return NULL;
    if (!known) {
        uint64_t offset = fp_place_of(sp->sim->job, at).offset - (uint64_t)((uintptr_t)at - block.lo);
        size_t before = offset % FP_AREA_PAGE;
        if (area)
            fp_area_free(area);
        area = areas->at[place] =
            area_new(&block, (const char *)block.lo - before, (before + block.bytes + FP_AREA_PAGE - 1) / FP_AREA_PAGE);
    }
    areas->open[place] = true;
    sp->open_areas++;
    return area;
}

/* ---- Telling ---------------------------------------------------------------------------------------------------- */

/* Whole pages in a row are one event. */
struct stretch {
    struct sim_pe *sp;
    const struct fp_set *set;
    const char *from, *to;
};

static void
emit(struct stretch *stretch, const char *at, size_t bytes, const unsigned char *bits)
{
    struct sim_pe *sp = stretch->sp;
    struct sim_event *event = &sp->sim->access;
    event->kind = stretch->set->write ? SIM_EV_STORE : SIM_EV_LOAD;
    event->pe = sp->rank;
    event->address = at;
    event->place = fp_place_of(sp->sim->job, at);
    event->bytes = bytes;
    event->bits = bits;
    event->grain = stretch->set->grain;
    event->name = stretch->set->name;
    event->site = fp_site_of(sp->sim->job, sp->rank, stretch->set->site);
    sim_emit_access(sp->sim, event);
    event->bits = NULL;
}

static void
end_stretch(struct stretch *stretch)
{
    if (stretch->from < stretch->to)
        emit(stretch, stretch->from, (size_t)(stretch->to - stretch->from), NULL);
    stretch->from = stretch->to = NULL;
}

/* 0: no bit is set; 1: all are; else 2. */
static int
fullness(const unsigned char *bits)
{
    uint64_t any = 0, all = ~UINT64_C(0);
    for (size_t i = 0; i < FP_AREA_PAGE_BITS; i += sizeof any) {
        uint64_t word = fp_area_word(bits + i);
        any |= word;
        all &= word;
    }
    return !any ? 0 : ~all ? 2 : 1;
}

/* The page may begin before the block and end behind it: an event is of addresses that the block has. */
static void
tell_part(struct stretch *stretch, const char *page, unsigned char *bits)
{
    unsigned first = 0, end = FP_AREA_PAGE_BITS;
    while (!bits[first])
        first++;
    while (!bits[end - 1])
        end--;
    emit(stretch, page + (size_t)first * FP_AREA_GRANULE, (size_t)(end - first) * FP_AREA_GRANULE,
         fp_area_all(bits + first, end - first) ? NULL : bits + first);
}

static void
tell_set(struct sim_pe *sp, struct fp_set *set, unsigned char *bits)
{
    struct stretch stretch = {.sp = sp, .set = set};
    const struct fp_area *area = set->area;
    for (size_t i = 0; i < area->npages; i++) {
        unsigned char *here = bits + i * FP_AREA_PAGE_BITS;
        const char *page = area->base + i * FP_AREA_PAGE;
        if (!set->pages[i])
            continue;
        int full = fullness(here);
        if (full == 1 && stretch.to != page) {
            end_stretch(&stretch);
            stretch.from = page;
        }
        if (full == 1)
            stretch.to = page + FP_AREA_PAGE;
        else if (full == 2)
            tell_part(&stretch, page, here);
        if (full)
            memset(here, 0, FP_AREA_PAGE_BITS);
    }
    end_stretch(&stretch);
}

static void
tell_area(struct sim_pe *sp, struct fp_area *area)
{
    for (int write = 0; write < 2; write++)
        for (unsigned i = 0; i < area->nsets; i++)
            if (area->sets[i].write == write)
                tell_set(sp, &area->sets[i], area->sets[i].bits);
    for (unsigned i = 0; area->late && i < area->nsets; i++)
        if (area->sets[i].late)
            tell_set(sp, &area->sets[i], area->sets[i].late);
    for (unsigned i = 0; i < area->nsets; i++)
        memset(area->sets[i].pages, 0, area->npages);
    area->nsets = area->nstores = 0;
    area->late = false;
}

void
sim_areas_tell(struct sim_pe *sp)
{
    struct sim_areas *areas = sp->areas;
    for (unsigned i = 0; i < AREAS && sp->open_areas; i++)
        if (areas->open[i]) {
            areas->open[i] = false;
            sp->open_areas--;
            tell_area(sp, areas->at[i]);
        }
}

void
sim_areas_free(struct sim_pe *sp)
{
    for (unsigned i = 0; sp->areas && i < AREAS; i++)
        if (sp->areas->at[i])
            fp_area_free(sp->areas->at[i]);
    free(sp->areas);
    sp->areas = NULL;
    sp->open_areas = 0;
}
