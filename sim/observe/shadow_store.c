/* shadow_store.c -- where the shadow keeps what it remembers: records, pages of granules, chains.
 *
 * A record is 64 bytes and named by a number, so that a granule's reference to it takes four. Pages stand for 4 KiB
 * of memory each and exist only where something was touched; they are found by hash, whose order nothing else sees.
 */
#include <stdlib.h>
#include <string.h>

#include "reference/heap/heap.h"
#include "sim/observe/race.h"
#include "sim/observe/shadow.h"

#define RECORDS_A_CHUNK 4096

/* ---- Records ---------------------------------------------------------------------------------------------------- */

void
shadow_open(struct race *race)
{
    race->pages_cap = 1024;
    race->pages = race_alloc(race->pages_cap * sizeof *race->pages);
    memset(race->pages, 0, race->pages_cap * sizeof *race->pages);
    race->more_n = 1; /* 0 is "none" */
}

struct race_record *
shadow_record(const struct race *race, uint32_t id)
{
    return &race->records[id / RECORDS_A_CHUNK][id % RECORDS_A_CHUNK];
}

static void
records_grow(struct race *race)
{
    uint32_t n = race->nrecord_chunks;
    if ((n & (n - 1)) == 0) {
        struct race_record **records = race_alloc((n ? 2 * (size_t)n : 1) * sizeof *records);
        if (n)
            memcpy(records, race->records, n * sizeof *records);
        free(race->records);
        race->records = records;
    }
    race->records[n] = race_alloc(RECORDS_A_CHUNK * sizeof **race->records);
    race->nrecord_chunks++;
    /* Free records are linked through `older`; record 0 is never given out. */
    for (uint32_t i = RECORDS_A_CHUNK; i-- > (n == 0);) {
        race->records[n][i].older = race->free_record;
        race->free_record = n * RECORDS_A_CHUNK + i;
    }
}

/* A record with one reference, the caller's; all else zero. */
uint32_t
shadow_record_new(struct race *race)
{
    if (!race->free_record)
        records_grow(race);
    uint32_t id = race->free_record;
    struct race_record *record = shadow_record(race, id);
    race->free_record = record->older;
    memset(record, 0, sizeof *record);
    record->refs = 1;
    return id;
}

void
shadow_record_drop(struct race *race, uint32_t id)
{
    while (id) {
        struct race_record *record = shadow_record(race, id);
        if (--record->refs > 0)
            return;
        uint32_t older = record->older;
        struct race_op *op = record->op;
        struct clock *known = record->known;
        record->older = race->free_record;
        race->free_record = id;
        if (known)
            clock_drop(&race->pool, known);
        if (op) {
            for (int i = 0; i < 2; i++)
                if (op->record[i] == id)
                    op->record[i] = 0;
            race_op_unuse(op);
        }
        id = older;
    }
}

/* ---- Pages ------------------------------------------------------------------------------------------------------ */

uint64_t
shadow_page_key(const struct fp_place *place)
{
    return (uint64_t)(place->region == FP_STATIC) << 63 | (uint64_t)(uint32_t)place->pe << 44 |
           place->offset / SHADOW_PAGE;
}

struct fp_place
shadow_page_place(const struct shadow_page *page)
{
    return (struct fp_place){.region = page->key >> 63 ? FP_STATIC : FP_HEAP,
                             .pe = (int)(page->key >> 44 & 0x7ffff),
                             .offset = (page->key & (UINT64_C(0xfffffffffff))) * SHADOW_PAGE};
}

static struct shadow_page **
page_bucket(const struct race *race, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    return &race->pages[(hash >> 32) & (race->pages_cap - 1)];
}

static void
pages_rehash(struct race *race)
{
    struct shadow_page **old = race->pages;
    uint64_t cap = race->pages_cap;

    race->pages_cap = 2 * cap;
    race->pages = race_alloc(race->pages_cap * sizeof *race->pages);
    memset(race->pages, 0, race->pages_cap * sizeof *race->pages);
    for (uint64_t i = 0; i < cap; i++)
        for (struct shadow_page *page = old[i], *next; page; page = next) {
            struct shadow_page **bucket = page_bucket(race, page->key);
            next = page->next;
            page->next = *bucket;
            *bucket = page;
        }
    free(old);
}

struct shadow_page *
shadow_page_find(const struct race *race, uint64_t key)
{
    for (struct shadow_page *page = *page_bucket(race, key); page; page = page->next)
        if (page->key == key)
            return page;
    return NULL;
}

struct shadow_page *
shadow_page_get(struct race *race, const struct fp_place *place)
{
    uint64_t key = shadow_page_key(place);
    if (race->last_page && race->last_page->key == key)
        return race->last_page;
    struct shadow_page *page = shadow_page_find(race, key);
    if (!page) {
        if (race->npages >= race->pages_cap)
            pages_rehash(race);
        struct shadow_page **bucket = page_bucket(race, key);
        page = race_alloc(sizeof *page);
        memset(page, 0, sizeof *page);
        page->nruns = 1;
        page->starts[1] = SHADOW_GRANULES;
        page->key = key;
        page->next = *bucket;
        *bucket = page;
        race->npages++;
        if (place->region == FP_HEAP) {
            const struct fp_block *block = fp_heap_find(race->job, place->offset);
            uint64_t base = place->offset & ~(uint64_t)(SHADOW_PAGE - 1);
            page->maybe_dead = !block || block->state != FP_BLOCK_LIVE || block->offset > base ||
                               block->offset + block->bytes < base + SHADOW_PAGE;
        }
    }
    return race->last_page = page;
}

void
shadow_page_drop(struct race *race, struct shadow_page *page)
{
    struct shadow_page **at = page_bucket(race, page->key);
    shadow_page_clear(race, page);
    while (*at != page)
        at = &(*at)->next;
    *at = page->next;
    if (race->last_page == page)
        race->last_page = NULL;
    free(page);
    race->npages--;
}

void
shadow_close(struct race *race)
{
    for (uint64_t i = 0; i < race->pages_cap; i++)
        while (race->pages[i])
            shadow_page_drop(race, race->pages[i]);
    for (uint32_t i = 0; i < race->nrecord_chunks; i++)
        free(race->records[i]);
    free(race->records);
    free(race->pages);
    free(race->more);
}
