/* channel.h -- what the algorithms of collectives are made of: pushes, pulls and signals between members of a team.
 *
 * Each PE has one 64-bit signal for each member that can send to it, in the library's own part of the heap. A sender
 * sets it to a stamp that grows with each collective of the team and with each phase inside one; the receiver waits
 * until it is at least the stamp it expects. A later stamp must not arrive before what an earlier one promised, so
 * every phase of sending begins with a fence on the library's context. A fence, not a quiet: a member may leave while
 * its pushes are still under way, as the specification allows, and no order is invented that would hide a race of the
 * program.
 */
#ifndef FP_CHANNEL_H
#define FP_CHANNEL_H

#include "reference/job.h"

struct fp_channel {
    struct fp_pe *pe;
    const shmem_coll_t *coll;
    int rank, size; /* of the caller, of the team */
    size_t signals; /* the team's first word in the pool, and what its stamps begin with */
    uint64_t stamp;
    unsigned phase;
};

enum { FP_CHANNEL_PHASES_MAX = 1 << 24, FP_CHANNEL_SCRATCH_BYTES = 32768 };

struct fp_channel fp_channel_open(struct fp_pe *pe, const shmem_coll_t *coll);
/* Before the first send of a phase. Phases are numbered alike by all members. */
void fp_channel_phase(struct fp_channel *channel, unsigned phase);
/* Writes bytes to `dest` at member `rank`. With send: the signal follows, so that the receiver sees both. bytes may
 * be 0. */
void fp_channel_push(struct fp_channel *channel, int rank, void *dest, const void *source, size_t bytes);
void fp_channel_push_send(struct fp_channel *channel, int rank, void *dest, const void *source, size_t bytes);
/* nblocks blocks of block_bytes bytes, steps in bytes. */
void fp_channel_push_blocks(struct fp_channel *channel, int rank, void *dest, const void *source, size_t block_bytes,
                            size_t nblocks, ptrdiff_t dest_step, ptrdiff_t source_step);
/* Reads whole elements from `source` at member `rank` into the library's own memory; or one word of the library's. */
void fp_channel_pull(struct fp_channel *channel, int rank, void *dest, const void *source, size_t bytes);
void fp_channel_pull_word(struct fp_channel *channel, int rank, uint64_t *dest, const uint64_t *source);
/* Memory of the caller in the library's heap, which other members can pull; one collective at a time. */
void *fp_channel_scratch(const struct fp_channel *channel);
void fp_channel_send(struct fp_channel *channel, int rank);
void fp_channel_receive(struct fp_channel *channel, int rank);
/* What was pushed to `rank` before arrives there before what follows. */
void fp_channel_fence(struct fp_channel *channel);

#endif
