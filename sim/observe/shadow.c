/* shadow.c -- which accesses every granule of symmetric memory remembers: a range is accessed, given up, looked at. */
#include "sim/observe/shadow.h"

#include <string.h>

#include "reference/heap/heap.h"
#include "sim/observe/race.h"

/* ---- A range ---------------------------------------------------------------------------------------------------- */

static uint8_t
mask_of(uint64_t from, uint64_t to, uint64_t granule)
{
    unsigned first = from > granule ? (unsigned)(from - granule) : 0;
    unsigned last = to < granule + SHADOW_GRANULE ? (unsigned)(to - granule) : SHADOW_GRANULE;
    return (uint8_t)((0xffu << first) & (0xffu >> (SHADOW_GRANULE - last)));
}

/* An operation arrives in a block that is gone: it was pending over the end of the block. */
static bool
tell_dead(struct race *race, struct race_record *record, const struct race_view *view, const struct sim_event *event)
{
    const struct fp_block *block = fp_heap_find(race->job, event->place.offset);
    if (!block || block->state == FP_BLOCK_LIVE)
        return false;
    struct race_record end = {.kind = RACE_STORE,
                              .pe = event->place.pe,
                              .name = block->died_call.name,
                              .site = fp_site_of(race->job, block->died_pe, block->died_call.site)};
    struct race_pair pair = {
        .a = record, .b = &end, .view = view, .place = &event->place, .address = event->address, .died = true};
    race_report(race, &pair);
    return true;
}

static void
access_run(struct race *race, struct shadow_granule *granule, unsigned from, unsigned to, void *arg)
{
    struct shadow_access *access = arg;

    access->place.offset = access->base + (uint64_t)from * SHADOW_GRANULE;
    shadow_granule_access(access, granule, access->mask);
    if (!granule->has_history || access->record->kind != RACE_STORE)
        return;
    for (; from < to; from++, access->place.offset += SHADOW_GRANULE)
        history_write(race, access->event, NULL, &access->place);
}

/* One granule, with a palette. */
static void
access_one(struct shadow_access *access, struct shadow_page *page, unsigned granule)
{
    uint32_t reports = access->race->nreports;
    unsigned slot = shadow_palette_slot(page, granule);
    if (shadow_palette_hit(access, page, granule))
        return;
    shadow_page_change(access->race, page, granule, granule + 1, access_run, access);
    if (page->palette && !access->record->op && access->race->nreports == reports)
        shadow_palette_note(access, page, granule, slot);
}

/* Bytes [from, to) of a page. Granules of which only some bytes are accessed are apart from the others. */
static void
access_page(struct shadow_access *access, struct shadow_page *page, unsigned from, unsigned to)
{
    while (from < to) {
        unsigned granule = from / SHADOW_GRANULE, in = from % SHADOW_GRANULE, last = granule + 1;
        access->mask = mask_of(from, to, granule * SHADOW_GRANULE);
        if (in == 0 && to - from >= SHADOW_GRANULE)
            last = to / SHADOW_GRANULE;
        if (page->palette && last == granule + 1)
            access_one(access, page, granule);
        else
            shadow_page_change(access->race, page, granule, last, access_run, access);
        from = last * SHADOW_GRANULE;
    }
}

/* So many neighbours are faster one by one, in a page with a palette. */
#define FEW 64

/* Those bytes that the event's bits say: granules with the same in a row. */
static void
access_bits(struct shadow_access *access, struct shadow_page *page)
{
    const struct sim_event *event = access->event;
    unsigned first = (unsigned)(event->place.offset - access->base) / SHADOW_GRANULE;
    unsigned count = (unsigned)(event->bytes / SHADOW_GRANULE);

    for (unsigned at = 0, to; at < count; at = to) {
        uint64_t eight = event->bits[at] * UINT64_C(0x0101010101010101);
        for (to = at; to + 8 <= count && !memcmp(event->bits + to, &eight, 8);)
            to += 8;
        while (to < count && event->bits[to] == event->bits[at])
            to++;
        access->mask = event->bits[at];
        if (access->mask && page->palette && to - at < FEW)
            for (; at < to && page->palette; at++)
                access_one(access, page, first + at);
        if (access->mask && at < to)
            shadow_page_change(access->race, page, first + at, first + to, access_run, access);
    }
}

