/* collective.c -- the collectives' typed entries (9.10): judge the arguments one PE can judge, then reference/coll. */
#include "reference/api/collective.h"
#include "reference/api/ctx.h"
#include "reference/check/check.h"
#include "reference/coll/coll.h"
#include "reference/team/team.h"

static void
barrier_all(shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    pe->job->backend->quiet(pe->ctxs[0], &call);
    fp_coll_sync(pe, SHMEM_COLL_BARRIER, FP_TEAM_WORLD, &call);
    fp_leave(pe);
}

static int
team_sync(shmem_team_t handle, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    int team;

    if (pe == NULL)
        return 1;
    team = fp_team_find(pe, handle, &call);
    if (team >= 0)
        fp_coll_sync(pe, SHMEM_COLL_SYNC, team, &call);
    else if (handle == SHMEM_TEAM_INVALID)
        fp_usage(FP_CLASS_USAGE, "E115, S 9.10", &call, "%s was given SHMEM_TEAM_INVALID", call.name);
    fp_leave(pe);
    return team < 0;
}

FP_ROUTINE_QUIETS(void, barrier_all, (void), barrier_all(call))
FP_ROUTINE_IS(void, sync_all, (void), team_sync(SHMEM_TEAM_WORLD, call))
FP_ROUTINE_IS(int, team_sync, (shmem_team_t team), return team_sync(team, call))

/* Elements that the larger of dest and source holds must have a length in bytes; strides in elements, 0 where there
 * are none. */
bool
fp_coll_judged(struct fp_pe *pe, const shmem_coll_t *c, bool is_strided, ptrdiff_t dst, ptrdiff_t sst)
{
    const size_t size = (size_t)fp_team_size(pe->job, c->team);
    const size_t stride = is_strided ? (size_t)(dst > sst ? dst : sst) : 1;
    size_t bytes;

    if (c->kind == SHMEM_COLL_BROADCAST && (c->root < 0 || (size_t)c->root >= size)) {
        fp_usage(FP_CLASS_USAGE, "E125, S 9.10.7", &c->call, "%s was given root %d; the team has PEs 0 to %zu",
                 c->call.name, c->root, size - 1);
        return false;
    }
    if (is_strided && (dst < 1 || sst < 1)) {
        fp_usage(FP_CLASS_USAGE, "E035, S 9.10.6", &c->call,
                 "%s was given strides %td (dest) and %td (source); the least is 1", c->call.name, dst, sst);
        return false;
    }
    if (__builtin_mul_overflow(c->nelems, c->elem_bytes, &bytes) || __builtin_mul_overflow(bytes, stride, &bytes) ||
        __builtin_mul_overflow(bytes, size, &bytes) || bytes > PTRDIFF_MAX) {
        fp_usage(FP_CLASS_USAGE, "E037, S 9.10", &c->call, "%s was given a length that overflows: %zu elements of %zu",
                 c->call.name, c->nelems, c->elem_bytes);
        return false;
    }
    return true;
}

/* Completes the descriptor (team, strides) and runs it. 0, or 1 where the call was refused. */
static int
collective(shmem_team_t handle, shmem_coll_t c, bool is_strided, ptrdiff_t dst, ptrdiff_t sst)
{
    struct fp_pe *pe = fp_enter(&c.call);
    int status = 1;

    if (pe == NULL)
        return 1;
    c.team = fp_team_find(pe, handle, &c.call);
    if (c.team < 0) {
        if (handle == SHMEM_TEAM_INVALID)
            fp_usage(FP_CLASS_USAGE, "E115, S 9.10", &c.call, "%s was given SHMEM_TEAM_INVALID", c.call.name);
    } else if (fp_coll_judged(pe, &c, is_strided, dst, sst)) {
        c.dest_step = dst * (ptrdiff_t)c.elem_bytes;
        c.source_step = sst * (ptrdiff_t)c.elem_bytes;
        status = fp_coll_data(pe, &c);
    }
    fp_leave(pe);
    return status;
}

