/* answer.h -- what the oracle found out about a test. */
#ifndef FP_MODEL_ANSWER_H
#define FP_MODEL_ANSWER_H

#include "reference/model/model.h"

/* A step of an execution: what happened, and the step before it. Step 0 is the start. */
struct step {
    uint32_t before;
    int16_t event;
};

struct outcome {
    int64_t *values; /* as test->seen; NULL where it hangs */
    int nvalues;
    uint32_t step; /* the last one of a shortest execution */
    bool sc;
    char *text;
};

struct fp_litmus_answer {
    struct model model;
    bool complete;
    enum lit_verdict verdict;
    uint64_t states;
    struct step *steps;
    uint32_t nsteps, steps_cap;
    struct outcome *outcomes;
    int noutcomes, outcomes_cap;
    uint32_t *outcome_table; /* by hash of the values: index + 1; a power of two */
    uint32_t outcome_slots;
    bool races;
    uint32_t race_step; /* after which race_event happens, unordered with race_other */
    int race_event, race_other;
};

/* Finds or adds. values NULL: hang. *added says which. */
struct outcome *answer_outcome(struct fp_litmus_answer *answer, const int64_t *values, bool *added);

/* explore.c. False where more than states_max states were needed. */
bool explore(struct fp_litmus_answer *answer, const struct fp_litmus_question *question, uint64_t states_max);
/* sc.c: calls found() for each outcome of an interleaving of whole operations; values NULL: hang. */
bool sc_explore(const struct fp_litmus *test, uint64_t states_max, void (*found)(void *context, const int64_t *values),
                void *context);

/* seen.c: a set of hashes of states. */
struct seen_set {
    uint64_t *slots; /* pairs; 0 0 is free */
    uint64_t count, cap;
};
/* True where these bytes were not there before. */
bool seen_add(struct seen_set *set, const void *bytes, size_t size);
void seen_free(struct seen_set *set);

#endif
