/* end.c -- how a job ends.
 *
 * Normally: every PE has ended, fp_job_finish writes what is left and says what the process exits with.
 * At once: shmem_global_exit, a hang, a crash, a signal, an internal bug, a failing environment. Whoever comes first
 * writes what there is, without waiting for anybody, and ends the process; others that want the same meanwhile stop
 * where they are. Should writing itself hang or crash (it may run in a signal handler), an alarm or the second
 * attempt ends the process.
 *
 * An in-process job (fencepost.h) leaves the PE instead and lets fencepost_run return.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <sysexits.h>
#include <unistd.h>

#include "reference/launch/launch.h"
#include "reference/report/report.h"

#define WRITING_SECONDS_MAX 10

void (*fp_job_at_end)(struct fp_job *job);
void (*fp_pe_at_end)(struct fp_pe *pe);

static int crashes;         /* findings of class crash */
static pid_t ending_thread; /* the thread that ends the job, 0: none */
static int status_at_alarm;

void (*fp_process_at_end)(void);

void
fp_process_exit(int status)
{
    void (*at_end)(void) = __atomic_exchange_n(&fp_process_at_end, NULL, __ATOMIC_ACQ_REL);
    if (at_end && fp_is_job_process())
        at_end();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

void
fp_job_crash_counted(void)
{
    crashes++;
}

void
fp_job_unseen(struct fp_job *job, const char *what)
{
    static int lock;
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        ;
    int i = 0;
    while (i < job->nunseen && job->unseen[i] != what && strcmp(job->unseen[i], what))
        i++;
    if (i == job->nunseen && i < (int)(sizeof job->unseen / sizeof *job->unseen))
        job->unseen[job->nunseen++] = what;
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

/* Our own failures are not covered up by findings. */
int
fp_job_status(struct fp_job *job, int status)
{
    if (status == FP_STATUS_BUG || status == FP_STATUS_ENVIRONMENT)
        return status;
    return job->report && fp_report_count(job->report) > crashes ? FP_STATUS_FINDINGS : status;
}

static void
writing_takes_too_long(int signal)
{
    fp_process_exit(status_at_alarm);
}

static void
signal_ignore(int signal)
{
    FP_REAL(sigaction)(signal, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
}

void
fp_job_writing_begins(int status)
{
    struct sigaction action = {.sa_handler = writing_takes_too_long};
    sigset_t set;
    status_at_alarm = status;
    fp_descriptors_restore();
    FP_REAL(sigaction)(SIGALRM, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    signal_ignore(SIGPIPE); /* a reader that has gone: the rest is written all the same */
    signal_ignore(SIGXFSZ);
    alarm(WRITING_SECONDS_MAX);
}

void
fp_job_writing_ends(void)
{
    alarm(0);
}

void
fp_job_end_reset(void)
{
    crashes = 0;
    ending_thread = 0;
}

/* True for the one thread that ends the job. A second attempt by that thread means that writing failed: nothing
 * more is tried. */
static bool
ending_claim(int status)
{
    pid_t self = (pid_t)syscall(SYS_gettid), none = 0;
    if (__atomic_compare_exchange_n(&ending_thread, &none, self, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return true;
    if (none == self)
        fp_process_exit(status);
    for (;;)
        pause();
}

static bool
status_is_ours(int status)
{
    return status == FP_STATUS_USAGE || status == FP_STATUS_FINDINGS || status == FP_STATUS_BUG ||
           status == FP_STATUS_ENVIRONMENT;
}

/* What keeps a run that ends like this from a verdict. */
static const char *
why_cut_short(int status, bool interrupted)
{
    if (interrupted)
        return "interrupted by a signal";
    switch (status) {
    case FP_STATUS_USAGE:
    case FP_STATUS_ENVIRONMENT:
    case EX_DATAERR:
        return "it could not go on";
    case FP_STATUS_BUG:
        return "a fault of Fencepost";
    default:
        return NULL;
    }
}

static _Noreturn void
end_with(struct fp_job *job, int status, bool status_stays)
{
    ending_claim(status);
    fp_job_writing_begins(status);
    if (!job->exit_status && !status_is_ours(status))
        job->exit_status = status; /* the footer tells it */
    if (!job->cut_short)
        job->cut_short = why_cut_short(status, status_stays);
    if (fp_self)
        fp_self->in_runtime = true;
    for (int i = 0; i < job->npes && job->pes; i++)
        fp_output_rescue(&job->pes[i]);
    fp_descriptors_restore();
    if (fp_job_at_end)
        fp_job_at_end(job);
    int result = status_stays ? status : fp_job_status(job, status);
    status_at_alarm = result;
    if (job->report && fp_report_close(job->report) && !result)
        result = FP_STATUS_ENVIRONMENT;
    FP_REAL(fflush)(NULL);
    fp_process_exit(result);
}

void
fp_job_end_now(struct fp_job *job, int status)
{
    end_with(job, status, false);
}

void
fp_job_interrupt(struct fp_job *job, int status)
{
    end_with(job, status, true);
}

/* The in-process job's way out: nobody but the caller's frames and PE 0's are left by jumping. */
static _Noreturn void
in_process_end(struct fp_job *job, int status)
{
    if (!job->ending) {
        job->ending = true;
        job->exit_status = status;
    }
    if (!fp_self)
        fp_job_end_now(job, status);
    fp_pe_abandon();
}

void
fp_job_abort(struct fp_job *job, int status)
{
    if (job->config.in_process)
        in_process_end(job, status);
    fp_job_end_now(job, status);
}

int
fp_job_finish(struct fp_job *job)
{
    fp_self = NULL;
    fp_crash_remove();
    if (!job->config.in_process) {
        signal_ignore(SIGPIPE);
        signal_ignore(SIGXFSZ);
    }
    for (int i = 0; i < job->npes; i++)
        fp_output_flush(&job->pes[i], true);
    fp_descriptors_restore();
    if (fp_job_at_end)
        fp_job_at_end(job);
    int status = fp_job_status(job, job->exit_status);
    if (fp_report_close(job->report) && !status)
        status = FP_STATUS_ENVIRONMENT;
    job->backend->stop(job);
    fp_job_now = NULL;
    return status;
}

static void
say(const char *prefix, const char *where, const char *fmt, va_list arguments)
{
    char text[2048];
    int n = snprintf(text, sizeof text, "%s%s", prefix, where);
    n += vsnprintf(text + n, sizeof text - (size_t)n - 1, fmt, arguments);
    if (n > (int)sizeof text - 2)
        n = (int)sizeof text - 2;
    text[n] = '\n';
    ssize_t written = write(STDERR_FILENO, text, (size_t)n + 1);
    (void)written;
}

static _Noreturn void
fail(int status)
{
    if (fp_job_now && fp_is_job_process())
        fp_job_end_now(fp_job_now, status);
    FP_REAL(fflush)(NULL);
    fp_process_exit(status);
}

void
fp_internal_bug(const char *file, int line, const char *fmt, ...)
{
    char where[256];
    const char *root = strstr(file, "reference/");
    snprintf(where, sizeof where, "%s:%d: ", root ? root : file, line);
    va_list arguments;
    fp_descriptors_restore();
    va_start(arguments, fmt);
    say("fencepost: internal bug: ", where, fmt, arguments);
    va_end(arguments);
    fail(FP_STATUS_BUG);
}

void
fp_env_fail(const char *fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    say("fencepost: ", "", fmt, arguments);
    va_end(arguments);
    fail(FP_STATUS_ENVIRONMENT);
}
