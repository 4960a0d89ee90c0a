/* active.c -- the deprecated collectives on active sets (S 9.10, Annex E).
 *
 * A set is PE_size PEs, 2^logPE_stride apart. It becomes a team without a handle, and the call one of the team's
 * collectives, with pSync and pWrk in its descriptor: they are not needed for the work, but who misuses them here
 * breaks elsewhere, so the checks hold the program to their protocol. */
#include "reference/api/collective.h"
#include "reference/api/ctx.h"
#include "reference/check/check.h"
#include "reference/coll/coll.h"
#include "reference/team/team.h"

struct active_set {
    int start, log_stride, size;
};

/* The set's team; -1 after a finding. */
static int
set_team(struct fp_pe *pe, struct active_set set, const shmem_call_t *call)
{
    const int npes = pe->job->npes;
    const bool stride_fits = set.log_stride >= 0 && set.log_stride < 31;
    const int64_t stride = stride_fits ? (int64_t)1 << set.log_stride : INT32_MAX;
    const int64_t distance = pe->rank - (int64_t)set.start;

    if (set.start < 0 || set.log_stride < 0 || set.size < 1 || set.start + stride * ((int64_t)set.size - 1) >= npes) {
        fp_usage(FP_CLASS_USAGE, "E137, S 9.10", call,
                 "%s was given the active set of start %d, stride 2^%d, size %d; there are PEs 0 to %d", call->name,
                 set.start, set.log_stride, set.size, npes - 1);
        return -1;
    }
    if (distance < 0 || distance % stride != 0 || distance / stride >= set.size) {
        fp_usage(FP_CLASS_USAGE, "E114, S 9.10", call,
                 "%s was called by PE %d, which is not in its active set (start %d, stride 2^%d, size %d)", call->name,
                 pe->rank, set.start, set.log_stride, set.size);
        return -1;
    }
    return fp_team_active(pe, set.start, (int)stride, set.size);
}

static void
meet(struct active_set set, shmem_coll_kind_t kind, long *psync, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    shmem_coll_t c = {.kind = kind, .psync = psync, .psync_n = SHMEM_BARRIER_SYNC_SIZE, .call = call};

    if (pe == NULL)
        return;
    c.team = set_team(pe, set, &call);
    if (c.team >= 0) {
        if (kind == SHMEM_COLL_BARRIER)
            pe->job->backend->quiet(pe->ctxs[0], &call);
        fp_coll_meet(pe, &c);
    }
    fp_leave(pe);
}

static void
data(struct active_set set, shmem_coll_t c, bool is_strided, ptrdiff_t dst, ptrdiff_t sst)
{
    struct fp_pe *pe = fp_enter(&c.call);

    if (pe == NULL)
        return;
    c.team = set_team(pe, set, &c.call);
    if (c.team >= 0 && fp_coll_judged(pe, &c, is_strided, dst, sst)) {
        c.dest_step = dst * (ptrdiff_t)c.elem_bytes;
        c.source_step = sst * (ptrdiff_t)c.elem_bytes;
        fp_coll_data(pe, &c);
    }
    fp_leave(pe);
}

#define SET ((struct active_set){PE_start, logPE_stride, PE_size})
#define SET_PARAMETERS int PE_start, int logPE_stride, int PE_size

FP_ROUTINE_IS(void, barrier, (SET_PARAMETERS, long *pSync), meet(SET, SHMEM_COLL_BARRIER, pSync, call))
FP_ROUTINE_IS(void, sync, (SET_PARAMETERS, long *pSync), meet(SET, SHMEM_COLL_SYNC, pSync, call))

#define DATA(K, bits, sync, ...)                                                                                       \
    (shmem_coll_t)                                                                                                     \
    {                                                                                                                  \
        .kind = SHMEM_COLL_##K, .type = SHMEM_TYPE_BITS##bits, .elem_bytes = bits / 8, .dest = dest, .source = source, \
        .nelems = nelems, .psync = pSync, .psync_n = SHMEM_##sync##_SYNC_SIZE, .call = call, __VA_ARGS__               \
    }
