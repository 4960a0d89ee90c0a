/* race_report.c -- one finding a pair of source places and object, however often it happens.
 *
 * Explaining a race costs names and lines; a racy loop finds the same pair a million times. So a pair is explained
 * once and kept, and repeated to the report as it is, which only counts it.
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
    struct fp_finding finding;
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

void
race_report(struct race *race, const struct race_pair *pair)
{
    fp_site_t x = pair->a->site, y = pair->b->site;
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
        race_explain(race, pair, &seen->finding);
        fp_describe_object(race->job, &seen->finding, pair->address);
        if (pair->place->region == FP_PRIVATE) { /* the buffer of a nonblocking operation */
            seen->finding.object.pe = pair->place->pe;
            snprintf(seen->finding.object.name, sizeof seen->finding.object.name, "private memory");
        }
        seen->next = race->seen[hash];
        race->seen[hash] = seen;
    }
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
