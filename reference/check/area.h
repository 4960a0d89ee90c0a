/* area.h -- what instructions that jump about have touched of one block, one bit a byte.
 *
 * A stream (hooks.h) stands for adjacent bytes. A loop that reads a table at random, or row after row with something in
 * between, would open one for each of its accesses. Where a backend sees that, it opens an area: a block, or the static
 * segment, with a set of bytes for each instruction that touches it, until it has told all of them. A set takes what it
 * has taken before for nothing.
 *
 * The order of one PE's accesses counts where a byte is stored: a load tells nothing new beside a later store of the
 * same PE, but stays beside an earlier one. So a load of bytes that any set of stores has goes to a second set of its
 * instruction, `late`; a store takes bytes out of those again. Sets are told in the order: loads, stores, late loads.
 */
#ifndef FP_AREA_H
#define FP_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FP_AREA_SETS 16
#define FP_AREA_GRANULE 8 /* bytes of memory for one of a set */
#define FP_AREA_PAGE 4096
#define FP_AREA_PAGE_BITS (FP_AREA_PAGE / FP_AREA_GRANULE) /* bytes of a set for one page */

struct fp_area;

struct fp_set {
    struct fp_area *area;
    unsigned char *bits;  /* bit i of byte g: byte 8 g + i of the area has been touched */
    unsigned char *late;  /* loads: after a store; or NULL */
    unsigned char *pages; /* by page: there may be some in it */
    bool write;
    uintptr_t key; /* fp_stream_key */
    size_t grain;  /* bytes of each access */
    const void *site;
    const char *name;
};

/* Bytes of a set begin with the page in which the block does; sets of stores are listed a second time. */
struct fp_area {
    const char *base;
    uintptr_t lo; /* the block */
    size_t bytes;
    size_t last;   /* below this offset in the block a granule's accesses do not leave it */
    size_t npages; /* room of the sets that have been made */
    unsigned nsets, nmade, nstores;
    bool late; /* some set has late loads */
    const unsigned char *stored[FP_AREA_SETS];
    struct fp_set sets[FP_AREA_SETS];
};

static inline unsigned
fp_area_stored(const struct fp_area *area, size_t granule)
{
    unsigned stored = 0;
    for (unsigned i = 0; i < area->nstores; i++)
        stored |= area->stored[i][granule];
    return stored;
}

/* All of a range, in whatever order and condition. True: some of it is new to the set. */
bool fp_set_take_range(struct fp_set *set, const char *at, size_t bytes);
/* The set of an instruction, made where there is none; NULL: there is no room for another. */
struct fp_set *fp_area_set(struct fp_area *area, uintptr_t key, size_t grain, bool write, const char *name,
                           const void *site);
void fp_area_free(struct fp_area *area);

#endif
