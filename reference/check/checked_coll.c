/* checked_coll.c -- the buffers of a data collective: how long they are at this PE (1.15), and how they may overlap. */
#include "reference/check/checked.h"
#include "reference/team/team.h"

struct extents {
    size_t dest, source;
};

static struct extents
extents_of(const struct fp_job *job, const shmem_coll_t *c)
{
    size_t size = (size_t)fp_team_size(job, c->team), one = c->nelems * c->elem_bytes, all = size * one;
    switch (c->kind) {
    case SHMEM_COLL_BROADCAST: {
        bool root = fp_team_world_pe(job, c->team, c->root) == fp_self->rank;
        return (struct extents){one, root ? one : 0};
    }
    case SHMEM_COLL_FCOLLECT:
        return (struct extents){all, one};
    case SHMEM_COLL_COLLECT: /* the sum of all members' is judged when all have come: match.c */
        return (struct extents){one, one};
    case SHMEM_COLL_ALLTOALL:
        return (struct extents){all, all};
    case SHMEM_COLL_ALLTOALLS:
        return (struct extents){(size * c->nelems - 1) * (size_t)c->dest_step + c->elem_bytes,
                                (size * c->nelems - 1) * (size_t)c->source_step + c->elem_bytes};
    default:
        return (struct extents){one, one};
    }
}

bool
fp_collective_fine(struct fp_pe *pe, const shmem_coll_t *c)
{
    if (c->nelems == 0 || c->kind < SHMEM_COLL_BROADCAST || c->kind > SHMEM_COLL_ALLTOALLS)
        return true;
    struct extents bytes = extents_of(pe->job, c);
    struct fp_buffer dest = {c->dest, bytes.dest, FP_ROLE_COLL_DEST, pe->rank, c->type};
    struct fp_buffer source = {c->source, bytes.source, FP_ROLE_COLL_SOURCE, pe->rank, c->type};
    if (!fp_symmetric_fine(pe, &dest, &c->call) || (bytes.source && !fp_symmetric_fine(pe, &source, &c->call)))
        return false;
    /* The root of a broadcast on an active set keeps its dest, which may then be source. */
    if ((c->psync != NULL && c->kind == SHMEM_COLL_BROADCAST) ||
        !fp_ranges_meet(dest.address, dest.bytes, source.address, source.bytes))
        return true;
    bool in_place = c->kind == SHMEM_COLL_REDUCE || c->kind == SHMEM_COLL_SCAN;
    if (!in_place || dest.address != source.address)
        fp_overlap_report(pe, &dest, &source, &c->call, in_place);
    return true;
}

bool
fp_collect_fine(struct fp_pe *pe, const shmem_coll_t *c, size_t bytes)
{
    struct fp_buffer dest = {c->dest, bytes, FP_ROLE_COLLECTED, pe->rank, c->type};
    return fp_symmetric_fine(pe, &dest, &c->call);
}
