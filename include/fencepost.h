/* fencepost.h -- run OpenSHMEM code inside a unit test.
 *
 * A test program links a backend library (Fencepost::sim), keeps its own main, and runs a function on n simulated PEs:
 *
 *     static void pe_main(void *arg)
 *     {
 *         shmem_init();
 *         long *flag = shmem_calloc(1, sizeof *flag);
 *         if (shmem_my_pe() == 0)
 *             shmem_long_atomic_set(flag, 1, 1);
 *         else
 *             shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
 *         shmem_free(flag);
 *         shmem_finalize();
 *     }
 *
 *     fencepost_config_t config = {.npes = 2, .seed = 7};
 *     fencepost_result_t *result = fencepost_run(pe_main, NULL, &config);
 *     assert_int_equal(fencepost_finding_count(result), 0);
 *     fencepost_result_free(result);
 *
 * All PEs share the test's one image here: globals and statics of the test are *shared*, not private and not
 * symmetric. Symmetric memory is the heap (shmem_malloc ...). Programs that use static symmetric objects are run as
 * programs (oshrun).
 */
#ifndef FENCEPOST_H
#define FENCEPOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero and NULL mean the default that `fencepost run` has. */
typedef struct fencepost_config {
    int npes;                            /* 1 */
    uint64_t seed;                       /* 1 */
    const char *net;                     /* "reorder" */
    const char *chooser;                 /* "adversarial" */
    const char *rules;                   /* "common" */
    const char *pe_context;              /* "fiber" */
    const char *report, *trace, *replay; /* files; not written, not read */
    int depth;                           /* chooser pct; 3 */
    uint64_t steps;                      /* chooser pct: choices of a run; not known */
    size_t heap_bytes;                   /* per PE; 64 MiB */
    int no_check;                        /* run without the observers */
    int quiet;                           /* findings are collected, not printed */
    int predict; /* after a run without findings, look for races that only its order hid. The function is run again in
                  * forked processes: what it changes there stays there, files apart. Their trace is kept, as
                  * TRACE.predicted-1 ..., where there is a trace. */
} fencepost_config_t;

typedef struct fencepost_result fencepost_result_t;

typedef struct fencepost_access {
    int pe;
    const char *op, *kind; /* "shmem_int_put"; "read", "write", "atomic", "free", "realloc" ... */
    const char *file, *function;
    int line;
} fencepost_access_t;

typedef struct fencepost_finding {
    const char *finding_class; /* "race", "hang", ... as in the report file */
    const char *rule, *message, *object, *repair;
    int predicted;       /* of another order than this run's */
    const char *witness; /* ... and the trace that shows it, or "" */
    int access_count;
    fencepost_access_t accesses[8];
    uint64_t count;
} fencepost_finding_t;

/* Runs pe_main(arg) on every PE and returns when all have ended. Not reentrant, and not to be called from a PE.
 * Never NULL. */
fencepost_result_t *fencepost_run(void (*pe_main)(void *arg), void *arg, const fencepost_config_t *config);
/* Many runs of a PE function, with a seed each; or, exhaustively, every schedule and every delivery there is.
 *
 *     fencepost_exploration_t all = {.run = {.npes = 2}, .exhaustive = FENCEPOST_ALL};
 *     fencepost_result_t *result = fencepost_explore(pe_main, NULL, &all);
 *     assert_int_equal(fencepost_finding_count(result), 0);
 *     assert_true(fencepost_complete(result));
 *
 * The function is run again and again in one process: what PEs share through globals or arg is reset by `before`. An
 * exhaustive search takes shared memory other than the symmetric heap for unshared. Compiled with -fsanitize=shmem,
 * the function needs fewer executions, since its own loads and stores are seen. */
enum { FENCEPOST_ALL = 1, FENCEPOST_PLAIN = 2 /* without reduction: every order of every pair of steps */ };
typedef struct fencepost_exploration {
    fencepost_config_t run; /* of each run; its seed is that of the first, its report and trace are of the first run
                             * that goes wrong, its chooser, where none is given, changes from run to run */
    uint64_t runs;          /* 1000; exhaustive: at most so many executions, 0: no limit */
    int exhaustive;         /* FENCEPOST_ALL */
    int collect;            /* go on when a run went wrong */
    void (*before)(void *arg); /* called before each run */
    int (*after)(void *arg);   /* called after each clean run: not 0 says that it went wrong */
    /* Called after each whole run, wrong ones too, with the findings and the status of that run alone. An exhaustive
     * search gives up runs that others cover; it is not called for those. */
    void (*each)(void *arg, const fencepost_result_t *run);
} fencepost_exploration_t;
/* Runs until one goes wrong (findings, a status that is not 0, or after() says so), or all are made. The result has the
 * findings and the status of the run that went wrong. Never NULL. */
fencepost_result_t *fencepost_explore(void (*pe_main)(void *arg), void *arg, const fencepost_exploration_t
*exploration);
/* Runs that were made (exhaustive: whole executions). */
uint64_t fencepost_runs(const fencepost_result_t *result);
/* Exhaustive: whether every execution was made. */
int fencepost_complete(const fencepost_result_t *result);
/* Seed and chooser of the run that went wrong; 0 and "" where none did. */
uint64_t fencepost_seed(const fencepost_result_t *result);
const char *fencepost_chooser(const fencepost_result_t *result);

int fencepost_finding_count(const fencepost_result_t *result);
/* The finding, valid until the result is freed; NULL where index is out of range. */
const fencepost_finding_t *fencepost_finding(const fencepost_result_t *result, int index);
/* What `fencepost run` would have exited with: 0, 66, or the first non-zero status of a PE. */
int fencepost_exit_status(const fencepost_result_t *result);
void fencepost_result_free(fencepost_result_t *result);

#ifdef __cplusplus
}
#endif
#endif
