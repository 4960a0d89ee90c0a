/* allocator.h -- where blocks of the symmetric heap go. A pure state machine over heap offsets: it touches no heap
 * memory and knows no PE, so that its decisions depend on nothing but the sequence of calls. The caller holds the lock
 * of the heap.
 *
 * The space is cut into records that cover it without gaps: live blocks, dead blocks (quarantine) and free extents.
 * There are two zones. In the page zone a block has pages of its own and a red zone of one page behind it, so that page
 * protection can guard it; in the packed zone blocks lie close together. Without checks everything is packed, has no
 * red zone, and freed space is used again at once. With checks dead blocks keep their space until none is left; then
 * the oldest gives way first.
 */
#ifndef FP_ALLOCATOR_H
#define FP_ALLOCATOR_H

#include "reference/heap/heap.h"
#include "reference/heap/startmap.h"

#define FP_HEAP_PAGE ((uint64_t)4096)

enum fp_zone { FP_ZONE_PAGE, FP_ZONE_PACKED, FP_ZONES };

struct fp_allocator_config {
    uint64_t begin, middle, end; /* page zone [begin, middle), packed zone [middle, end); multiples of a page */
    uint64_t limit;              /* on live bytes */
    uint64_t page_blocks_max;    /* live blocks in the page zone */
    bool check;
};

struct fp_allocator;

struct fp_allocator *fp_allocator_open(const struct fp_allocator_config *config);
void fp_allocator_close(struct fp_allocator *a);
/* As if it had just been opened. */
void fp_allocator_reset(struct fp_allocator *a);
/* The end of the highest block that a zone has had. */
uint64_t fp_allocator_high(const struct fp_allocator *a, enum fp_zone zone);

/* A live block of `bytes` > 0 bytes at a multiple of `align` (a power of two), or NULL. `replaces` is the live block
 * that a realloc is about to release (its bytes do not count), or NULL. */
struct fp_block *fp_allocator_take(struct fp_allocator *a, uint64_t bytes, uint64_t align,
                                   const struct fp_block *replaces);
/* Ends a live block. Its record stays to be found until its space is used again. */
void fp_allocator_release(struct fp_allocator *a, struct fp_block *block, enum fp_block_state state);
/* Changes the size of a live block where it lies; false if its span does not allow it (or the limit). Not in check
 * mode. */
bool fp_allocator_resize(struct fp_allocator *a, struct fp_block *block, uint64_t bytes);
/* Block, live or dead, whose span contains `offset`. May be called without the lock. */
struct fp_block *fp_allocator_find(const struct fp_allocator *a, uint64_t offset);
enum fp_zone fp_allocator_zone(const struct fp_allocator *a, uint64_t offset);
/* Live blocks by offset: the first whose offset is >= `offset`, or NULL. */
struct fp_block *fp_allocator_next_live(const struct fp_allocator *a, uint64_t offset);
void fp_allocator_usage(const struct fp_allocator *a, uint64_t *live, uint64_t *peak);
/* True when a block had to leave the page zone because there were too many in it. */
bool fp_allocator_crowded(const struct fp_allocator *a);

#endif
