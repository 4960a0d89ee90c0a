/* timeout.c -- a run that does not end.
 *
 * The watchdog finds loops that look at memory, and the simulator sees when nothing can happen any more; a loop that
 * computes, or calls without end, only time tells. When --timeout is over, the run ends like one that is interrupted:
 * what was found is told, report and trace are written, and the status is that of timeout(1). Real time decides nothing
 * else. A PE that is inside Fencepost is given moments to come out, since it may hold what writing needs.
 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "reference/launch/launch.h"
#include "reference/report/report.h"

enum { STATUS_TIMEOUT = 124, PATIENCE = 2000 }; /* moments of a millisecond */

static timer_t timer;

static void
timer_set(time_t seconds, long nanoseconds)
{
    timer_settime(timer, 0, &(struct itimerspec){.it_value = {seconds, nanoseconds}}, NULL);
}

static void
time_is_over(int signal, siginfo_t *info, void *context)
{
    static int tries;
    static char why[128];
    struct fp_job *job = fp_job_now;
    if (!job || !fp_is_job_process())
        return;
    if (fp_self && fp_self->in_runtime && tries++ < PATIENCE) {
        timer_set(0, 1000000);
        return;
    }
    fp_job_writing_begins(STATUS_TIMEOUT);
    fp_crash_where(job, context, why, sizeof why);
    char text[256];
    int n = snprintf(text, sizeof text, "fencepost: the run has not ended within %u s (--timeout)%s\n",
                     job->config.timeout_s, why);
    fp_descriptors_restore();
    ssize_t written = write(STDERR_FILENO, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
    (void)written;
    job->cut_short = "--timeout";
    fp_job_interrupt(job, STATUS_TIMEOUT);
}

void
fp_timeout_start(const struct fp_config *config)
{
    struct sigaction action = {.sa_sigaction = time_is_over, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMAX - 2};
    if (!config->timeout_s || config->in_process)
        return;
    FP_REAL(sigaction)(event.sigev_signo, &action, NULL);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer))
        fp_env_fail("no timer for --timeout: %m");
    timer_set(config->timeout_s, 0);
}
