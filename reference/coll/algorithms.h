/* algorithms.h -- the ways to do a collective; each runs between coll_enter and coll_leave of the calling member.
 *
 * coll.c chooses one by the size of the team and of the data, which are equal on all members. Any of them is right for
 * any team; results do not depend on the choice, nor on the schedule: reductions that are not exact (floating) are
 * always made from left to right. Every signal that a member sends is awaited by its receiver in the same call. */
#ifndef FP_ALGORITHMS_H
#define FP_ALGORITHMS_H

#include "reference/coll/channel.h"

void fp_broadcast_linear(struct fp_channel *channel);
void fp_broadcast_tree(struct fp_channel *channel);
void fp_collect_linear(struct fp_channel *channel);
void fp_fcollect_linear(struct fp_channel *channel);
void fp_fcollect_ring(struct fp_channel *channel);
void fp_fcollect_doubling(struct fp_channel *channel); /* the size is a power of two */
void fp_alltoall_pairs(struct fp_channel *channel);
void fp_alltoalls_pairs(struct fp_channel *channel);
void fp_reduce_linear(struct fp_channel *channel);
void fp_reduce_tree(struct fp_channel *channel); /* the operation is exact */
void fp_scan_linear(struct fp_channel *channel);

/* accumulator[i] = accumulator[i] (op) operand[i]. The only place where types have arithmetic.
 * reference/coll/arithmetic.c. */
void fp_arithmetic(shmem_reduce_t op, shmem_type_t type, void *accumulator, const void *operand, size_t nelems);
/* Equal bits whatever the order: integers, which wrap. Floating types round, and have NaN and two zeros. */
bool fp_arithmetic_exact(shmem_type_t type);

#endif
