/* compare.h -- the six comparisons of wait and test, by type. */
#ifndef FP_COMPARE_H
#define FP_COMPARE_H

#include <stdbool.h>

#include "shmem_types.h"

/* *seen cmp *wanted, both of `type` (a point-to-point type). Precondition: cmp is one of SHMEM_CMP_*. */
bool fp_compare(shmem_type_t type, int cmp, const void *seen, const void *wanted);

#endif
