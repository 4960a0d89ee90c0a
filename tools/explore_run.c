/* explore_run.c -- hands runs out to workers and takes in what they show.
 *
 * Run number n has seed S + n and the n-th chooser in turn, whoever makes it, so a campaign finds the same with any
 * number of workers. When one run goes wrong and the first is wanted, runs with lower numbers are still waited for: the
 * finding told is that of the lowest number. The clock decides how many runs are handed out at once, and when to
 * stop; never what a run does.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "tools/explore.h"
#include "tools/options.h"

#define BATCH_SECONDS 0.2
#define BATCH_MAX 4096
#define SAVE_SECONDS 10
#define PROGRESS_SECONDS 10 /* where there is no terminal */

static volatile sig_atomic_t interrupted;

static void
on_interrupt(int number)
{
    if (interrupted)
        _exit(130); /* twice: at once */
    interrupted = 1;
}

/* ---- Telling */

/* Seconds until the campaign is over, as far as that can be said; negative: it cannot. */
static double
time_left(const struct explore *e, double elapsed)
{
    const struct campaign *c = &e->campaign;
    double left = e->seconds_max > 0 ? e->seconds_max - elapsed : -1;
    uint64_t made = c->runs - e->taken_up, wanted = e->runs_max / c->shards;
    if (e->runs_max && !c->exhaustive && made > 0) {
        double rest = elapsed / (double)made * (double)(wanted > c->runs ? wanted - c->runs : 0);
        left = left < 0 || rest < left ? rest : left;
    }
    return left;
}

static void
progress(struct explore *e)
{
    bool terminal = isatty(STDERR_FILENO);
    double now = seconds_now(), elapsed = now - e->started;
    if (now - e->told < (terminal ? 0.2 : PROGRESS_SECONDS))
        return;
    e->told = now;
    uint64_t made = e->campaign.exhaustive ? e->campaign.executions : e->campaign.runs;
    double left = time_left(e, elapsed);
    fprintf(stderr, "%s%s: %llu %s in %.0f s (%.0f a second), %d finding%s", terminal ? "\r" : "", e->command,
            (unsigned long long)made, e->campaign.exhaustive ? "executions" : "runs", elapsed,
            elapsed > 0 ? (double)(made - e->taken_up) / elapsed : 0, e->campaign.count,
            e->campaign.count == 1 ? "" : "s");
    if (left >= 0)
        fprintf(stderr, ", %.0f s left", left);
    fputs(terminal ? "   " : "\n", stderr);
    fflush(stderr);
}

static void
clear_progress(const struct explore *e)
{
    if (isatty(STDERR_FILENO) && e->told > e->started)
        fprintf(stderr, "\r\033[K");
}

/* ---- One reply */

static void
take_wrong(struct explore *e, struct worker *worker, const struct server_reply *reply)
{
    if (!e->collect && !e->campaign.exhaustive) { /* the finding of the lowest number, however soon others came */
        if (reply->last > e->first_wrong)
            return;
        campaign_forget(&e->campaign);
    }
    char *output = worker_output(worker);
    struct ending ending = {.number = reply->last,
                            .seed = e->campaign.first_seed + (e->campaign.exhaustive ? 0 : reply->last),
                            .chooser = e->campaign.exhaustive ? "exhaustive" : e->choosers[reply->last % e->nchoosers],
                            .choices = reply->choices,
                            .status = reply->status,
                            .timed_out = reply->timed_out,
                            .report = worker->report,
                            .output = output ? output : ""};
    if (e->campaign.exhaustive)
        ending.number = e->campaign.wrong;
    if (reply->last < e->first_wrong)
        e->first_wrong = reply->last;
    campaign_add(&e->campaign, &ending, NULL);
    free(output);
}

static bool
is_wrong(const struct server_reply *reply)
{
    return reply->ran > 0 && (reply->status != 0 || reply->timed_out);
}

/* The file that the finding's trace goes to. */
static char *
trace_path(const struct explore *e, int index)
{
    const char *slash = strrchr(e->path, '/');
    char *path, *folder = realpath(e->traces ? e->traces : ".", NULL);
    int got = asprintf(&path, "%s/%s-%d.fptrace", folder ? folder : ".", slash ? slash + 1 : e->path, index + 1);
    free(folder);
    return got < 0 ? NULL : path;
}

static bool
ask(struct worker *worker, const struct server_request *request, struct server_reply *reply)
{
    return worker_send(worker, request) && worker_receive(worker, reply);
}

