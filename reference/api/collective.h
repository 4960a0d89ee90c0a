/* collective.h -- what the entries of team collectives and of active sets have in common. */
#ifndef FP_COLLECTIVE_H
#define FP_COLLECTIVE_H

#include "reference/job.h"

/* Root, strides (in elements) and lengths of a call whose team is known. False after a finding. */
bool fp_coll_judged(struct fp_pe *pe, const shmem_coll_t *c, bool is_strided, ptrdiff_t dst, ptrdiff_t sst);

#endif
