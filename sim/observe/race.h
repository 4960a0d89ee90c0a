/* race.h -- inside of the race observer: what it keeps, and which file does what.
 *
 * Happens-before (semantics 1.21) is computed from what each PE knows (clock.h). Every event of a PE that others can
 * learn of takes the next number of the PE's clock; plain accesses carry the number that the next such event will
 * have.
 *
 *   race.c         events come in
 *   race_op.c      operations, contexts; issue, return, fence, quiet
 *   race_access.c  which memory an event touches
 *   clock.c        knowledge
 *   race_before.c  did access A happen before event B?
 *   shadow.c       accesses to each 8-byte granule of symmetric memory; finds the conflicting pairs
 *   history.c      locations that are waited on or updated atomically: who wrote which value, what it released
 *   race_meet.c    syncs, data collectives, locks
 *   race_predict.c  what was luck in this run, for --predict
 *   race_psync.c   arrays of the deprecated collectives
 *   private.c      private buffers of pending nonblocking operations
 *   race_why.c     why the chain broke: error class, message, weakest repair;  race_report.c: one finding a pair
 *                   of places
 *
 * A verdict depends on the edges alone: neither on values nor on what the network delivered first.
 */
#ifndef SIM_OBSERVE_RACE_H
#define SIM_OBSERVE_RACE_H

#include "sim/event.h"
#include "sim/observe/clock.h"
#include "sim/order.h"
#include "sim/predict.h"

/* ---- Accesses --------------------------------------------------------------------------------------------------- */

/* Kind of an access. Row: name, reads only, atomic. */
#define RACE_ACCESS_ROWS(X)                                                                                            \
    X(LOAD, true, false) /* plain */                                                                                   \
    X(STORE, false, false)                                                                                             \
    X(SOURCE, true, false)      /* a put reads its local source */                                                     \
    X(PUT, false, false)        /* a put writes at the target */                                                       \
    X(GET, true, false)         /* a get reads at the target */                                                        \
    X(DEST, false, false)       /* a get writes its local destination, a nonblocking AMO its fetch */                  \
    X(AMO_READ, true, true)     /* atomic fetch, wait, test, signal_fetch */                                           \
    X(AMO, false, true)         /* atomic update */                                                                    \
    X(COLL_READ, true, false)   /* a collective reads a source */                                                      \
    X(COLL_WRITE, false, false) /* a collective writes a destination */
enum race_access {
#define RACE_ACCESS_ROW(name, reads, atomic) RACE_##name,
    RACE_ACCESS_ROWS(RACE_ACCESS_ROW)
#undef RACE_ACCESS_ROW
};
extern const bool race_reads[], race_atomic[];

/* An access as the shadow keeps it. With `op` its completion is the operation's; without it is a plain access (or a
 * wait) of `pe`, known to whoever knows the PE's program order (a load) or its visible stores (a store) up to
 * `clock`. */
struct race_record {
    uint32_t refs; /* granules (and newer records, through `older`) that hold it */
    uint32_t
        older; /* put of one element: the put to the same bytes that it followed, as long as nobody waited here; or 0 */
    struct race_op *op;
    struct clock *known; /* without op: what the PE knew then; tells the first from the second in a report */
    const char *name;
    fp_site_t site;
    uint64_t clock;
    uint64_t value;    /* put of one element: what it wrote. Without op: the locks that the PE held */
    int32_t pe;        /* who acts */
    uint8_t kind;      /* enum race_access */
    uint8_t type;      /* atomic: shmem_type_t */
    uint8_t amo;       /* atomic: shmem_amo_t of an update */
    uint8_t depth : 4; /* length of the chain through `older` */
    bool signal : 1;   /* atomic: by a signal routine */
    bool wait : 1;     /* AMO_READ by wait, test or signal_fetch */
    bool raced : 1;    /* has been reported */
    bool lock : 1;     /* AMO: the variable of a lock, by a lock routine */
};

/* ---- Operations, contexts, PEs ---------------------------------------------------------------------------------- */

