/* state.h -- the inside of a report. For reference/report alone. */
#ifndef FP_REPORT_STATE_H
#define FP_REPORT_STATE_H

#include <pthread.h>
#include <stdio.h>

#include "reference/job.h"
#include "reference/report/debug.h"
#include "reference/report/report.h"

enum fp_entry_sort { FP_ENTRY_FINDING, FP_ENTRY_NOTE, FP_ENTRY_SUPPRESSED };

struct fp_entry {
    struct fp_finding finding; /* access notes and stacks are ours */
    enum fp_entry_sort sort;
    uint64_t count;
    uint64_t key;    /* class, rule, places, object */
    uint64_t family; /* key without the copy: what is told in full only once */
};

/* places.c */
struct fp_places {
    struct fp_place_key *slots;
    size_t room, used;
};

struct fp_report {
    struct fp_job *job;
    pthread_mutex_t lock;
    struct fp_entries {
        struct fp_entry **at; /* in order of arrival */
        int count, capacity;
    } all, findings, notes; /* the second and third: those of `all` of that sort */
    int suppressed; /* entries of that sort */
    uint32_t *buckets; /* index + 1 into all, by key; a power of two of them */
    size_t nbuckets;
    uint64_t occurrences; /* of all findings */
    uint64_t untold;      /* copies of a told finding for which not even a line was printed */
    uint64_t dropped;     /* distinct findings beyond FP_FINDINGS_MAX: not kept */
    char *path;           /* of the JSON file, absolute; NULL: none */
    bool colour, closed;
    bool stopping; /* --stop-at-first: the job ends, further findings are its echo */
    struct fp_suppression *suppressions;
    struct fp_debug debug;
    struct fp_places places;
};

/* A run that finds more than this is not read to the end by anybody. */
#define FP_FINDINGS_MAX 10000

/* places.c. A number for the line of code that the site belongs to: equal for equal lines. */
uint64_t fp_place_key(struct fp_report *report, fp_site_t site);
void fp_places_free(struct fp_report *report);

/* site.c. Where the recorder was called that now calls; NULL: nowhere. */
extern _Thread_local const void *fp_called_from;
/* suppress.c. The list that --suppress names (NULL: none); a file that cannot be read ends the program with 64. */
struct fp_suppression *fp_suppressions_read(const char *path);
void fp_suppressions_free(struct fp_suppression *list);
bool fp_suppressed(struct fp_report *report, const struct fp_finding *finding);
/* identity.c. A number that is the same for the same fault in another run, and after unrelated lines have changed. */
uint64_t fp_finding_id(struct fp_report *report, const struct fp_finding *finding);
/* text.c. One line of a source file, tabs spaced out; NULL if it is not there. For free(). */
char *fp_source_line(const char *path, int wanted);

/* text.c. Each makes its text whole and writes it with one call, so that lines of other threads cannot come between. */
void fp_report_tell(struct fp_report *report, const struct fp_entry *entry);
void fp_report_tell_copy(struct fp_report *report, const struct fp_entry *entry);
void fp_report_say(const char *text, size_t bytes);

/* footer.c. A blank, and a word as a shell wants it. */
void fp_report_put_argument(FILE *out, const char *argument);
void fp_report_tell_footer(struct fp_report *report);

/* json.c. 0, or -1 after printing why. */
int fp_report_write_json(struct fp_report *report);

/* While the calling PE is in here, hooks and libc wrappers stand aside: what we open and read is not the program's. */
static inline bool
fp_runtime_enter(void)
{
    bool was = fp_self && fp_self->in_runtime;
    if (fp_self)
        fp_self->in_runtime = true;
    return was;
}

static inline void
fp_runtime_leave(bool was)
{
    if (fp_self)
        fp_self->in_runtime = was;
}

#endif
