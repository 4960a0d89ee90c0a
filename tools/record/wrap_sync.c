/* wrap_sync.c -- start and end, the heap, order points, barriers, collectives, locks, contexts. */
#include "tools/record/wrap.h"

#define NOTHING (void)0

/* ---- Start and end
 * ----------------------------------------------------------------------------------------------------- */

/* A meeting of a team: told where it begins, and where it has ended. */
void
wrap_enter(const struct record_call *call, uint64_t began, const char *kind, int team, uint64_t seq)
{
    struct record_call entered = *call;
    struct record_fields fields = {0};
    entered.event = TRACE_EV_SYNC_ENTER;
    entered.coll = kind;
    entered.type = "mem";
    RECORD_SET(&fields, team, team);
    RECORD_SET(&fields, seq, seq);
    record_write(&entered, &fields, began);
}

void
wrap_leave(const struct record_call *call, uint64_t began, const char *kind, int team, uint64_t seq)
{
    struct record_call left = *call;
    struct record_fields fields = {0};
    left.event = TRACE_EV_SYNC_LEAVE;
    left.coll = kind;
    left.type = "mem";
    RECORD_SET(&fields, team, team);
    RECORD_SET(&fields, seq, seq);
    record_write(&left, &fields, began);
}

static void
order(const struct record_call *call, uint64_t began, enum fp_trace_event event, ctx_pointer ctx)
{
    struct record_call told = *call;
    struct record_fields fields = {0};
    told.event = event;
    RECORD_SET(&fields, ctx, record_ctx(ctx));
    record_write(&told, &fields, began);
}

static void
started(const struct record_call *call, uint64_t began)
{
    int (*my_pe)(void) = (int (*)(void))record_real("shmem_my_pe");
    int (*n_pes)(void) = (int (*)(void))record_real("shmem_n_pes");
    record_open(my_pe(), n_pes());
    uint64_t seq = record_team_seq(0);
    wrap_enter(call, began, "init", 0, seq);
    wrap_leave(call, began, "init", 0, seq);
}

