/* search.h -- exhaustive search: every schedule and every delivery of a small program.
 *
 * The search is stateless: it runs the program again and again, each time along a *plan* (the first choices), and
 * lets the run go on by itself from there. A run writes down what it did in a log: at each step who could move, who
 * moved, and what the step touched. From the log the search learns which other choices can make a difference.
 *
 *   search_run.c    the side of the run: who can move, following the plan, sleep sets, what a step touches
 *   search_spin.c   PEs that look again and again: which of them need not move
 *   search_order.c  happens-before of one execution, and the pairs of steps that could have come the other way round
 *   search_tree.c   the tree of choices: what is left to try, the next plan
 *
 * Movers ("entities") are PEs (0 .. npes - 1) and units of operations (npes + their number, which a common past fixes).
 * Two steps are dependent when the same PE makes both, when they touch overlapping bytes and one writes, or when one
 * enables the other. Without hooks nobody knows what a PE loads and stores: each of its steps then counts as one that
 * writes all of its own memory. The log lies in memory that a forked child shares with its parent.
 */
#ifndef SIM_SEARCH_H
#define SIM_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "reference/job.h"

struct sim;
struct sim_pe;
struct sim_unit;
struct sim_op;

/* ---- What steps touch */

enum search_access_type {
    SEARCH_READ,
    SEARCH_WRITE,
    SEARCH_RELEASE, /* an ACQUIRE of the same thing can only come later: an edge, but nothing to turn round */
    SEARCH_ACQUIRE,
    SEARCH_ALL /* ends the run: dependent on everything */
};

/* What the bytes [lo, hi) belong to. */
enum search_space {
    SEARCH_HEAP,     /* offset in the arena */
    SEARCH_STATIC,   /* of a PE, offset in its segment */
    SEARCH_PRIVATE,  /* address */
    SEARCH_OWN,      /* the private memory of a PE as a whole */
    SEARCH_LOCK,     /* place of the lock */
    SEARCH_MEETING,  /* of a team */
    SEARCH_CONTEXT,  /* of a PE: its operations, by target */
    SEARCH_LANE,     /* epochs of a lane */
    SEARCH_LOCATION, /* atomics of a lane on one location */
    SEARCH_FLIGHT    /* units of one operation */
};

struct search_access {
    uint64_t space; /* enum search_space << 56 | whose */
    uint64_t lo, hi;
    enum search_access_type type;
};

enum search_relation { SEARCH_INDEPENDENT, SEARCH_EDGE, SEARCH_CONFLICT };
/* Of an earlier to a later access. */
enum search_relation search_relation(const struct search_access *earlier, const struct search_access *later);

/* ---- The log of one run */

/* How much of each there can be. A run that needs more is too long for this kind of search. */
#define SEARCH_STEPS_MAX 20000u
#define SEARCH_ENABLED_MAX (1u << 22)
#define SEARCH_ACCESSES_MAX (1u << 22)
#define SEARCH_UNITS_MAX (1u << 20)
#define SEARCH_SLEEP_MAX (1u << 16)

struct search_step {
    bool split;  /* a choice of data (SPLIT, JITTER) inside the step before it */
    bool forced; /* nobody could really move: not a choice */
    uint32_t entity;
    uint32_t bound, answer; /* of a choice of data */
    uint32_t enabled_from, enabled_count;
    uint32_t access_from, access_count;
    uint32_t made_from, made_count; /* entities that could not move before this step and can after it */
};

enum search_outcome {
    SEARCH_UNFINISHED, /* the run ended in the middle of a step: exit for all, a crash */
    SEARCH_FINISHED,
    SEARCH_REPEAT,   /* whatever could move is asleep: other executions cover this one */
    SEARCH_TOO_LONG, /* more steps than the limit */
    SEARCH_ASTRAY    /* the plan did not fit: the program is not a function of the choices */
};

/* A mover that need not move until something dependent has. */
struct search_asleep {
    uint32_t entity;
    uint32_t access_from, access_count; /* in sleep_accesses */
    bool awake;
};

/* How a PE has looked since anything happened to it (search_run.c). */
#define SEARCH_LOOKS 32
struct search_pe {
    const void *looks[SEARCH_LOOKS];
    uint32_t nlooks;
    const char *fetched; /* where its last blocking fetch looked: of any PE */
    size_t fetched_bytes;
    bool spinning;
    uint64_t turn;
};

struct search_log {
    /* Given to the run. */
    uint32_t npes, step_limit;
    bool hooked;    /* plain accesses are told */
    uint32_t *plan; /* entity or answer, by step */
    uint32_t plan_count;
    struct search_asleep *sleep; /* at step sleep_from */
    uint32_t sleep_count, sleep_from;
    struct search_access *sleep_accesses;
    /* Written by the run. */
    enum search_outcome outcome;
    struct search_step *steps;
    uint32_t nsteps, current; /* current: the last step that is no choice of data */
    uint32_t *enabled, nenabled;
    struct search_access *accesses;
    uint32_t naccesses;
    uint32_t *made, nmade;
    uint32_t *stamps; /* by entity: number of the step, plus 1, at which it could last move */
    struct search_pe *pes;
    uint64_t turns;
};

/* ---- search_run.c: the run's side; sim->search is the log */

/* The step to take, as an answer to a STEP. */
uint32_t sim_search_step(struct sim *sim, bool can_go_on, bool polling);
uint32_t sim_search_split(struct sim *sim, uint32_t bound);
/* A unit is about to be carried out. */
void sim_search_unit(struct sim *sim, const struct sim_unit *unit);
/* The PE looks at what it waits for or tests. */
void sim_search_look(struct sim_pe *sp, const shmem_wait_t *wait);
/* A lock is asked for, tested or cleared; `changes`: not merely looked at in vain. */
void sim_search_lock(struct sim *sim, const void *lock, bool changes);
/* The run ends; `whole`: nothing was cut off. */
void sim_search_end(struct sim *sim, bool whole);

/* ---- search_spin.c */

/* The running PE has looked, at this place of the program, and sees nothing new. */
void search_note_look(struct search_pe *looker, const void *site);
/* Something happened to it, or to all: its next look is a first one. */
void search_unspin(struct search_pe *looker);
void search_unspin_all(struct search_log *log);
/* A blocking operation that only looks, or an attempt that may have been in vain. */
bool search_is_look(const struct sim_op *op);
/* The unit is about to be carried out; an attempt has changed bytes [lo, hi). */
void search_unspin_for(struct search_log *log, const struct sim_unit *unit);
void search_unspin_changed(struct search_log *log, const struct sim_op *op, const char *lo, const char *hi);

/* ---- search_order.c */

/* Adds to the tree what the execution in the log shows to be worth trying. */
struct search_tree;
void search_races(struct search_tree *tree, uint32_t first_new);

/* ---- search_tree.c */

/* PLAIN tries every order of every pair of steps: what the reduced search is tested against. */
enum search_mode { SEARCH_REDUCED = 1, SEARCH_PLAIN = 2 };
struct search_tree *search_open(int npes, enum search_mode mode, bool hooked);
void search_close(struct search_tree *tree);
/* Whether there is an execution left to make; its plan is in the log then. */
bool search_next(struct search_tree *tree);
/* The execution has been made. */
void search_learn(struct search_tree *tree);
/* The same execution once more, before it is learnt from. */
void search_again(struct search_tree *tree);
struct search_log *search_log_of(struct search_tree *tree);
extern const struct fp_search_hooks sim_search_hooks;

struct fp_search_counts search_counts(const struct search_tree *tree);

#endif
