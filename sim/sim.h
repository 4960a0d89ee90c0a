/* sim.h -- the deterministic backend's own structures; one struct sim a run.
 *
 * One PE runs at a time. At every library call the running PE reaches a *scheduling point*: the chooser picks the
 * next step, which is to go on, to run another PE, or to carry out one unit of a pending operation. Nothing else
 * decides anything, so a run is a pure function of the program, its input and the list of answers.
 *
 *   sched.c    steps, blocking, waking; nobody can move -> hang.c
 *   flight.c   operations on their way: units, lanes (fence epochs), carrying a unit out
 *   ops.c      put, get, AMO as the front end calls them;  order points in complete.c (fence, quiet)
 *   wait.c, meet.c (sync and collectives), lock.c
 *   choose.c   the one choice function; chooser_*.c answer it;  net.c says what the network allows and how long it
 * takes
 *   context_*  how a PE's flow of control is suspended and resumed
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "reference/job.h"
#include "reference/report/report.h"
#include "sim/choose.h"
#include "sim/context.h"
#include "sim/event.h"
#include "sim/net.h"
#include "sim/order.h"
#include "sim/predict.h"

struct sim_pe;
struct sim_step;
struct sim_flight;
struct search_log;

/* ---- Operations on their way
 * ---------------------------------------------------------------------------------------- */

/* What a unit does when it is carried out. */
enum sim_unit_kind { SIM_UNIT_PUT, SIM_UNIT_GET, SIM_UNIT_AMO, SIM_UNIT_SIGNAL };

/* The smallest step of an operation: bytes [from, to) of its data, or its atomic update. Ready when blockers is 0. */
struct sim_unit {
    struct sim_flight *flight;
    enum sim_unit_kind kind;
    uint8_t blockers; /* lane closed + earlier atomic on the location + own data under way + turn of the team's call */
    bool holds;       /* later epochs of its lane wait for it (covered by fence) */
    bool queued;      /* waits in its lane for the epoch to open */
    size_t from, to;
    uint64_t time; /* earliest arrival by the network's clock, ns */
    uint64_t seq;  /* order of creation: breaks ties */
    uint32_t chain; /* place among the units of its lane and epoch */
    uint32_t slot; /* position in sim->units while ready */
    struct sim_unit *lane_next;
    struct sim_unit *same_next; /* next atomic of the lane on the same location (A3) */
    struct sim_unit *hash_next;
    struct sim_unit *held_next; /* data of a collective whose turn has not come at the target */
    struct sim_unit *next; /* units of the flight */
};

/* Operations of one context to one target. Units of epoch e may be carried out once every holding unit of an earlier
 * epoch has been (H7). Invariant: every holding unit of an epoch < open has been carried out; `out` counts those of
 * epoch == open that have not; the queue holds units of later epochs, in order of issue. */
struct sim_lane {
    struct sim_ctx *ctx;
    int target;
    uint64_t open;
    uint64_t out;
    struct sim_unit *head, **tail;
    uint64_t pending;    /* operations not complete, for pe_quiet */
    uint64_t acked;      /* as the context's */
    uint64_t issued;     /* operations given to the lane (ordered network) */
    uint64_t busy_until; /* link occupied until, ns (bandwidth) */
    uint64_t latest;      /* arrival of what was issued last (first in, first out), or of the epochs before */
    uint64_t epoch_end, timed_epoch; /* latest arrival so far, and of which epoch */
    uint64_t chain_epoch; /* units issued in this epoch: chain */
    uint32_t chain;
};

/* The backend's part of a context. */
struct sim_ctx {
    shmem_ctx_state_t *state;
    struct sim_pe *owner;
    uint64_t epoch;          /* fences so far; with an ordered network, operations so far */
    uint64_t pending;        /* operations not complete */
    uint64_t acked;          /* when the origin knows that what was carried out is complete (topologies) */
    struct sim_lane **lanes; /* by target, made on first use */
    struct sim_ctx *next;    /* all contexts of the run */
};

/* An operation from its issue until all its units are carried out. */
struct sim_flight {
    struct sim_op op; /* as the observers see it */
    struct sim_ctx *ctx;
    struct sim_lane *lane;
    struct sim_flight *next;      /* free list */
    struct sim_unit unit;         /* the first (often only) unit lives here */
    struct sim_unit *signal_unit; /* of a put_signal */
    uint32_t units_left, data_left;
    uint64_t issued;     /* clock of the origin then */
    struct sim_step *step; /* timing.h: what the origin's clock came from then */
    uint64_t lane_epoch; /* op.epoch, or with an ordered network the number of the operation in its lane */
    bool quiets;         /* a quiet waits for it */
    bool waited;         /* the origin is blocked until it is carried out */
    char *remote;        /* real address in the target's memory */
    char *local;         /* source (put_nbi) or destination (get) at the origin */
    size_t block_bytes, nblocks;
    ptrdiff_t remote_step, local_step;
    char *data; /* copied-out source; inline_data, or allocated */
    char inline_data[64];
    uint64_t operand, cond, old; /* AMO: values of elem_bytes bytes */
    void *fetch;
    char *sig_remote;
    uint64_t sig_value;
};

