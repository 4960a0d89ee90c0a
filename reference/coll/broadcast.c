/* broadcast.c -- the root pushes to every member, itself included; the others wait for its signal. The root may leave
 * before anyone has arrived. */
#include "reference/coll/algorithms.h"

void
fp_coll_broadcast(struct fp_channel *channel)
{
    const shmem_coll_t *c = channel->coll;

    fp_channel_phase(channel, 0);
    if (channel->rank == c->root)
        for (int i = 0; i < channel->size; i++)
            fp_channel_push_send(channel, i, c->dest, c->source, c->nelems * c->elem_bytes);
    fp_channel_receive(channel, c->root);
}
