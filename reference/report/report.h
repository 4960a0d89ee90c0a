/* report.h -- findings: collected once, told on stderr as they come, written as JSON at the end.
 *
 * A finding says that the *user's program* is wrong. Findings with the same class, rule, pair of source places and
 * object are one finding with a count; except for a race, further PEs that commit it are added to its accesses. The
 * object is the static symbol or the allocating line; of a race it is the copy on one PE, so the same race on two
 * copies counts twice (and the second is told in one line). The text on stderr and the JSON file carry the same facts;
 * the JSON's keys are fixed (fencepost-report/1, see README). Nothing that is printed depends on addresses, time or
 * the machine.
 */
#ifndef FP_REPORT_H
#define FP_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fp_job;

#define FP_CLASS_ROWS(X)                                                                                               \
    X(RACE, "race")                                                                                                    \
    X(HANG, "hang")                                                                                                    \
    X(MISMATCH, "mismatch")                                                                                            \
    X(BAD_ADDRESS, "bad-address")                                                                                      \
    X(LIFETIME, "lifetime")                                                                                            \
    X(UNINIT, "uninit")                                                                                                \
    X(USAGE, "usage") X(LEAK, "leak") X(CRASH, "crash")                                                                \
        X(NOTE, "note") /* legal, but pointless or not portable: no finding, and told with --notes alone */
enum fp_class {
#define FP_CLASS_ROW(id, text) FP_CLASS_##id,
    FP_CLASS_ROWS(FP_CLASS_ROW)
#undef FP_CLASS_ROW
};

/* A place in the code: offset inside the program (equal in every PE's image, every run and on every machine), or, with
 * the top bit set, an address outside the program (a shared library). 0 is unknown. */
typedef uint64_t fp_site_t;
#define FP_SITE_FOREIGN (UINT64_C(1) << 63)
/* Of the call that returns to `return_address` (for an exact pc pass pc + 1). Pure: no lock, no state, no allocation.
 */
fp_site_t fp_site_of(const struct fp_job *job, int pe, const void *return_address);

enum fp_access_kind { FP_READ, FP_WRITE, FP_ATOMIC, FP_FREE, FP_REALLOC, FP_ALLOC, FP_CALL };
struct fp_access {
    int pe;
    const char *op; /* "shmem_int_put", "load", "store", "memcpy" */
    enum fp_access_kind kind;
    fp_site_t site;
    const char *note;       /* "pending until shmem_quiet", or NULL; copied */
    const fp_site_t *stack; /* innermost first, or NULL: then the site alone; copied */
    int nstack;
};

struct fp_object {
    char name[96];       /* "data", "block of 64 bytes", "signal" ...: symbol name for a static object; "" for none */
    int pe;              /* whose copy */
    uint64_t offset;     /* of the first byte concerned, within the object */
    uint64_t bytes;      /* size of the object */
    fp_site_t allocated; /* 0 for static objects */
};

#define FP_ACCESS_MAX 8
/* What a machine could write into the program: `call` before the line of `before`. call NULL: nothing. */
struct fp_fix {
    const char *call; /* "shmem_fence" */
    uint32_t ctx;     /* not 0: of this context */
    fp_site_t before;
};

struct fp_finding {
    enum fp_class class_;
    const char *rule;   /* error class of semantics.md section 2 and clause: "E061, S 9.12.1" */
    char message[1024]; /* one line, a sentence */
    char details[2048]; /* further lines for a person (hang: one line a PE), or "" */
    struct fp_object object;
    struct fp_access accesses[FP_ACCESS_MAX];
    int naccesses;
    char repair[512];  /* the weakest repair, one sentence, or "" */
    struct fp_fix fix; /* the same, if it is one call */
    /* Of another order than this run's (--predict): the trace that shows it ("": none was kept), which luck hid it. */
    bool predicted;
    char witness[512], luck[1024];
    bool now; /* the caller is in accesses[0]: its stack is captured, if the finding is new */
};

struct fp_report *fp_report_open(struct fp_job *job);
/* Takes a copy. Thread-safe (the direct backend calls it from any thread). Prints it on stderr when it is new. */
void fp_report_add(struct fp_report *report, const struct fp_finding *finding);
int fp_report_count(const struct fp_report *report); /* distinct findings */
/* Phrases of what was not checked; returns how many. */
int fp_report_unseen(const struct fp_report *report, const char **phrases, int max);
/* Access to what was collected, for fencepost.h and for the trace. */
const struct fp_finding *fp_report_get(const struct fp_report *report, int index, uint64_t *count);
/* Footer on stderr and the JSON file (written beside, synced, renamed). Returns 0, or -1 after printing why. Findings
 * stay readable (fencepost.h) until fp_report_free. */
int fp_report_close(struct fp_report *report);
void fp_report_free(struct fp_report *report);
/* The JSON file goes to `path` (absolute) instead; "": it is not written. */
void fp_report_redirect(struct fp_report *report, const char *path);
/* "race", "bad-address" ... */
const char *fp_class_name(enum fp_class class_);
/* "read", "free" ... */
const char *fp_access_name(enum fp_access_kind kind);
/* The source place that a reader should see first for this access: the innermost frame in a file of the program. */
struct fp_line fp_access_line(struct fp_report *report, const struct fp_access *access);
/* The text of that line without the blanks before it; NULL where its file is not there. For free(). */
char *fp_access_source(struct fp_report *report, const struct fp_access *access);

/* file and line of a site; "?" and 0 where unknown. Strings live as long as the report. */
struct fp_line {
    const char *function, *file;
    int line;
};
struct fp_line fp_site_line(struct fp_report *report, fp_site_t site);
/* The same, and the functions into which that one was inlined: innermost first, at least one. */
int fp_site_frames(struct fp_report *report, fp_site_t site, struct fp_line *frames, int max);
/* Names that a recording brings along (job->given). */
struct fp_given {
    void *self;
    bool (*line)(void *self, fp_site_t site, struct fp_line *line);
    bool (*object)(void *self, uint64_t offset, const char **name, uint64_t *start, uint64_t *bytes);
};

/* Current stack of the calling PE, innermost first, only frames of the program (Fencepost's own and libc's left out).
 */
int fp_stack_capture(const struct fp_job *job, fp_site_t *sites, int max);
/* Static symmetric object that contains the byte at `offset` of the static segment. False if none. */
bool fp_static_object(struct fp_report *report, uint64_t offset, const char **name, uint64_t *start, uint64_t *bytes);
/* All of them that have symbols, by offset in the static segment; names live as long as the report. */
void fp_static_objects(struct fp_report *report,
                       void (*each)(void *self, uint64_t offset, uint64_t bytes, const char *name), void *self);

#endif
