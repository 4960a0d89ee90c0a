/* compare.c -- one comparison for each type that can be waited for; equal and less are enough for the six operators. */
#include <string.h>

#include "reference/api/compare.h"

#include "reference/job.h"
#include "shmem.h"

bool
fp_compare(shmem_type_t type, int cmp, const void *seen, const void *wanted)
{
    bool equal, less;

    switch (type) {
#define TYPE(name, ctype)                                                                                              \
    case SHMEM_TYPE_##name: {                                                                                          \
        ctype a, b; /* copies: what an observer kept of a value lies anywhere */                                       \
        memcpy(&a, seen, sizeof a);                                                                                    \
        memcpy(&b, wanted, sizeof b);                                                                                  \
        equal = a == b;                                                                                                \
        less = a < b;                                                                                                  \
        break;                                                                                                         \
    }
        SHMEM_P2P_TYPES(TYPE)
        SHMEM_P2P_DEPRECATED_TYPES(TYPE)
#undef TYPE
    default:
        FP_BUG("type %d cannot be waited for", (int)type);
    }
    switch (cmp) {
    case SHMEM_CMP_EQ:
        return equal;
    case SHMEM_CMP_NE:
        return !equal;
    case SHMEM_CMP_LT:
        return less;
    case SHMEM_CMP_LE:
        return less || equal;
    case SHMEM_CMP_GT:
        return !less && !equal;
    case SHMEM_CMP_GE:
        return !less;
    default:
        FP_BUG("no such comparison: %d", cmp);
    }
}
