/* model.h -- inside of the oracle: the events of a test, the states of an execution, the moves between them.
 *
 *   events.c   operations become events: what each touches, what may not happen together, what has to come first
 *   state.c    the layout of a state; its canonical form
 *   issue.c    threads: issue and return, which are never a choice
 *   perform.c  events: which may happen now, and what happens then
 *   explore.c  all reachable states, breadth first
 *   sc.c       the outcomes of interleavings of whole operations
 *   answer.c   verdict, outcomes, expectations;  show.c: executions in words
 *
 * An execution is a sequence of events (semantics 1.21: rd, wr, rmw) that respects what the axioms order and leaves
 * everything else open. Issue and return of a call are not moves: a thread always goes on as far as it can, which loses
 * nothing, because an operation that has been issued may still happen as late as anybody likes. Each event carries its
 * past, the set of events that happen before it; a race is an event whose past lacks a conflicting event that has
 * happened. Values play no part in that.
 */
#ifndef FP_MODEL_MODEL_H
#define FP_MODEL_MODEL_H

#include "reference/model/litmus.h"

enum { MOD_EVENTS = 256, MOD_WORDS = MOD_EVENTS / 64, MOD_SLOTS = 256 };

/* What happens. Row: name, reads memory, writes memory, word for a person. */
#define MOD_KIND_ROWS(X)                                                                                               \
    X(ISSUE, false, false, "is issued")                                                                                \
    X(SOURCE, true, false, "reads its source")                                                                         \
    X(DATA, false, true, "is delivered")                                                                               \
    X(FETCH, true, false, "reads")                 /* a get, at the target */                                          \
    X(DEST, false, true, "writes its destination") /* of a get or a nonblocking fetch, at the origin */                \
    X(ATOM, true, true, "executes")                                                                                    \
    X(SIGNAL, true, true, "signals") /* the update of a put_signal */                                                  \
    X(LOOK, true, false, "sees")     /* wait, test, signal_fetch */                                                    \
    X(LOAD, true, false, "loads")                                                                                      \
    X(STORE, false, true, "becomes visible")                                                                           \
    X(GIVE, true, false, "reads its source") /* a collective */                                                        \
    X(TAKE, false, true, "writes its destination")                                                                     \
    X(ACQUIRE, false, false, "gets the lock")                                                                          \
    X(RELEASE, false, false, "gives the lock back")                                                                    \
    X(TRY, false, false, "tries the lock")
enum mod_kind {
#define MOD_KIND_ROW(name, reads, writes, text) MOD_##name,
    MOD_KIND_ROWS(MOD_KIND_ROW)
#undef MOD_KIND_ROW
};

typedef struct {
    uint64_t word[MOD_WORDS];
} mod_set;

struct mod_event {
    enum mod_kind kind;
    int op;
    int location;  /* -1: none */
    uint64_t bits; /* of the location's value */
    bool reads, writes, atomic;
    enum fp_order_class class_; /* of the operation, or of the part of it (SIGNAL) */
    enum lit_type type;
    int unit;               /* element (byte) of the operation */
    int slot;               /* where what it read is kept, -1: nowhere */
    int pair;               /* the event whose value it writes, -1: none */
    mod_set conflicts;      /* events of other operations that race with it unless ordered */
    mod_set meets;          /* events on the same bytes, one of them writing: order between them can be seen */
    mod_set before;         /* events of the same thread that come first on this location (A3, C's order) */
    mod_set cannot_precede; /* later events of its thread that wait for it */
    mod_set contributions;  /* TAKE: the events that it takes from */
};

struct mod_op {
    int first, count; /* events, without the issue, which is event number of the operation */
    enum fp_order_class class_;
    bool blocking; /* the call returns when its events (put: the reading of its source) are done */
};