/* Before the file is there nothing is told, so these do not go through WRAP. */
#define STARTS(type, routine_, params, args, keep, give)                                                               \
    EXPORT type shmem_##routine_ params;                                                                               \
    type shmem_##routine_ params                                                                                       \
    {                                                                                                                  \
        type(*real) params = (type(*) params)record_real("shmem_" #routine_);                                          \
        const struct record_call call = {.name = "shmem_" #routine_, .site = __builtin_return_address(0)};             \
        record_begin(call.site);                                                                                       \
        keep real args;                                                                                                \
        started(&call, record_now());                                                                                  \
        record_leave();                                                                                                \
        give;                                                                                                          \
    }
STARTS(void, init, (void), (), , )
STARTS(int, init_thread, (int requested, int *provided), (requested, provided), int status =, return status)

static void
finishing(const struct record_call *call, uint64_t began)
{
    order(call, began, TRACE_EV_QUIET, NULL);
    uint64_t seq = record_team_seq(0);
    wrap_enter(call, began, "finalize", 0, seq);
    wrap_leave(call, began, "finalize", 0, seq);
    record_close();
}
WRAP_VOID(finalize, (void), (), finishing(&call, began), NOTHING)

/* ---- The heap
 * ---------------------------------------------------------------------------------------------------------- */

static void
heap_call(const struct record_call *call, uint64_t began, const char *kind, const void *old, size_t elems, size_t elem,
          size_t align)
{
    struct record_call entered = *call;
    struct record_fields fields = {0};
    int64_t region, offset;
    entered.event = TRACE_EV_SYNC_ENTER;
    entered.coll = kind;
    entered.type = "mem";
    entered.elem = elem;
    record_place(old, &region, &offset);
    RECORD_SET(&fields, region, region);
    RECORD_SET(&fields, offset, offset);
    RECORD_SET(&fields, elems, elems);
    RECORD_SET(&fields, step, align);
    RECORD_SET(&fields, seq, record_team_seq(0));
    record_write(&entered, &fields, began);
}
WRAP(void *, malloc, (size_t bytes), (bytes), if (bytes) heap_call(&call, began, "malloc", NULL, bytes, 0, 0),
     if (bytes) record_born(&call, result, bytes, false))
WRAP(void *, calloc, (size_t count, size_t size), (count, size),
     if (count && size) heap_call(&call, began, "calloc", NULL, count, size, 0),
     if (count && size) record_born(&call, result, count *size, true))
WRAP(void *, align, (size_t align, size_t bytes), (align, bytes),
     if (bytes) heap_call(&call, began, "align", NULL, bytes, 0, align),
     if (bytes) record_born(&call, result, bytes, false))
WRAP(void *, realloc, (void *old, size_t bytes), (old, bytes), heap_call(&call, began, "realloc", old, bytes, 0, 0),
     record_died(&call, old);
     record_born(&call, result, bytes, false))
WRAP_VOID(free, (void *old), (old), if (old) heap_call(&call, began, "free", old, 0, 0, 0), record_died(&call, old))

/* ---- Order points, barriers
 * ------------------------------------------------------------------------------------------- */

WRAP_VOID(fence, (void), (), NOTHING, order(&call, began, TRACE_EV_FENCE, NULL))
WRAP_VOID(ctx_fence, (ctx_pointer ctx), (ctx), NOTHING, order(&call, began, TRACE_EV_FENCE, ctx))
WRAP_VOID(quiet, (void), (), NOTHING, order(&call, began, TRACE_EV_QUIET, NULL))
WRAP_VOID(ctx_quiet, (ctx_pointer ctx), (ctx), NOTHING, order(&call, began, TRACE_EV_QUIET, ctx))

#define MEETS(kind, team_of, quiets)                                                                                   \
    int team = team_of;                                                                                                \
    uint64_t seq = record_team_seq(team);                                                                              \
    if (quiets)                                                                                                        \
        order(&call, began, TRACE_EV_QUIET, NULL);                                                                     \
    wrap_enter(&call, began, kind, team, seq)
#define MEETING(routine_, params, args, kind, team_of, quiets)                                                         \
    EXPORT void shmem_##routine_ params;                                                                               \
    void shmem_##routine_ params                                                                                       \
    {                                                                                                                  \
        WRAP_START(void, routine_, params);                                                                            \
        if (!told) {                                                                                                   \
            real args;                                                                                                 \
        } else {                                                                                                       \
            MEETS(kind, team_of, quiets);                                                                              \
            real args;                                                                                                 \
            wrap_leave(&call, began, kind, team, seq);                                                                 \
        }                                                                                                              \
        record_leave();                                                                                                \
    }
MEETING(barrier_all, (void), (), "barrier", 0, true)
MEETING(sync_all, (void), (), "sync", 0, false)
MEETING(barrier, (int start, int log_stride, int size, long *psync), (start, log_stride, size, psync), "barrier",
        record_team(start, 1 << log_stride, size), true)
MEETING(sync, (int start, int log_stride, int size, long *psync), (start, log_stride, size, psync), "sync",
        record_team(start, 1 << log_stride, size), false)

/* ---- Collectives on active sets
 * --------------------------------------------------------------------------------------- */

void
wrap_collective(const struct record_call *call, uint64_t began, const struct wrap_coll *c, enum fp_trace_event event)
{
    struct record_call told = *call;
    struct record_fields fields = {0};
    int64_t region, offset;
    told.event = event;
    told.coll = c->kind;
    told.type = c->type;
    told.reduce = c->reduce;
    told.elem = c->elem;
    RECORD_SET(&fields, team, c->team);
    RECORD_SET(&fields, seq, c->seq);
    if (event == TRACE_EV_COLL_ENTER) {
        record_place(c->dest, &region, &offset);
        RECORD_SET(&fields, region, region);
        RECORD_SET(&fields, offset, offset);
        record_place(c->source, &region, &offset);
        RECORD_SET(&fields, local_region, region);
        RECORD_SET(&fields, local_offset, offset);
        RECORD_SET(&fields, elems, c->n);
        RECORD_SET(&fields, root, c->root);
        RECORD_SET(&fields, step, c->dst * (ptrdiff_t)c->elem);
        RECORD_SET(&fields, local_step, c->sst * (ptrdiff_t)c->elem);
    }
    record_write(&told, &fields, began);
}

#define COLLECTIVE(routine_, params, args, ...)                                                                        \
    EXPORT void shmem_##routine_ params;                                                                               \
    void shmem_##routine_ params                                                                                       \
    {                                                                                                                  \
        WRAP_START(void, routine_, params);                                                                            \
        struct wrap_coll c = {__VA_ARGS__};                                                                            \
        if (told) {                                                                                                    \
            c.team = record_team(start, 1 << log_stride, size);                                                        \
            c.seq = record_team_seq(c.team);                                                                           \
            wrap_collective(&call, began, &c, TRACE_EV_COLL_ENTER);                                                    \
        }                                                                                                              \
        real args;                                                                                                     \
        if (told)                                                                                                      \
            wrap_collective(&call, began, &c, TRACE_EV_COLL_LEAVE);                                                    \
        record_leave();                                                                                                \
    }
#define SET int start, int log_stride, int size
#define SET_ARGS start, log_stride, size
#define BY_SIZE(bits)                                                                                                  \
    COLLECTIVE(broadcast##bits, (void *dest, const void *source, size_t n, int root, SET, long *psync),                \
               (dest, source, n, root, SET_ARGS, psync), .kind = "broadcast", .type = "bits" #bits, .elem = bits / 8,  \
               .n = n, .dest = dest, .source = source, .root = start + (root << log_stride))                           \
    COLLECTIVE(collect##bits, (void *dest, const void *source, size_t n, SET, long *psync),                            \
               (dest, source, n, SET_ARGS, psync), .kind = "collect", .type = "bits" #bits, .elem = bits / 8, .n = n,  \
               .dest = dest, .source = source)                                                                         \
    COLLECTIVE(fcollect##bits, (void *dest, const void *source, size_t n, SET, long *psync),                           \
               (dest, source, n, SET_ARGS, psync), .kind = "fcollect", .type = "bits" #bits, .elem = bits / 8, .n = n, \
               .dest = dest, .source = source)                                                                         \
    COLLECTIVE(alltoall##bits, (void *dest, const void *source, size_t n, SET, long *psync),                           \
               (dest, source, n, SET_ARGS, psync), .kind = "alltoall", .type = "bits" #bits, .elem = bits / 8, .n = n, \
               .dest = dest, .source = source)                                                                         \
    COLLECTIVE(alltoalls##bits,                                                                                        \
               (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, SET, long *psync),             \
               (dest, source, dst, sst, n, SET_ARGS, psync), .kind = "alltoalls", .type = "bits" #bits,                \
               .elem = bits / 8, .n = n, .dest = dest, .source = source, .dst = dst, .sst = sst)
SHMEM_ACTIVE_SET_SIZES(BY_SIZE)

#define REDUCTION(NAME, T, function)                                                                                   \
    COLLECTIVE(NAME##_##function##_to_all, (T * dest, const T *source, int n, SET, T *pwrk, long *psync),              \
               (dest, source, n, SET_ARGS, pwrk, psync), .kind = "reduce", .type = #NAME, .reduce = #function,         \
               .elem = sizeof(T), .n = (size_t)n, .dest = dest, .source = source)
#define BITWISE(NAME, T) REDUCTION(NAME, T, and) REDUCTION(NAME, T, or) REDUCTION(NAME, T, xor)
#define MINMAX(NAME, T) REDUCTION(NAME, T, min) REDUCTION(NAME, T, max)
#define ARITHMETIC(NAME, T) REDUCTION(NAME, T, sum) REDUCTION(NAME, T, prod)
SHMEM_TO_ALL_BITWISE_TYPES(BITWISE)
SHMEM_TO_ALL_MINMAX_TYPES(MINMAX)
SHMEM_TO_ALL_ARITH_TYPES(ARITHMETIC)

/* ---- Locks and contexts
 * ------------------------------------------------------------------------------------------------ */

static void
lock(const struct record_call *call, uint64_t began, enum fp_trace_event event, const long *at)
{
    struct record_call told = *call;
    struct record_fields fields = {0};
    int64_t region, offset;
    told.event = event;
    record_place(at, &region, &offset);
    RECORD_SET(&fields, region, region);
    RECORD_SET(&fields, offset, offset);
    RECORD_SET(&fields, bytes, sizeof *at);
    record_write(&told, &fields, began);
}
WRAP_VOID(set_lock, (long *at), (at), NOTHING, lock(&call, began, TRACE_EV_LOCK_SET, at))
WRAP_VOID(clear_lock, (long *at), (at), order(&call, began, TRACE_EV_QUIET, NULL);
          lock(&call, began, TRACE_EV_LOCK_CLEAR, at), NOTHING)
WRAP(int, test_lock, (long *at), (at), NOTHING, if (!result) lock(&call, began, TRACE_EV_LOCK_SET, at))
WRAP(int, ctx_create, (long options, ctx_pointer *ctx), (options, ctx), NOTHING,
     if (!result) record_ctx_made(&call, *ctx, NULL, options))
WRAP_VOID(ctx_destroy, (ctx_pointer ctx), (ctx), order(&call, began, TRACE_EV_QUIET, ctx), NOTHING)
