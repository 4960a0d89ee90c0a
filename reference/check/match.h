/* match.h -- the inside of matching, for match*.c alone. See check.h for what others call. */
#ifndef FP_MATCH_H
#define FP_MATCH_H

#include <pthread.h>

#include "reference/job.h"
#include "reference/report/report.h"
#include "reference/team/team.h"

/* A collective call as it is compared. */
struct fp_match_call {
    shmem_coll_t c;
    struct fp_place dest, source, psync, pwrk;
    uint32_t kind_count; /* it is this PE's nth call of the kind */
};

/* PEs that made the same call from the same line. */
struct fp_match_group {
    struct fp_match_group *next;
    struct fp_match_call call;
    fp_site_t site;
    int count;
    uint64_t ranks[]; /* set of team ranks */
};

struct fp_match_round {
    struct fp_match_round *next; /* by seq */
    uint64_t seq;
    int arrived;
    bool differs;
    struct fp_match_group *groups;
};

struct fp_match_team {
    int index, size;
    uint64_t *next;                      /* by rank: number of its next call; NULL: team not used yet */
    uint32_t (*kinds)[SHMEM_COLL_COUNT]; /* by rank: its calls of each kind */
    struct fp_match_round *rounds;
};

/* The last calls of a PE that did nothing and met nobody: an allocation of size 0, the free of a null pointer. */
struct fp_match_skip {
    shmem_call_t allocation, free; /* name NULL: none yet */
};

struct fp_match {
    pthread_mutex_t lock;
    struct fp_match_team *teams; /* by index */
    int nteams;
    bool reported;
    struct fp_match_skip *skips; /* by PE; made on first use */
    struct fp_psync_use *psyncs; /* psync.c; under the lock too */
};

enum fp_match_difference {
    FP_MATCH_EQUAL,
    FP_MATCH_KIND,
    FP_MATCH_OPERATION, /* which reduction, which type */
    FP_MATCH_BYTES,
    FP_MATCH_ALIGN,
    FP_MATCH_HINTS,
    FP_MATCH_NELEMS,
    FP_MATCH_ROOT,
    FP_MATCH_STRIDE,
    FP_MATCH_DEST,
    FP_MATCH_SOURCE,
    FP_MATCH_SPLIT,
    FP_MATCH_PSYNC,
    FP_MATCH_PWRK
};

/* match_rules.c: what must be equal. */
enum fp_match_difference fp_match_difference(const struct fp_match_call *a, const struct fp_match_call *b);
/* One way of calling: everything equal that a person would be shown. */
bool fp_match_same(const struct fp_match_group *a, const struct fp_match_group *b);

/* match_sets.c, with the lock held: PEs gave different active sets to what was meant as one call; reports it. */
bool fp_match_sets_differ(struct fp_job *job);

/* match_text.c: reports the round, whose groups differ. */
void fp_match_report(struct fp_job *job, const struct fp_match_team *team, const struct fp_match_round *round);

#endif
