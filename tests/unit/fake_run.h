/* fake_run.h -- a whole job in one thread for tests of the checks: real heap, report, matching and checked table over
 * a backend that only counts. A test is each PE in turn (as()); the end of the job comes back to it (ends()). Include
 * after cmocka.h. */
#ifndef FAKE_RUN_H
#define FAKE_RUN_H

#include <string.h>

#include "fake_job.h"
#include "reference/check/check.h"
#include "reference/heap/heap.h"

#define NPES 4
static struct fp_pe pes[NPES];
static struct fp_job job;
static shmem_ctx_state_t contexts[NPES], *context_tables[NPES];
static int carried_out, syncs;
static jmp_buf job_end;
/* PE 0's static segment is a section of the test, whose objects the symbol table knows; the others have copies of it.
 */
#define STATIC_OBJECT __attribute__((section("fp_statics"), used, aligned(64)))
STATIC_OBJECT int static_words[4] = {1, 2, 3, 4};
STATIC_OBJECT long static_flag = 1;
extern char __start_fp_statics[], __stop_fp_statics[];
static char static_copies[NPES][1024] __attribute__((aligned(64)));

void
fp_job_abort(struct fp_job *job, int status)
{
    longjmp(job_end, status);
}

void
fp_job_unseen(struct fp_job *job, const char *what)
{
}

void
fp_env_fail(const char *fmt, ...)
{
    fprintf(stderr, "environment: %s\n", fmt);
    abort();
}

static void
count_op(const shmem_op_t *op)
{
    carried_out++;
}

static size_t
count_wait(const shmem_wait_t *wait)
{
    carried_out++;
    return 1;
}

static uint64_t
count_fetch(const uint64_t *sig_addr, const shmem_call_t *call)
{
    carried_out++;
    return 5;
}

static void
count_lock(long *lock, const shmem_call_t *call)
{
    carried_out++;
}

static void
count_coll(const shmem_coll_t *c)
{
    carried_out++;
}

static void
no_quiet(shmem_ctx_state_t *ctx, const shmem_call_t *call)
{
}

static void
count_sync(const shmem_coll_t *c)
{
    syncs++;
}

static void
no_block(struct fp_pe *pe, size_t offset, size_t bytes, const shmem_call_t *call)
{
}

static const shmem_backend_t counting_backend = {.name = "count",
                                                 .put = count_op,
                                                 .get = count_op,
                                                 .amo = count_op,
                                                 .quiet = no_quiet,
                                                 .wait = count_wait,
                                                 .test = count_wait,
                                                 .signal_fetch = count_fetch,
                                                 .coll_enter = count_coll,
                                                 .coll_leave = count_coll,
                                                 .sync = count_sync,
                                                 .lock_set = count_lock,
                                                 .lock_clear = count_lock,
                                                 .block_born = no_block,
                                                 .block_died = no_block};

static int
set_up_run(int npes, size_t heap_bytes)
{
    memset(pes, 0, sizeof pes);
    carried_out = syncs = 0;
    job = (struct fp_job){.npes = npes, .pes = pes};
    job.config = (struct fp_config){
        .npes = npes, .seed = 7, .check = true, .quiet = getenv("SHOW") == NULL, .heap_bytes = heap_bytes};
    job.config.net = job.config.chooser = job.config.rules_name = "";
    for (int i = 0; i < npes; i++) {
        contexts[i] = (shmem_ctx_state_t){.pe = &pes[i], .live = true};
        context_tables[i] = &contexts[i];
        pes[i] = (struct fp_pe){.rank = i, .job = &job, .ctxs = &context_tables[i], .nctxs = 1};
        pes[i].static_lo = i ? static_copies[i] : __start_fp_statics;
        pes[i].static_hi = pes[i].static_lo + (__stop_fp_statics - __start_fp_statics);
    }
    job.report = fp_report_open(&job);
    job.match = fp_match_open(&job);
    job.backend = fp_checked_table(&job, &counting_backend);
    assert_int_equal(fp_heap_open(&job), 0);
    fp_self = &pes[0];
    return 0;
}

static int
tear_down_run(void **state)
{
    for (int i = 0; i < job.npes; i++)
        free(pes[i].mapped_pes);
    fp_self = NULL;
    fp_heap_close(&job);
    fp_match_close(job.match);
    fp_report_free(job.report);
    return 0;
}

static struct fp_pe *
as(int pe)
{
    return fp_self = &pes[pe];
}

/* Whether `statement` ends the job. */
#define ends(statement)                                                                                                \
    __extension__({                                                                                                    \
        volatile bool ended = true;                                                                                    \
        if (setjmp(job_end) == 0) {                                                                                    \
            statement;                                                                                                 \
            ended = false;                                                                                             \
        }                                                                                                              \
        ended;                                                                                                         \
    })

/* A call with the line where it stands. */
static __attribute__((noinline)) shmem_call_t
call(const char *name)
{
    return (shmem_call_t){name, __builtin_return_address(0)};
}

static const struct fp_finding *
finding(int index)
{
    const struct fp_finding *f = fp_report_get(job.report, index, NULL);
    assert_non_null(f);
    return f;
}

/* The newest finding, of this class and rule (the start of it), with the words in its message. */
static const struct fp_finding *
found(int count, enum fp_class class_, const char *rule, const char *words)
{
    assert_int_equal(fp_report_count(job.report), count);
    const struct fp_finding *f = finding(count - 1);
    assert_string_equal(fp_class_name(f->class_), fp_class_name(class_));
    assert_memory_equal(f->rule, rule, strlen(rule));
    if (!strstr(f->message, words))
        fail_msg("\"%s\" does not say \"%s\"", f->message, words);
    return f;
}

#endif
