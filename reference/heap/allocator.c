/* allocator.c -- see allocator.h.
 *
 * Free extents hang in lists by size class (the position of the highest bit of their span), last freed first; the
 * classes are tried upward, so the choice is deterministic and near best fit. Neighbours of an extent are found through
 * the start map, which knows every record, and are merged with it. Dead blocks hang in a queue, oldest first.
 */
#include "reference/heap/allocator.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define RECORDS_MAX (UINT32_C(1) << 24)
#define CLASSES 64
#define RED_ZONE_PACKED 32

/* A piece of the space. Record 0 is never used, so that 0 can end a list. */
struct record {
    struct fp_block block; /* must be first: callers hold the block */
    bool space;            /* a free extent: only offset and span of the block count */
    uint8_t zone;
    uint32_t next, prev; /* in the list of a size class, or (next alone) in the quarantine, or among unused records */
};

struct zone {
    uint64_t begin, end;
    uint32_t classes[CLASSES];
    uint32_t oldest_dead, newest_dead;
    uint64_t live_blocks;
    uint64_t high; /* end of the highest block so far */
};

struct fp_allocator {
    struct fp_allocator_config config;
    struct zone zones[FP_ZONES];
    struct fp_startmap starts;
    struct record *records; /* reserved for RECORDS_MAX, touched as used */
    uint32_t used, unused_list;
    uint64_t next_id, live, peak;
    bool crowded;
};

static uint64_t
round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) & ~(to - 1);
}

static uint32_t
number_of(const struct fp_allocator *a, const struct record *r)
{
    return (uint32_t)(r - a->records);
}

static int
class_of(uint64_t span)
{
    return 63 - __builtin_clzll(span);
}

static struct record *
record_new(struct fp_allocator *a, enum fp_zone zone, uint64_t offset, uint64_t span)
{
    uint32_t n = a->unused_list;
    if (n)
        a->unused_list = a->records[n].next;
    else if (a->used + 1 < RECORDS_MAX)
        n = ++a->used;
    else
        return NULL;
    struct record *r = &a->records[n];
    *r = (struct record){.block = {.offset = offset, .span = span}, .zone = (uint8_t)zone};
    fp_startmap_set(&a->starts, offset, n);
    return r;
}

static void
record_drop(struct fp_allocator *a, struct record *r)
{
    fp_startmap_clear(&a->starts, r->block.offset);
    r->next = a->unused_list;
    a->unused_list = number_of(a, r);
}

static void
space_link(struct fp_allocator *a, struct record *r)
{
    uint32_t *head = &a->zones[r->zone].classes[class_of(r->block.span)];
    r->space = true;
    r->prev = 0;
    r->next = *head;
    if (*head)
        a->records[*head].prev = number_of(a, r);
    *head = number_of(a, r);
}

static void
space_unlink(struct fp_allocator *a, struct record *r)
{
    if (r->prev)
        a->records[r->prev].next = r->next;
    else
        a->zones[r->zone].classes[class_of(r->block.span)] = r->next;
    if (r->next)
        a->records[r->next].prev = r->prev;
    r->space = false;
}

/* The record that contains an offset; every offset of a zone has one. */
static struct record *
record_at(const struct fp_allocator *a, uint64_t offset)
{
    uint32_t n;
    if (!fp_startmap_find(&a->starts, offset, &n))
        return NULL;
    struct record *r = &a->records[n];
    return offset - r->block.offset < r->block.span ? r : NULL;
}

/* Makes a record free space again, merged with the free space on both sides. */
static void
space_return(struct fp_allocator *a, struct record *r)
{
    const struct zone *z = &a->zones[r->zone];
    uint64_t end = r->block.offset + r->block.span;
    struct record *right = end < z->end ? record_at(a, end) : NULL;
    struct record *left = r->block.offset > z->begin ? record_at(a, r->block.offset - 1) : NULL;
    if (right && right->space) {
        space_unlink(a, right);
        r->block.span += right->block.span;
        record_drop(a, right);
    }
    if (left && left->space) {
        space_unlink(a, left);
        left->block.span += r->block.span;
        record_drop(a, r);
        r = left;
    }
    space_link(a, r);
}

