/* predict_keeper.c -- the process that can begin a run anew: forked before the first PE begins, it forks a child for
 * each run that predict.c orders. See predict.h.
 *
 * It is no child of the program's process, since the program may wait for children of its own; it ends when that
 * process closes its end of the socket, however that happens. The pthreads that lend PEs their stacks do not exist
 * here, see server.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/launch/launch.h"
#include "sim/child.h"
#include "sim/sim.h"

#define RUN_MS_MAX 120000
#define SOCKET_AT 100 /* so that the program's own descriptors keep their numbers */

struct predict *
sim_predict_new(struct sim *sim)
{
    const struct fp_job *job = sim->job;
    if (!job->config.predict || !job->config.check || job->search || job->config.replay[0] || job->npes < 2)
        return NULL;
    struct predict *predict = calloc(1, sizeof *predict);
    if (!predict)
        fp_env_fail("out of memory for --predict");
    predict->socket = -1;
    return predict;
}

void
sim_predict_free(struct predict *predict)
{
    if (!predict)
        return;
    if (predict->socket >= 0)
        close(predict->socket);
    if (predict->told)
        munmap(predict->told, sizeof *predict->told);
    free(predict->edges);
    free(predict->lucky);
    free(predict);
}

void
sim_predict_forget(struct sim *sim)
{
    sim_predict_free(sim->predict);
    sim->job->predict = sim->predict = NULL;
}

/* ---- The keeper and its children */

static void
text_set(char **text, const char *value)
{
    free(*text);
    *text = strdup(value);
    if (!*text)
        fp_env_fail("out of memory");
}

/* Standard input from its beginning, where it has one: a run must not take away what another reads. */
static void
rewind_input(void)
{
    struct stat status;
    bool file = !fstat(STDIN_FILENO, &status) && S_ISREG(status.st_mode);
    int fd = open(file ? "/proc/self/fd/0" : "/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    off_t at = file ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    if (at > 0)
        lseek(fd, at, SEEK_SET);
    dup2(fd, STDIN_FILENO);
    close(fd);
}

/* Turns the job as it was before its first step into the one that is ordered. */
static void
become(struct sim *sim, const struct predict_order *order)
{
    struct fp_job *job = sim->job;
    fp_job_forked();
    rewind_input();
    job->config.watchdog_s = 0; /* the keeper has an eye on the time */
    job->config.quiet = true;
    job->config.stop_at_first = false;
    text_set(&job->config.trace, order->trace);
    text_set(&job->config.report, "");
    text_set(&job->config.replay, order->replay);
    fp_report_redirect(job->report, "");
    sim->predict->pass = order->pass;
    sim->late = order->late;
    sim->served = NULL;
    if (sim_reopen(sim))
        fp_job_abort(job, 64);
}

/* The waits that could have ended otherwise, behind the order. */
static bool
read_lucky(struct predict *predict, uint32_t n)
{
    free(predict->lucky);
    predict->lucky = malloc(((size_t)n + 1) * sizeof *predict->lucky);
    predict->nlucky = n;
    return predict->lucky && sim_whole_read(predict->socket, predict->lucky, n * sizeof *predict->lucky);
}

/* True in a child, ready to run. */
static bool
keeper_serve(struct sim *sim, const sigset_t *mask)
{
    struct predict *predict = sim->predict;
    struct predict_order order;
    while (sim_whole_read(predict->socket, &order, sizeof order)) {
        if (!read_lucky(predict, order.nlucky))
            break;
        int status = 0;
        predict->told->whole = false;
        predict->told->npairs = predict->told->nfound = 0;
        pid_t child = _Fork();
        if (child == 0) {
            close(predict->socket);
            predict->socket = -1;
            sigprocmask(SIG_SETMASK, mask, NULL);
            become(sim, &order);
            return true;
        }
        char done = child > 0 && sim_child_await(child, RUN_MS_MAX, &status);
        if (!sim_whole_write(predict->socket, &done, 1))
            break;
    }
    return false;
}

static void
silence(void)
{
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    close(nothing);
}

/* What becomes the keeper. Returns in its children only. */
static void
keeper_begin(struct sim *sim, int socket)
{
    sigset_t set, mask;
    if (_Fork() != 0)
        _exit(0);
    sim->predict->socket = socket;
    fp_next_symbols(); /* once, not in each child */
    silence();
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &mask);
    signal(SIGINT, SIG_IGN); /* reaches the whole group; the end of the program's process is what counts */
    if (keeper_serve(sim, &mask)) {
        signal(SIGINT, SIG_DFL);
        return;
    }
    _exit(0);
}

void
sim_predict_keep(struct sim *sim)
{
    struct predict *predict = sim->predict;
    int ends[2], status;
    if (sim->job->search || sim->job->config.replay[0])
        return;
    void *told = mmap(NULL, sizeof *predict->told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        fp_env_fail("cannot prepare --predict: %s", strerror(errno));
    predict->told = told;
    int high = fcntl(ends[0], F_DUPFD_CLOEXEC, SOCKET_AT);
    pid_t child = _Fork();
    if (child == 0) {
        close(ends[0]);
        if (high >= 0)
            close(high);
        keeper_begin(sim, ends[1]);
        return;
    }
    if (child < 0 || high < 0)
        fp_env_fail("cannot prepare --predict: %s", strerror(errno));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    close(ends[0]);
    close(ends[1]);
    predict->socket = high;
}

bool
sim_predict_run(struct predict *predict, const struct predict_order *order)
{
    char done = 0;
    if (predict->socket < 0 || !sim_whole_write(predict->socket, order, sizeof *order) ||
        !sim_whole_write(predict->socket, predict->lucky, order->nlucky * sizeof *predict->lucky) ||
        !sim_whole_read(predict->socket, &done, 1)) {
        if (predict->socket >= 0)
            close(predict->socket);
        predict->socket = -1;
        return false;
    }
    return done && predict->told->whole;
}