/* An operation as long as anybody can ask about it. */
struct race_op {
    struct race *race;
    uint32_t refs; /* records, facts, history, private buffers, the simulator's note */
    uint32_t uses; /* records and history entries among them */
    uint64_t id;
    int origin, target;
    uint32_t ctx;
    int team;
    uint8_t domain;  /* atomicity domain: the predefined team that the context's team descends from */
    uint8_t class_;  /* enum fp_order_class */
    bool covered;    /* by a fence, as the earlier one */
    bool behind;     /* by a fence, as the later one */
    bool forgotten;  /* the simulator has no more events of it */
    bool single;     /* put of one element: can be a flag (A6) */
    bool signalling; /* put_signal */
    bool nbi;
    bool coll;       /* stands for one member's stay in a data collective */
    bool has_local;  /* its local buffer was told at the issue */
    bool has_remote; /* what it touches at the target was */
    bool quieted;    /* done by a quiet that the program calls, not by one that another call implies */
    bool held;       /* one of the references is for `got`, which a quiet will take */
    uint8_t elem_bytes;
    uint64_t iss, vis;        /* clock at the issue; own stores visible then */
    uint64_t done;            /* clock of the event at which it was complete, 0: not yet */
    uint64_t arrived;         /* put of one element: how many had arrived when it did, itself included; 0: not yet */
    uint64_t point;           /* of its issue (event.h) */
    uint64_t locks;           /* that the PE held then */
    struct clock *clock;      /* what the PE knew at the issue; NULL when nobody can ask any more */
    struct clock *got;        /* fetching AMO: what its execution read from */
    struct race_fence *fence; /* last fence of the context before the issue */
    uint32_t record[2];       /* its record as reader [0] and writer [1] of data, or 0 */
    fp_site_t site;
    const char *name;
    struct race_op **pending_at, *pending_next; /* operations of the context that are not done */
};

struct race_ctx {
    uint32_t id;
    bool nostore;
    struct race_fence *fence;  /* the last one, or NULL */
    struct race_fence *undone; /* fences without a quiet behind them */
    uint32_t nundone, sweep_at;
    struct race_op *pending;
};

/* What a PE did at a clock number; the last RACE_STEPS are kept to tell why a chain broke. */
enum race_step_kind {
    RACE_STEP_NONE,
    RACE_STEP_PUT,
    RACE_STEP_GET,
    RACE_STEP_AMO,
    RACE_STEP_SIGNAL,
    RACE_STEP_RETURN,
    RACE_STEP_FENCE,
    RACE_STEP_QUIET,
    RACE_STEP_PE_QUIET,
    RACE_STEP_SYNC,
    RACE_STEP_BARRIER,
    RACE_STEP_COLL,
    RACE_STEP_LEAVE,
    RACE_STEP_LOCK_CLEAR
};
struct race_step {
    uint64_t clock;
    enum race_step_kind kind;
    uint32_t ctx;
    int target;
    bool nostore;
    fp_site_t site;
    const char *name;
};
#define RACE_STEPS 64

struct race;
struct race_private;
struct race_meet;

struct race_pe {
    struct clock *clock;    /* of others; own entries are the two numbers below */
    uint64_t now;           /* number of the next event */
    uint64_t vis;           /* own stores up to this number are visible */
    uint64_t far_store;     /* number of the latest store into another PE's memory */
    struct race_ctx **ctxs; /* by id */
    uint32_t nctxs;
    struct race_step *steps; /* RACE_STEPS of them, at clock % RACE_STEPS; made on first use */
    uint32_t last_record[4]; /* plain accesses: recent records, by a few bits of the site */
    struct race_private *privates;
    struct race_meet *meet; /* sync it is in */
    uint64_t looks;         /* with predict: acquires so far; locks it holds, one bit each (64 locks share them) */
    uint64_t locks;
    uint64_t meet_clock;
};

/* Who asks: everything that decides whether an access happened before this event. */
struct race_view {
    const struct clock *clock;
    int pe;
    uint64_t po, vis;               /* of the PE itself */
    const struct race_fence *fence; /* operation covered as the later one: last fence of its context, else NULL */
    const struct race_fence *store_fence; /* the same, where it is covered behind stores */
    int target;
    const struct race_op *op; /* event of an operation, not of the PE itself */
    bool local;               /* on the origin's own buffer */
};

/* ---- The observer ----------------------------------------------------------------------------------------------- */

struct shadow_page;
struct history_loc;
struct race_lock;
struct race_psync;
struct race_seen;
struct race_pair;