/* ---- PEs
 * ------------------------------------------------------------------------------------------------------------ */

enum sim_why {
    SIM_STOPPED = -1,
    SIM_RUNNABLE,
    SIM_IN_QUIET,
    SIM_IN_WAIT,
    SIM_IN_SYNC,
    SIM_IN_LOCK,
    SIM_IN_OP,
    SIM_AT_END
};

struct sim_pe {
    struct fp_pe *pe;
    struct sim *sim;
    int rank;
    enum sim_why why; /* SIM_RUNNABLE: running or in sim->ready */
    uint32_t slot;    /* position in sim->ready */
    bool polling;     /* its last call looked and saw nothing new: let others move first */
    bool ended;
    uint64_t clock; /* ns */
    uint64_t began; /* clock when its last call began */
    uint64_t blocked;  /* ns that it was blocked */
    struct sim_step *step; /* timing.h: what its clock comes from */
    uint64_t woken_by; /* id of the operation that ended its last wait, 0: none */
    uint64_t polls; /* looks since anything else happened to it */
    uint64_t points; /* scheduling points it has come to */
    struct sim_context context;
    shmem_call_t call; /* the call it is in, for reports */
    /* What it is blocked on. */
    struct sim_ctx *quiet_ctx;
    const int *quiet_pes; /* pe_quiet: the targets, else NULL */
    size_t quiet_npes;
    const shmem_wait_t *wait;
    struct sim_pe *meet_next; /* others that wait at the same meeting */
    struct sim_turn *turns; /* calls of each team that it has left behind */
    uint64_t meet_seq;
    int meet_team;
    shmem_coll_kind_t meet_kind;
    struct sim_lock *lock;
    struct sim_pe *lock_next;     /* behind it in the queue of the lock */
    size_t any_cursor;            /* wait_until_any: where to look first */
    const uint64_t *fetched_from; /* signal_fetch: where and what it saw last */
    uint64_t fetched;
    const void *tested; /* where its last test saw nothing, or NULL */
    const void *looked_at; /* last get or fetching AMO: where, what it saw */
    uint64_t looked_value;
    const void *spin_address, *spin_site; /* last plain load: where, by which instruction, what it saw, how often */
    uint64_t spin_value;
    struct fp_streams *streams; /* pe->streams; access.c */
    uint64_t open_streams[2];   /* of loads, of stores: bit i is streams->at[i] */
    struct sim_areas *areas;    /* area.c; NULL until there is one */
    unsigned open_areas, jumps; /* how many are open; accesses that jumped since the last scheduling point */
    bool in_stretch;            /* at a scheduling point that only a stretch of loads made: areas stay open */
    uint32_t spin_count;
    uint32_t stretch_loads,
        stretches; /* loads since the last scheduling point; points since then that only they made */
};

struct sim_lock;
struct sim_meet;

/* What the ordering table (order.h) says about deliveries, looked up once a run, by class of operation. */
struct sim_rules {
    bool holds[FP_ORDER_COUNT];  /* a fence holds later operations to the target back until these are delivered */
    bool obeys[FP_ORDER_COUNT];  /* ... holds these back */
    bool quiets[FP_ORDER_COUNT]; /* quiet waits for these */
    bool signal_after_data;       /* a put_signal's update waits for its data */
    bool location_order;          /* atomics of one lane on one location keep their order */
};

/* ---- The run
 * -------------------------------------------------------------------------------------------------------- */

struct sim {
    struct fp_job *job;
    int npes;
    struct sim_pe *pes;
    struct sim_pe *running;
    int ended;

    struct sim_chooser chooser;
    bool timed; /* arrivals follow the network's clock with jitter that is chosen */
    struct sim_net net;
    struct sim_links *links;   /* of the network's topology, or NULL */
    struct sim_timing *timing; /* what determined when (timing.h), or NULL */
    void *served; /* what a child of a server tells at its end (server.h), or NULL */
    uint64_t choices; /* answered so far */
    struct predict *predict;  /* or NULL (predict.h) */
    struct predict_late late; /* of a run that looks for a witness */
    uint64_t choice_hash;     /* with predict: of all answers */
    struct search_log *search; /* of the exhaustive search that this run belongs to, or NULL (search.h) */
    struct sim_record *record; /* trace being written and the digest, or NULL */

