/* race_report.c -- one finding a pair of source places and object, however often it happens.
 *
 * Explaining a race costs names and lines; a racy loop finds the same pair a million times. So a pair is explained
 * once and kept, and repeated to the report as it is, which only counts it.
 *
 * What to say of a put that nobody was told of depends on whether the program completes it by a quiet of its own. That
 * may be known only later, and which came first must not decide: such a finding is told when the put is complete, or at
 * the end.
 */
#include <stdio.h>
#include <stdlib.h>

#include "reference/check/check.h"
#include "reference/heap/heap.h"
#include "sim/observe/race.h"

#define BUCKETS 256

struct race_seen {
    struct race_seen *next;
    fp_site_t low, high;
    enum fp_region region;
    int pe;
    uint64_t object;
    bool died;
    struct race_op *hangs_on; /* until it is done, or NULL */
    uint64_t held_back;       /* how often it was found meanwhile */
    struct race_seen *undecided;
    struct fp_finding finding, *quieted; /* if hangs_on is done by a quiet of the program */
};

/* A number that tells objects of one copy of symmetric memory apart. */
static uint64_t
object_of(const struct race *race, const struct race_pair *pair)
{
    const char *name;
    uint64_t start = pair->place->offset, bytes;

    if (pair->place->region == FP_HEAP) {
        const struct fp_block *block = fp_heap_find(race->job, pair->place->offset);
        return block ? block->offset : start;
    }
    if (pair->place->region == FP_STATIC)
        fp_static_object(race->job->report, pair->place->offset, &name, &start, &bytes);
    else
        start = 0;
    return start;
}

static struct race_seen *
seen_find(struct race_seen *seen, const struct race_seen *key)
{
    while (seen && (seen->low != key->low || seen->high != key->high || seen->region != key->region ||
                    seen->pe != key->pe || seen->object != key->object || seen->died != key->died))
        seen = seen->next;
    return seen;
}

static void
describe(const struct race *race, const struct race_pair *pair, struct fp_finding *finding)
{
    fp_describe_object(race->job, finding, pair->address);
    if (pair->place->region == FP_PRIVATE) { /* the buffer of a nonblocking operation */
        finding->object.pe = pair->place->pe;
        snprintf(finding->object.name, sizeof finding->object.name, "private memory");
    }
}

static void
explain(struct race *race, const struct race_pair *pair, struct race_seen *seen)
{
    struct race_op *op = race_explain(race, pair, false, &seen->finding);

    if (op && op->done && op->quieted)
        race_explain(race, pair, true, &seen->finding);
    describe(race, pair, &seen->finding);
    if (!op || op->done)
        return;
    seen->quieted = race_alloc(sizeof *seen->quieted);
    race_explain(race, pair, true, seen->quieted);
    describe(race, pair, seen->quieted);
    seen->hangs_on = op;
    op->refs++;
    struct race_seen **at = &race->undecided;
    while (*at)
        at = &(*at)->undecided;
    *at = seen;
}

static void
decide(struct race *race, struct race_seen *seen)
{
    if (seen->hangs_on->done && seen->hangs_on->quieted)
        seen->finding = *seen->quieted;
    free(seen->quieted);
    seen->quieted = NULL;
    race_op_drop(seen->hangs_on);
    seen->hangs_on = NULL;
    for (; seen->held_back; seen->held_back--)
        fp_report_add(race->job->report, &seen->finding);
}

static void
decide_those(struct race *race, bool all)
{
    for (struct race_seen **at = &race->undecided; *at;) {
        struct race_seen *seen = *at;
        if (!all && !seen->hangs_on->done) {
            at = &seen->undecided;
            continue;
        }
        *at = seen->undecided;
        decide(race, seen);
    }
}

void
race_report_decide(struct race *race)
{
    decide_those(race, false);
}

void
race_report_end(struct race *race)
{
    decide_those(race, true);
}

void
race_report(struct race *race, const struct race_pair *pair)
{
    fp_site_t x = pair->a->site, y = pair->b->site;
    if (race_predict(race) && predict_takes_pair(race, pair))
        return;
    struct race_seen key = {.low = x < y ? x : y,
                            .high = x < y ? y : x,
                            .region = pair->place->region,
                            .pe = pair->place->pe,
                            .object = object_of(race, pair),
                            .died = pair->died};
    uint64_t hash =
        (key.low * 31 + key.high * 17 + (uint64_t)key.pe * 7 + key.object) * UINT64_C(0x9e3779b97f4a7c15) >> 56;

    if (!race->seen) {
        race->seen = race_alloc(BUCKETS * sizeof *race->seen);
        for (int i = 0; i < BUCKETS; i++)
            race->seen[i] = NULL;
    }
    struct race_seen *seen = seen_find(race->seen[hash], &key);
    if (!seen) {
        seen = race_alloc(sizeof *seen);
        *seen = key;
        explain(race, pair, seen);
        seen->next = race->seen[hash];
        race->seen[hash] = seen;
    }
    if (seen->hangs_on)
        seen->held_back++;
    else
        fp_report_add(race->job->report, &seen->finding);
}

void
race_report_close(struct race *race)
{
    for (int i = 0; race->seen && i < BUCKETS; i++)
        for (struct race_seen *seen = race->seen[i], *next; seen; seen = next) {
            next = seen->next;
            free(seen);
        }
    free(race->seen);
}
