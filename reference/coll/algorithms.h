/* algorithms.h -- one function a collective; each runs between coll_enter and coll_leave of the calling member. */
#ifndef FP_ALGORITHMS_H
#define FP_ALGORITHMS_H

#include "reference/coll/channel.h"

void fp_coll_broadcast(struct fp_channel *channel);
void fp_coll_collect(struct fp_channel *channel);
void fp_coll_fcollect(struct fp_channel *channel);
void fp_coll_alltoall(struct fp_channel *channel);
void fp_coll_alltoalls(struct fp_channel *channel);
void fp_coll_reduce(struct fp_channel *channel);
void fp_coll_scan(struct fp_channel *channel);

/* accumulator[i] = accumulator[i] (op) operand[i]. The only place where types have arithmetic.
 * reference/coll/arithmetic.c. */
void fp_arithmetic(shmem_reduce_t op, shmem_type_t type, void *accumulator, const void *operand, size_t nelems);

#endif