struct race {
    struct fp_job *job;
    enum fp_rules rules;
    /* Rows of the table, looked up once: by edge and earlier class the bits of the later classes; and what is asked
     * most. */
    uint32_t order[FP_EDGE_COUNT][FP_ORDER_COUNT];
    bool publish, causal, entry, put_flags;
    bool covered[FP_ORDER_COUNT], behind[FP_ORDER_COUNT];
    uint64_t internal_bytes; /* of the library's own, at the start of each heap */
    struct race_pe *pes;
    struct clock_pool pool;
    struct race_op *free_ops, *op_chunks;
    uint64_t arrivals;
    /* shadow.c */
    struct shadow_page **pages;
    uint64_t pages_cap, npages;
    struct shadow_page *last_page;
    uint32_t nreports; /* pairs that were found */
    struct race_record **records;
    uint32_t nrecord_chunks, free_record;
    struct shadow_more *more;
    uint32_t more_n, more_cap, free_more;
    /* history.c */
    struct history_loc **locs;
    uint64_t locs_cap, nlocs;
    /* race_meet.c */
    struct race_meet *meets;
    struct race_lock *locks, *atomics;
    struct race_psync *psyncs; /* race_psync.c: calls on active sets, the latest first */
    /* race_report.c */
    struct race_seen **seen, *undecided;
};

/* race.c */
void *race_alloc(size_t bytes); /* never NULL */

/* Does the edge order (SHARE: need not) an earlier before a later class, in this profile? */
static inline bool
race_orders(const struct race *race, enum fp_edge edge, unsigned earlier, unsigned later)
{
    return race->order[edge][earlier] >> later & 1;
}

/* race_op.c */
void race_on_issue(struct race *race, const struct sim_event *event);
void race_on_return(struct race *race, const struct sim_event *event);
void race_on_fence(struct race *race, const struct sim_event *event);
void race_on_quiet(struct race *race, const struct sim_event *event);
void race_op_forget(struct race_op *op); /* no more events of it will come */
void race_pe_close(struct race *race, struct race_pe *rp);
void race_op_free(struct race_op *op);
static inline void
race_op_drop(struct race_op *op)
{
    if (op && --op->refs == 0)
        race_op_free(op);
}
/* One record or history entry less. */
void race_op_unuse(struct race_op *op);
struct race_op *race_op_new(struct race *race);
/* Takes the PE's next number and remembers what it was for. */
uint64_t race_tick(struct race *race, int pe, enum race_step_kind kind, uint32_t ctx, int target, bool nostore,
                   const struct sim_event *event);

/* race_access.c */
void race_access_issue(struct race *race, const struct sim_event *event, struct race_op *op);
void race_on_data(struct race *race, const struct sim_event *event);
void race_on_rmw(struct race *race, const struct sim_event *event);
void race_on_wait(struct race *race, const struct sim_event *event);
void race_on_plain(struct race *race, const struct sim_event *event);
void race_on_block(struct race *race, const struct sim_event *event);
/* The library's own part of the symmetric heap. */
bool race_internal(const struct race *race, const struct fp_place *place);

/* race_before.c */
struct race_view race_view_pe(const struct race *race, int pe);
struct race_view race_view_op(const struct race *race, const struct race_op *op);
bool race_op_known(const struct race *race, const struct race_op *op, const struct race_view *view);
bool race_before(const struct race *race, const struct race_record *a, const struct race_view *view,
                 const struct fp_place *place);
/* Everything that the update `op` released becomes known to *clock. */
void race_acquire_op(struct race *race, struct clock **clock, struct race_op *op);
/* Size of an element type, from the rows of shmem_types.h. */
size_t race_type_bytes(unsigned type);
/* Two atomics do not race (1.12, 1.13). On false *rule is the class of the error. */
bool race_compatible(const struct race *race, const struct race_record *a, const struct race_record *b,
                     const char **rule);
bool race_conflict(const struct race *race, const struct race_record *a, const struct race_record *b, bool same_bytes);

/* shadow.c */
void shadow_open(struct race *race);
void shadow_close(struct race *race);
struct race_record *shadow_record(const struct race *race, uint32_t id);
uint32_t shadow_record_new(struct race *race);
void shadow_record_drop(struct race *race, uint32_t id);
/* An access of [place, +bytes) by the record's PE: conflicts are reported, the access is kept. */
void shadow_access(struct race *race, uint32_t record, const struct race_view *view, const struct sim_event *event);
void shadow_forget(struct race *race, const struct fp_place *place, size_t bytes);
void shadow_died(struct race *race, const struct race_view *view, const struct sim_event *event);
/* Bytes that a put or get writes stand there: a flag may have got its value. */
void shadow_arrived(struct race *race, struct race_op *op, const struct sim_event *event);
/* Marks the granules of a location that has a history. */
void shadow_mark(struct race *race, const struct fp_place *place, size_t bytes);
/* Puts of one element that cover exactly these bytes and have arrived, at most `max` of the youngest, oldest first. */
int shadow_flag_puts(const struct race *race, const struct fp_place *place, size_t bytes, uint32_t *ids, int max);

