/* job.h -- one run: its configuration, its PEs, and what they share.
 *
 * A run is a struct that is passed around; the only hidden state is "which PE am I" (fp_self). Everything a PE owns
 * hangs off its struct fp_pe; everything shared hangs off struct fp_job.
 */
#ifndef FP_JOB_H
#define FP_JOB_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "shmem_backend.h"

enum fp_rules { FP_RULES_STRICT, FP_RULES_COMMON, FP_RULES_NV };

struct fp_config {
    int npes;
    uint64_t seed;
    uint32_t depth; /* chooser pct */
    uint64_t steps; /* chooser pct: choices of a run, 0: not known */
    char *net, *chooser, *heap, *rules_name, *pe_context, *report, *trace, *replay; /* "" where not given; owned */
    enum fp_rules rules;
    bool check; /* not --no-check */
    bool label, real_time, no_footer;
    bool time; /* tell predicted times */
    uint64_t until; /* stop at this record, 0: none; UINT64_MAX: at the first finding */
    bool stop_at_first, notes, unneeded, predict;
    char *suppress, *insert;  /* "" where not given; owned */
    uint64_t fail_alloc;      /* this allocation call fails, from 1; 0: none */
    int stop_pe;              /* stops at its call stop_call, from 1 */
    uint64_t stop_call;       /* 0: none stops */
    bool stall;               /* this link is stalled */
    int stall_from, stall_to; /* -1: any */
    bool guided; /* `replay` is a list of choices that need not fit (shrink) */
    unsigned watchdog_s, timeout_s;
    size_t heap_bytes; /* SHMEM_SYMMETRIC_SIZE */
    bool in_process;   /* PE functions inside a unit test (fencepost.h), not program images */
    bool quiet;        /* findings are collected, not printed; no footer (fencepost.h) */
    char **argv;       /* of the program; not owned */
    int argc;
};

struct fp_image;  /* reference/launch/image.h: one private image of the program */
struct fp_libc;   /* reference/launch/libc_state.h: what libc keeps per process and a PE expects to own */
struct fp_heap;   /* reference/heap/heap.h */
struct fp_report; /* reference/report/report.h */
struct fp_match;  /* reference/check/match.h */
struct fp_held_lock;
struct fp_teams;  /* reference/team/team.h */

enum fp_pe_phase { FP_PE_BEFORE, FP_PE_RUNNING, FP_PE_ENDED };

/* Where a PE stands in the life of the library (E001 to E006). */
struct fp_pe {
    int rank;
    struct fp_job *job;
    enum fp_pe_phase phase;
    uintptr_t user_stack; /* in calls that contain a quiet: the program's stack pointer there; else 0 */
    bool counted;   /* its calls are counted (--stop-pe), or looked at (--insert, --notes) */
    uint64_t calls; /* where counted */
    int init_count; /* matching finalize calls still owed; 0 before init and after the last finalize */
    bool was_initialised, finalised;
    shmem_call_t start_pes; /* name not NULL: it owes the finalize at the end of the program */
    int thread_level; /* SHMEM_THREAD_* provided */
    int exit_status;
    bool exit_status_set;

    /* Memory. heap_base is this PE's symmetric heap; a static object of this image lies in [static_lo, static_hi). */
    char *heap_base;
    char *static_lo, *static_hi;
    struct fp_image *image; /* NULL for in-process PEs */

    /* Contexts of this PE; slot 0 is the default context, 1 the library's own. Handles: see reference/api/ctx.h. */
    shmem_ctx_state_t **ctxs;
    int nctxs;

    uint64_t *team_seq; /* next collective number, by team index */
    int nteam_seq;
    struct fp_held_lock *held_locks; /* reference/api/lock.c */