struct model {
    const struct fp_litmus *test;
    enum fp_rules rules;
    int nevents, nwords, nslots, nreleases;
    struct mod_event events[MOD_EVENTS];
    struct mod_op ops[LIT_OPS];
    int release_of[LIT_LOCATIONS]; /* locations that hand knowledge on; -1 */
    bool threaded[LIT_PES];        /* a PE with several threads */
    bool natural[MOD_EVENTS];      /* an access of the object's own type: others are no atomics to each other (1.12) */
    mod_set behind_fence[FP_ORDER_COUNT]; /* events that a fence orders before an operation of this class */
    mod_set kept_issues;
    /* Offsets in a state, in words. */
    int at_threads, at_done, at_skipped, at_memory, at_registers, at_slots, at_releases, at_release_put, at_past,
        at_need, words;
};

/* A state is `words` words. A thread: its place (operation, in the call, waiting for others) and what it knows. */
enum { MOD_IN_CALL = 1 << 16, MOD_ARRIVED = 1 << 17 };

/* ---- Sets -------------------------------------------------------------------------------------------------------- */

static inline bool
set_has(const uint64_t *set, int event)
{
    return set[event / 64] >> (event % 64) & 1;
}
static inline void
set_add(uint64_t *set, int event)
{
    set[event / 64] |= UINT64_C(1) << (event % 64);
}
static inline void
set_join(const struct model *model, uint64_t *set, const uint64_t *more)
{
    for (int i = 0; i < model->nwords; i++)
        set[i] |= more[i];
}

/* ---- Parts of a state -------------------------------------------------------------------------------------------- */

static inline uint64_t *
state_place(const struct model *model, uint64_t *state, int thread)
{
    return state + model->at_threads + thread * (1 + model->nwords);
}
static inline uint64_t *
state_known(const struct model *model, uint64_t *state, int thread)
{
    return state_place(model, state, thread) + 1;
}
static inline uint64_t *
state_past(const struct model *model, uint64_t *state, int event)
{
    return state + model->at_past + event * model->nwords;
}
/* Of a fence: what it covers. Of a quiet and its kin: what it waits for. Of any other operation: what fences put
 * before it. */
static inline uint64_t *
state_need(const struct model *model, uint64_t *state, int op)
{
    return state + model->at_need + op * model->nwords;
}
static inline uint64_t *
state_release(const struct model *model, uint64_t *state, int location)
{
    return state + model->at_releases + model->release_of[location] * model->nwords;
}
static inline bool
state_settled(const struct model *model, const uint64_t *state, int event)
{
    return set_has(state + model->at_done, event) || set_has(state + model->at_skipped, event);
}
/* Everything in `set` has happened, or never will. */
static inline bool
state_all_settled(const struct model *model, const uint64_t *state, const uint64_t *set)
{
    for (int i = 0; i < model->nwords; i++)
        if (set[i] & ~(state[model->at_done + i] | state[model->at_skipped + i]))
            return false;
    return true;
}

/* events.c. False where the test is too large; error says so. */
bool model_open(struct model *model, const struct fp_litmus *test, enum fp_rules rules, char *error);

/* state.c */
void model_layout(struct model *model);
void model_start(const struct model *model, uint64_t *state);
/* Forgets what can make no difference any more, so that equal futures are equal states. */
void model_reduce(const struct model *model, uint64_t *state);
/* Adds the events of `set` that have happened, and what was before each, to `into`. */
void model_learn(const struct model *model, uint64_t *state, uint64_t *into, const uint64_t *set);
int64_t model_value(const struct model *model, const uint64_t *state, const struct lit_value *value);
uint64_t model_truncate(enum lit_type type, int64_t value);
int64_t model_extend(enum lit_type type, uint64_t value);
/* New value of an atomic; *writes false where it leaves memory alone. */
uint64_t model_atomic(const struct lit_op *op, uint64_t old, uint64_t operand, uint64_t compare, bool *writes);

/* issue.c: all threads go on as far as they can. */
void model_settle(const struct model *model, uint64_t *state);
bool model_ended(const struct model *model, const uint64_t *state);

/* perform.c */
bool model_enabled(const struct model *model, uint64_t *state, int event);
/* It happens. Returns an event that races with it, or -1. */
int model_perform(const struct model *model, uint64_t *state, int event);

#endif
