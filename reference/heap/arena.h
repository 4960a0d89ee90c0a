/* arena.h -- the address space of all heaps, and which pages of it may be touched.
 *
 * One reservation, nothing of it accessible at first: PE i's heap is [arena + i * stride, + stride), the stride a power
 * of two, and the arena begins at a multiple of it (up to a point), so that equal offsets have equal alignment on all
 * PEs. The last page of a heap is never used: an overrun does not reach the next PE.
 *
 * Where the heaps are memory that the CPU may not touch (shmem_backend.h), the backend has the address space and the
 * memory, and nothing is guarded. The library's own part of each heap is then ordinary memory elsewhere.
 *
 * Pages become accessible when a block is born on them (page zone), or zone by zone (packed zone). Each accessible
 * piece costs the kernel two mappings of a limited number (vm.max_map_count), so the number of blocks that are guarded
 * this way is bounded when the arena is opened, and with very many PEs nothing is guarded: the arena is "flat",
 * accessible as a whole.
 */
#ifndef FP_ARENA_H
#define FP_ARENA_H

#include "reference/heap/allocator.h"

struct fp_arena {
    struct fp_job *job;
    char *reserved; /* the mapping; the arena proper is aligned inside it */
    size_t reserved_bytes;
    bool flat;
    uint64_t page_blocks_max; /* live blocks that may have pages of their own */
    uint64_t packed_begin, packed_end;
    unsigned char *packed_open; /* by PE: its packed zone is accessible */
};

/* Sets job->arena, stride and stride_shift and each PE's heap_base. 0, or -1 when no address space can be had. */
int fp_arena_open(struct fp_arena *arena, struct fp_job *job);
void fp_arena_close(struct fp_arena *arena);
/* Tells where the packed zone of each heap lies. Without checks it is opened at once. */
void fp_arena_set_packed(struct fp_arena *arena, uint64_t begin, uint64_t end);

/* PE `pe`'s copy of a block becomes accessible; contents are zero where the pages are new. */
void fp_arena_block_open(struct fp_arena *arena, struct fp_pe *pe, const struct fp_block *block, enum fp_zone zone);
/* PE `pe`'s copy of a dead block goes: pages of its own become inaccessible and their memory is given back. */
void fp_arena_block_close(struct fp_arena *arena, struct fp_pe *pe, const struct fp_block *block, enum fp_zone zone);
/* Makes the pages that hold [offset, offset + bytes) of PE `pe`'s heap accessible, whatever they are. False: cannot be
 * done. */
bool fp_arena_expose(struct fp_arena *arena, const struct fp_pe *pe, uint64_t offset, uint64_t bytes);

#endif