#define DEFINE(bits)                                                                                                   \
    FP_ROUTINE_IS(void, broadcast##bits,                                                                               \
                  (void *dest, const void *source, size_t nelems, int PE_root, SET_PARAMETERS, long *pSync),           \
                  data(SET, DATA(BROADCAST, bits, BCAST, .root = PE_root), false, 0, 0))                               \
    FP_ROUTINE_IS(void, collect##bits, (void *dest, const void *source, size_t nelems, SET_PARAMETERS, long *pSync),   \
                  data(SET, DATA(COLLECT, bits, COLLECT, .root = 0), false, 0, 0))                                     \
    FP_ROUTINE_IS(void, fcollect##bits, (void *dest, const void *source, size_t nelems, SET_PARAMETERS, long *pSync),  \
                  data(SET, DATA(FCOLLECT, bits, COLLECT, .root = 0), false, 0, 0))                                    \
    FP_ROUTINE_IS(void, alltoall##bits, (void *dest, const void *source, size_t nelems, SET_PARAMETERS, long *pSync),  \
                  data(SET, DATA(ALLTOALL, bits, ALLTOALL, .root = 0), false, 0, 0))                                   \
    FP_ROUTINE_IS(                                                                                                     \
        void, alltoalls##bits,                                                                                         \
        (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, SET_PARAMETERS, long *pSync),    \
        data(SET, DATA(ALLTOALLS, bits, ALLTOALLS, .root = 0), true, dst, sst))
SHMEM_ACTIVE_SET_SIZES(DEFINE)
#undef DEFINE

/* Elements of work space (1.16). */
static size_t
work_elements(int nreduce)
{
    const size_t half = nreduce < 0 ? 0 : (size_t)nreduce / 2 + 1;

    return half < SHMEM_REDUCE_MIN_WRKDATA_SIZE ? SHMEM_REDUCE_MIN_WRKDATA_SIZE : half;
}

#define DEFINE_TO_ALL(N, T, op, OP)                                                                                    \
    FP_ROUTINE_IS(void, N##_##op##_to_all,                                                                             \
                  (T * dest, const T *source, int nreduce, SET_PARAMETERS, T *pWrk, long *pSync),                      \
                  data(SET,                                                                                            \
                       (shmem_coll_t){.kind = SHMEM_COLL_REDUCE,                                                       \
                                      .type = SHMEM_TYPE_##N,                                                          \
                                      .reduce = SHMEM_REDUCE_##OP,                                                     \
                                      .elem_bytes = sizeof(T),                                                         \
                                      .nelems = (size_t)nreduce,                                                       \
                                      .dest = dest,                                                                    \
                                      .source = source,                                                                \
                                      .psync = pSync,                                                                  \
                                      .psync_n = SHMEM_REDUCE_SYNC_SIZE,                                               \
                                      .pwrk = pWrk,                                                                    \
                                      .pwrk_bytes = work_elements(nreduce) * sizeof(T),                                \
                                      .call = call},                                                                   \
                       false, 0, 0))
#define DEFINE(N, T) DEFINE_TO_ALL(N, T, and, AND) DEFINE_TO_ALL(N, T, or, OR) DEFINE_TO_ALL(N, T, xor, XOR)
SHMEM_TO_ALL_BITWISE_TYPES(DEFINE)
#undef DEFINE
#define DEFINE(N, T) DEFINE_TO_ALL(N, T, max, MAX) DEFINE_TO_ALL(N, T, min, MIN)
SHMEM_TO_ALL_MINMAX_TYPES(DEFINE)
#undef DEFINE
#define DEFINE(N, T) DEFINE_TO_ALL(N, T, sum, SUM) DEFINE_TO_ALL(N, T, prod, PROD)
SHMEM_TO_ALL_ARITH_TYPES(DEFINE)
#undef DEFINE
