/* reduce_tree.c -- exact reductions up and down a binomial tree, a chunk at a time.
 *
 * Up: a member waits for its children, reads what their subtrees come to and adds its own source; what has children
 * leaves its result in its scratch for its parent to read, a leaf is read at its source. Down: the first member pushes
 * the result to its children, and each on to its own, from its dest. A scratch is free when the result has come back,
 * because that was made of it; so is the source, and dest may be source. */
#include <stdlib.h>
#include <string.h>

#include "reference/coll/algorithms.h"
#include "reference/coll/tree.h"

/* One chunk of the caller. */
struct chunk {
    size_t offset, bytes, nelems;
    unsigned phase; /* up; down is the next one */
    char *accumulator, *operand;
};

static void
go_up(struct fp_channel *channel, const struct chunk *chunk)
{
    const shmem_coll_t *c = channel->coll;
    const char *source = (const char *)c->source + chunk->offset;
    const int v = channel->rank, size = channel->size;
    char *scratch = fp_channel_scratch(channel);

    fp_channel_phase(channel, chunk->phase);
    fp_channel_pull(channel, v, chunk->accumulator, source, chunk->bytes);
    for (int step = 1, child; (child = fp_tree_child(v, size, step)) > 0; step *= 2) {
        const bool leaf = fp_tree_child(child, size, 1) == 0;
        fp_channel_receive(channel, child);
        fp_channel_pull(channel, child, chunk->operand, leaf ? source : scratch, chunk->bytes);
        fp_arithmetic(c->reduce, c->type, chunk->accumulator, chunk->operand, chunk->nelems);
    }
    if (v == 0)
        return;
    memcpy(scratch, chunk->accumulator, chunk->bytes);
    fp_channel_fence(channel);
    fp_channel_send(channel, fp_tree_parent(v));
}

static void
go_down(struct fp_channel *channel, const struct chunk *chunk)
{
    const int v = channel->rank, size = channel->size;
    char *dest = (char *)channel->coll->dest + chunk->offset;
    const char *result = v == 0 ? chunk->accumulator : dest;

    fp_channel_phase(channel, chunk->phase + 1);
    if (v == 0)
        fp_channel_push_send(channel, 0, dest, result, chunk->bytes);
    fp_channel_receive(channel, fp_tree_parent(v));
    for (int step = 1, child; (child = fp_tree_child(v, size, step)) > 0; step *= 2)
        fp_channel_push_send(channel, child, dest, result, chunk->bytes);
}

void
fp_reduce_tree(struct fp_channel *channel)
{
    const shmem_coll_t *c = channel->coll;
    const size_t whole = FP_CHANNEL_SCRATCH_BYTES / c->elem_bytes;
    struct chunk chunk = {.phase = 0};

    chunk.accumulator = malloc(2 * FP_CHANNEL_SCRATCH_BYTES);
    if (chunk.accumulator == NULL)
        fp_env_fail("%s: no memory for %d bytes", c->call.name, 2 * FP_CHANNEL_SCRATCH_BYTES);
    chunk.operand = chunk.accumulator + FP_CHANNEL_SCRATCH_BYTES;
    for (size_t first = 0; first < c->nelems; first += whole, chunk.phase += 2) {
        chunk.nelems = c->nelems - first < whole ? c->nelems - first : whole;
        chunk.offset = first * c->elem_bytes;
        chunk.bytes = chunk.nelems * c->elem_bytes;
        go_up(channel, &chunk);
        go_down(channel, &chunk);
    }
    free(chunk.accumulator);
}
