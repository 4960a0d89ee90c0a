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

#define FP_AREA_SETS 64
#define FP_AREA_FEW 16                   /* as many sets as a block of any size may have: twice its bytes */
#define FP_AREA_SMALL ((size_t)32 << 20) /* and more, while together they have no more bytes */
#define FP_AREA_GRANULE 8                /* bytes of memory for one of a set */
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

/* Bits of one granule, or of two. */
static inline unsigned
fp_area_bits(const unsigned char *bits, bool two)
{
    return two ? bits[0] | (unsigned)bits[1] << 8 : bits[0];
}

static inline unsigned
fp_area_stored(const struct fp_area *area, size_t granule, bool two)
{
    unsigned stored = 0;
    for (unsigned i = 0; i < area->nstores; i++)
        stored |= fp_area_bits(area->stored[i] + granule, two);
    return stored;
}

static inline void
fp_set_add(struct fp_set *set, size_t granule, unsigned bits, bool two)
{
    set->bits[granule] = (unsigned char)bits;
    set->pages[granule / FP_AREA_PAGE_BITS] = 1;
    if (two) {
        set->bits[granule + 1] = (unsigned char)(bits >> 8);
        set->pages[(granule + 1) / FP_AREA_PAGE_BITS] = 1;
    }
}

static inline uint64_t
fp_area_word(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* All bits of n bytes. */
static inline bool
fp_area_all(const unsigned char *bits, size_t n)
{
    size_t i = 0;
    for (; i + 32 <= n; i += 32)
        if ((fp_area_word(bits + i) & fp_area_word(bits + i + 8) & fp_area_word(bits + i + 16) &
             fp_area_word(bits + i + 24)) != ~UINT64_C(0))
            return false;
    while (i < n && bits[i] == 0xff)
        i++;
    return i == n;
}

/* All of a range, in whatever order and condition. True: some of it is new to the set. */
bool fp_set_take_range(struct fp_set *set, const char *at, size_t bytes);
/* The set of an instruction, made where there is none; NULL: there is no room for another. */
struct fp_set *fp_area_set(struct fp_area *area, uintptr_t key, size_t grain, bool write, const char *name,
                           const void *site);
void fp_area_free(struct fp_area *area);

#endif
