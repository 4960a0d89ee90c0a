/* server.c -- forks a child for each run, see server.h.
 *
 * The pthreads that lend PEs their stacks do not exist in a child, but their stacks and thread-locals do: fibers need
 * no more. _Fork is used, since fork would hand those stacks out again to threads that the program creates.
 */
#include "sim/server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "reference/heap/heap.h"
#include "reference/launch/launch.h"
#include "sim/child.h"
#include "sim/record.h"
#include "sim/search.h"
#include "sim/sim.h"

#define PREDICT_TIMES 10 /* so many times longer than a run may its prediction take */

/* What a child tells besides its exit status: memory of both. */
struct told {
    uint64_t choices, operations;
    char unseen[SERVER_UNSEEN_MAX];
    bool clean; /* the run itself is over and found nothing; what it predicts may be cut off */
};

struct server {
    struct sim *sim;
    int socket;
    struct told *told;
    struct search_tree *search;
    bool owed;     /* the last execution has not been learnt from yet */
    sigset_t mask; /* of the children */
};

bool
sim_is_server(void)
{
    return getenv(SERVER_VARIABLE) != NULL;
}

/* ---- The child */

static void
text_set(char **text, const char *value)
{
    free(*text);
    *text = strdup(value);
    if (!*text)
        fp_env_fail("out of memory");
}

static bool
predicts(const struct server_request *request, uint64_t number)
{
    return request->kind == SERVER_SAMPLE && number < request->predicts;
}

/* Turns the job as it was loaded into the one that the request wants. */
static void
become(struct server *server, const struct server_request *request, uint64_t number)
{
    struct sim *sim = server->sim;
    struct fp_job *job = sim->job;
    sigprocmask(SIG_SETMASK, &server->mask, NULL);
    close(server->socket);
    fp_job_forked();
    job->config.watchdog_s = 0; /* the server has an eye on the time */
    if (request->kind == SERVER_SAMPLE) {
        job->config.seed = request->seed + number;
        text_set(&job->config.chooser, request->choosers[number % request->nchoosers]);
    }
    text_set(&job->config.trace, request->trace);
    text_set(&job->config.report, request->report);
    text_set(&job->config.replay, request->guide);
    job->config.guided = request->kind == SERVER_GUIDED;
    if (!predicts(request, number))
        sim_predict_forget(sim);
    job->search =
        request->kind == SERVER_SEARCH || request->kind == SERVER_AGAIN ? search_log_of(server->search) : NULL;
    fp_report_redirect(job->report, request->report);
    fp_heap_again(job); /* untouched so far: only the seed is new */
    sim->served = server->told;
    if (sim_reopen(sim))
        fp_job_abort(job, 64);
}

static void
tell(struct sim *sim)
{
    struct told *told = sim->served;
    const char *phrases[8];
    int count = fp_report_unseen(sim->job->report, phrases, 8);
    size_t used = 0;
    told->choices = sim->choices;
    told->operations = sim->job->ops;
    for (int i = 0; i < count && used < sizeof told->unseen; i++)
        used += (size_t)snprintf(told->unseen + used, sizeof told->unseen - used, "%s%s", i ? "\n" : "", phrases[i]);
}

void
sim_served_clean(struct sim *sim)
{
    struct told *told = sim->served;
    tell(sim);
    told->clean = true;
}

void
sim_served_end(struct sim *sim)
{
    tell(sim);
    if (fp_report_count(sim->job->report) == 0)
        fp_report_redirect(sim->job->report, "");
}

/* ---- The parent */

/* Standard output and error are one file that holds what the last run wrote. */
static void
output_forget(void)
{
    struct stat status;
    if (!fstat(STDERR_FILENO, &status) && S_ISREG(status.st_mode) && status.st_size > 0 && ftruncate(STDERR_FILENO, 0))
        return;
}

