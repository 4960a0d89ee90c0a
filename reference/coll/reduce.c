/* reduce.c -- reductions and prefix sums in order of rank, by the first member of the team.
 *
 * Every member says that its source is ready. The first member reads the sources in rank order, a chunk at a time,
 * combines them left to right (A38: the result of a floating type is the same in every run), and pushes the result.
 * It has read every source of a chunk before it writes any dest of it, so dest may be source. A member leaves when
 * its result is complete; by then its source has been read. */
#include <stdlib.h>
#include <string.h>

#include "reference/coll/algorithms.h"

enum { CHUNK_BYTES = 32768 };

enum { PHASE_READY, PHASE_RESULT };

struct chunks {
    size_t per_chunk; /* elements */
    char *accumulator, *operand;
};

static struct chunks
chunks_open(const shmem_coll_t *c)
{
    struct chunks chunks = {.per_chunk = CHUNK_BYTES / c->elem_bytes};

    if (chunks.per_chunk > c->nelems)
        chunks.per_chunk = c->nelems;
    chunks.accumulator = malloc(2 * chunks.per_chunk * c->elem_bytes);
    if (chunks.accumulator == NULL)
        fp_env_fail("%s: no memory for %zu bytes", c->call.name, 2 * chunks.per_chunk * c->elem_bytes);
    chunks.operand = chunks.accumulator + chunks.per_chunk * c->elem_bytes;
    return chunks;
}

/* The other members' part: ready, then the result. */
static void
take_part(struct fp_channel *channel)
{
    fp_channel_phase(channel, PHASE_READY);
    fp_channel_send(channel, 0);
    channel->phase = PHASE_RESULT;
    fp_channel_receive(channel, 0);
}

/* The first member's part: all sources are ready when it returns. */
static void
gather(struct fp_channel *channel)
{
    channel->phase = PHASE_READY;
    for (int i = 1; i < channel->size; i++)
        fp_channel_receive(channel, i);
    fp_channel_phase(channel, PHASE_RESULT);
}

/* The last push to each member carries the signal; earlier chunks are fenced before it. */
static void
result_push(struct fp_channel *channel, int rank, void *dest, const void *source, size_t bytes, bool last)
{
    if (last)
        fp_channel_push_send(channel, rank, dest, source, bytes);
    else
        fp_channel_push(channel, rank, dest, source, bytes);
}

static void
reduce_chunk(struct fp_channel *channel, const struct chunks *chunks, size_t first, size_t nelems)
{
    const shmem_coll_t *c = channel->coll;
    const size_t offset = first * c->elem_bytes, bytes = nelems * c->elem_bytes;
    const bool last = first + nelems == c->nelems;

    fp_channel_pull(channel, 0, chunks->accumulator, (const char *)c->source + offset, bytes);
    for (int i = 1; i < channel->size; i++) {
        fp_channel_pull(channel, i, chunks->operand, (const char *)c->source + offset, bytes);
        fp_arithmetic(c->reduce, c->type, chunks->accumulator, chunks->operand, nelems);
    }
    if (last)
        fp_channel_fence(channel);
    for (int i = 0; i < channel->size; i++)
        result_push(channel, i, (char *)c->dest + offset, chunks->accumulator, bytes, last);
}

static void
scan_chunk(struct fp_channel *channel, const struct chunks *chunks, size_t first, size_t nelems)
{
    const shmem_coll_t *c = channel->coll;
    const size_t offset = first * c->elem_bytes, bytes = nelems * c->elem_bytes;
    const bool last = first + nelems == c->nelems;

    memset(chunks->accumulator, 0, bytes);
    if (last)
        fp_channel_fence(channel);
    for (int i = 0; i < channel->size; i++) {
        fp_channel_pull(channel, i, chunks->operand, (const char *)c->source + offset, bytes);
        if (c->exclusive)
            result_push(channel, i, (char *)c->dest + offset, chunks->accumulator, bytes, last);
        if (i == 0)
            memcpy(chunks->accumulator, chunks->operand, bytes);
        else
            fp_arithmetic(SHMEM_REDUCE_SUM, c->type, chunks->accumulator, chunks->operand, nelems);
        if (!c->exclusive)
            result_push(channel, i, (char *)c->dest + offset, chunks->accumulator, bytes, last);
    }
}

static void
by_first_member(struct fp_channel *channel,
                void (*chunk)(struct fp_channel *, const struct chunks *, size_t first, size_t nelems))
{
    const shmem_coll_t *c = channel->coll;
    struct chunks chunks;

    if (channel->rank != 0) {
        take_part(channel);
        return;
    }
    chunks = chunks_open(c);
    gather(channel);
    for (size_t first = 0; first < c->nelems; first += chunks.per_chunk)
        chunk(channel, &chunks, first, c->nelems - first < chunks.per_chunk ? c->nelems - first : chunks.per_chunk);
    fp_channel_receive(channel, 0);
    free(chunks.accumulator);
}

void
fp_reduce_linear(struct fp_channel *channel)
{
    by_first_member(channel, reduce_chunk);
}

void
fp_scan_linear(struct fp_channel *channel)
{
    by_first_member(channel, scan_chunk);
}
