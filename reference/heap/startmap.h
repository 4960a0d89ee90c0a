/* startmap.h -- which record of the allocator contains a heap offset, without a search.
 *
 * A heap is cut into granules of 16 bytes. The map keeps, for each granule at which a record (block or free extent)
 * begins, the record's number, and a hierarchy of bitmaps over the granules: bit i of level l + 1 says that word i of
 * level l has a bit set. The last record that begins at or before a granule is then found in at most two steps a level.
 *
 * Readers take no lock: words are read and written whole, and a reader only asks for blocks whose birth it has
 * synchronized with.
 */
#ifndef FP_STARTMAP_H
#define FP_STARTMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FP_GRANULE 16
#define FP_STARTMAP_LEVELS 7

struct fp_startmap {
    uint64_t granules;
    int levels;
    uint64_t *bits[FP_STARTMAP_LEVELS]; /* level 0 has one bit a granule; the last level is one word */
    uint32_t *record;                   /* by granule; valid where bit is set */
    void *memory;                       /* all of the above: reserved, touched only where used */
    size_t memory_bytes;
};

/* For offsets 0 .. bytes-1. 0, or -1 when address space cannot be had. */
int fp_startmap_open(struct fp_startmap *map, uint64_t bytes);
void fp_startmap_close(struct fp_startmap *map);
void fp_startmap_set(struct fp_startmap *map, uint64_t offset, uint32_t record);
void fp_startmap_clear(struct fp_startmap *map, uint64_t offset);
/* The record that begins at or last before `offset`; false if there is none. */
bool fp_startmap_find(const struct fp_startmap *map, uint64_t offset, uint32_t *record);

#endif
