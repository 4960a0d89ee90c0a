/* history.c -- locations that are waited on or updated atomically: who wrote which value, and what it released (H10,
 * A6, A7).
 *
 * A location keeps its last updates in the order in which they happened. An update releases what its operation knew
 * at the issue; an update that reads the old value (add, swap ...) also passes on what the one before it released, a
 * plain overwrite does not.
 *
 * Which update a wait acquires from must not depend on how late the PE looked. A wait whose value the program never
 * sees acquires from the *earliest* update that satisfies it and is newer than what the PE already knows here: a
 * legal schedule exists in which it returned just then, so an edge from anything later would be luck (H13 of the
 * field cases is found that way on every seed). Where the program gets the value (signal_wait_until, signal_fetch,
 * fetching atomics), it acquires from the one it saw.
 *
 * The list is capped; what falls off the old end is merged into `base`, which can only add edges, so hide findings,
 * never invent them.
 */
#include <stdlib.h>
#include <string.h>

#include "reference/api/compare.h"
#include "sim/observe/race.h"

#define HISTORY_MAX 32

struct entry {
    uint64_t index;
    struct race_op *op; /* NULL: a plain store, by `pe` at `clock` */
    int pe;
    uint64_t clock;
    bool releases, joins, known_value;
    uint8_t bytes; /* of an atomic update; 0: anything else */
    _Alignas(8) uint8_t value[8];
    struct clock *chain; /* all that reading this one gives, if somebody has asked already */
};

struct history_loc {
    struct history_loc *next; /* bucket */
    struct fp_place place;
    size_t bytes;
    uint64_t index;      /* of the last update, from 1 */
    uint64_t floor;      /* the owner has read this one: it cannot read an older one any more */
    struct clock *base;  /* released by what fell off the list, NULL: nothing */
    uint64_t base_index; /* the youngest of those */
    bool base_known_value;
    _Alignas(8) uint8_t base_value[8];
    struct predict_looks *looks; /* with predict, when somebody has waited here; or NULL */
    uint32_t first, count;       /* ring */
    uint32_t cap;
    struct entry *entries;
};

/* ---- Finding locations ------------------------------------------------------------------------------------------ */