void
shadow_access(struct race *race, uint32_t id, const struct race_view *view, const struct sim_event *event)
{
    struct shadow_access access = {
        .race = race, .id = id, .record = shadow_record(race, id), .view = view, .event = event, .place = event->place};
    uint64_t from = event->place.offset, to = from + event->bytes;

    while (from < to) {
        access.base = from & ~(uint64_t)(SHADOW_PAGE - 1);
        access.place.offset = from;
        struct shadow_page *page = shadow_page_get(race, &access.place);
        if (page->maybe_dead && access.record->op && !access.record->op->coll &&
            tell_dead(race, access.record, view, event))
            return;
        if (event->bits) {
            access_bits(&access, page);
            return;
        }
        uint64_t end = to < access.base + SHADOW_PAGE ? to : access.base + SHADOW_PAGE;
        access_page(&access, page, (unsigned)(from - access.base), (unsigned)(end - access.base));
        from = end;
    }
}

/* Calls f for each page that stands for bytes of the range. */
static void
each_page(struct race *race, const struct fp_place *place, size_t bytes,
          void (*f)(struct race *race, struct shadow_page *page, unsigned from, unsigned to, void *arg), void *arg)
{
    uint64_t from = place->offset, to = from + bytes;
    struct fp_place at = *place;

    for (at.offset &= ~(uint64_t)(SHADOW_PAGE - 1); at.offset < to; at.offset += SHADOW_PAGE) {
        struct shadow_page *page = shadow_page_find(race, shadow_page_key(&at));
        if (!page)
            continue;
        uint64_t lo = at.offset < from ? from - at.offset : 0;
        uint64_t hi = at.offset + SHADOW_PAGE < to ? SHADOW_PAGE : to - at.offset;
        f(race, page, (unsigned)lo, (unsigned)hi, arg);
    }
}

static unsigned
granules_to(unsigned bytes)
{
    return (bytes + SHADOW_GRANULE - 1) / SHADOW_GRANULE;
}

struct arrived {
    struct race_op *op;
    const struct sim_event *event;
    struct fp_place place; /* of the page */
};

static void
run_arrived(struct race *race, struct shadow_granule *granule, unsigned from, unsigned to, void *arg)
{
    const struct arrived *arrived = arg;
    struct fp_place at = arrived->place;

    for (; granule->has_history && from < to; from++) {
        at.offset = arrived->place.offset + (uint64_t)from * SHADOW_GRANULE;
        history_write(race, arrived->event, arrived->op, &at);
    }
}

static void
page_arrived(struct race *race, struct shadow_page *page, unsigned from, unsigned to, void *arg)
{
    struct arrived *arrived = arg;
    arrived->place = shadow_page_place(page);
    shadow_page_look(race, page, from / SHADOW_GRANULE, granules_to(to), run_arrived, arrived);
}

void
shadow_arrived(struct race *race, struct race_op *op, const struct sim_event *event)
{
    struct sim_event whole;

    if (op->single && event->bytes < op->elem_bytes) { /* a flag has come when the last of its pieces has */
        if (!event->last)
            return;
        whole = *event;
        whole.address = (const char *)event->address - event->op_offset;
        whole.place.offset -= event->op_offset;
        whole.bytes = op->elem_bytes;
        event = &whole;
    }
    if (op->single && op->record[1]) {
        struct race_record *record = shadow_record(race, op->record[1]);
        memcpy(&record->value, event->address, event->bytes < 8 ? event->bytes : 8);
        op->arrived = ++race->arrivals;
    }
    if (race->nlocs > 0)
        each_page(race, &event->place, event->bytes, page_arrived, &(struct arrived){.op = op, .event = event});
}

/* ---- Memory that is given up ------------------------------------------------------------------------------------ */

static void
run_forget(struct race *race, struct shadow_granule *granule, unsigned from, unsigned to, void *arg)
{
    const struct shadow_page *page = arg;
    struct fp_place at = shadow_page_place(page);

    for (at.offset += (uint64_t)from * SHADOW_GRANULE; granule->has_history && from < to; from++) {
        history_forget(race, &at);
        at.offset += SHADOW_GRANULE;
    }
    shadow_granule_clear(race, granule);
}

static void
page_forget(struct race *race, struct shadow_page *page, unsigned from, unsigned to, void *arg)
{
    shadow_page_change(race, page, from / SHADOW_GRANULE, granules_to(to), run_forget, page);
    if (from == 0 && to == SHADOW_PAGE)
        shadow_page_drop(race, page);
    else
        page->maybe_dead = true;
}

void
shadow_forget(struct race *race, const struct fp_place *place, size_t bytes)
{
    each_page(race, place, bytes, page_forget, NULL);
}

