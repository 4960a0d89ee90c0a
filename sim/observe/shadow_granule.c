/* shadow_granule.c -- a new access meets those that a granule remembers.
 *
 * Each granule holds references to records, one a live access, with the bytes it touched. A new access is
 * compared with each: conflicting and unordered is a race; ordered before and no longer able to race with anything
 * that the new access would not race with, it is dropped. Nothing else is ever dropped, so no race is lost to
 * eviction. The verdict between two records is the same on every granule, so a large transfer asks once and then
 * only compares numbers.
 */
#include <stdlib.h>

#include "sim/observe/race.h"
#include "sim/observe/shadow.h"

#define OLDER_MAX 3
#define CROWD 24 /* accesses of a granule beyond which those of one PE and place replace each other */

/* What is known about an older record, in the access under way. */
enum { ASKED = 1, ORDERED = 2, CONFLICTS = 4, DROPS = 8, TOLD = 16 };

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
verdict(struct shadow_access *access, uint32_t id, bool same_bytes)
{
    unsigned slot = id % SHADOW_VERDICTS;
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
tell(struct shadow_access *access, uint32_t id, uint8_t bytes)
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
    access->race->nreports++;
    race_report(access->race, &pair);
}

/* Puts of one element that nobody waited for yet may be waited for later: the new one keeps the one it follows. */
static bool
keep_older(struct shadow_access *access, uint32_t id, uint8_t mask_a, uint8_t mask_b)
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
compare(struct shadow_access *access, uint32_t id, uint8_t mask, uint8_t new_mask)
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
put_in(struct shadow_access *access, uint32_t *slot, uint8_t *slot_mask, uint8_t mask)
{
    if (*slot_mask)
        shadow_record_drop(access->race, *slot);
    *slot = access->id;
    *slot_mask = mask;
    access->record->refs++;
}

static void
insert(struct shadow_access *access, struct shadow_granule *granule, uint8_t mask)
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

void
shadow_granule_access(struct shadow_access *access, struct shadow_granule *granule, uint8_t mask)
{
    struct race *race = access->race;

    if (granule->record[0] == access->id && !(mask & ~granule->mask[0]) && !granule->mask[1] && !granule->more)
        return; /* the same again, and nothing else */
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

/* ---- Contents as a value ---------------------------------------------------------------------------------------- */

void
shadow_granule_clear(struct race *race, struct shadow_granule *granule)
{
    for (int i = 0; i < 2; i++)
        if (granule->mask[i])
            shadow_record_drop(race, granule->record[i]);
    for (uint32_t at = granule->more, next; at; at = next) {
        next = race->more[at].next;
        shadow_record_drop(race, race->more[at].record);
        race->more[at].next = race->free_more;
        race->free_more = at;
    }
    *granule = (struct shadow_granule){0};
}

struct shadow_granule
shadow_granule_copy(struct race *race, const struct shadow_granule *granule)
{
    struct shadow_granule copy = *granule;
    uint32_t last = 0;

    for (int i = 0; i < 2; i++)
        if (copy.mask[i])
            shadow_record(race, copy.record[i])->refs++;
    for (uint32_t at = granule->more; at; at = race->more[at].next) {
        uint32_t new = more_new(race);
        race->more[new] = (struct shadow_more){.record = race->more[at].record, .mask = race->more[at].mask};
        shadow_record(race, race->more[new].record)->refs++;
        if (last)
            race->more[last].next = new;
        else
            copy.more = new;
        last = new;
    }
    return copy;
}

/* A slot whose mask is 0 may hold any number. Chains are not compared: they are rare, and differ. */
bool
shadow_granule_same(const struct shadow_granule *a, const struct shadow_granule *b)
{
    for (int i = 0; i < 2; i++)
        if (a->mask[i] != b->mask[i] || (a->mask[i] && a->record[i] != b->record[i]))
            return false;
    return !a->more && !b->more && a->has_history == b->has_history;
}
