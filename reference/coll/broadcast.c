/* broadcast.c -- the root pushes to every member, itself included (but not in an active set, where its dest stays as
 * it is); the others wait for the signal. The root may leave before anyone has arrived. */
#include "reference/coll/algorithms.h"

void
fp_coll_broadcast(struct fp_channel *channel)
{
    const shmem_coll_t *c = channel->coll;
    const size_t bytes = c->nelems * c->elem_bytes;

    fp_channel_phase(channel, 0);
    if (channel->rank == c->root)
        for (int i = 0; i < channel->size; i++)
            fp_channel_push_send(channel, i, c->dest, c->source, i == c->root && c->psync != NULL ? 0 : bytes);
    fp_channel_receive(channel, c->root);
}
