/* race_why.h -- what race_why.c found out about two accesses that race, for race_repair.c to make a sentence of. */
#ifndef SIM_OBSERVE_RACE_WHY_H
#define SIM_OBSERVE_RACE_WHY_H

#include "sim/observe/race.h"

/* What stands between the first access and the point of its PE that the second one knows. */
struct race_chain {
    const struct race_record *first, *second;
    struct race_view view;                       /* of the second */
    bool known;                                  /* the issue of the first is known to the second at all */
    const struct race_step *release;             /* by which it became known, or NULL */
    const struct race_step *fence, *other_fence; /* on the first's context; on another */
    const struct race_step *quiet, *other_quiet, *nostore;
    const struct race_step *sync, *barrier;
    bool quieted;             /* should the class depend on it: the program calls a quiet that completes the first */
    struct race_op *hangs_on; /* the operation, if it does */
    bool reuse;               /* a put of a loop, and a read of what an earlier round of it put there */
};

/* A sentence as it grows. */
struct race_text {
    char *at;
    size_t left;
};
void race_text_add(struct race_text *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The local buffer of a nonblocking operation. */
static inline bool
race_pending_buffer(const struct race_record *a)
{
    return a->op && a->op->nbi && (a->kind == RACE_SOURCE || a->kind == RACE_DEST);
}

/* The weakest repair of an error of class `rule`. */
void race_repair(const struct race *race, const struct race_chain *chain, const char *rule, struct race_text *text,
                 struct fp_fix *fix);

#endif