    /* Ready PEs other than the running one, and ready units: binary heaps by (time, order), so that index 0 is the
     * earliest. */
    struct sim_pe **ready;
    uint32_t nready, nready_polling;
    struct sim_unit **units;
    uint32_t nunits, units_cap;
    struct sim_unit **stalled; /* ready, but on the link of --stall: in order, delivered when nothing else moves */
    uint32_t nstalled, stalled_cap;

    uint64_t op_count, unit_seq;
    volatile uint64_t steps; /* scheduling points so far: the watchdog's sign of life */
    struct sim_insert *insert; /* --insert, or NULL (insert.h) */
    struct sim_watchdog *watchdog;
    uint64_t idle_polls; /* looks in a row, over all PEs, with nothing else happening */
    struct sim_flight *free_flights;
    struct sim_unit *free_units;
    uint64_t flights_out; /* flights in use */
    struct sim_unit **same_location; /* hash of pending atomics */
    struct sim_lock *locks;
    struct sim_meet *meets;
    struct sim_ctx *all_ctxs;
    struct sim_chunk *chunks; /* what flights and units are cut from */

    struct sim_rules rules;

    bool observing;
    struct sim_event access; /* access.c: what differs is filled in */
    const struct sim_observer *observers[6];
    void *observer_self[6];
    int nobservers;
};

static inline struct sim_pe *
sim_self(void)
{
    return fp_self->backend;
}

/* A call begins: it takes its overhead. */
static inline void
sim_begin(struct sim_pe *sp, const shmem_call_t *call)
{
    sp->call = *call;
    sp->began = sp->clock;
    sp->clock += sp->sim->net.overhead_ns;
}

/* backend.c: chooser, trace and observers of a run whose configuration has changed before it began. 0, or -1 after
 * saying why. */
int sim_reopen(struct sim *sim);

/* ---- sched.c
 * -------------------------------------------------------------------------------------------------------- */

/* Scheduling point of the running PE, which could go on. */
void sim_point(struct sim_pe *sp);
/* The same after a look that saw nothing new (test, sleep): others move first. */
void sim_poll_point(struct sim_pe *sp);
/* Inside a long stretch of plain loads; with `polling` others had better move. */
void sim_stretch_point(struct sim_pe *sp, bool polling);
/* Counts a look that saw what the last one saw. Ends the run as a hang when nobody does anything else any more. */
void sim_looked_in_vain(struct sim_pe *sp, unsigned weight);
/* Blocks the running PE for `why`; returns when sim_wake() was called on it and it was chosen. */
void sim_block(struct sim_pe *sp, enum sim_why why);
/* Makes a blocked PE ready, not before `time`. */
void sim_wake(struct sim_pe *sp, uint64_t time);
void sim_ready_add(struct sim *sim, struct sim_pe *sp);
/* The running PE has ended: runs the others. Returns only in PE 0, when all have ended. */
void sim_leave(struct sim_pe *sp);

/* ---- flight.c
 * ------------------------------------------------------------------------------------------------------- */

struct sim_flight *sim_flight_new(struct sim *sim);
struct sim_lane *sim_lane(struct sim_ctx *ctx, int target);
/* Gives every unit of the flight to its lane. */
void sim_flight_launch(struct sim *sim, struct sim_flight *flight);
void sim_unit_carry_out(struct sim *sim, struct sim_unit *unit);
struct sim_unit *sim_unit_new(struct sim *sim);
/* Frees a flight that its origin waited for (flight->waited). */
void sim_flight_done(struct sim *sim, struct sim_flight *flight);
/* Forgets what is pending, for another run. */
void sim_flights_again(struct sim *sim);
/* Releases all flights and units, pending ones too. */
void sim_flights_free(struct sim *sim);

/* heap.c: the two heaps. */
void sim_ready_push(struct sim *sim, struct sim_pe *sp);
void sim_ready_remove(struct sim *sim, uint32_t slot);
void sim_units_push(struct sim *sim, struct sim_unit *unit);
void sim_units_remove(struct sim *sim, uint32_t slot);
/* Nothing else can move: the first stalled unit may. False: there is none. stall.c */
bool sim_stall_release(struct sim *sim);
void sim_stall_free(struct sim *sim);
/* --stall: keeps a unit that has become ready, if it is on the stalled link. */
bool sim_stall_keeps(struct sim *sim, struct sim_unit *unit);
/* --stop-pe: the PE that runs stops for ever. */
void sim_stop_pe(struct fp_pe *pe, const shmem_call_t *call);

/* ---- value.c
 * -------------------------------------------------------------------------------------------------------- */

/* Applies an atomic function to the `width` bytes at `at`; the old value goes to `old`. False if nothing was written
 * (FETCH, failed CSWAP). */