#define COLL(K, t, bytes, ...)                                                                                         \
    (shmem_coll_t)                                                                                                     \
    {                                                                                                                  \
        .kind = SHMEM_COLL_##K, .type = SHMEM_TYPE_##t, .elem_bytes = bytes, .dest = dest, .source = source,           \
        .call = call, __VA_ARGS__                                                                                      \
    }
#define RUN(K, t, bytes, ...) return collective(team, COLL(K, t, bytes, __VA_ARGS__), false, 0, 0)

#define DEFINE_DATA(T, t, bytes, broadcast, collect, fcollect, alltoall, alltoalls)                                    \
    FP_ROUTINE_IS(int, broadcast, (shmem_team_t team, T * dest, const T *source, size_t nelems, int PE_root),          \
                  RUN(BROADCAST, t, bytes, .nelems = nelems, .root = PE_root))                                         \
    FP_ROUTINE_IS(int, collect, (shmem_team_t team, T * dest, const T *source, size_t nelems),                         \
                  RUN(COLLECT, t, bytes, .nelems = nelems))                                                            \
    FP_ROUTINE_IS(int, fcollect, (shmem_team_t team, T * dest, const T *source, size_t nelems),                        \
                  RUN(FCOLLECT, t, bytes, .nelems = nelems))                                                           \
    FP_ROUTINE_IS(int, alltoall, (shmem_team_t team, T * dest, const T *source, size_t nelems),                        \
                  RUN(ALLTOALL, t, bytes, .nelems = nelems))                                                           \
    FP_ROUTINE_IS(int, alltoalls,                                                                                      \
                  (shmem_team_t team, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems),         \
                  return collective(team, COLL(ALLTOALLS, t, bytes, .nelems = nelems), true, dst, sst))
#define DEFINE(N, T) DEFINE_DATA(T, N, sizeof(T), N##_broadcast, N##_collect, N##_fcollect, N##_alltoall, N##_alltoalls)
SHMEM_RMA_TYPES(DEFINE)
#undef DEFINE
DEFINE_DATA(void, MEM, 1, broadcastmem, collectmem, fcollectmem, alltoallmem, alltoallsmem)
#undef DEFINE_DATA

#define DEFINE_REDUCE(N, T, op, OP)                                                                                    \
    FP_ROUTINE_IS(int, N##_##op##_reduce, (shmem_team_t team, T * dest, const T *source, size_t nreduce),              \
                  RUN(REDUCE, N, sizeof(T), .nelems = nreduce, .reduce = SHMEM_REDUCE_##OP))
#define DEFINE(N, T) DEFINE_REDUCE(N, T, and, AND) DEFINE_REDUCE(N, T, or, OR) DEFINE_REDUCE(N, T, xor, XOR)
SHMEM_REDUCE_BITWISE_TYPES(DEFINE)
#undef DEFINE
#define DEFINE(N, T) DEFINE_REDUCE(N, T, max, MAX) DEFINE_REDUCE(N, T, min, MIN)
SHMEM_REDUCE_MINMAX_TYPES(DEFINE)
#undef DEFINE
#define DEFINE_SCAN(N, T, name, is_exclusive)                                                                          \
    FP_ROUTINE_IS(int, N##_##name, (shmem_team_t team, T * dest, const T *source, size_t nelems),                      \
                  RUN(SCAN, N, sizeof(T), .nelems = nelems, .reduce = SHMEM_REDUCE_SUM, .exclusive = is_exclusive))
#define DEFINE(N, T)                                                                                                   \
    DEFINE_REDUCE(N, T, sum, SUM)                                                                                      \
    DEFINE_REDUCE(N, T, prod, PROD) DEFINE_SCAN(N, T, sum_inscan, false) DEFINE_SCAN(N, T, sum_exscan, true)
SHMEM_REDUCE_ARITH_TYPES(DEFINE)
#undef DEFINE
