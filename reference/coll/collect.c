/* collect.c -- concatenation in team order, with unequal contributions.
 *
 * First the sizes become known: each member leaves its own in the library's part of its heap, tells all
 * others, and reads theirs. The one slot is free for the next collect when this one returns, because a member pushes
 * its data only after it has read every size, and nobody returns without everybody's data. */
#include <stdlib.h>

#include "reference/coll/algorithms.h"
#include "reference/heap/heap.h"

enum { PHASE_SIZES, PHASE_DATA };

/* Pushes the caller's contribution to byte `offset` of dest at every member and waits for theirs. */
static void
exchange(struct fp_channel *channel, size_t offset)
{
    const shmem_coll_t *c = channel->coll;
    char *dest = c->dest;

    for (int i = 0; i < channel->size; i++)
        fp_channel_push_send(channel, (channel->rank + i) % channel->size, dest == NULL ? NULL : dest + offset,
                             c->source, c->nelems * c->elem_bytes);
    for (int i = 0; i < channel->size; i++)
        fp_channel_receive(channel, i);
}

void
fp_collect_linear(struct fp_channel *channel)
{
    uint64_t *slot = fp_heap_internal(channel->pe);
    uint64_t before = 0;

    fp_channel_phase(channel, PHASE_SIZES);
    __atomic_store_n(slot, channel->coll->nelems, __ATOMIC_RELEASE);
    fp_channel_fence(channel);
    for (int i = 0; i < channel->size; i++)
        if (i != channel->rank)
            fp_channel_send(channel, i);
    for (int i = 0; i < channel->size; i++) {
        uint64_t theirs = *slot;
        if (i != channel->rank) {
            fp_channel_receive(channel, i);
            fp_channel_pull_word(channel, i, &theirs, slot);
        }
        if (i < channel->rank)
            before += theirs;
    }
    fp_channel_phase(channel, PHASE_DATA);
    exchange(channel, before * channel->coll->elem_bytes);
}
