/* race_predict.c -- the race observer's part of --predict (sim/predict.h): which edges were luck, and what they hid.
 *
 * In the run itself an acquire that takes over another PE's release is logged. Locks and fetching atomics order what
 * happened to come first: always luck. A wait is, if an update that neither knows of the wait nor follows the one that
 * ended it (or one that this built on) could have ended it too: it is in the list already, or comes later. A counter
 * that is waited for until all have arrived has no such update, nor has a flag with one writer.
 *
 * In the weak run acquires by luck give nothing. What is unordered then is a candidate, unless both PEs held a common
 * lock: then no order of the two is a race.
 */
#include <stdlib.h>
#include <string.h>

#include "reference/api/compare.h"
#include "shmem.h"
#include "sim/observe/race.h"

#define GROW_FIRST 256

bool
predict_weak(const struct race *race)
{
    return race_predict(race) && race_predict(race)->pass == PREDICT_WEAK;
}

static bool
logs(const struct race *race)
{
    return race_predict(race) && race_predict(race)->pass == PREDICT_LOG;
}

static void *
grow(void *list, uint32_t *cap, size_t size)
{
    *cap = *cap ? 2 * *cap : GROW_FIRST;
    list = realloc(list, *cap * size);
    if (!list)
        fp_env_fail("out of memory for --predict");
    return list;
}

static void
add_edge(struct predict *predict, const struct predict_edge *edge)
{
    if (predict->nedges == PREDICT_EDGES_MAX)
        return; /* what came first is enough to look at */
    if (predict->nedges == predict->edges_cap)
        predict->edges = grow(predict->edges, &predict->edges_cap, sizeof *edge);
    predict->edges[predict->nedges++] = *edge;
}

static void
add_lucky(struct predict *predict, int pe, uint64_t look)
{
    if (predict->nlucky == PREDICT_EDGES_MAX)
        return;
    if (predict->nlucky == predict->lucky_cap)
        predict->lucky = grow(predict->lucky, &predict->lucky_cap, sizeof *predict->lucky);
    predict->lucky[predict->nlucky++] = (struct predict_lucky){.pe = pe, .look = look};
}

/* ---- Acquires ---------------------------------------------------------------------------------------------------- */

void
predict_lock_set(struct race *race, struct race_lock *lock, const struct sim_event *event)
{
    struct race_pe *rp = &race->pes[event->pe];
    if (!race_predict(race))
        return;
    rp->looks++;
    rp->locks |= lock->bit;
    if (predict_weak(race)) /* accesses before and behind are told apart by the locks held */
        predict_new_records(race, rp);
    if (logs(race) && lock->last.release_name && lock->last.from != event->pe) {
        struct predict_edge edge = lock->last;
        edge.to = event->pe;
        edge.acquired = rp->now;
        edge.look = rp->looks;
        edge.acquire_site = event->site;
        edge.acquire_name = event->name;
        add_edge(race_predict(race), &edge);
    }
    lock->last = (struct predict_edge){
        .from = event->pe, .point = event->point, .release_site = event->site, .release_name = event->name};
}

void
predict_lock_clear(struct race *race, struct race_lock *lock, const struct sim_event *event)
{
    struct race_pe *rp = &race->pes[event->pe];
    if (!race_predict(race))
        return;
    rp->locks &= ~lock->bit;
    lock->last.released = rp->now;
}

/* The look of PE `pe` takes over what `op` released, if it does not know that already. */
void
predict_take(struct race *race, const struct race_op *op, const struct race_view *before, const struct sim_event *event,
             bool wait)
{
    const struct race_pe *rp = &race->pes[event->pe];
    if (!logs(race) || !op || op->origin == event->pe || race_op_known(race, op, before))
        return;
    struct predict_edge edge = {.from = op->origin,
                                .to = event->pe,
                                .op = op->id,
                                .point = op->point,
                                .released = op->iss,
                                .acquired = rp->now,
                                .look = rp->looks,
                                .wait = wait,
                                .release_site = op->site,
                                .release_name = op->name,
                                .acquire_site = event->site,
                                .acquire_name = event->name};
    add_edge(race_predict(race), &edge);
}