static void
zones_make(struct fp_allocator *a)
{
    const struct fp_allocator_config *config = &a->config;
    a->zones[FP_ZONE_PAGE].begin = config->begin;
    a->zones[FP_ZONE_PAGE].end = a->zones[FP_ZONE_PACKED].begin = config->middle;
    a->zones[FP_ZONE_PACKED].end = config->end;
    for (int z = 0; z < FP_ZONES; z++) {
        a->zones[z].high = a->zones[z].begin;
        if (a->zones[z].end > a->zones[z].begin)
            space_link(a, record_new(a, z, a->zones[z].begin, a->zones[z].end - a->zones[z].begin));
    }
}

void
fp_allocator_reset(struct fp_allocator *a)
{
    for (uint32_t n = 1; n <= a->used; n++)
        fp_startmap_clear(&a->starts, a->records[n].block.offset);
    memset(a->zones, 0, sizeof a->zones);
    a->used = a->unused_list = 0;
    a->next_id = a->live = a->peak = 0;
    a->crowded = false;
    zones_make(a);
}

uint64_t
fp_allocator_high(const struct fp_allocator *a, enum fp_zone zone)
{
    return a->zones[zone].high;
}

struct fp_allocator *
fp_allocator_open(const struct fp_allocator_config *config)
{
    struct fp_allocator *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->config = *config;
    a->records = mmap(NULL, sizeof(struct record) * RECORDS_MAX, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (a->records == MAP_FAILED || fp_startmap_open(&a->starts, config->end) != 0) {
        if (a->records != MAP_FAILED)
            munmap(a->records, sizeof(struct record) * RECORDS_MAX);
        free(a);
        return NULL;
    }
    zones_make(a);
    return a;
}

void
fp_allocator_close(struct fp_allocator *a)
{
    fp_startmap_close(&a->starts);
    munmap(a->records, sizeof(struct record) * RECORDS_MAX);
    free(a);
}

/* Cuts [offset, offset + span) out of a free extent. NULL (nothing done) when records have run out. */
static struct record *
space_carve(struct fp_allocator *a, struct record *extent, uint64_t offset, uint64_t span)
{
    uint64_t front = offset - extent->block.offset, back = extent->block.span - front - span;
    struct record *head = NULL, *tail = NULL;
    /* The extent's own record becomes the block's; head and tail need new ones, and a record registers where it starts.
     */
    if (back && !(tail = record_new(a, extent->zone, offset + span, back)))
        return NULL;
    if (front) {
        head = extent;
        extent = record_new(a, head->zone, offset, span);
        if (!extent) {
            if (tail)
                record_drop(a, tail);
            return NULL;
        }
        space_unlink(a, head);
        head->block.span = front;
        space_link(a, head);
    } else {
        space_unlink(a, extent);
        extent->block.span = span;
    }
    if (tail)
        space_link(a, tail);
    return extent;
}

static struct record *
space_find(struct fp_allocator *a, enum fp_zone zone, uint64_t span, uint64_t align)
{
    for (int c = class_of(span); c < CLASSES; c++)
        for (uint32_t n = a->zones[zone].classes[c]; n; n = a->records[n].next) {
            struct record *r = &a->records[n];
            uint64_t start = round_up(r->block.offset, align), end = r->block.offset + r->block.span;
            if (start >= r->block.offset && start < end && end - start >= span)
                return space_carve(a, r, start, span);
        }
    return NULL;
}

/* The block that has been dead longest gives its space back. False when none is left. */
static bool
evict_oldest(struct fp_allocator *a, enum fp_zone zone)
{
    struct zone *z = &a->zones[zone];
    if (!z->oldest_dead)
        return false;
    struct record *r = &a->records[z->oldest_dead];
    z->oldest_dead = r->next;
    if (!z->oldest_dead)
        z->newest_dead = 0;
    space_return(a, r);
    return true;
}

static struct record *
take_in_zone(struct fp_allocator *a, enum fp_zone zone, uint64_t bytes, uint64_t align)
{
    uint64_t least = bytes >= 64 ? 64 : 16, span = round_up(bytes, FP_GRANULE);
    if (zone == FP_ZONE_PAGE) {
        least = FP_HEAP_PAGE;
        span = round_up(bytes, FP_HEAP_PAGE) + FP_HEAP_PAGE;
    } else if (a->config.check)
        span += RED_ZONE_PACKED;
    if (align < least)
        align = least;
    const struct zone *z = &a->zones[zone];
    uint64_t start = round_up(z->begin, align);
    if (start < z->begin || start >= z->end || z->end - start < span)
        return NULL; /* would not fit if the zone were empty: leave the quarantine alone */
    struct record *r;
    while (!(r = space_find(a, zone, span, align)))
        if (!evict_oldest(a, zone))
            return NULL;
    return r;
}

struct fp_block *
fp_allocator_take(struct fp_allocator *a, uint64_t bytes, uint64_t align, const struct fp_block *replaces)
{
    uint64_t held = a->live - (replaces ? replaces->bytes : 0);
    if (bytes > a->config.limit || held > a->config.limit - bytes)
        return NULL;
    struct record *r = NULL;
    if (a->config.check) {
        if (a->zones[FP_ZONE_PAGE].live_blocks < a->config.page_blocks_max)
            r = take_in_zone(a, FP_ZONE_PAGE, bytes, align);
        if (!r)
            a->crowded = true;
    }
    if (!r)
        r = take_in_zone(a, FP_ZONE_PACKED, bytes, align);
    if (!r)
        return NULL;
    struct zone *z = &a->zones[r->zone];
    z->live_blocks++;
    if (r->block.offset + r->block.span > z->high)
        z->high = r->block.offset + r->block.span;
    r->block.bytes = bytes;
    r->block.id = ++a->next_id;
    r->block.state = FP_BLOCK_LIVE;
    a->live += bytes;
    if (held + bytes > a->peak)
        a->peak = held + bytes;
    return &r->block;
}

void
fp_allocator_release(struct fp_allocator *a, struct fp_block *block, enum fp_block_state state)
{
    struct record *r = (struct record *)block;
    struct zone *z = &a->zones[r->zone];
    FP_ASSERT(block->state == FP_BLOCK_LIVE);
    FP_ASSERT(state != FP_BLOCK_LIVE);
    block->state = state;
    a->live -= block->bytes;
    z->live_blocks--;
    if (!a->config.check) {
        space_return(a, r);
        return;
    }
    r->next = 0;
    if (z->newest_dead)
        a->records[z->newest_dead].next = number_of(a, r);
    else
        z->oldest_dead = number_of(a, r);
    z->newest_dead = number_of(a, r);
}

bool
fp_allocator_resize(struct fp_allocator *a, struct fp_block *block, uint64_t bytes)
{
    uint64_t held = a->live - block->bytes;
    if (a->config.check || bytes > block->span || bytes > a->config.limit || held > a->config.limit - bytes)
        return false;
    block->bytes = bytes;
    a->live = held + bytes;
    if (a->live > a->peak)
        a->peak = a->live;
    return true;
}

struct fp_block *
fp_allocator_find(const struct fp_allocator *a, uint64_t offset)
{
    struct record *r = record_at(a, offset);
    return r && !r->space ? &r->block : NULL;
}

enum fp_zone
fp_allocator_zone(const struct fp_allocator *a, uint64_t offset)
{
    return offset < a->config.middle ? FP_ZONE_PAGE : FP_ZONE_PACKED;
}

struct fp_block *
fp_allocator_next_live(const struct fp_allocator *a, uint64_t offset)
{
    if (offset < a->config.begin)
        offset = a->config.begin;
    while (offset < a->config.end) {
        struct record *r = record_at(a, offset);
        if (!r->space && r->block.state == FP_BLOCK_LIVE && r->block.offset >= offset)
            return &r->block;
        offset = r->block.offset + r->block.span;
    }
    return NULL;
}

void
fp_allocator_usage(const struct fp_allocator *a, uint64_t *live, uint64_t *peak)
{
    *live = a->live;
    *peak = a->peak;
}

bool
fp_allocator_crowded(const struct fp_allocator *a)
{
    return a->crowded;
}