static struct server_request
request_of(const struct explore *e, const struct worker *worker, uint32_t kind)
{
    struct server_request request = {.kind = kind,
                                     .step = e->campaign.shards,
                                     .count = 1,
                                     .seed = e->campaign.first_seed,
                                     .nchoosers = e->nchoosers,
                                     .timeout_ms = e->timeout_ms,
                                     .predicts = e->predicts};
    memcpy(request.choosers, e->choosers, sizeof request.choosers);
    snprintf(request.report, sizeof request.report, "%s", worker->report);
    return request;
}

static void
keep_trace(struct explore *e, struct worker *worker, int index, uint32_t kind)
{
    struct found *found = &e->campaign.found[index];
    struct server_request request = request_of(e, worker, kind);
    struct server_reply reply;
    char *path = trace_path(e, index);
    request.first = found->number;
    if (path)
        unlink(path); /* an older campaign's would be taken for this run's where the run cannot end its own */
    if (path && snprintf(request.trace, sizeof request.trace, "%s", path) < (int)sizeof request.trace &&
        ask(worker, &request, &reply) && !access(path, R_OK)) {
        free(found->trace);
        found->trace = path;
        return;
    }
    char *part = NULL;
    if (path && asprintf(&part, "%s.part", path) >= 0) {
        unlink(part);
        free(part);
    }
    free(path);
}

void
explore_traces(struct explore *e)
{
    for (int i = 0; i < e->campaign.count && e->nworkers > 0 && !e->campaign.exhaustive; i++)
        if ((!*e->campaign.found[i].trace || e->campaign.found[i].text[0]) &&
            strcmp(json_text(e->campaign.found[i].finding, "class"), "timeout")) /* it would not end either */
            keep_trace(e, &e->workers[0], i, SERVER_SAMPLE);
}

/* ---- The workers */

static int
workers_open(struct explore *e)
{
    e->workers = calloc((size_t)e->jobs_max, sizeof *e->workers);
    if (!e->workers)
        return EX_OSERR;
    for (int i = 0; i < e->jobs_max; i++) {
        int status = worker_start(&e->workers[e->nworkers++], e->command, e->folder, i, e->path, e->argv);
        if (status)
            return status;
    }
    return 0;
}

/* A worker that has gone could not load the program, or is broken: what it said is told. */
static int
worker_lost(struct explore *e, struct worker *worker)
{
    int status = 0;
    char *output = worker_output(worker);
    waitpid(worker->pid, &status, 0);
    worker->pid = 0;
    clear_progress(e);
    fprintf(stderr, "%s%s: the program could not be started for exploring%s\n", output ? output : "", e->command,
            WIFEXITED(status) && WEXITSTATUS(status) == 0 ? ": is it linked with libfencepost_sim?" : "");
    free(output);
    return WIFEXITED(status) && WEXITSTATUS(status) ? WEXITSTATUS(status) : EX_SOFTWARE;
}

static bool
over(const struct explore *e)
{
    if (interrupted || (e->seconds_max > 0 && seconds_now() - e->started >= e->seconds_max))
        return true;
    return e->first_wrong != UINT64_MAX && !e->collect;
}

/* Gives the worker its next range, if there is one. */
static bool
hand_out(struct explore *e, struct worker *worker, uint64_t batch)
{
    struct server_request request = request_of(e, worker, SERVER_SAMPLE);
    if (worker->left > 0) {
        request.first = worker->request.first;
        request.count = worker->left;
    } else {
        uint64_t step = e->campaign.shards, left = e->runs_max ? (e->runs_max + step - 1 - e->next) / step : UINT64_MAX;
        if (e->runs_max && e->next >= e->runs_max)
            return true;
        request.first = e->next;
        request.count = batch < left ? batch : left;
        e->next += request.count * step;
    }
    worker->left = 0;
    return worker_send(worker, &request);
}

/* Runs below this have all been made. */
static uint64_t
done_below(const struct explore *e)
{
    uint64_t lowest = e->next;
    for (int i = 0; i < e->nworkers; i++) {
        const struct worker *worker = &e->workers[i];
        if ((worker->busy || worker->left) && worker->request.first < lowest)
            lowest = worker->request.first;
    }
    return lowest;
}

static void
take(struct explore *e, struct worker *worker, const struct server_reply *reply, uint64_t *batch)
{
    double took = seconds_now() - worker->since;
    e->campaign.runs += reply->ran;
    campaign_unseen(&e->campaign, reply->unseen);
    if (is_wrong(reply))
        take_wrong(e, worker, reply);
    uint64_t rest = worker->request.count - reply->ran;
    worker->left = e->collect ? rest : 0;
    worker->request.first += reply->ran * worker->request.step;
    if (rest == 0 && took < BATCH_SECONDS / 2 && *batch < BATCH_MAX)
        *batch *= 2;
    else if (took > BATCH_SECONDS && *batch > 1)
        *batch /= 2;
}

