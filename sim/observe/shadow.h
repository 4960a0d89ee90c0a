/* shadow.h -- layout of the shadow memory; shadow.c judges, shadow_store.c keeps. */
#ifndef SIM_OBSERVE_SHADOW_H
#define SIM_OBSERVE_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/observe/race.h"

#define SHADOW_GRANULE 8
#define SHADOW_PAGE 1024 /* bytes of memory a page stands for */
#define SHADOW_GRANULES (SHADOW_PAGE / SHADOW_GRANULE)

/* Two accesses in place, further ones in a chain. mask: which of the 8 bytes; 0 is a free slot. */
struct shadow_granule {
    uint32_t record[2];
    uint8_t mask[2];
    uint8_t has_history; /* belongs to a location of history.c */
    uint8_t unused;
    uint32_t more; /* index into race->more, or 0 */
};
_Static_assert(sizeof(struct shadow_granule) == 16, "two granules of memory cost one cache line for four");

struct shadow_more {
    uint32_t record, next;
    uint8_t mask;
};

struct shadow_page {
    struct shadow_page *next; /* bucket */
    uint64_t key;             /* region, PE, number of the page */
    bool dead;                /* in a block that was freed when the page was made */
    struct shadow_granule granules[SHADOW_GRANULES];
};

/* Region, PE and number of the page, and back: the page's first byte. */
uint64_t shadow_page_key(const struct fp_place *place);
struct fp_place shadow_page_place(const struct shadow_page *page);
/* NULL where nothing was touched; made. */
struct shadow_page *shadow_page_find(const struct race *race, uint64_t key);
struct shadow_page *shadow_page_get(struct race *race, const struct fp_place *place);
void shadow_page_drop(struct race *race, struct shadow_page *page);
void shadow_granule_clear(struct race *race, struct shadow_granule *granule);

#endif