/* One run. True in the child. */
static bool
run(struct server *server, const struct server_request *request, uint64_t number, struct server_reply *reply)
{
    *server->told = (struct told){0};
    output_forget();
    pid_t child = _Fork();
    if (child == 0) {
        become(server, request, number);
        return true;
    }
    if (child < 0)
        fp_env_fail("cannot fork for a run: %s", strerror(errno));
    uint64_t more_ms = request->timeout_ms * (uint64_t)PREDICT_TIMES;
    bool ended = sim_child_ended(child, request->timeout_ms, &reply->status);
    if (!ended && server->told->clean && predicts(request, number))
        ended = sim_child_ended(child, more_ms > INT32_MAX ? INT32_MAX : (uint32_t)more_ms, &reply->status);
    if (!ended)
        sim_child_kill(child, &reply->status);
    if (!ended && server->told->clean)
        reply->status = 0;
    reply->timed_out = !ended && !server->told->clean;
    if (*server->told->unseen)
        memcpy(reply->unseen, server->told->unseen, sizeof reply->unseen);
    reply->ran++;
    reply->last = number;
    reply->choices = server->told->choices;
    reply->operations = server->told->operations;
    return false;
}

static bool
serve_sample(struct server *server, const struct server_request *request, struct server_reply *reply)
{
    for (uint64_t i = 0; i < request->count; i++) {
        if (run(server, request, request->first + i * request->step, reply))
            return true;
        if (reply->status || reply->timed_out)
            break;
    }
    return false;
}

static bool
serve_search(struct server *server, const struct server_request *request, struct server_reply *reply)
{
    struct fp_job *job = server->sim->job;
    if (!server->search)
        server->search = search_open(job->npes, SEARCH_REDUCED, job->hooked);
    for (uint64_t i = 0; i < request->count; i++) {
        if (server->owed)
            search_learn(server->search);
        server->owed = false;
        if (!search_next(server->search))
            break;
        if (run(server, request, i, reply))
            return true;
        server->owed = true;
        if (reply->status || reply->timed_out)
            break;
    }
    if (server->owed && !reply->status && !reply->timed_out)
        search_learn(server->search);
    server->owed = server->owed && (reply->status || reply->timed_out);
    struct fp_search_counts counts = search_counts(server->search);
    reply->executions = counts.executions;
    reply->repeats = counts.repeats;
    reply->left = counts.left;
    reply->complete = counts.complete;
    reply->too_long = counts.too_long > 0;
    reply->astray = counts.astray;
    return false;
}

static bool
serve_again(struct server *server, const struct server_request *request, struct server_reply *reply)
{
    if (server->owed)
        search_again(server->search);
    return server->owed && run(server, request, 0, reply);
}

void
sim_serve(struct sim *sim)
{
    struct server server = {.sim = sim, .socket = -1};
    size_t request_bytes = 0, reply_bytes = 0;
    if (sscanf(getenv(SERVER_VARIABLE), SERVER_VALUE, &server.socket, &request_bytes, &reply_bytes) != 3 ||
        request_bytes != sizeof(struct server_request) || reply_bytes != sizeof(struct server_reply))
        fp_env_fail("this program runs with the library of another version of Fencepost than the command that started "
                    "it; compile it again, or set LD_LIBRARY_PATH");
    unsetenv(SERVER_VARIABLE);
    unsetenv("LD_BIND_NOW");
    fp_next_symbols();
    server.told =
        mmap(NULL, sizeof *server.told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (server.told == MAP_FAILED)
        fp_env_fail("out of memory");
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &server.mask);
    struct server_request request;
    while (sim_whole_read(server.socket, &request, sizeof request)) {
        struct server_reply reply = {.ran = 0};
        bool child = request.kind == SERVER_SEARCH   ? serve_search(&server, &request, &reply)
                     : request.kind == SERVER_AGAIN  ? serve_again(&server, &request, &reply)
                     : request.kind == SERVER_GUIDED ? run(&server, &request, request.first, &reply)
                                                     : serve_sample(&server, &request, &reply);
        if (child)
            return;
        if (!sim_whole_write(server.socket, &reply, sizeof reply))
            break;
    }
    _exit(0);
}
