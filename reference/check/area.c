/* area.c -- sets of bytes are made, and ranges go into them: see area.h. */
#include "reference/check/area.h"

#include <stdlib.h>

#include "reference/job.h"

static void *
zeroed(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (!memory)
        fp_env_fail("out of memory for plain accesses: run fewer PEs, or without -fsanitize=shmem");
    return memory;
}

static size_t
room(const struct fp_area *area)
{
    return area->npages * FP_AREA_PAGE_BITS;
}

struct fp_set *
fp_area_set(struct fp_area *area, uintptr_t key, size_t grain, bool write, const char *name, const void *site)
{
    for (unsigned i = 0; i < area->nsets; i++)
        if (area->sets[i].key == key)
            return &area->sets[i];
    if (area->nsets == FP_AREA_SETS || (area->nsets >= FP_AREA_FEW && area->nsets * room(area) > FP_AREA_SMALL))
        return NULL;
    struct fp_set *set = &area->sets[area->nsets++];
    if (area->nsets > area->nmade) {
        set->bits = zeroed(room(area));
        set->pages = zeroed(area->npages);
        area->nmade = area->nsets;
    }
    set->area = area;
    set->key = key;
    set->grain = grain;
    set->write = write;
    set->name = name;
    set->site = site;
    if (write)
        area->stored[area->nstores++] = set->bits;
    return set;
}

void
fp_area_free(struct fp_area *area)
{
    for (unsigned i = 0; i < area->nmade; i++) {
        free(area->sets[i].bits);
        free(area->sets[i].late);
        free(area->sets[i].pages);
    }
    free(area);
}

/* What is set in `late` of bits that are stored now. */
static void
forget_late(struct fp_area *area, size_t granule, unsigned mask)
{
    for (unsigned i = 0; i < area->nsets; i++)
        if (area->sets[i].late)
            area->sets[i].late[granule] &= (unsigned char)~mask;
}

static bool
take_granule(struct fp_set *set, size_t granule, unsigned mask)
{
    struct fp_area *area = set->area;
    unsigned had = set->bits[granule];
    set->pages[granule / FP_AREA_PAGE_BITS] = 1;
    if (set->write) {
        if (area->late)
            forget_late(area, granule, mask);
        set->bits[granule] |= (unsigned char)mask;
        return mask & ~had;
    }
    unsigned late = 0;
    for (unsigned i = 0; i < area->nstores; i++)
        late |= area->stored[i][granule];
    late &= mask & ~had; /* what the instruction loaded before it was stored as well is not told twice */
    set->bits[granule] |= (unsigned char)(mask & ~late);
    if (!late)
        return mask & ~had;
    if (!set->late)
        set->late = zeroed(room(area));
    late &= ~(unsigned)set->late[granule];
    set->late[granule] |= (unsigned char)late;
    area->late = true;
    return (mask & ~had & ~late) || late;
}

/* Some bit of n bytes is set in `a` and not in `b`. */
static bool
exceeds(const unsigned char *a, const unsigned char *b, size_t n)
{
    uint64_t more = 0;
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        more |= fp_area_word(a + i) & ~fp_area_word(b + i);
    for (; i < n; i++)
        more |= a[i] & ~(unsigned)b[i];
    return more != 0;
}

/* Whole granules, where nothing but the set's own bits is concerned. */
static bool
take_whole(struct fp_set *set, size_t granule, size_t end, bool *new)
{
    struct fp_area *area = set->area;
    unsigned char *bits = set->bits + granule;
    size_t n = end - granule;
    if (set->write && area->late)
        return false;
    for (unsigned i = 0; !set->write && i < area->nstores; i++)
        if (exceeds(area->stored[i] + granule, bits, n))
            return false;
    if (fp_area_all(bits, n))
        return true;
    *new = true;
    memset(bits, 0xff, n);
    for (size_t page = granule / FP_AREA_PAGE_BITS; page <= (end - 1) / FP_AREA_PAGE_BITS; page++)
        set->pages[page] = 1;
    return true;
}

bool
fp_set_take_range(struct fp_set *set, const char *at, size_t bytes)
{
    size_t from = (size_t)(at - set->area->base), to = from + bytes;
    size_t granule = from / FP_AREA_GRANULE, end = (to + FP_AREA_GRANULE - 1) / FP_AREA_GRANULE;
    size_t whole = to / FP_AREA_GRANULE;
    bool new = false;
    if (from % FP_AREA_GRANULE || granule == whole) {
        unsigned mask = 0xffu << from % FP_AREA_GRANULE & 0xffu;
        if (granule == whole)
            mask &= 0xffu >> (FP_AREA_GRANULE - to % FP_AREA_GRANULE);
        new |= take_granule(set, granule++, mask);
    }
    if (granule < whole && take_whole(set, granule, whole, &new))
        granule = whole;
    while (granule < whole)
        new |= take_granule(set, granule++, 0xff);
    if (granule < end)
        new |= take_granule(set, granule, 0xffu >> (FP_AREA_GRANULE - to % FP_AREA_GRANULE));
    return new;
}
