/* fcollect.c -- concatenation in team order, with equal contributions.
 *
 * Linear: everybody pushes to everybody. Ring: everybody passes on to the right what came from the left, starting with
 * its own block. Doubling: with the partner at distance 1, 2, 4 ... each exchanges all that it has. The last two pass
 * on from dest, so a member puts its own block there first, as a push to itself. */
#include "reference/coll/algorithms.h"

static size_t
block_bytes(const struct fp_channel *channel)
{
    return channel->coll->nelems * channel->coll->elem_bytes;
}

/* The caller's block from source to dest of member `rank`. */
static void
push_own(struct fp_channel *channel, int rank)
{
    const size_t bytes = block_bytes(channel);
    char *dest = channel->coll->dest;

    fp_channel_push_send(channel, rank, dest + (size_t)channel->rank * bytes, channel->coll->source, bytes);
}

void
fp_fcollect_linear(struct fp_channel *channel)
{
    fp_channel_phase(channel, 0);
    for (int i = 0; i < channel->size; i++)
        push_own(channel, (channel->rank + i) % channel->size);
    for (int i = 0; i < channel->size; i++)
        fp_channel_receive(channel, i);
}

static void
place_own(struct fp_channel *channel)
{
    fp_channel_phase(channel, 0);
    push_own(channel, channel->rank);
    fp_channel_receive(channel, channel->rank);
}

/* `n` blocks from the caller's dest to the same place at member `rank`; then those of member `from` have come. */
static void
pass(struct fp_channel *channel, unsigned phase, int rank, int first, int n, int from)
{
    const size_t bytes = block_bytes(channel);
    char *blocks = (char *)channel->coll->dest + (size_t)first * bytes;

    fp_channel_phase(channel, phase);
    fp_channel_push_send(channel, rank, blocks, blocks, (size_t)n * bytes);
    fp_channel_receive(channel, from);
}

void
fp_fcollect_ring(struct fp_channel *channel)
{
    const int size = channel->size, right = (channel->rank + 1) % size, left = (channel->rank + size - 1) % size;

    place_own(channel);
    for (int step = 1; step < size; step++)
        pass(channel, (unsigned)step, right, (channel->rank - step + 1 + size) % size, 1, left);
}

void
fp_fcollect_doubling(struct fp_channel *channel)
{
    unsigned phase = 1;

    place_own(channel);
    for (int distance = 1; distance < channel->size; distance *= 2, phase++) {
        const int partner = channel->rank ^ distance;
        pass(channel, phase, partner, channel->rank / distance * distance, distance, partner);
    }
}
