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

static void (*const algorithms[SHMEM_COLL_COUNT])(struct fp_channel *) = {
    [SHMEM_COLL_BROADCAST] = fp_coll_broadcast, [SHMEM_COLL_COLLECT] = fp_coll_collect,
    [SHMEM_COLL_FCOLLECT] = fp_coll_fcollect,   [SHMEM_COLL_ALLTOALL] = fp_coll_alltoall,
    [SHMEM_COLL_ALLTOALLS] = fp_coll_alltoalls, [SHMEM_COLL_REDUCE] = fp_coll_reduce,
    [SHMEM_COLL_SCAN] = fp_coll_scan,
};

int
fp_coll_data(struct fp_pe *pe, shmem_coll_t *c)
{
    FP_ASSERT(algorithms[c->kind] != NULL);
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
        algorithms[c->kind](&channel);
    }
    pe->job->backend->coll_leave(c);
    return 0;
}