/* history.c */
void history_close(struct race *race);
/* An atomic update; `got` (fetching) receives what it read from. */
void history_update(struct race *race, const struct sim_event *event, struct race_op *op, struct clock **got);
/* Another write, which touches a granule that has locations. */
void history_write(struct race *race, const struct sim_event *event, struct race_op *op,
                   const struct fp_place *granule);
void history_wait(struct race *race, const struct sim_event *event);
void history_forget(struct race *race, const struct fp_place *granule);

/* race_meet.c */
void meet_event(struct race *race, const struct sim_event *event);
/* A read or write by the library on behalf of a data collective. */
void meet_internal(struct race *race, const struct sim_event *event);
void meet_close(struct race *race);
/* Somebody holds the lock whose variable is at `place`, on whatever copy. */
bool meet_lock_held(const struct race *race, const struct fp_place *place);

/* race_predict.c: all but the first two with predict only. */
struct race_lock {
    struct race_lock *next;
    enum fp_region region;
    uint64_t offset;
    struct clock *clock;
    bool held;
    int pe;                   /* atomics of the language: whose copy */
    uint64_t bit;             /* predict: this lock in race_pe.locks */
    struct predict_edge last; /* predict: who held it last, as far as known without who takes over */
};
static inline struct predict *
race_predict(const struct race *race)
{
    return race->job->predict;
}
bool predict_weak(const struct race *race);
bool predict_takes_pair(struct race *race, const struct race_pair *pair);
void predict_lock_set(struct race *race, struct race_lock *lock, const struct sim_event *event);
void predict_lock_clear(struct race *race, struct race_lock *lock, const struct sim_event *event);
void predict_take(struct race *race, const struct race_op *op, const struct race_view *before,
                  const struct sim_event *event, bool wait);
bool predict_look_is_lucky(const struct race *race, int pe);
void predict_new_records(struct race *race, struct race_pe *rp);

/* The last waits on a location. */
#define PREDICT_LOOKS 4
struct predict_looks {
    uint32_t next;
    struct predict_look {
        bool open, any_value; /* nothing else was seen that could have ended it; whatever value it saw ends it */
        int pe;
        uint64_t look, clock, index; /* index: of the update that ended it */
        shmem_type_t type;
        int cmp;
        unsigned char wanted[16];
    } at[PREDICT_LOOKS];
};
void predict_waits(struct race *race, struct predict_looks *looks, const struct sim_event *event, uint64_t index);
void predict_could_end(struct race *race, struct predict_look *look, const struct race_op *other, const uint8_t *value,
                       bool joins, const struct race_op *built_on);

/* race_psync.c: a member enters or leaves a call with a pSync. */
void psync_enter(struct race *race, const struct sim_event *event);
void psync_leave(struct race *race, const struct sim_event *event);
void psync_close(struct race *race);

/* private.c */
void private_add(struct race *race, struct race_op *op, const struct sim_event *event, bool writes);
void private_done(struct race *race, int pe);
/* At a quiet, before it: buffers on the stack whose function has returned. */
void private_gone(struct race *race, const struct sim_event *event);
void private_close(struct race *race);
/* A load, store, or the local side of another operation. */
void private_access(struct race *race, const struct sim_event *event, struct race_op *op, bool write);

/* race_report.c, race_why.c */
struct race_pair {
    const struct race_record *a, *b; /* earlier, later */
    const struct race_view *view;    /* of b */
    const struct fp_place *place;    /* first byte */
    const void *address;
    bool died; /* b is the end of the block */
};
void race_report(struct race *race, const struct race_pair *pair);
/* Operations have been completed: what had to wait for that is told. */
void race_report_decide(struct race *race);
void race_report_end(struct race *race); /* all of it, while the operations are still there */
void race_report_close(struct race *race);
/* Fills rule, message, notes and repair. If these depend on whether the program completes an operation by a quiet of
 * its own, they are those of `quieted`, and the operation is returned; else NULL. */
struct race_op *race_explain(struct race *race, const struct race_pair *pair, bool quieted, struct fp_finding *finding);

#endif
