/* inprocess.h -- runs of PE functions, between inprocess.c and explore.c. */
#ifndef FP_INPROCESS_H
#define FP_INPROCESS_H

#include "fencepost.h"
#include "reference/job.h"

struct fencepost_result {
    int exit_status;
    int count;
    fencepost_finding_t *findings;
    char **texts; /* every string of the findings */
    size_t ntexts, capacity;
    /* fencepost_explore */
    uint64_t runs, repeats, seed;
    const char *chooser;
    bool complete, wrong;
};

struct fp_session {
    struct fp_job job;
    void (*pe_main)(void *arg);
    void *arg;
    void (*prepare)(struct fp_job *job); /* or NULL: before the backend starts */
    bool fresh;  /* opened, and nothing has run in it */
    bool failed; /* the backend did not start */
};

/* 0, or an exit status after saying why. */
int fp_session_open(struct fp_session *session, void (*pe_main)(void *), void *arg, const fencepost_config_t *config);
/* One run; its findings are in the job's report until the next. `search`: job->search. Returns the exit status. */
int fp_session_run(struct fp_session *session, uint64_t seed, void *search);
void fp_session_close(struct fp_session *session);
fencepost_result_t *fp_result_new(void);
/* Adds the findings of the last run that the result has not got yet. */
void fp_result_keep(fencepost_result_t *result, struct fp_session *session, int status);
/* A copy that lives as long as the result. */
const char *fp_result_text(fencepost_result_t *result, const char *text);

#endif
