/* shadow.c -- which accesses every granule of symmetric memory remembers.
 *
 * Each 8-byte granule holds references to records, one a live access, with the bytes it touched. A new access is
 * compared with each: conflicting and unordered is a race; ordered before and no longer able to race with anything
 * that the new access would not race with, it is dropped. Nothing else is ever dropped, so no race is lost to
 * eviction. The verdict between two records is the same on every granule, so a large transfer asks once and then
 * only compares numbers.
 */
#include "sim/observe/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "reference/heap/heap.h"
#include "sim/observe/race.h"

#define OLDER_MAX 3
#define CROWD 24 /* accesses of a granule beyond which those of one PE and place replace each other */

/* ---- One granule ------------------------------------------------------------------------------------------------ */

/* An access under way: what it found out about each older record so far. */
enum { ASKED = 1, ORDERED = 2, CONFLICTS = 4, DROPS = 8, TOLD = 16 };
#define VERDICTS 8
struct access {
    struct race *race;
    uint32_t id;
    struct race_record *record;
    const struct race_view *view;
    const struct sim_event *event;
    struct fp_place place; /* of the granule at hand */
    struct {
        uint32_t id;
        uint8_t flags;
    } verdicts[VERDICTS];
};

/* Once `b` has happened after `a`, whatever races with `a` races with `b` too. */
static bool
replaces(const struct race_record *a, const struct race_record *b)
{
    bool alike = race_atomic[a->kind] && a->type == b->type && a->signal == b->signal && a->lock == b->lock &&
                 (!a->op || !b->op || a->op->domain == b->op->domain);

    if (race_atomic[b->kind])
        return alike && (race_reads[a->kind] || !race_reads[b->kind]) && (!race_reads[b->kind] || a->wait == b->wait);
    return !race_reads[b->kind] || race_reads[a->kind];
}

static uint8_t *
verdict(struct access *access, uint32_t id, bool same_bytes)
{
    unsigned slot = id % VERDICTS;
    if (access->verdicts[slot].id == id && access->verdicts[slot].flags)
        return &access->verdicts[slot].flags;
    const struct race_record *a = shadow_record(access->race, id);
    uint8_t flags = ASKED;
    if (race_conflict(access->race, a, access->record, same_bytes))
        flags |= CONFLICTS;
    bool drops = replaces(a, access->record);
    if (((flags & CONFLICTS) || drops) && race_before(access->race, a, access->view, &access->place)) {
        flags |= ORDERED;
        if (drops)
            flags |= DROPS;
    }
    access->verdicts[slot].id = id;
    access->verdicts[slot].flags = flags;
    return &access->verdicts[slot].flags;
}

static void
tell(struct access *access, uint32_t id, uint8_t bytes)
{
    struct race_record *a = shadow_record(access->race, id);
    struct fp_place first = access->place;
    first.offset += (uint64_t)__builtin_ctz(bytes);
    struct race_pair pair = {.a = a,
                             .b = access->record,
                             .view = access->view,
                             .place = &first,
                             .address =
                                 (const char *)access->event->address + (first.offset - access->event->place.offset)};
    a->raced = access->record->raced = true;
    race_report(access->race, &pair);
}

/* Puts of one element that nobody waited for yet may be waited for later: the new one keeps the one it follows. */
static bool
keep_older(struct access *access, uint32_t id, uint8_t mask_a, uint8_t mask_b)
{
    struct race_record *a = shadow_record(access->race, id), *b = access->record;
    if (!access->race->put_flags || b->kind != RACE_PUT || !b->op->single || b->older || a->kind != RACE_PUT ||
        !a->op->single || mask_a != mask_b)
        return false;
    struct race_view owner = race_view_pe(access->race, access->place.pe);
    if (race_op_known(access->race, a->op, &owner))
        return false;
    if (a->depth == OLDER_MAX) {
        shadow_record_drop(access->race, a->older);
        a->older = 0;
        a->depth = 0;
    }
    b->older = id; /* takes the granule's reference over */
    b->depth = a->depth + 1;
    return true;
}

/* Compares with the access `id` on the bytes of *mask; returns what is left of them. */
static uint8_t
compare(struct access *access, uint32_t id, uint8_t mask, uint8_t new_mask)
{
    uint8_t both = mask & new_mask;
    if (!both)
        return mask;
    uint8_t *flags = verdict(access, id, mask == new_mask);
    if ((*flags & (CONFLICTS | ORDERED | TOLD)) == CONFLICTS) {
        *flags |= TOLD;
        tell(access, id, both);
    }
    if (!(*flags & DROPS))
        return mask;
    mask &= (uint8_t)~new_mask;
    if (!mask && !keep_older(access, id, both, new_mask))
        shadow_record_drop(access->race, id);
    return mask;
}

