/* alltoall.c -- block i of the caller's source goes to block (caller's rank) of dest at member i.
 *
 * With strides, block i of source starts at element i * nelems * sst, block k of dest at k * nelems * dst, and
 * elements inside a block are sst and dst apart (A15). */
#include "reference/coll/algorithms.h"

void
fp_alltoall_pairs(struct fp_channel *channel)
{
    const shmem_coll_t *c = channel->coll;
    const size_t bytes = c->nelems * c->elem_bytes;

    fp_channel_phase(channel, 0);
    for (int n = 0; n < channel->size; n++) {
        const int i = (channel->rank + n) % channel->size;
        fp_channel_push_send(channel, i, (char *)c->dest + (size_t)channel->rank * bytes,
                             (const char *)c->source + (size_t)i * bytes, bytes);
    }
    for (int i = 0; i < channel->size; i++)
        fp_channel_receive(channel, i);
}

void
fp_alltoalls_pairs(struct fp_channel *channel)
{
    const shmem_coll_t *c = channel->coll;
    const size_t dest_block = c->nelems * (size_t)c->dest_step, source_block = c->nelems * (size_t)c->source_step;

    fp_channel_phase(channel, 0);
    for (int n = 0; n < channel->size; n++) {
        const int i = (channel->rank + n) % channel->size;
        fp_channel_push_blocks(channel, i, (char *)c->dest + (size_t)channel->rank * dest_block,
                               (const char *)c->source + (size_t)i * source_block, c->elem_bytes, c->nelems,
                               c->dest_step, c->source_step);
    }
    fp_channel_fence(channel);
    for (int i = 0; i < channel->size; i++)
        fp_channel_send(channel, i);
    for (int i = 0; i < channel->size; i++)
        fp_channel_receive(channel, i);
}
