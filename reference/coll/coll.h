/* coll.h -- collectives over the backend's puts, gets, signals and waits.
 *
 * The descriptor says everything; the caller has judged handle, root, strides and lengths. Every call is first
 * matched with those of the other members (reference/check/match), which also numbers it. Then enter, the algorithm,
 * leave.
 *
 * Algorithms are chosen by size (algorithms.h); results do not depend on the choice or the schedule.
 */
#ifndef FP_COLL_H
#define FP_COLL_H

#include "reference/job.h"

/* The rendezvous alone: BARRIER (the caller has quieted), SYNC, INIT, FINALIZE. */
void fp_coll_sync(struct fp_pe *pe, shmem_coll_kind_t kind, int team, const shmem_call_t *call);

/* The same for a call with arguments to be compared; numbers it. False: the job is ending, do nothing more. */
bool fp_coll_meet(struct fp_pe *pe, shmem_coll_t *c);

/* A data collective of the calling PE. Returns 0. */
int fp_coll_data(struct fp_pe *pe, shmem_coll_t *c);

#endif
