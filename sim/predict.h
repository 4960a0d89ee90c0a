/* predict.h -- races that the order of this run happened to hide (--predict).
 *
 * Some edges of happens-before are luck: which PE got a lock first, which of two producers a counter saw first, which
 * of several updates ended a wait, the order of fetching atomics on one location. Accesses that only such an edge
 * orders do not race in this run, and do in another one. After a run without findings:
 *
 *   1. The run itself has kept a log (race_predict.c): every edge that went from one PE's release to another PE's
 *      acquire by a lock, a fetch or a wait, and which waits another update could have ended just as well.
 *   2. It is made once more, choice by choice the same, with a race observer that does not take the edges of luck. The
 *      pairs that it finds unordered, and that no common lock keeps apart, are candidates. (A program whose second run
 *      is not the first one again, since it reads what only the first could, is not judged.)
 *   3. For each candidate a witness is looked for: the run again up to the release that the luck went out from, which
 *      is now late. Either the PE stays before it or the update is under way, for as long as anything else can move
 *      (chooser_late.c). Each is a legal run, judged by the ordinary observers.
 *   4. What such a run finds is confirmed by replaying its trace, and only then reported: marked as predicted, with the
 *      trace as the witness.
 *
 * So the weaker relation of 2 decides what is tried, never what is said: a finding is one of a run that was made. The
 * runs of 2 to 4 are made by children of a process that was forked before the first PE began (predict_keeper.c). They
 * write nowhere and read nothing from a pipe; files that the program itself writes, they write again, which is why
 * --predict has to be asked for.
 *
 * All of it is a function of the program, its input and the seed.
 */
#ifndef SIM_PREDICT_H
#define SIM_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "reference/report/report.h"

#define PREDICT_EDGES_MAX (1u << 20)
#define PREDICT_PAIRS_MAX 64
#define PREDICT_FOUND_MAX 4
#define PREDICT_STACK_MAX 16

/* An edge that was luck: a release of PE `from` and an acquire of PE `to`. Numbers of events are those of the race
 * observer's clocks. */
struct predict_edge {
    int from, to;
    uint64_t op;       /* the update that released; 0: a lock */
    uint64_t point;    /* scheduling points that `from` had behind it when it released, or asked for the lock */
    uint64_t released; /* number of the release */
    uint64_t acquired; /* number of what `to` does next */
    uint64_t look;     /* which acquire of `to` */
    bool wait;         /* by a wait or test: luck only if it is among the lucky ones */
    fp_site_t release_site, acquire_site;
    const char *release_name, *acquire_name;
};

/* The look-th acquire of PE `pe` could have been by another update. */
struct predict_lucky {
    int pe;
    uint64_t look;
};

/* Two accesses that only luck orders. */
struct predict_pair {
    int pe[2];
    uint64_t clock[2];
    fp_site_t site[2];
};

/* What is late in a run that looks for a witness. */
enum predict_late_kind { PREDICT_NOTHING, PREDICT_STAY, PREDICT_FLY };
struct predict_late {
    enum predict_late_kind kind;
    int pe;            /* STAY: this PE ... */
    uint64_t point;    /* ... at this scheduling point of its own */
    uint64_t op;       /* FLY: this operation (of a put_signal: its signal) */
    uint64_t patience; /* steps after which it is not kept any longer */
    uint64_t steps;    /* with which the run ends, whatever it does: an unfair chooser may let it go on for ever */
};

enum predict_pass {
    PREDICT_LOG,  /* the run itself */
    PREDICT_WEAK, /* again, without luck */
    PREDICT_TRY   /* a witness, or its replay */
};

/* Of the findings of a run, what outlives its process. */
struct predict_found {
    struct fp_finding finding;
    char notes[FP_ACCESS_MAX][64];
    fp_site_t stacks[FP_ACCESS_MAX][PREDICT_STACK_MAX];
};

/* What children tell: memory of both. */
struct predict_told {
    bool whole; /* the run came to its end */
    uint64_t choices, steps, operations, hash;
    uint32_t npairs, nfound;
    struct predict_pair pairs[PREDICT_PAIRS_MAX];
    struct predict_found found[PREDICT_FOUND_MAX];
};

struct predict {
    enum predict_pass pass;
    struct predict_edge *edges;
    uint32_t nedges, edges_cap;
    struct predict_lucky *lucky; /* PREDICT_WEAK: sorted */
    uint32_t nlucky, lucky_cap;
    struct predict_told *told;
    int socket; /* to the keeper; -1: there is none */
};

struct sim;

/* A run that is to be predicted from: NULL where that is not asked for or not possible. */
struct predict *sim_predict_new(struct sim *sim);
void sim_predict_free(struct predict *predict);
/* This run is not to be predicted from, after all; before it begins. */
void sim_predict_forget(struct sim *sim);
/* Forks the keeper. Returns in the run itself, and in each child, ready to run. */
void sim_predict_keep(struct sim *sim);
/* At the end of a run, after the observers: of the run itself, looks for witnesses and reports; of a child, tells. */
void sim_predict_end(struct sim *sim);

/* The end of a child that ran PE functions: their caller is not its own. */
_Noreturn void sim_predict_leave(struct sim *sim);

/* predict_keeper.c, for predict.c. One run by a child; its outcome is in predict->told. False: it did not end as a run
 * ends, or there is nobody to make it. `trace`: written, `replay`: read, or "". */
struct predict_order {
    enum predict_pass pass;
    struct predict_late late;
    uint32_t nlucky;
    char trace[512], replay[512];
};
bool sim_predict_run(struct predict *predict, const struct predict_order *order);

#endif