/* One PE, one place in the code, one kind: told apart by nothing that a finding would show. */
static bool
twins(const struct race_record *a, const struct race_record *b)
{
    return a->pe == b->pe && a->site == b->site && a->kind == b->kind && a->type == b->type;
}

static uint32_t
more_new(struct race *race)
{
    uint32_t at = race->free_more;
    if (at) {
        race->free_more = race->more[at].next;
        return at;
    }
    if (race->more_n >= race->more_cap) {
        race->more_cap = race->more_cap ? 2 * race->more_cap : 1024;
        struct shadow_more *more = realloc(race->more, race->more_cap * sizeof *more);
        if (!more)
            fp_env_fail("out of memory for the race checker: run fewer PEs, or with --no-check");
        race->more = more;
    }
    return race->more_n++;
}

static void
put_in(struct access *access, uint32_t *slot, uint8_t *slot_mask, uint8_t mask)
{
    if (*slot_mask)
        shadow_record_drop(access->race, *slot);
    *slot = access->id;
    *slot_mask = mask;
    access->record->refs++;
}

static void
insert(struct access *access, struct shadow_granule *granule, uint8_t mask)
{
    struct race *race = access->race;
    unsigned length = 0;

    for (int i = 0; i < 2; i++)
        if (granule->mask[i] && granule->record[i] == access->id) {
            granule->mask[i] |= mask;
            return;
        }
    for (uint32_t at = granule->more; at; at = race->more[at].next, length++)
        if (race->more[at].record == access->id) {
            race->more[at].mask |= mask;
            return;
        }
    /* A place that keeps racing, or a crowd of atomics from one place, does not need to be remembered again and
     * again. */
    for (int i = 0; i < 2; i++) {
        struct race_record *a = granule->mask[i] ? shadow_record(race, granule->record[i]) : NULL;
        if (a && a->raced && !(granule->mask[i] & ~mask) && twins(a, access->record)) {
            put_in(access, &granule->record[i], &granule->mask[i], mask);
            return;
        }
    }
    for (uint32_t at = granule->more; at; at = race->more[at].next) {
        struct race_record *a = shadow_record(race, race->more[at].record);
        if ((a->raced || length > CROWD) && !(race->more[at].mask & ~mask) && twins(a, access->record)) {
            put_in(access, &race->more[at].record, &race->more[at].mask, mask);
            return;
        }
    }
    for (int i = 0; i < 2; i++)
        if (!granule->mask[i]) {
            put_in(access, &granule->record[i], &granule->mask[i], mask);
            return;
        }
    uint32_t at = more_new(race);
    race->more[at] = (struct shadow_more){.record = access->id, .next = granule->more, .mask = mask};
    access->record->refs++;
    granule->more = at;
}

static void
granule_access(struct access *access, struct shadow_granule *granule, uint8_t mask)
{
    struct race *race = access->race;

    for (int i = 0; i < 2; i++)
        if (granule->mask[i] && granule->record[i] != access->id)
            granule->mask[i] = compare(access, granule->record[i], granule->mask[i], mask);
    /* A report may look anything up, but never adds to a chain: indices stay good, pointers into `more` may not. */
    for (uint32_t at = granule->more, before = 0, next; at; at = next) {
        next = race->more[at].next;
        if (race->more[at].record != access->id)
            race->more[at].mask = compare(access, race->more[at].record, race->more[at].mask, mask);
        if (race->more[at].mask) {
            before = at;
            continue;
        }
        if (before)
            race->more[before].next = next;
        else
            granule->more = next;
        race->more[at].next = race->free_more;
        race->free_more = at;
    }
    insert(access, granule, mask);
}

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

void
shadow_access(struct race *race, uint32_t id, const struct race_view *view, const struct sim_event *event)
{
    struct access access = {
        .race = race, .id = id, .record = shadow_record(race, id), .view = view, .event = event, .place = event->place};
    uint64_t from = event->place.offset, to = from + event->bytes;
    bool store = access.record->kind == RACE_STORE;

    for (uint64_t at = from & ~(uint64_t)(SHADOW_GRANULE - 1); at < to;) {
        access.place.offset = at;
        struct shadow_page *page = shadow_page_get(race, &access.place);
        if (page->dead && access.record->op && !access.record->op->coll && tell_dead(race, access.record, view, event))
            return;
        uint64_t end = (at & ~(uint64_t)(SHADOW_PAGE - 1)) + SHADOW_PAGE;
        for (; at < end && at < to; at += SHADOW_GRANULE) {
            struct shadow_granule *granule = &page->granules[at % SHADOW_PAGE / SHADOW_GRANULE];
            access.place.offset = at;
            granule_access(&access, granule, mask_of(from, to, at));
            if (granule->has_history && store)
                history_write(race, event, NULL, &access.place);
        }
    }
}

