/* event.h -- what happens in a run, as the observers see it.
 *
 * The simulator emits one event at a time, in the order in which things really happened; observers never see the
 * scheduler or the network. The vocabulary is that of the axioms (semantics 1.21): iss, rd, wr, rmw, ret.
 */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include "reference/job.h"
#include "reference/report/report.h"
#include "shmem_backend.h"

#define SIM_EVENT_ROWS(X) \
    X(ISSUE) /* op: iss. The issuing PE is op->origin. Nonblocking: [place, +bytes) is its local buffer (the source \
                      of a put, the destination of a get, the fetch of an AMO), in use from now on; else address is \
                      NULL */ \
    X(READ)  /* op: rd of [place, +bytes) in the copy of place.pe (symmetric or private to the origin) */ \
    X(WRITE)      /* op: wr of [place, +bytes); the bytes stand there already */ \
    X(RMW)        /* op: atomic execution on [place, +bytes); value is the value after it */ \
    X(RETURN)     /* op: ret of a blocking get, fetching AMO: rd, wr, rmw of it are all done */ \
    X(FENCE)      /* pe, ctx */ \
    X(QUIET)      /* pe, ctx (all its operations are complete): ret. Emitted for every implied quiet too */ \
    X(PE_QUIET)   /* pe, ctx, target: operations to one target are complete */ \
    X(SYNC_ENTER) /* pe, coll: iss of a sync (H9); all stores of the PE become visible (A4) */ \
    X(SYNC_LEAVE) /* pe, coll: ret */ \
    X(COLL_ENTER) /* pe, coll: iss of a data collective (H11) */ \
    X(COLL_LEAVE) /* pe, coll: ret */ \
    X(WAIT)       /* pe: a wait or test on [place, +bytes) succeeded; cmp, value (wanted), seen_matters */ \
    X(LOCK_SET)   /* pe, place: ret of set or successful test */ \
    X(LOCK_CLEAR) /* pe, place: after its quiet */ \
    X(BORN)       /* pe, place, bytes: block exists (contents undefined, or zero for calloc: zeroed) */ \
    X(DIED)       /* pe, place, bytes: block freed or left by realloc */ \
    X(LOAD)       /* pe: plain load of [place, +bytes), symmetric or private */ \
    X(STORE)      /* pe: plain store; told before it happens (hooks), so that address does not show its value */ \
    X(ATOMIC)     /* pe: an atomic operation of the language (C11, C++) on [place, +bytes) */ \
    X(PE_END)     /* pe */

enum sim_event_kind {
#define SIM_EVENT_ROW(name) SIM_EV_##name,
    SIM_EVENT_ROWS(SIM_EVENT_ROW)
#undef SIM_EVENT_ROW
};

/* An operation from issue until the simulator forgets it (complete, all events emitted). */
struct sim_op {
    uint64_t id;        /* number of the operation in the run, from 1 */
    int origin, target; /* PEs */
    shmem_op_kind_t kind;
    shmem_type_t type;
    shmem_amo_t amo;
    unsigned flags; /* SHMEM_OPF_* */
    const shmem_ctx_state_t *ctx;
    uint64_t epoch; /* fences on the context before the issue */
    size_t elem_bytes;
    size_t bytes; /* of all blocks */
    shmem_amo_t sig_op;
    shmem_call_t call;
    fp_site_t site;
    struct shmem_coll coll; /* valid with SHMEM_OPF_INTERNAL */
    void *note[2];          /* an observer's own, set at ISSUE; note[0] is the race observer's */
};

struct sim_event {
    enum sim_event_kind kind;
    int pe;                       /* the PE that acts (origin of op) */
    struct sim_op *op;            /* ISSUE, READ, WRITE, RMW, RETURN */
    const shmem_ctx_state_t *ctx; /* FENCE, QUIET, PE_QUIET */
    int target;                   /* PE_QUIET */
    const shmem_coll_t *coll;
    const void *address; /* of the first byte (the real one, in the copy of place.pe) */
    struct fp_place place;
    size_t bytes;
    shmem_type_t type;       /* WAIT */
    int cmp;                 /* WAIT */
    unsigned char value[16]; /* RMW: after it. WAIT: the wanted value */
    bool seen_matters;       /* WAIT: the call returned the value it saw */
    bool signal;             /* RMW, WAIT: of a signal object through the signal routines */
    size_t op_offset;        /* READ, WRITE: where the bytes lie in the data of the operation */
    size_t grain;            /* LOAD, STORE: bytes of each of the accesses that [address, +bytes) gathers */
    /* LOAD, STORE: of [address, +bytes), which lies in one page of 4096 and begins and ends with a multiple of 8, only
     * those bytes whose bit is set (bit i of bits[g]: byte 8 g + i). NULL: all. */
    const unsigned char *bits;
    bool last;               /* READ, WRITE: last bytes of this operation of this kind */
    bool zeroed;             /* BORN */
    /* ISSUE: what the operation touches at the target, real addresses there: nblocks blocks, remote_step bytes apart
     * (of an AMO its location), NULL where there are none; and the signal of a put_signal. */
    const void *remote, *signal_at;
    size_t block_bytes, nblocks;
    ptrdiff_t remote_step;
    bool failed;             /* RMW: a compare-and-swap that did not swap */
    /* For traces. ISSUE: the caller's own buffer, and the value of one element; READ, WRITE, RMW: nanoseconds from
     * the issue to the arrival; WAIT: the operation that woke it. */
    const void *local;
    ptrdiff_t local_step;
    int64_t shown, signal_shown;
    int64_t took;
    uint64_t by;
    uint64_t point;          /* ISSUE, LOCK_SET: scheduling points that the PE had come to when it called */
    int members;             /* SYNC_*, COLL_*: PEs in coll->team; 0: all PEs of the job */
    int root;                /* COLL_*: coll->root in world numbering */
    const char *name;        /* routine, or "load", "store", "memcpy" */
    fp_site_t site;
};

/* Whether byte `at` of the event's is one that it touches. */
static inline bool
sim_event_has(const struct sim_event *event, uint64_t at)
{
    return at < event->bytes && (!event->bits || event->bits[at / 8] >> at % 8 & 1);
}

/* An observer judges a run. One struct of functions a file; `self` is its own state. */
struct sim_observer {
    const char *name;
    void *(*open)(struct fp_job *job);
    void (*event)(void *self, const struct sim_event *event);
    void (*forget)(void *self, struct sim_op *op); /* the simulator frees the op: release its note */
    void (*close)(void *self);
    /* Or NULL. Whether the contents of [address, +bytes) tell something, so that a load has to be told before a store
     * changes them. */
    bool (*unwritten)(void *self, const void *address, size_t bytes);
};

extern const struct sim_observer sim_observer_race, sim_observer_uninit, sim_observer_notes,
    sim_observer_unneeded, sim_observer_search;

#endif