/* ---- The end of a block ----------------------------------------------------------------------------------------- */

struct died {
    const struct race_view *view;
    const struct sim_event *event;
    uint64_t base; /* of the page at hand */
    uint32_t told;
};

static void
died_look(struct race *race, struct died *died, uint32_t id, uint64_t offset)
{
    struct race_record *a = shadow_record(race, id);
    const struct sim_event *event = died->event;
    if (id == died->told || (a->op ? a->op->coll : !a->lock))
        return;
    struct fp_place place = event->place;
    place.offset = offset;
    if (race_before(race, a, died->view, &place))
        return;
    died->told = id;
    struct race_record end = {.kind = RACE_STORE, .pe = event->pe, .name = event->name, .site = event->site};
    struct race_pair pair = {.a = a,
                             .b = &end,
                             .view = died->view,
                             .place = &place,
                             .address = (const char *)event->address + (offset - event->place.offset),
                             .died = true};
    race_report(race, &pair);
}

static void
run_died(struct race *race, struct shadow_granule *granule, unsigned from, unsigned to, void *arg)
{
    struct died *died = arg;
    uint64_t offset = died->base + (uint64_t)from * SHADOW_GRANULE;

    for (int i = 0; i < 2; i++)
        if (granule->mask[i])
            died_look(race, died, granule->record[i], offset);
    for (uint32_t at = granule->more; at; at = race->more[at].next)
        died_look(race, died, race->more[at].record, offset);
}

static void
page_died(struct race *race, struct shadow_page *page, unsigned from, unsigned to, void *arg)
{
    struct died *died = arg;
    died->base = shadow_page_place(page).offset;
    shadow_page_look(race, page, from / SHADOW_GRANULE, granules_to(to), run_died, died);
}

void
shadow_died(struct race *race, const struct race_view *view, const struct sim_event *event)
{
    struct died died = {.view = view, .event = event};
    each_page(race, &event->place, event->bytes, page_died, &died);
    each_page(race, &event->place, event->bytes, page_forget, NULL);
}

/* ---- Locations with a history ----------------------------------------------------------------------------------- */

static void
run_mark(struct race *race, struct shadow_granule *granule, unsigned from, unsigned to, void *arg)
{
    granule->has_history = 1;
}

void
shadow_mark(struct race *race, const struct fp_place *place, size_t bytes)
{
    struct fp_place at = *place;
    for (at.offset &= ~(uint64_t)(SHADOW_GRANULE - 1); at.offset < place->offset + bytes; at.offset += SHADOW_GRANULE) {
        unsigned granule = at.offset % SHADOW_PAGE / SHADOW_GRANULE;
        shadow_page_change(race, shadow_page_get(race, &at), granule, granule + 1, run_mark, NULL);
    }
}

/* Inserts the put and those it followed, by arrival. */
static int
gather_puts(const struct race *race, uint32_t id, uint32_t *ids, int n, int max)
{
    for (; id; id = shadow_record(race, id)->older) {
        const struct race_record *a = shadow_record(race, id);
        if (a->kind != RACE_PUT || !a->op->single || !a->op->arrived)
            continue;
        int at = n;
        while (at > 0 && shadow_record(race, ids[at - 1])->op->arrived > a->op->arrived)
            at--;
        if (n == max) { /* the oldest goes */
            if (at == 0)
                continue;
            memmove(ids, ids + 1, (size_t)(at - 1) * sizeof *ids);
            ids[at - 1] = id;
            continue;
        }
        memmove(ids + at + 1, ids + at, (size_t)(n - at) * sizeof *ids);
        ids[at] = id;
        n++;
    }
    return n;
}

int
shadow_flag_puts(const struct race *race, const struct fp_place *place, size_t bytes, uint32_t *ids, int max)
{
    const struct shadow_page *page = shadow_page_find(race, shadow_page_key(place));
    if (!page)
        return 0;
    const struct shadow_granule *granule = shadow_page_at(page, place->offset % SHADOW_PAGE / SHADOW_GRANULE);
    uint64_t at = place->offset & ~(uint64_t)(SHADOW_GRANULE - 1);
    uint8_t mask = mask_of(place->offset, place->offset + bytes, at);
    int n = 0;

    for (int i = 0; i < 2; i++)
        if (granule->mask[i] == mask)
            n = gather_puts(race, granule->record[i], ids, n, max);
    for (uint32_t i = granule->more; i; i = race->more[i].next)
        if (race->more[i].mask == mask)
            n = gather_puts(race, race->more[i].record, ids, n, max);
    return n;
}
