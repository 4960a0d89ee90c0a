/* whatif.h -- a recorded run again, without its program: on another network, by another chooser.
 *
 * A trace has each PE's calls in order, with the computation between them. Here they are issued again by PE functions
 * through the same simulator, so that the network places the deliveries anew and the observers judge the new order.
 * The values are gone, and with them the program's decisions; what the program *saw* is kept instead: a wait returns
 * when the updates of its location up to the one that satisfied it have arrived, a fetching atomic is issued when the
 * updates that came before it have, and locks go from PE to PE in the recorded order. So every replay is a run that the
 * recorded program can have had, as far as its recorded decisions tell.
 *
 *   whatif_load.c   trace -> acts of each PE;  whatif_gate.c  what an act waits for;  whatif_play.c  the PE function
 */
#ifndef SIM_WHATIF_H
#define SIM_WHATIF_H

#include "reference/report/report.h"
#include "sim/sim.h"
#include "traces/trace.h"

/* A shape of the trace, decoded. */
struct whatif_shape {
    enum fp_trace_event event;
    const char *call;
    uint64_t site;
    shmem_op_kind_t op;
    shmem_type_t type;
    shmem_amo_t amo, sig_op;
    shmem_coll_kind_t coll;
    shmem_reduce_t reduce;
    unsigned flags;
    uint32_t elem;
    bool has_coll, of_heap; /* part of a call that allocates or frees */
};

/* One thing that a PE does. Fields as in the trace; gap: computation before it, ns. */
struct whatif_act {
    const struct whatif_shape *shape;
    uint64_t op; /* of an issue */
    uint64_t gap;
    int64_t offset, local_offset, signal_offset, bytes, step, local_step, elems;
    int32_t target, blocks, ctx, team, root, flags;
    uint8_t region, local_region, signal_region;
    bool failed;        /* a compare-and-swap that did not swap */
    uint32_t gate, due; /* index of a location + 1, and how many of its updates must have arrived; or of a lock */
};

struct whatif_script {
    struct whatif_act *acts;
    size_t count, cap;
    uint64_t last_time;
};

/* A location that was waited for or fetched: its updates in the recorded order. */
struct whatif_loc {
    int pe;
    uint8_t region;
    int64_t offset, bytes;
    uint32_t count, cap, arrived; /* updates; how many of the first have all arrived */
    struct whatif_update {
        uint64_t op, value; /* value: the location after it, once it has arrived */
        uint32_t left;      /* bytes that have not */
        uint32_t last;      /* of this and those before, which came last */
    } * updates;
    struct whatif_waiter *waiters;
};

struct whatif_lock {
    uint8_t region;
    int64_t offset;
    uint32_t planned, turn; /* sets and clears recorded; done */
};

struct whatif_block {
    int64_t recorded, bytes, ours; /* ours: -1 before it is made */
};

struct whatif_team {
    int start, stride, size;
};

struct whatif {
    const char *path;
    struct fp_trace_reader *trace; /* kept for its strings */
    int npes;
    bool real_clock, delivers; /* the trace has deliveries of its own */
    struct whatif_shape **shapes;
    uint32_t nshapes;
    struct whatif_script *scripts;
    struct whatif_ref {
        int pe;
        size_t index;
    } * ops; /* by number, from 1 */
    uint64_t nops, ops_cap;
    struct whatif_loc *locs; /* sorted by PE, region, offset */
    size_t nlocs, locs_cap;
    struct whatif_lock *locks;
    size_t nlocks;
    struct whatif_block *blocks; /* in order of birth */
    size_t nblocks, blocks_cap, made;
    bool same_heap;
    struct whatif_team *teams; /* by recorded index, size 0: none */
    int nteams;
    int64_t static_bytes;
    uint64_t recorded_ns, left_out;
    /* while it runs */
    struct sim *sim;
    uint64_t *issuing; /* recorded number of the operation that a PE is issuing, 0: none */
    uint64_t *numbers; /* recorded number by ours */
    uint64_t numbers_cap;
    shmem_ctx_state_t ***ctxs; /* by PE and recorded id */
    uint32_t *nctxs;
    size_t *born;  /* blocks made so far, by PE */
    char *nothing; /* a source for everybody */
    struct whatif_buffer *buffers;
    char error[512];
};

/* Reads a trace; NULL with one line on stderr. */
struct whatif *whatif_load(const char *path);
void whatif_free(struct whatif *w);

/* whatif_gate.c. One pass over the trace for the order in which things arrived. 0 or -1. */
int whatif_gates_read(struct whatif *w);
/* Blocks the running PE until the act's gate opens. */
void whatif_gate_wait(struct whatif *w, struct sim_pe *sp, const struct whatif_act *act);
/* The location of a wait's gate after what the wait saw; false: nothing has arrived for it. */
bool whatif_gate_value(const struct whatif *w, const struct whatif_act *act, uint64_t *value);
void whatif_lock_wait(struct whatif *w, struct sim_pe *sp, const struct whatif_act *act);
void whatif_lock_done(struct whatif *w, const struct whatif_act *act);
/* Bytes [place, +bytes) have arrived for the recorded operation `op`. */
void whatif_arrived(struct whatif *w, uint64_t op, const struct sim_event *event);
/* An atomic operation of the language has been told. */
void whatif_atomic_done(struct whatif *w, struct sim_pe *sp, const struct whatif_act *act);
/* The first location at or behind [pe, region, offset]. */
size_t whatif_loc_from(const struct whatif *w, int pe, int region, int64_t offset);

/* whatif_play.c. The PE function; argument: the struct whatif. */
void whatif_play(void *self);
/* Our address of a recorded place in the copy of PE `pe`; NULL: there is none. */
char *whatif_address(struct whatif *w, int pe, int region, int64_t offset);
void whatif_play_free(struct whatif *w);

extern const struct sim_observer sim_observer_whatif;

/* whatif.c: the whole; argv[1] is the trace. */
int whatif_main(int argc, char **argv);

#endif
