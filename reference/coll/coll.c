/* coll.c -- the frame of every collective: match, enter, algorithm, leave. */
#include "reference/coll/coll.h"

#include "reference/check/check.h"
#include "reference/coll/algorithms.h"
#include "reference/heap/heap.h"

bool
fp_coll_meet(struct fp_pe *pe, shmem_coll_t *c)
{
    if (!fp_match_enter(pe->job, c))
        return false;
    c->psync = fp_heap_own(pe, c->psync);
    pe->job->backend->sync(c);
    return true;
}

void
fp_coll_sync(struct fp_pe *pe, shmem_coll_kind_t kind, int team, const shmem_call_t *call)
{
    shmem_coll_t c = {.kind = kind, .team = team, .call = *call};

    fp_coll_meet(pe, &c);
}

/* ---- The choice. Thresholds are small, so that small runs show the same program on every algorithm. ---- */

enum { LINEAR_PES_MAX = 8, REDUCE_LINEAR_PES_MAX = 4, RING_BYTES_MIN = 8192 };

static bool
always(const struct fp_channel *channel)
{
    return true;
}

static bool
is_large_team(const struct fp_channel *channel)
{
    return channel->size > LINEAR_PES_MAX;
}

static bool
is_exact(const struct fp_channel *channel)
{
    return channel->size > REDUCE_LINEAR_PES_MAX && fp_arithmetic_exact(channel->coll->type);
}

static bool
is_large_power_of_two(const struct fp_channel *channel)
{
    return is_large_team(channel) && (channel->size & (channel->size - 1)) == 0;
}

static bool
is_much_data(const struct fp_channel *channel)
{
    return channel->size > 2 &&
           channel->coll->nelems * channel->coll->elem_bytes >= RING_BYTES_MIN / (size_t)channel->size;
}

/* Of the rows of a kind the first that suits. */
static const struct algorithm {
    shmem_coll_kind_t kind;
    bool (*suits)(const struct fp_channel *channel);
    void (*run)(struct fp_channel *channel);
} algorithms[] = {
    {SHMEM_COLL_BROADCAST, is_large_team, fp_broadcast_tree},
    {SHMEM_COLL_BROADCAST, always, fp_broadcast_linear},
    {SHMEM_COLL_COLLECT, always, fp_collect_linear},
    {SHMEM_COLL_FCOLLECT, is_much_data, fp_fcollect_ring},
    {SHMEM_COLL_FCOLLECT, is_large_power_of_two, fp_fcollect_doubling},
    {SHMEM_COLL_FCOLLECT, always, fp_fcollect_linear},
    {SHMEM_COLL_ALLTOALL, always, fp_alltoall_pairs},
    {SHMEM_COLL_ALLTOALLS, always, fp_alltoalls_pairs},
    {SHMEM_COLL_REDUCE, is_exact, fp_reduce_tree},
    {SHMEM_COLL_REDUCE, always, fp_reduce_linear},
    {SHMEM_COLL_SCAN, always, fp_scan_linear},
};

static void
algorithm_run(struct fp_channel *channel)
{
    const struct algorithm *row = algorithms;

    while (row->kind != channel->coll->kind || !row->suits(channel))
        row++;
    row->run(channel);
}

/* ---- */

int
fp_coll_data(struct fp_pe *pe, shmem_coll_t *c)
{
    FP_ASSERT(c->kind >= SHMEM_COLL_BROADCAST && c->kind <= SHMEM_COLL_ALLTOALLS);
    if (!fp_match_enter(pe->job, c))
        return 0;
    c->dest = fp_heap_own(pe, c->dest);
    c->source = fp_heap_own(pe, c->source);
    c->psync = fp_heap_own(pe, c->psync);
    c->pwrk = fp_heap_own(pe, c->pwrk);
    pe->job->backend->coll_enter(c);
    /* nelems 0 is matched but moves nothing and waits for nobody; only in collect may another member have something. */
    if (c->nelems > 0 || c->kind == SHMEM_COLL_COLLECT) {
        struct fp_channel channel = fp_channel_open(pe, c);
        algorithm_run(&channel);
    }
    pe->job->backend->coll_leave(c);
    return 0;
}