    struct fp_libc *libc;
    void *backend;    /* the backend's per-PE state */
    pthread_t thread; /* valid where has_thread */
    bool has_thread;
    void (*in_process_main)(void *arg);
    void *in_process_arg;
    bool in_runtime; /* inside Fencepost: hooks and libc wrappers stand aside */
    /* reference/check/address.c: live objects of this PE that calls used last; and (a set, NULL: none) the PEs of
     * which it asked for a mapping by shmem_ptr. */
    struct fp_known {
        uintptr_t lo;
        size_t bytes;
    } known[4];
    unsigned known_next;
    uint64_t *mapped_pes;
    struct fp_known touched; /* reference/check/touch.c: live block in which a plain access was */
    unsigned untouched;      /* ... and how many have been outside of it */
    struct fp_streams *streams; /* the backend's: plain accesses that hooks gather (hooks.h), or NULL */
    /* set by the backend: pending operations use private buffers, so private accesses are told too */
    bool watch_private;
};

struct fp_job {
    struct fp_config config;
    int npes;
    struct fp_pe *pes; /* npes of them */
    const shmem_backend_t *backend;
    shmem_backend_t checked; /* reference/check/checked.c: the table that judges, and the one that it calls */
    const shmem_backend_t *plain;
    void *backend_state;

    /* The arena: PE i's heap at arena + i * stride. The stride is a power of two, 1 << stride_shift. heap_live (NULL
     * without checks) has one byte for each 16 of a heap: how many of them, from the first, belong to a live block. */
    const shmem_heap_memory_t *memory; /* the backend's, whose memory the heaps are; NULL: the host's */
    char *arena;
    size_t stride, arena_bytes;
    /* The library's own part of each heap, where it is not the heap's beginning because the CPU may not touch that:
     * PE i's at internal + i * internal_stride. internal_bytes is 0 otherwise. */
    char *internal;
    size_t internal_stride, internal_bytes;
    unsigned stride_shift;
    const unsigned char *heap_live;
    /* --heap=device: what the program gets for heap addresses. [window, + stride) is the calling PE's own heap,
     * stride q + 1 that of PE q
     * (shmem_ptr). The CPU may not touch it; Fencepost works in the arena. window_bytes is 0 otherwise. */
    char *window;
    size_t window_bytes;
    /* hooks look at every address: there is a window, or shmem_ptr gave out another PE's static object */
    bool watch_all;

    struct fp_heap *heap;
    struct fp_report *report;
    struct fp_match *match;
    struct fp_teams *teams;

    /* Of a run that repeats a recorded one without its program: what the recording says, or NULL. Call sites are then
     * site + 1 as a pointer. */
    const struct fp_given *given;
    char *program;               /* path of the executable */
    bool internal_used;          /* the library's own area of a heap was written (heap.h) */
    bool hooked;                 /* the program was compiled with -fsanitize=shmem */
    void *predict;               /* the backend's: what it keeps for --predict, or NULL */
    const char *predicted;       /* footer: what came of it, or NULL */
    void *search;                /* the backend's: what an exhaustive search wants of this run, or NULL */
    int exit_status;             /* first non-zero status of a PE, or of global_exit */
    /* Why the run says nothing of the program as a whole, or NULL: a literal for the footer. */
    const char *cut_short;
    bool ending;                 /* fp_job_abort was called on an in-process job: see fp_pe_abandon */
    shmem_call_t exit_call; /* shmem_global_exit, by exit_pe; name NULL: not called */
    int exit_pe;
    int npes_at_end;             /* PEs whose program has ended (front end) */
    uint64_t ops, waits_blocked; /* footer; kept by the backend */
    const char *unseen[8];       /* footer: what was not checked, one short phrase each */
    int nunseen;
};

extern __thread struct fp_pe *fp_self __attribute__((tls_model("initial-exec")));

/* Body of PE `pe`: constructors, main, exit handlers of its image; or its in-process function. reference/launch.
 * Called by the backend's run() on the PE's own context, with fp_self set. Ends in backend->pe_end(). */
void fp_pe_main(struct fp_pe *pe);

/* Creates the pthread that lends PE `pe` its stack and thread-locals and calls body(pe) on it with all signals
 * blocked except the synchronous ones. reference/launch. Returns 0 or an errno value. */
int fp_pe_thread_create(struct fp_pe *pe, void *(*body)(void *pe));

/* Ends the PE that calls: runs its exit handlers, then backend->pe_end(). What exit(status) in the program does. */
_Noreturn void fp_pe_exit(int status);