/* ---- Waits that something else could have ended ------------------------------------------------------------------ */

void
predict_waits(struct race *race, struct predict_looks *looks, const struct sim_event *event, uint64_t index)
{
    struct predict_look *look = &looks->at[looks->next++ % PREDICT_LOOKS];
    const struct race_pe *rp = &race->pes[event->pe];
    *look = (struct predict_look){
        .pe = event->pe, .look = rp->looks, .clock = rp->now, .index = index, .type = event->type, .cmp = event->cmp};
    memcpy(look->wanted, event->value, sizeof look->wanted);
    look->any_value = event->seen_matters && event->cmp == SHMEM_CMP_EQ;
    look->open = true;
    /* One of several objects: which it was is luck whatever was written. */
    if (event->name && (strstr(event->name, "_any") || strstr(event->name, "_some"))) {
        look->open = false;
        add_lucky(race_predict(race), event->pe, rp->looks);
    }
}

/* Whether update `other` need not come after `built_on`, so that it could be there without it. */
static bool
comes_without(const struct race *race, const struct race_op *other, const struct race_op *built_on)
{
    if (other == built_on || !other->clock)
        return false;
    struct race_view view = race_view_op(race, other);
    struct race_record record = {.op = (struct race_op *)built_on, .kind = RACE_AMO, .pe = built_on->origin};
    struct fp_place nowhere = {.region = FP_PRIVATE};
    return !race_before(race, &record, &view, &nowhere);
}

/* `other`, number `index` of the location, could have ended the look instead of `built_on`, which it took over. */
void
predict_could_end(struct race *race, struct predict_look *look, const struct race_op *other, const uint8_t *value,
                  bool joins, const struct race_op *built_on)
{
    if (!look->open || !other || !built_on || built_on->origin == look->pe)
        return;
    bool behind = other->origin == look->pe ? other->iss >= look->clock
                                            : other->clock && clock_po(other->clock, look->pe) >= look->clock;
    if (behind || !comes_without(race, other, built_on))
        return;
    if (!joins && !look->any_value && !fp_compare(look->type, look->cmp, value, look->wanted))
        return;
    look->open = false;
    add_lucky(race_predict(race), look->pe, look->look);
}

/* In the weak run: whether this look gives nothing. */
bool
predict_look_is_lucky(const struct race *race, int pe)
{
    const struct predict *predict = race_predict(race);
    uint64_t look = race->pes[pe].looks;
    uint32_t lo = 0, hi = predict->nlucky;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        const struct predict_lucky *at = &predict->lucky[mid];
        if (at->pe < pe || (at->pe == pe && at->look < look))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < predict->nlucky && predict->lucky[lo].pe == pe && predict->lucky[lo].look == look;
}

/* ---- Candidates -------------------------------------------------------------------------------------------------- */

void
predict_new_records(struct race *race, struct race_pe *rp)
{
    for (int i = 0; i < 4; i++) {
        if (rp->last_record[i])
            shadow_record_drop(race, rp->last_record[i]);
        rp->last_record[i] = 0;
    }
}

static uint64_t
locks_of(const struct race_record *a)
{
    return a->op ? a->op->locks : a->value;
}

static bool
known_pair(const struct predict_told *told, const struct race_pair *pair)
{
    for (uint32_t i = 0; i < told->npairs; i++) {
        const fp_site_t *site = told->pairs[i].site;
        if ((site[0] == pair->a->site && site[1] == pair->b->site) ||
            (site[0] == pair->b->site && site[1] == pair->a->site))
            return true;
    }
    return false;
}

bool
predict_takes_pair(struct race *race, const struct race_pair *pair)
{
    if (!predict_weak(race))
        return false;
    struct predict_told *told = race_predict(race)->told;
    if (told->npairs == PREDICT_PAIRS_MAX || locks_of(pair->a) & locks_of(pair->b) || known_pair(told, pair))
        return true;
    struct predict_pair *to = &told->pairs[told->npairs++];
    *to = (struct predict_pair){.pe = {pair->a->pe, pair->b->pe},
                                .clock = {pair->a->clock, pair->b->clock},
                                .site = {pair->a->site, pair->b->site}};
    return true;
}
