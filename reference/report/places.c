/* places.c -- source lines as keys.
 *
 * A line may hold several accesses: d[0] + d[1] is two loads at two addresses. For a person that is one place, so
 * findings are told apart by file and line. Looking these up is slow and a fault may come a million times, so each
 * address is looked up once. An address without a line is a place of its own.
 */
#include <stdlib.h>

#include "reference/report/state.h"

struct fp_place_key {
    fp_site_t site; /* 0: empty */
    uint64_t key;
};

static struct fp_place_key *
slot_of(struct fp_place_key *slots, size_t count, fp_site_t site)
{
    size_t i = (site * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (count - 1);
    while (slots[i].site && slots[i].site != site)
        i = (i + 1) & (count - 1);
    return &slots[i];
}

static void
grow(struct fp_places *places)
{
    size_t count = places->room ? 2 * places->room : 64;
    struct fp_place_key *slots = calloc(count, sizeof *slots);
    for (size_t i = 0; i < places->room; i++)
        if (places->slots[i].site)
            *slot_of(slots, count, places->slots[i].site) = places->slots[i];
    free(places->slots);
    places->slots = slots;
    places->room = count;
}

uint64_t
fp_place_key(struct fp_report *report, fp_site_t site)
{
    struct fp_places *places = &report->places;
    if (site == 0)
        return 0;
    if (2 * places->used >= places->room)
        grow(places);
    struct fp_place_key *slot = slot_of(places->slots, places->room, site);
    if (slot->site)
        return slot->key;
    struct fp_line line = fp_site_line(report, site);
    uint64_t key = site;
    if (line.line) {
        key = (uint64_t)line.line;
        for (const char *c = line.file; c && *c; c++)
            key = key * UINT64_C(0x100000001b3) ^ (unsigned char)*c;
    }
    *slot = (struct fp_place_key){site, key};
    places->used++;
    return key;
}

void
fp_places_free(struct fp_report *report)
{
    free(report->places.slots);
}