/* Ends the whole job at once from any PE: buffered output is written, report and trace are closed, _exit(status). With
 * findings the status is 66 whatever is passed. reference/launch.
 *
 * An in-process job (fencepost.h) must not take the test down with it: there job->ending is set and the caller leaves
 * its PE (PE 0 returns from fp_pe_main, the others call backend->pe_end). */
_Noreturn void fp_job_abort(struct fp_job *job, int status);

/* This process was forked by the one that loaded the job, and now runs it. */
void fp_job_forked(void);

/* For a backend that finds job->ending set where it resumes a PE, or in pe_end: pe_end of another PE resumes PE 0,
 * whatever that is blocked on, and PE 0 calls fp_pe_abandon, which leaves the frames of its function and returns
 * from fp_pe_main. A PE with a thread of its own that is woken to end calls it too. PEs that are merely suspended
 * may be dropped as they are. */
_Noreturn void fp_pe_abandon(void);

/* Exhaustive search, of a backend that can: all schedules and deliveries, execution after execution. `log` goes into
 * job->search of the run that makes the next one. */
struct fp_search_counts {
    uint64_t executions; /* whole ones */
    uint64_t repeats;    /* given up because others cover them */
    uint64_t too_long;   /* cut off by the limit on steps: not everything was searched */
    uint64_t left;       /* choices known to be worth trying */
    bool complete;
    bool astray; /* the program is no function of the choices */
};
struct fp_search_hooks {
    /* plain: every order of every pair of steps, without reduction. hooked: plain accesses are seen. */
    void *(*open)(int npes, bool plain, bool hooked);
    bool (*next)(void *search); /* plans the next execution; false: there is none */
    void *(*log)(void *search);
    void (*learn)(void *search); /* it has been made */
    void (*again)(void *search); /* plans the execution that was made last once more, before learn() */
    struct fp_search_counts (*counts)(void *search);
    void (*close)(void *search);
};

/* The backend of this library; one constant a backend library. */
extern const shmem_backend_t *const fp_backend;

/* Notes something that this run does not check; shown once in the footer. `what` must be a literal. */
void fp_job_unseen(struct fp_job *job, const char *what);

/* A hook the backend sets: called by fp_job_abort and at the normal end, before the report is closed (trace,
 * footer). */
extern void (*fp_job_at_end)(struct fp_job *job);
/* A hook the front end sets: called on each PE after main and its exit handlers (start_pes finalizes here;
 * unbalanced init). */
extern void (*fp_pe_at_end)(struct fp_pe *pe);

/* A hook a backend sets: asked first when a PE faults on `address` at `pc`. True: dealt with, go on. */
extern bool (*fp_fault_hook)(void *address, void *pc);

/* Frees what is left of pe->held_locks when a job ended before its PEs gave their locks back. reference/api/lock.c. */
void fp_locks_free(struct fp_pe *pe);

/* "internal bug: ..." on stderr with file and line, then the job ends with 70. For what only we can have got wrong. */
_Noreturn void fp_internal_bug(const char *file, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
#define FP_BUG(...) fp_internal_bug(__FILE__, __LINE__, __VA_ARGS__)
#define FP_ASSERT(cond) ((cond) ? (void)0 : fp_internal_bug(__FILE__, __LINE__, "%s", #cond))

/* The environment failed: "fencepost: ..." on stderr, job ends with status 71 (EX_OSERR). Say what to do. */
_Noreturn void fp_env_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Classification of addresses. reference/heap/place.c. */
enum fp_region { FP_PRIVATE, FP_HEAP, FP_STATIC };
struct fp_place {
    enum fp_region region;
    int pe;          /* whose copy (HEAP, STATIC) */
    uint64_t offset; /* from the heap's or the static segment's start; equal on all PEs for the same object */
};
struct fp_place fp_place_of(const struct fp_job *job, const void *address);
/* The address of PE `to`'s copy of the object at `address` of PE `from`. Precondition: symmetric. */
void *fp_translate(const struct fp_job *job, const void *address, int from, int to);

#endif
