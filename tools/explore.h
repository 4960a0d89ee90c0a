/* explore.h -- between the files of `fencepost explore`: what was asked for, and the loop that does it. */
#ifndef TOOLS_EXPLORE_H
#define TOOLS_EXPLORE_H

#include "tools/campaign.h"
#include "tools/worker.h"

/* Options of explore's own. Row: flag, argument ("": a switch), help. */
#define EXPLORE_OPTIONS(X)                                                                                             \
    X(runs, "--runs", "R", "so many runs [1000]; with --exhaustive at most so many executions")                        \
    X(time, "--time", "T", "as many runs as fit in T (90, 10m, 8h)")                                                   \
    X(exhaustive, "--exhaustive", "", "every schedule and every delivery, of a small program")                         \
    X(jobs, "--jobs", "J", "run J programs at a time [one a processor]")                                               \
    X(collect, "--collect", "", "go on after the first finding, and collect all")                                      \
    X(timeout, "--timeout", "SECONDS", "a run that takes longer is a finding [10]")                                    \
    X(shard, "--shard", "I/K", "the I-th of K parts of the runs [from Slurm, Open MPI, PBS; else 1/1]")                \
    X(junit, "--junit", "FILE", "write the findings as JUnit XML")                                                     \
    X(sarif, "--sarif", "FILE", "write the findings as SARIF 2.1.0")                                                   \
    X(resume, "--resume", "FILE", "go on with the campaign in FILE, if it is there, and keep it there")                \
    X(traces, "--traces", "FOLDER", "where the shortest trace of each finding goes [.]")                               \
    X(merge, "--merge", "", "join the reports named instead of a program")

struct explore {
    const char *command;
#define EXPLORE_FIELD(id, flag, argument, help) const char *id; /* as given, or NULL */
    EXPLORE_OPTIONS(EXPLORE_FIELD)
#undef EXPLORE_FIELD
    const char *report;
    uint64_t runs_max;  /* 0: no limit */
    double seconds_max; /* 0: no limit */
    int jobs_max;
    uint32_t timeout_ms;
    uint64_t predicts; /* runs with lower numbers predict */
    char choosers[SERVER_CHOOSERS_MAX][16];
    uint32_t nchoosers;
    char path[4096];
    char **argv;     /* of the program */
    char folder[64]; /* for workers' files */
    struct campaign campaign;
    struct worker *workers;
    int nworkers;
    uint64_t next;        /* number of the next run to hand out */
    uint64_t first_wrong; /* UINT64_MAX: none yet */
    uint64_t choices;     /* of all runs that told */
    uint64_t taken_up;    /* runs of the campaign before this one */
    double started, told, saved;
    bool too_long, astray;
};

/* Makes the runs. 0, or an exit status after saying why. */
int explore_run(struct explore *e);
/* Runs each finding's shortest run once more and keeps its trace. */
void explore_traces(struct explore *e);
/* Writes report, resume file, JUnit, SARIF. 0, or an exit status after saying why. */
int explore_write(struct explore *e);

#endif