/* Waits for a reply, at most for a moment. The worker that has one, or NULL. */
static struct worker *
wait_for_one(struct explore *e)
{
    struct pollfd fds[256];
    int count = e->nworkers < 256 ? e->nworkers : 256;
    for (int i = 0; i < count; i++)
        fds[i] = (struct pollfd){.fd = e->workers[i].busy ? e->workers[i].socket : -1, .events = POLLIN};
    if (poll(fds, (nfds_t)count, 200) <= 0)
        return NULL;
    for (int i = 0; i < count; i++)
        if (fds[i].revents)
            return &e->workers[i];
    return NULL;
}

static int
busy_count(const struct explore *e)
{
    int busy = 0;
    for (int i = 0; i < e->nworkers; i++)
        busy += e->workers[i].busy;
    return busy;
}

static int
sample(struct explore *e)
{
    uint64_t batch = 1;
    for (;;) {
        bool enough = over(e);
        for (int i = 0; i < e->nworkers; i++)
            if (!e->workers[i].busy && !enough && !hand_out(e, &e->workers[i], batch))
                return worker_lost(e, &e->workers[i]);
        if (busy_count(e) == 0)
            break;
        struct worker *worker = wait_for_one(e);
        struct server_reply reply;
        if (worker && !worker_receive(worker, &reply))
            return worker_lost(e, worker);
        if (worker)
            take(e, worker, &reply, &batch);
        e->campaign.done = done_below(e);
        progress(e);
        if (e->resume && seconds_now() - e->saved > SAVE_SECONDS) {
            e->saved = seconds_now();
            campaign_write(&e->campaign, e->command, e->resume);
        }
    }
    e->campaign.done = done_below(e);
    return 0;
}

/* ---- Exhaustive: one worker, whose tree of choices is its own */

static int
exhaust(struct explore *e)
{
    struct worker *worker = &e->workers[0];
    uint64_t batch = 1;
    for (;;) {
        struct server_request request = request_of(e, worker, SERVER_SEARCH);
        struct server_reply reply;
        request.count = batch;
        if (e->runs_max && e->campaign.executions + batch > e->runs_max)
            request.count = e->runs_max - e->campaign.executions;
        if (!ask(worker, &request, &reply))
            return worker_lost(e, worker);
        double took = seconds_now() - worker->since;
        batch = took < BATCH_SECONDS / 2 && batch < BATCH_MAX ? 2 * batch
                : took > BATCH_SECONDS && batch > 1           ? batch / 2
                                                              : batch;
        e->campaign.executions = reply.executions + is_wrong(&reply);
        e->campaign.runs = e->campaign.executions;
        e->campaign.repeats = reply.repeats;
        e->campaign.complete = reply.complete;
        campaign_unseen(&e->campaign, reply.unseen);
        e->too_long = reply.too_long;
        e->astray = reply.astray;
        if (is_wrong(&reply)) {
            int before = e->campaign.count;
            take_wrong(e, worker, &reply);
            for (int i = before; i < e->campaign.count; i++)
                keep_trace(e, worker, i, SERVER_AGAIN);
        }
        progress(e);
        if (reply.complete || reply.astray || over(e) || (e->runs_max && e->campaign.executions >= e->runs_max) ||
            (reply.ran == 0 && !reply.complete))
            return 0;
    }
}

int
explore_run(struct explore *e)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    e->started = e->saved = e->told = seconds_now();
    int status = workers_open(e);
    if (!status)
        status = e->campaign.exhaustive ? exhaust(e) : sample(e);
    clear_progress(e);
    if (!status && interrupted)
        fprintf(stderr, "%s: interrupted; what was found so far:\n", e->command);
    return status;
}

int
explore_write(struct explore *e)
{
    const struct campaign *campaign = &e->campaign;
    int status = 0, got[4] = {0};
    if (e->report)
        got[0] = campaign_write(campaign, e->command, e->report);
    if (e->resume)
        got[1] = campaign_write(campaign, e->command, e->resume);
    if (e->junit)
        got[2] = campaign_write_junit(campaign, e->command, e->junit);
    if (e->sarif)
        got[3] = campaign_write_sarif(campaign, e->command, e->sarif);
    for (int i = 0; i < 4; i++)
        status = status ? status : got[i];
    return status;
}
