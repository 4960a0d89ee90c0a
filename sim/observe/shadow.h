/* shadow.h -- layout of the shadow memory.
 *
 * Programs touch memory in long stretches, so neighbouring granules mostly remember the same. A page is therefore a
 * short list of runs, each of granules with one content. Where runs get too many, the page keeps its contents and for
 * each granule which one it has (a palette), and where these get too many an array of granules.
 *
 *   shadow.c          an access, the end of a block: which granules
 *   shadow_granule.c  one granule (or run): what a new access finds there
 *   shadow_page.c     runs are split and joined
 *   shadow_palette.c  pages that are touched here and there
 *   shadow_store.c    where records and pages are kept
 */
#ifndef SIM_OBSERVE_SHADOW_H
#define SIM_OBSERVE_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/observe/race.h"

#define SHADOW_GRANULE 8
#define SHADOW_PAGE 4096 /* bytes of memory a page stands for */
#define SHADOW_GRANULES (SHADOW_PAGE / SHADOW_GRANULE)
#define SHADOW_RUNS 16

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

struct shadow_palette;

/* `granules`, if not NULL, has one for each. Else `palette`, if not NULL, says which of runs[] each granule has. Else
 * runs[i] stands for granules [starts[i], starts[i + 1]), i < nruns. */
struct shadow_page {
    struct shadow_page *next; /* bucket */
    uint64_t key;             /* region, PE, number of the page */
    struct shadow_granule *granules;
    struct shadow_palette *palette;
    bool maybe_dead; /* not all of it lies in one live block: look before an operation */
    uint8_t nruns;
    uint16_t starts[SHADOW_RUNS + 1];
    struct shadow_granule runs[SHADOW_RUNS];
};

/* An access under way, with what it found out about each older record so far. */
#define SHADOW_VERDICTS 8
struct shadow_access {
    struct race *race;
    uint32_t id;
    uint8_t mask; /* bytes of the granules at hand */
    struct race_record *record;
    const struct race_view *view;
    const struct sim_event *event;
    struct fp_place place; /* of the first granule at hand */
    uint64_t base;         /* of the page at hand */
    struct {
        uint32_t id;
        uint8_t flags;
    } verdicts[SHADOW_VERDICTS];
};

void shadow_granule_access(struct shadow_access *access, struct shadow_granule *granule, uint8_t mask);
void shadow_granule_clear(struct race *race, struct shadow_granule *granule);
struct shadow_granule shadow_granule_copy(struct race *race, const struct shadow_granule *granule);
bool shadow_granule_same(const struct shadow_granule *a, const struct shadow_granule *b);

/* Called for granules [from, to) of a page, which have one content. */
typedef void shadow_visit(struct race *race, struct shadow_granule *granule, unsigned from, unsigned to, void *arg);
/* Visits the runs of granules [from, to), cut so that none reaches out of them: what is changed, is changed there
 * only. */
void shadow_page_change(struct race *race, struct shadow_page *page, unsigned from, unsigned to, shadow_visit *visit,
                        void *arg);
/* The same for looking. */
void shadow_page_look(struct race *race, struct shadow_page *page, unsigned from, unsigned to, shadow_visit *visit,
                      void *arg);
const struct shadow_granule *shadow_page_at(const struct shadow_page *page, unsigned granule);
void shadow_page_clear(struct race *race, struct shadow_page *page);

/* From runs. False: they are too different. */
bool shadow_palette_make(struct race *race, struct shadow_page *page);
void shadow_palette_clear(struct race *race, struct shadow_page *page);
/* False: nothing has been visited, and the page has become an array. */
bool shadow_palette_change(struct race *race, struct shadow_page *page, unsigned from, unsigned to, shadow_visit *visit,
                           void *arg);
void shadow_palette_look(struct race *race, struct shadow_page *page, unsigned from, unsigned to, shadow_visit *visit,
                         void *arg);
unsigned shadow_palette_slot(const struct shadow_page *page, unsigned granule);
/* The access did the same to the same content before, and reported nothing: it has been done again. */
bool shadow_palette_hit(const struct shadow_access *access, struct shadow_page *page, unsigned granule);
/* The access, a plain one, has found content `from` and reported nothing. */
void shadow_palette_note(const struct shadow_access *access, struct shadow_page *page, unsigned granule, unsigned from);

/* Region, PE and number of the page, and back: the page's first byte. */
uint64_t shadow_page_key(const struct fp_place *place);
struct fp_place shadow_page_place(const struct shadow_page *page);
/* NULL where nothing was touched; made. */
struct shadow_page *shadow_page_find(const struct race *race, uint64_t key);
struct shadow_page *shadow_page_get(struct race *race, const struct fp_place *place);
void shadow_page_drop(struct race *race, struct shadow_page *page);

#endif