static uint64_t
loc_hash(const struct fp_place *place)
{
    uint64_t x = place->offset * 2 + (place->region == FP_STATIC);
    return (x ^ (uint64_t)(uint32_t)place->pe << 48) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

static bool
same_place(const struct fp_place *a, const struct fp_place *b)
{
    return a->region == b->region && a->pe == b->pe && a->offset == b->offset;
}

static void
locs_grow(struct race *race)
{
    struct history_loc **old = race->locs;
    uint64_t cap = race->locs_cap;

    race->locs_cap = cap ? 2 * cap : 256;
    race->locs = race_alloc(race->locs_cap * sizeof *race->locs);
    memset(race->locs, 0, race->locs_cap * sizeof *race->locs);
    for (uint64_t i = 0; i < cap; i++)
        for (struct history_loc *loc = old[i], *next; loc; loc = next) {
            struct history_loc **bucket = &race->locs[loc_hash(&loc->place) & (race->locs_cap - 1)];
            next = loc->next;
            loc->next = *bucket;
            *bucket = loc;
        }
    free(old);
}

static struct history_loc *
loc_find(const struct race *race, const struct fp_place *place)
{
    if (!race->locs_cap)
        return NULL;
    struct history_loc *loc = race->locs[loc_hash(place) & (race->locs_cap - 1)];
    while (loc && !same_place(&loc->place, place))
        loc = loc->next;
    return loc;
}

/* ---- Entries ---------------------------------------------------------------------------------------------------- */

static struct entry *
entry_at(const struct history_loc *loc, uint32_t i)
{
    return &loc->entries[(loc->first + i) % loc->cap];
}

static void
entry_drop(struct race *race, struct entry *entry)
{
    clock_drop(&race->pool, entry->chain);
    if (entry->op)
        race_op_unuse(entry->op);
}

/* Takes the oldest entry into base. */
static void
merge_oldest(struct race *race, struct history_loc *loc)
{
    struct entry *entry = entry_at(loc, 0);

    if ((!entry->joins || entry->chain) && loc->base) {
        clock_drop(&race->pool, loc->base);
        loc->base = NULL;
    }
    if (entry->chain) {
        loc->base = clock_ref(entry->chain);
    } else if (entry->releases) {
        if (!loc->base)
            loc->base = clock_new(&race->pool);
        race_acquire_op(race, &loc->base, entry->op);
        clock_prune(&race->pool, &loc->base, -1, 0);
    }
    loc->base_index = entry->index;
    loc->base_known_value = entry->known_value;
    memcpy(loc->base_value, entry->value, sizeof loc->base_value);
    entry_drop(race, entry);
    loc->first = (loc->first + 1) % loc->cap;
    loc->count--;
}

static void
entries_grow(struct history_loc *loc)
{
    uint32_t cap = loc->cap ? 2 * loc->cap : 2;
    struct entry *entries = race_alloc(cap * sizeof *entries);

    for (uint32_t i = 0; i < loc->count; i++)
        entries[i] = *entry_at(loc, i);
    free(loc->entries);
    loc->entries = entries;
    loc->cap = cap;
    loc->first = 0;
}

/* Where luck is looked for: could entry `of` have ended the look instead of one that it took over? */
static void
compare_with_look(struct race *race, struct history_loc *loc, struct predict_look *look, uint32_t of)
{
    const struct entry *other = entry_at(loc, of);

    if (!other->op || !other->releases)
        return;
    for (uint32_t k = loc->count; k-- > 0 && look->open;) {
        const struct entry *entry = entry_at(loc, k);
        if (entry->index <= look->index && entry->releases)
            predict_could_end(race, look, other->op, other->value, other->joins, entry->op);
        if (entry->index <= look->index && !entry->joins)
            break; /* an overwrite passes nothing on */
    }
}

/* Appends an update. */
static void
append(struct race *race, struct history_loc *loc, struct entry entry)
{
    /* What is older than the owner's last look will not be looked for again, only passed on. */
    while (loc->count > 0 && entry_at(loc, 0)->index < loc->floor)
        merge_oldest(race, loc);
    if (loc->count == HISTORY_MAX)
        merge_oldest(race, loc);
    if (loc->count == loc->cap)
        entries_grow(loc);
    entry.index = ++loc->index;
    *entry_at(loc, loc->count++) = entry;
    if (entry.op) {
        entry.op->refs++;
        entry.op->uses++;
    }
    for (uint32_t i = 0; loc->looks && i < PREDICT_LOOKS; i++)
        compare_with_look(race, loc, &loc->looks->at[i], loc->count - 1);
}

/* Puts that were there before anybody waited. */
static void
seed(struct race *race, struct history_loc *loc)
{
    uint32_t puts[16];

    if (!race->put_flags)
        return;
    int n = shadow_flag_puts(race, &loc->place, loc->bytes, puts, 16);
    for (int i = 0; i < n; i++) {
        const struct race_record *record = shadow_record(race, puts[i]);
        struct entry entry = {.op = record->op, .releases = record->op->clock != NULL, .known_value = true};
        memcpy(entry.value, &record->value, sizeof entry.value);
        append(race, loc, entry);
    }
}

static struct history_loc *
loc_get(struct race *race, const struct fp_place *place, size_t bytes)
{
    struct history_loc *loc = loc_find(race, place);
    if (loc)
        return loc;
    if (race->nlocs >= race->locs_cap)
        locs_grow(race);
    struct history_loc **bucket = &race->locs[loc_hash(place) & (race->locs_cap - 1)];
    loc = race_alloc(sizeof *loc);
    memset(loc, 0, sizeof *loc);
    loc->place = *place;
    loc->bytes = bytes;
    loc->next = *bucket;
    *bucket = loc;
    race->nlocs++;
    seed(race, loc);
    shadow_mark(race, place, bytes);
    return loc;
}

static void
loc_free(struct race *race, struct history_loc *loc)
{
    for (uint32_t i = 0; i < loc->count; i++)
        entry_drop(race, entry_at(loc, i));
    clock_drop(&race->pool, loc->base);
    free(loc->looks);
    free(loc->entries);
    free(loc);
    race->nlocs--;
}

/* ---- Acquiring -------------------------------------------------------------------------------------------------- */

/* Everything that entry i released, and, as far as updates pass it on, what those before it did. Kept with the
 * entry: a counter that everybody fetches is asked for after each update. */
static const struct clock *
chain_of(struct race *race, struct history_loc *loc, uint32_t i)
{
    struct clock *chain = NULL;
    uint32_t from = i + 1;

    while (from > 0 && !chain) {
        struct entry *entry = entry_at(loc, --from);
        if (entry->chain)
            chain = clock_ref(entry->chain), from++;
        else if (!entry->joins)
            chain = clock_new(&race->pool);
    }
    if (!chain)
        chain = loc->base ? clock_ref(loc->base) : clock_new(&race->pool);
    for (uint32_t k = from; k <= i; k++)
        if (entry_at(loc, k)->releases)
            race_acquire_op(race, &chain, entry_at(loc, k)->op);
    struct entry *entry = entry_at(loc, i);
    if (!entry->chain) {
        clock_prune(&race->pool, &chain, -1, 0);
        entry->chain = clock_ref(chain);
    }
    clock_drop(&race->pool, chain); /* the entry holds it */
    return entry->chain;
}

static void
acquire(struct race *race, struct clock **clock, struct history_loc *loc, uint32_t i)
{
    clock_join(&race->pool, clock, chain_of(race, loc, i));
}

static void
acquire_latest(struct race *race, struct clock **clock, struct history_loc *loc)
{
    if (loc->count > 0)
        acquire(race, clock, loc, loc->count - 1);
    else if (loc->base)
        clock_join(&race->pool, clock, loc->base);
}

static bool
entry_known(const struct race *race, const struct entry *entry, const struct race_view *view)
{
    if (entry->op)
        return race_op_known(race, entry->op, view);
    return entry->pe == view->pe || clock_vis(view->clock, entry->pe) >= entry->clock ||
           clock_stores_fenced(view->clock, entry->pe, view->pe, entry->clock,
                               race_orders(race, FP_EDGE_FENCE, FP_ORDER_STORE, FP_ORDER_PUT));
}

static bool
satisfies(const struct sim_event *event, const uint8_t *value)
{
    _Alignas(16) unsigned char wanted[sizeof event->value];

    memcpy(wanted, event->value, sizeof wanted);
    return fp_compare(event->type, event->cmp, value, wanted);
}

/* What an acquire takes over from the first `n` entries, for the log. */
static void
take_chain(struct race *race, struct history_loc *loc, uint32_t n, const struct race_view *before,
           const struct sim_event *event, bool wait)
{
    uint32_t from = n;
    while (from > 0 && (from == n || entry_at(loc, from)->joins))
        from--;
    for (uint32_t i = from; i < n; i++)
        if (entry_at(loc, i)->releases)
            predict_take(race, entry_at(loc, i)->op, before, event, wait);
}

/* The PE has looked and got what the first `n` entries give. False: in a run that leaves luck out, it gets nothing. */
static bool
looked(struct race *race, struct history_loc *loc, uint32_t n, const struct race_view *view,
       const struct sim_event *event)
{
    if (!race_predict(race))
        return true;
    if (predict_weak(race))
        return !predict_look_is_lucky(race, event->pe);
    take_chain(race, loc, n, view, event, true);
    if (!loc->looks) {
        loc->looks = race_alloc(sizeof *loc->looks);
        memset(loc->looks, 0, sizeof *loc->looks);
    }
    if (event->seen_matters) /* of all that it saw, the first that would have ended it */
        for (uint32_t i = n = 0; i < loc->count && n == 0; i++)
            n = entry_at(loc, i)->known_value && satisfies(event, entry_at(loc, i)->value) ? i + 1 : 0;
    struct predict_look *look = &loc->looks->at[loc->looks->next % PREDICT_LOOKS];
    predict_waits(race, loc->looks, event, n > 0 ? entry_at(loc, n - 1)->index : loc->base_index);
    for (uint32_t i = look->any_value ? 0 : n; i < loc->count; i++)
        compare_with_look(race, loc, look, i);
    return true;
}

void
history_update(struct race *race, const struct sim_event *event, struct race_op *op, struct clock **got)
{
    struct history_loc *loc = loc_get(race, &event->place, event->bytes);
    /* A put_signal's own function is the signal's. */
    shmem_amo_t amo = event->op->kind == SHMEM_OP_PUT ? event->op->sig_op : event->op->amo;

    if (got && race_orders(race, FP_EDGE_READS, FP_ORDER_AMO, op->class_)) {
        *got = clock_ref(op->clock);
        if (race_predict(race)) {
            race->pes[op->origin].looks++;
            struct race_view before = race_view_op(race, op);
            take_chain(race, loc, loc->count, &before, event, false);
        }
        if (!predict_weak(race))
            acquire_latest(race, got, loc);
    }
    if (amo == SHMEM_AMO_FETCH || event->failed)
        return;
    /* A put_signal's update and its data are of different classes. */
    enum fp_order_class class_ = event->op->kind == SHMEM_OP_PUT ? FP_ORDER_SIGNAL : (enum fp_order_class)op->class_;
    struct entry entry = {.op = op,
                          .releases = race_orders(race, FP_EDGE_READS, class_, FP_ORDER_WAIT),
                          .joins = amo != SHMEM_AMO_SET,
                          .known_value = event->bytes <= 8};
    entry.bytes = (uint8_t)event->bytes;
    if (entry.known_value)
        memcpy(entry.value, event->value, event->bytes);
    append(race, loc, entry);
}

static void
write_one(struct race *race, struct history_loc *loc, const struct sim_event *event, struct race_op *op)
{
    uint64_t from = event->place.offset, to = from + event->bytes;
    bool covers = from <= loc->place.offset && loc->place.offset + loc->bytes <= to;
    struct entry entry = {.op = op, .pe = event->pe, .clock = race->pes[event->pe].now};

    if (op && op->single && race->put_flags && covers && from == loc->place.offset && event->bytes == loc->bytes)
        entry.releases = true;
    /* A plain store is told before it happens, and the destination of a nonblocking get at its issue. */
    if (event->kind == SIM_EV_WRITE && covers) {
        entry.known_value = true;
        memcpy(entry.value, (const char *)event->address + (loc->place.offset - from), loc->bytes);
    }
    append(race, loc, entry);
}

/* Locations are aligned to their size, so each lies in one granule. */
void
history_write(struct race *race, const struct sim_event *event, struct race_op *op, const struct fp_place *granule)
{
    uint64_t from = event->place.offset, to = from + event->bytes;
    struct fp_place at = *granule;

    for (; at.offset < granule->offset + 8; at.offset++) {
        struct history_loc *loc = loc_find(race, &at);
        if (loc && loc->place.offset < to && loc->place.offset + loc->bytes > from)
            write_one(race, loc, event, op);
    }
}

/* ---- Waiting ---------------------------------------------------------------------------------------------------- */

/* The youngest update that the PE cannot have missed. */
static uint64_t
floor_of(const struct race *race, const struct history_loc *loc, const struct race_view *view)
{
    for (uint32_t i = loc->count; i-- > 0;) {
        const struct entry *entry = entry_at(loc, i);
        if (entry->index <= loc->floor)
            break;
        if (entry_known(race, entry, view))
            return entry->index;
    }
    return loc->floor;
}

void
history_wait(struct race *race, const struct sim_event *event)
{
    struct history_loc *loc = loc_get(race, &event->place, event->bytes);
    struct race_pe *rp = &race->pes[event->pe];
    struct race_view view = race_view_pe(race, event->pe);
    uint64_t floor = floor_of(race, loc, &view);

    rp->looks++;
    if (event->seen_matters) {
        if (looked(race, loc, loc->count, &view, event))
            acquire_latest(race, &rp->clock, loc);
        loc->floor = loc->index;
        clock_prune(&race->pool, &rp->clock, event->pe, rp->now);
        return;
    }
    /* Without hooks the PE's own stores go unseen, and with them the reset of a flag: then what it knows already no
     * longer counts. */
    uint64_t least = race->job->hooked ? floor : floor + 1;
    loc->floor = floor;
    if (loc->base_index >= least && loc->base_known_value && satisfies(event, loc->base_value)) {
        if (loc->base)
            clock_join(&race->pool, &rp->clock, loc->base);
        loc->floor = loc->base_index > floor ? loc->base_index : floor;
        return;
    }
    for (uint32_t i = 0; i < loc->count; i++) {
        const struct entry *entry = entry_at(loc, i);
        if (entry->index < least || !entry->known_value || !satisfies(event, entry->value))
            continue;
        if (entry->bytes && entry->bytes != event->bytes) /* no atomic update of what is waited on (E077) */
            continue;
        if (looked(race, loc, i + 1, &view, event))
            acquire(race, &rp->clock, loc, i);
        loc->floor = entry->index;
        break;
    }
    clock_prune(&race->pool, &rp->clock, event->pe, rp->now);
}

/* ---- Ends ------------------------------------------------------------------------------------------------------- */

void
history_forget(struct race *race, const struct fp_place *granule)
{
    struct fp_place at = *granule;

    for (; race->nlocs > 0 && at.offset < granule->offset + 8; at.offset++) {
        struct history_loc **link = &race->locs[loc_hash(&at) & (race->locs_cap - 1)], *loc;
        while ((loc = *link) && !same_place(&loc->place, &at))
            link = &loc->next;
        if (!loc)
            continue;
        *link = loc->next;
        loc_free(race, loc);
    }
}

void
history_close(struct race *race)
{
    for (uint64_t i = 0; i < race->locs_cap; i++)
        for (struct history_loc *loc = race->locs[i], *next; loc; loc = next) {
            next = loc->next;
            loc_free(race, loc);
        }
    free(race->locs);
}