void
shadow_arrived(struct race *race, struct race_op *op, const struct sim_event *event)
{
    uint64_t to = event->place.offset + event->bytes;
    struct fp_place at = event->place;

    if (op->single && op->record[1]) {
        struct race_record *record = shadow_record(race, op->record[1]);
        memcpy(&record->value, event->address, event->bytes < 8 ? event->bytes : 8);
        op->arrived = ++race->arrivals;
    }
    if (race->nlocs == 0)
        return;
    for (at.offset &= ~(uint64_t)(SHADOW_GRANULE - 1); at.offset < to;) {
        const struct shadow_page *page = shadow_page_find(race, shadow_page_key(&at));
        uint64_t end = (at.offset & ~(uint64_t)(SHADOW_PAGE - 1)) + SHADOW_PAGE;
        for (; page && at.offset < end && at.offset < to; at.offset += SHADOW_GRANULE)
            if (page->granules[at.offset % SHADOW_PAGE / SHADOW_GRANULE].has_history)
                history_write(race, event, op, &at);
        if (!page)
            at.offset = end;
    }
}

/* Calls f for each page that stands for bytes of the range. */
static void
each_page(struct race *race, const struct fp_place *place, size_t bytes,
          void (*f)(struct race *race, struct shadow_page *page, uint64_t from, uint64_t to, void *arg), void *arg)
{
    uint64_t from = place->offset, to = from + bytes;
    struct fp_place at = *place;

    for (at.offset &= ~(uint64_t)(SHADOW_PAGE - 1); at.offset < to; at.offset += SHADOW_PAGE) {
        struct shadow_page *page = shadow_page_find(race, shadow_page_key(&at));
        if (!page)
            continue;
        uint64_t lo = at.offset < from ? from - at.offset : 0;
        uint64_t hi = at.offset + SHADOW_PAGE < to ? SHADOW_PAGE : to - at.offset;
        f(race, page, lo, hi, arg);
    }
}

static void
page_forget(struct race *race, struct shadow_page *page, uint64_t from, uint64_t to, void *arg)
{
    struct fp_place place = shadow_page_place(page);
    uint64_t base = place.offset;
    for (uint64_t g = from / SHADOW_GRANULE; g * SHADOW_GRANULE < to; g++) {
        place.offset = base + g * SHADOW_GRANULE;
        if (page->granules[g].has_history)
            history_forget(race, &place);
        shadow_granule_clear(race, &page->granules[g]);
    }
    if (from == 0 && to == SHADOW_PAGE)
        shadow_page_drop(race, page);
    else
        page->dead = *(bool *)arg;
}

void
shadow_forget(struct race *race, const struct fp_place *place, size_t bytes)
{
    bool dead = false;
    each_page(race, place, bytes, page_forget, &dead);
}

/* ---- The end of a block ----------------------------------------------------------------------------------------- */

struct died {
    const struct race_view *view;
    const struct sim_event *event;
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
page_died(struct race *race, struct shadow_page *page, uint64_t from, uint64_t to, void *arg)
{
    struct died *died = arg;
    uint64_t base = shadow_page_place(page).offset;
    for (uint64_t g = from / SHADOW_GRANULE; g * SHADOW_GRANULE < to; g++) {
        struct shadow_granule *granule = &page->granules[g];
        uint64_t offset = base + g * SHADOW_GRANULE;
        for (int i = 0; i < 2; i++)
            if (granule->mask[i])
                died_look(race, died, granule->record[i], offset);
        for (uint32_t at = granule->more; at; at = race->more[at].next)
            died_look(race, died, race->more[at].record, offset);
    }
}

void
shadow_died(struct race *race, const struct race_view *view, const struct sim_event *event)
{
    struct died died = {.view = view, .event = event};
    bool dead = true;
    each_page(race, &event->place, event->bytes, page_died, &died);
    each_page(race, &event->place, event->bytes, page_forget, &dead);
}

/* ---- Locations with a history ----------------------------------------------------------------------------------- */

void
shadow_mark(struct race *race, const struct fp_place *place, size_t bytes)
{
    struct fp_place at = *place;
    for (at.offset &= ~(uint64_t)(SHADOW_GRANULE - 1); at.offset < place->offset + bytes; at.offset += SHADOW_GRANULE)
        shadow_page_get(race, &at)->granules[at.offset % SHADOW_PAGE / SHADOW_GRANULE].has_history = 1;
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
    const struct shadow_granule *granule = &page->granules[place->offset % SHADOW_PAGE / SHADOW_GRANULE];
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
