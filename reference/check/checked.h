/* checked.h -- between the files of the checked table. */
#ifndef FP_CHECKED_H
#define FP_CHECKED_H

#include "reference/check/address.h"

struct fp_psync_use;

/* A buffer that has to be symmetric and aligned to its type. True: it may be touched. */
bool fp_symmetric_fine(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call);
bool fp_ranges_meet(const void *a, size_t a_bytes, const void *b, size_t b_bytes);

/* checked_coll.c: the buffers of a data collective at this PE. False: a fault that forbids the call. */
bool fp_collective_fine(struct fp_pe *pe, const shmem_coll_t *c);
/* psync.c: pSync and pWrk of a call on an active set, while the PE is inside. False: a fault that forbids the call. */
bool fp_psync_enter(struct fp_pe *pe, const shmem_coll_t *c);
void fp_psync_leave(struct fp_pe *pe, const shmem_coll_t *c);
void fp_psync_free(struct fp_psync_use *uses);
/* A collect whose members together have `bytes`: is dest large enough (E126)? */
bool fp_collect_fine(struct fp_pe *pe, const shmem_coll_t *c, size_t bytes);

#endif
