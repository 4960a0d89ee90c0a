/* channel.c -- pushes, pulls and signals between members, as operations of the backend. */
#include "reference/coll/channel.h"

#include <string.h>

#include "reference/api/ctx.h"
#include "reference/heap/heap.h"
#include "reference/team/team.h"

/* The caller's copy of the signal that `source` sets, in the pool behind the fixed part. */
static uint64_t *
signal_from(const struct fp_channel *channel, int source)
{
    char *own = fp_heap_internal(channel->pe);

    return (uint64_t *)(void *)(own + FP_HEAP_INTERNAL_BYTES) + channel->signals + source;
}

static uint64_t
stamp(const struct fp_channel *channel)
{
    return (channel->stamp + channel->coll->seq + 1) * FP_CHANNEL_PHASES_MAX + channel->phase;
}

void *
fp_channel_scratch(const struct fp_channel *channel)
{
    _Static_assert(FP_HEAP_INTERNAL_BYTES >= 2 * FP_CHANNEL_SCRATCH_BYTES, "behind the first words");
    return (char *)fp_heap_internal(channel->pe) + FP_CHANNEL_SCRATCH_BYTES;
}

struct fp_channel
fp_channel_open(struct fp_pe *pe, const shmem_coll_t *coll)
{
    const struct fp_team *team = fp_team_get(pe->job, coll->team);

    return (struct fp_channel){
        .pe = pe,
        .signals = team == NULL ? (size_t)coll->team * (size_t)pe->job->npes : team->signals,
        .stamp = team == NULL ? 0 : team->stamp,
        .coll = coll,
        .rank = fp_team_rank(pe->job, coll->team, pe->rank),
        .size = fp_team_size(pe->job, coll->team),
    };
}

void
fp_channel_phase(struct fp_channel *channel, unsigned phase)
{
    FP_ASSERT(phase < FP_CHANNEL_PHASES_MAX);
    channel->phase = phase;
    fp_channel_fence(channel);
}

void
fp_channel_fence(struct fp_channel *channel)
{
    channel->pe->job->backend->fence(fp_ctx_internal(channel->pe), &channel->coll->call);
}

static shmem_op_t
operation(const struct fp_channel *channel, shmem_op_kind_t kind, int rank, void *dest, const void *source)
{
    return (shmem_op_t){
        .kind = kind,
        .type = channel->coll->type,
        .flags = SHMEM_OPF_INTERNAL,
        .pe = fp_team_world_pe(channel->pe->job, channel->coll->team, rank),
        .ctx = fp_ctx_internal(channel->pe),
        .dest = dest,
        .source = source,
        .elem_bytes = channel->coll->elem_bytes,
        .nblocks = 1,
        .coll = channel->coll,
        .call = channel->coll->call,
    };
}

void
fp_channel_push(struct fp_channel *channel, int rank, void *dest, const void *source, size_t bytes)
{
    shmem_op_t op = operation(channel, SHMEM_OP_PUT, rank, dest, source);

    op.block_bytes = bytes;
    if (bytes > 0)
        channel->pe->job->backend->put(&op);
}

void
fp_channel_push_send(struct fp_channel *channel, int rank, void *dest, const void *source, size_t bytes)
{
    shmem_op_t op = operation(channel, SHMEM_OP_PUT, rank, dest, source);

    if (bytes == 0) {
        fp_channel_send(channel, rank);
        return;
    }
    op.flags |= SHMEM_OPF_SIGNAL;
    op.block_bytes = bytes;
    op.sig_addr = signal_from(channel, channel->rank);
    op.signal = stamp(channel);
    op.sig_op = SHMEM_AMO_SET;
    channel->pe->job->backend->put(&op);
}

void
fp_channel_push_blocks(struct fp_channel *channel, int rank, void *dest, const void *source, size_t block_bytes,
                       size_t nblocks, ptrdiff_t dest_step, ptrdiff_t source_step)
{
    shmem_op_t op = operation(channel, SHMEM_OP_PUT, rank, dest, source);

    op.block_bytes = block_bytes;
    op.nblocks = nblocks;
    op.dest_step = dest_step;
    op.source_step = source_step;
    channel->pe->job->backend->put(&op);
}

void
fp_channel_pull(struct fp_channel *channel, int rank, void *dest, const void *source, size_t bytes)
{
    shmem_op_t op = operation(channel, SHMEM_OP_GET, rank, dest, source);

    op.block_bytes = bytes;
    channel->pe->job->backend->get(&op);
}

void
fp_channel_pull_word(struct fp_channel *channel, int rank, uint64_t *dest, const uint64_t *source)
{
    shmem_op_t op = operation(channel, SHMEM_OP_GET, rank, dest, source);

    op.type = SHMEM_TYPE_uint64;
    op.elem_bytes = op.block_bytes = sizeof *dest;
    channel->pe->job->backend->get(&op);
}

void
fp_channel_send(struct fp_channel *channel, int rank)
{
    shmem_op_t op = operation(channel, SHMEM_OP_AMO, rank, signal_from(channel, channel->rank), NULL);
    const uint64_t value = stamp(channel);

    op.type = SHMEM_TYPE_uint64;
    op.amo = SHMEM_AMO_SET;
    op.flags |= SHMEM_OPF_SIGNAL;
    op.elem_bytes = op.block_bytes = sizeof value;
    memcpy(op.operand, &value, sizeof value);
    channel->pe->job->backend->amo(&op);
}

void
fp_channel_receive(struct fp_channel *channel, int rank)
{
    const uint64_t expected = stamp(channel);
    const shmem_wait_t wait = {
        .mode = SHMEM_WAIT_ALL,
        .type = SHMEM_TYPE_uint64,
        .elem_bytes = sizeof expected,
        .ivars = signal_from(channel, rank),
        .n = 1,
        .cmp = SHMEM_CMP_GE,
        .values = &expected,
        .flags = SHMEM_OPF_INTERNAL | SHMEM_OPF_SIGNAL,
        .call = channel->coll->call,
    };

    channel->pe->job->backend->wait(&wait);
}
