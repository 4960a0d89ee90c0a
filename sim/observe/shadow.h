/* shadow.h -- layout of the shadow memory; only shadow.c looks inside. */
#ifndef SIM_OBSERVE_SHADOW_H
#define SIM_OBSERVE_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
