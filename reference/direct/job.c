/* job.c -- a job of free-running PEs: its start, its threads, how a PE sleeps, its end. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "reference/direct/direct.h"

/* A job inside a unit test can end while others sleep, and nobody wakes them for it: there every sleep is short. */
static const uint64_t in_process_sleep_ns = 20000000;

/* System calls are made directly: libc's names may be Fencepost's own. */
void
direct_nap(atomic_uint *word, unsigned seen, uint64_t ns_max)
{
    struct timespec limit;

    if (fp_self->job->config.in_process && (ns_max == 0 || ns_max > in_process_sleep_ns))
        ns_max = in_process_sleep_ns;
    limit = (struct timespec){(time_t)(ns_max / 1000000000), (long)(ns_max % 1000000000)};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, ns_max == 0 ? NULL : &limit, NULL, 0);
}

void
direct_sleep(atomic_uint *word, unsigned seen, uint64_t ns_max)
{
    struct fp_job *job = fp_self->job;

    if (!direct_ending(job))
        direct_nap(word, seen, ns_max);
    if (atomic_exchange(&direct_of(job)->hang_left, false))
        direct_report_hang(job);
    if (direct_ending(job))
        fp_pe_abandon();
}

void
direct_wake(atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Held for a few instructions at a time: worth a moment's waiting before the kernel is asked. */
static void
mutex_init(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t attributes;

    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

int
direct_open(struct fp_job *job, struct direct_job *direct)
{
    if (job->config.stop_call || job->config.stall) {
        fprintf(stderr, "fencepost: --stop-pe and --stall need the simulator (oshcc --backend=sim)\n");
        return -1;
    }
    if (job->config.trace[0] && !job->config.in_process)
        fprintf(stderr, "fencepost: no trace: this backend is recorded by `fencepost run --trace FILE`\n");
    direct->pes = aligned_alloc(_Alignof(struct direct_pe), (size_t)job->npes * sizeof *direct->pes);
    if (direct->pes == NULL) {
        fprintf(stderr, "fencepost: no memory for %d PEs; use fewer\n", job->npes);
        return -1;
    }
    memset(direct->pes, 0, (size_t)job->npes * sizeof *direct->pes);
    for (int i = 0; i < job->npes; i++)
        direct->pes[i].rank = i;
    mutex_init(&direct->mutex);
    job->backend_state = direct;
    return 0;
}

void
direct_close(struct fp_job *job)
{
    struct direct_job *direct = direct_of(job);

    direct_locks_free(direct);
    direct_teams_free(direct);
    pthread_mutex_destroy(&direct->mutex);
    free(direct->pes);
    job->backend_state = NULL;
}

static void *
pe_thread(void *argument)
{
    struct fp_pe *pe = argument;

    fp_self = pe;
    if (direct_of(pe->job)->enter != NULL)
        direct_of(pe->job)->enter(pe);
    fp_pe_main(pe);
    FP_BUG("PE %d came back from its end", pe->rank);
}

void
direct_run(struct fp_job *job)
{
    for (int i = 1; i < job->npes; i++) {
        const int error = fp_pe_thread_create(&job->pes[i], pe_thread);
        if (error != 0)
            fp_env_fail("cannot create the thread of PE %d: %s; use fewer PEs or raise the limit on threads", i,
                        strerror(error));
    }
    fp_self = &job->pes[0];
    if (direct_of(job)->enter != NULL)
        direct_of(job)->enter(fp_self);
    fp_pe_main(&job->pes[0]);
    for (int i = 1; i < job->npes; i++)
        pthread_join(job->pes[i].thread, NULL);
}
