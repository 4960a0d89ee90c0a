/* match_rules.c -- which arguments of a collective must be equal on all members (semantics 1.15, 3.1). */
#include <string.h>

#include "reference/check/match.h"

enum must_equal {
    MUST_BYTES = 1, /* size of an allocation: count and element size separately */
    MUST_ALIGN = 2,
    MUST_HINTS = 4,
    MUST_OPERATION = 8, /* type and reduction */
    MUST_NELEMS = 16,
    MUST_ROOT = 32,
    MUST_STRIDE = 64,
    MUST_DEST = 128,
    MUST_SOURCE = 256,
    MUST_SPLIT = 512,
    MUST_DATA = MUST_OPERATION | MUST_DEST | MUST_SOURCE,
};

static const unsigned must_be_equal[SHMEM_COLL_COUNT] = {
    [SHMEM_COLL_MALLOC] = MUST_BYTES | MUST_HINTS,
    [SHMEM_COLL_CALLOC] = MUST_BYTES,
    [SHMEM_COLL_ALIGN] = MUST_BYTES | MUST_ALIGN,
    [SHMEM_COLL_REALLOC] = MUST_BYTES | MUST_DEST,
    [SHMEM_COLL_FREE] = MUST_DEST,
    [SHMEM_COLL_BROADCAST] = MUST_DATA | MUST_NELEMS | MUST_ROOT,
    [SHMEM_COLL_REDUCE] = MUST_DATA | MUST_NELEMS,
    [SHMEM_COLL_SCAN] = MUST_DATA | MUST_NELEMS,
    [SHMEM_COLL_COLLECT] = MUST_DATA,
    [SHMEM_COLL_FCOLLECT] = MUST_DATA | MUST_NELEMS,
    [SHMEM_COLL_ALLTOALL] = MUST_DATA | MUST_NELEMS,
    [SHMEM_COLL_ALLTOALLS] = MUST_DATA | MUST_NELEMS | MUST_STRIDE,
    [SHMEM_COLL_TEAM_SPLIT] = MUST_SPLIT,
};

/* The width types are names of other types: shmem_int32_ and shmem_int_ are one. */
static shmem_type_t
one_name(shmem_type_t type)
{
    switch (type) {
    case SHMEM_TYPE_int8:
        return SHMEM_TYPE_schar;
    case SHMEM_TYPE_int16:
        return SHMEM_TYPE_short;
    case SHMEM_TYPE_int32:
        return SHMEM_TYPE_int;
    case SHMEM_TYPE_int64:
    case SHMEM_TYPE_ptrdiff:
        return SHMEM_TYPE_long;
    case SHMEM_TYPE_uint8:
        return SHMEM_TYPE_uchar;
    case SHMEM_TYPE_uint16:
        return SHMEM_TYPE_ushort;
    case SHMEM_TYPE_uint32:
        return SHMEM_TYPE_uint;
    case SHMEM_TYPE_uint64:
    case SHMEM_TYPE_size:
        return SHMEM_TYPE_ulong;
    default:
        return type;
    }
}

/* An address that is not symmetric is another rule's matter. */
static bool
places_differ(const struct fp_place *a, const struct fp_place *b)
{
    return a->region != FP_PRIVATE && b->region != FP_PRIVATE && (a->region != b->region || a->offset != b->offset);
}

enum fp_match_difference
fp_match_difference(const struct fp_match_call *a, const struct fp_match_call *b)
{
    const shmem_coll_t *x = &a->c, *y = &b->c;
    if (x->kind != y->kind)
        return FP_MATCH_KIND;
    unsigned must = must_be_equal[x->kind];
    bool moves = x->nelems && y->nelems; /* pointers of a call that moves nothing are not looked at */
    if (must & MUST_OPERATION && (one_name(x->type) != one_name(y->type) || x->elem_bytes != y->elem_bytes ||
                                  (x->kind == SHMEM_COLL_REDUCE && x->reduce != y->reduce) ||
                                  (x->kind == SHMEM_COLL_SCAN && x->exclusive != y->exclusive)))
        return FP_MATCH_OPERATION;
    if (must & MUST_BYTES && (x->nelems != y->nelems || x->elem_bytes != y->elem_bytes))
        return FP_MATCH_BYTES;
    if (must & MUST_ALIGN && x->align != y->align)
        return FP_MATCH_ALIGN;
    if (must & MUST_HINTS && x->hints != y->hints)
        return FP_MATCH_HINTS;
    if (must & MUST_NELEMS && x->nelems != y->nelems)
        return FP_MATCH_NELEMS;
    if (must & MUST_ROOT && x->root != y->root)
        return FP_MATCH_ROOT;
    if (must & MUST_STRIDE && (x->dest_step != y->dest_step || x->source_step != y->source_step))
        return FP_MATCH_STRIDE;
    if (must & MUST_DEST && (moves || x->kind == SHMEM_COLL_FREE || x->kind == SHMEM_COLL_REALLOC) &&
        places_differ(&a->dest, &b->dest))
        return FP_MATCH_DEST;
    if (must & MUST_SOURCE && moves && places_differ(&a->source, &b->source))
        return FP_MATCH_SOURCE;
    if (must & MUST_SPLIT && (x->hints != y->hints || x->root != y->root || x->dest_step != y->dest_step ||
                              x->source_step != y->source_step))
        return FP_MATCH_SPLIT;
    if (places_differ(&a->psync, &b->psync))
        return FP_MATCH_PSYNC;
    if (moves && places_differ(&a->pwrk, &b->pwrk))
        return FP_MATCH_PWRK;
    return FP_MATCH_EQUAL;
}

bool
fp_match_same(const struct fp_match_group *a, const struct fp_match_group *b)
{
    return a->site == b->site && a->call.kind_count == b->call.kind_count && a->call.c.nelems == b->call.c.nelems &&
           strcmp(a->call.c.call.name, b->call.c.call.name) == 0 &&
           fp_match_difference(&a->call, &b->call) == FP_MATCH_EQUAL;
}
