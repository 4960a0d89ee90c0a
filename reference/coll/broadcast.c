/* broadcast.c -- the root pushes, the others wait for the signal; the root may leave before anyone has arrived.
 *
 * Linear: to every member. Tree: to its children, and each member on to its own as soon as it has the data. The root
 * pushes to itself too, but not in an active set, where its dest stays as it is. */
#include "reference/coll/algorithms.h"
#include "reference/coll/tree.h"

static void
push_to(struct fp_channel *channel, int member, const void *source)
{
    const shmem_coll_t *c = channel->coll;
    const bool keeps = member == c->root && c->psync != NULL;

    fp_channel_push_send(channel, member, c->dest, source, keeps ? 0 : c->nelems * c->elem_bytes);
}

void
fp_broadcast_linear(struct fp_channel *channel)
{
    const shmem_coll_t *c = channel->coll;

    fp_channel_phase(channel, 0);
    if (channel->rank == c->root)
        for (int i = 0; i < channel->size; i++)
            push_to(channel, i, c->source);
    fp_channel_receive(channel, c->root);
}

/* Members are numbered from the root on. */
void
fp_broadcast_tree(struct fp_channel *channel)
{
    const shmem_coll_t *c = channel->coll;
    const int size = channel->size, v = (channel->rank - c->root + size) % size;
    const void *source = v == 0 ? c->source : c->dest;

    fp_channel_phase(channel, 0);
    if (v == 0)
        push_to(channel, c->root, source);
    fp_channel_receive(channel, (fp_tree_parent(v) + c->root) % size);
    for (int step = 1, child; (child = fp_tree_child(v, size, step)) > 0; step *= 2)
        push_to(channel, (child + c->root) % size, source);
}
