/* fake_heap.h -- a job with a heap and nothing else: findings are counted, calls are not compared, and the backend has
 * only a rendezvous. For tests of reference/heap and of the checks that stand on it. Include after cmocka.h. */
#ifndef FAKE_HEAP_H
#define FAKE_HEAP_H

#include <string.h>

#include "fake_job.h"
#include "reference/check/check.h"
#include "reference/heap/heap.h"

#define NPES 4
static int findings;
static struct fp_finding last_finding;
static pthread_barrier_t rendezvous;
static int nborn, ndied;

void
fp_report_add(struct fp_report *report, const struct fp_finding *finding)
{
    (void)report;
    __atomic_fetch_add(&findings, 1, __ATOMIC_RELAXED);
    last_finding = *finding;
}

void
fp_describe_object(struct fp_job *job, struct fp_finding *f, const void *address)
{
    (void)job, (void)f, (void)address;
}

void
fp_usage(enum fp_class class_, const char *rule, const shmem_call_t *call, const char *fmt, ...)
{
    struct fp_finding f = {.class_ = class_, .rule = rule};
    (void)call, (void)fmt;
    fp_report_add(NULL, &f);
}

fp_site_t
fp_site_of(const struct fp_job *job, int pe, const void *return_address)
{
    (void)job, (void)pe;
    return (fp_site_t)(uintptr_t)return_address;
}

void
fp_job_unseen(struct fp_job *job, const char *what)
{
    (void)job, (void)what;
}

void
fp_match_skipped(struct fp_job *job, bool is_free, const shmem_call_t *call)
{
    (void)job, (void)is_free, (void)call;
}

bool
fp_match_enter(struct fp_job *job, shmem_coll_t *c)
{
    (void)job;
    c->seq = fp_self->team_seq[0]++;
    return true;
}

void
fp_job_abort(struct fp_job *job, int status)
{
    (void)job, (void)status;
    abort();
}

void
fp_env_fail(const char *fmt, ...)
{
    fprintf(stderr, "environment: %s\n", fmt);
    abort();
}

int
fp_stack_capture(const struct fp_job *job, fp_site_t *sites, int max)
{
    (void)job, (void)sites, (void)max;
    return 0;
}

static void
backend_quiet(shmem_ctx_state_t *ctx, const shmem_call_t *call)
{
    (void)ctx, (void)call;
}

static void
backend_sync(const shmem_coll_t *c)
{
    (void)c;
    if (fp_self->job->npes > 1)
        pthread_barrier_wait(&rendezvous);
}

static void
backend_born(struct fp_pe *pe, size_t offset, size_t bytes, const shmem_call_t *call)
{
    (void)pe, (void)offset, (void)bytes, (void)call;
    __atomic_fetch_add(&nborn, 1, __ATOMIC_RELAXED);
}

static void
backend_died(struct fp_pe *pe, size_t offset, size_t bytes, const shmem_call_t *call)
{
    (void)pe, (void)offset, (void)bytes, (void)call;
    __atomic_fetch_add(&ndied, 1, __ATOMIC_RELAXED);
}

static shmem_backend_t rendezvous_backend = {
    .quiet = backend_quiet, .sync = backend_sync, .block_born = backend_born, .block_died = backend_died};

static char heap_kind[8] = "direct";
static struct fp_job job;
static struct fp_pe pes[NPES];
static char statics[NPES][64];
static uint64_t seqs[NPES];
static shmem_ctx_state_t contexts[NPES], *context_tables[NPES];

static void
job_open(int npes, size_t limit, bool check)
{
    memset(pes, 0, sizeof pes);
    memset(seqs, 0, sizeof seqs);
    findings = nborn = ndied = 0;
    job = (struct fp_job){.npes = npes, .pes = pes, .backend = &rendezvous_backend};
    job.config.npes = npes;
    job.config.heap_bytes = limit;
    job.config.check = check;
    job.config.seed = 7;
    job.config.heap = heap_kind;
    for (int i = 0; i < npes; i++) {
        context_tables[i] = &contexts[i];
        pes[i] = (struct fp_pe){.rank = i, .job = &job, .ctxs = &context_tables[i], .nctxs = 1, .team_seq = &seqs[i]};
        pes[i].static_lo = statics[(i * 3 + 1) % NPES]; /* images are in no order */
        pes[i].static_hi = pes[i].static_lo + sizeof statics[0];
    }
    assert_int_equal(fp_heap_open(&job), 0);
    pthread_barrier_init(&rendezvous, NULL, (unsigned)npes);
}

static void
job_close(void)
{
    fp_self = NULL;
    pthread_barrier_destroy(&rendezvous);
    fp_heap_close(&job);
}

static shmem_call_t
call(const char *name)
{
    return (shmem_call_t){name, __builtin_return_address(0)};
}

#endif