bool sim_amo_apply(shmem_amo_t amo, size_t width, void *at, const void *operand, const void *cond, void *old);
/* Decimal text of a value. */
void sim_value_text(shmem_type_t type, size_t width, const void *value, char *text, size_t size);
const char *sim_cmp_text(int cmp);

/* ---- the seam's entries
 * --------------------------------------------------------------------------------------------- */

void sim_put(const shmem_op_t *op);
void sim_get(const shmem_op_t *op);
void sim_amo(const shmem_op_t *op);
void sim_fence(shmem_ctx_state_t *ctx, const shmem_call_t *call);
void sim_quiet(shmem_ctx_state_t *ctx, const shmem_call_t *call);
void sim_pe_quiet(shmem_ctx_state_t *ctx, const int *pes, size_t npes, const shmem_call_t *call);
size_t sim_wait(const shmem_wait_t *wait);
size_t sim_test(const shmem_wait_t *wait);
uint64_t sim_signal_fetch(const uint64_t *sig_addr, const shmem_call_t *call);
void sim_coll_enter(const shmem_coll_t *c);
void sim_coll_leave(const shmem_coll_t *c);
void sim_sync(const shmem_coll_t *c);
void sim_lock_set(long *lock, const shmem_call_t *call);
int sim_lock_test(long *lock, const shmem_call_t *call);
void sim_lock_clear(long *lock, const shmem_call_t *call);
void sim_access(const void *address, size_t bytes, bool write, const char *name, const void *site);

/* Bytes [address, +bytes) of PE `pe` have been changed by `unit`: if it waits on them, look again. wait.c */
void sim_wait_poke(struct sim *sim, int pe, const void *address, size_t bytes, const struct sim_unit *unit);
/* Whether a blocking call could return now. */
bool sim_wait_satisfied(const shmem_wait_t *wait);
/* Looks at every blocked wait again (plain stores through shmem_ptr are not seen as events). True if one was woken. */
bool sim_wait_poke_all(struct sim *sim);
/* Whether a quiet's condition holds now. complete.c */
bool sim_quiet_done(const struct sim_pe *sp);
/* When, by the network's clock, the PE knows it (topologies). */
uint64_t sim_quiet_acked(const struct sim_pe *sp);
void sim_meet_free(struct sim *sim);

/* turns.c. True: the unit is data of a collective whose turn has not come at its target; it is unblocked then. */
bool sim_turn_holds(struct sim *sim, struct sim_unit *unit);
void sim_turn_enter(struct sim_pe *sp, const shmem_coll_t *c);
void sim_turn_leave(struct sim_pe *sp, const shmem_coll_t *c);
void sim_turns_free(struct sim_pe *sp);
/* flight.c: one reason less. */
void sim_unit_unblock(struct sim *sim, struct sim_unit *unit);
void sim_locks_free(struct sim *sim);
/* Who holds the lock (-1: nobody) and by which call. */
int sim_lock_owner(const struct sim_lock *lock, shmem_call_t *call);

/* ---- hang.c
 * --------------------------------------------------------------------------------------------------------- */

/* Nobody can move: reports it and ends the job. */
_Noreturn void sim_hang(struct sim *sim, const char *how);

/* ---- emit: one event to every observer and to the digest
 * ------------------------------------------------------------- */

void sim_emit_(struct sim *sim, const struct sim_event *event);
void sim_emit_access(struct sim *sim, const struct sim_event *event); /* one of those that were gathered */
/* Tells the plain accesses that the PE has gathered. Whatever else it does comes after them. */
void sim_access_tell_(struct sim_pe *sp);
void sim_access_tell_streams(struct sim_pe *sp); /* not those of areas */
static inline void
sim_access_tell(struct sim_pe *sp)
{
    if (sp->open_streams[0] | sp->open_streams[1] | sp->open_areas)
        sim_access_tell_(sp);
}
/* Whether the contents of the bytes tell an observer something (sim_observer.unwritten). */
bool sim_unwritten(const struct sim *sim, const char *at, size_t bytes);

/* area.c: the open area that has all of [at, end), or NULL. */
struct fp_area *sim_area_of(const struct sim_pe *sp, const char *at, const char *end);
/* An access has jumped to [at, end): its block as an area, if it becomes one. What is known of it is to be told. */
struct fp_area *sim_area_open(struct sim_pe *sp, const char *at, const char *end);
void sim_areas_tell(struct sim_pe *sp);
void sim_areas_free(struct sim_pe *sp);
void sim_access_free(struct sim_pe *sp);
static inline void
sim_emit(struct sim *sim, const struct sim_event *event)
{
    if (sim->observing)
        sim_emit_(sim, event);
}

#endif
