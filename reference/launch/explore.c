/* explore.c -- fencepost_explore: many runs of a PE function, or all of them.
 *
 * The runs share one session, so that a short function is run a hundred thousand times a second. They are silent; the
 * first one that goes wrong is run once more, and tells what is wrong. Where no chooser is asked for, the runs take
 * turns between several, since each finds other faults soonest.
 */
#include <string.h>

#include "reference/check/hooks.h"
#include "reference/launch/inprocess.h"
#include "reference/launch/launch.h"
#include "reference/report/report.h"

#define RUNS_DEFAULT 1000
#define STATUS_AFTER 1 /* the caller's own check failed */

static const char *const turns[] = {"adversarial", "random", "pct", "swarm"};

struct explorer {
    struct fp_session session;
    const fencepost_exploration_t *wanted;
    const struct fp_search_hooks *hooks;
    void *search;
    bool takes_turns, quiet;
    char *report, *trace; /* for the run that is shown */
    fencepost_result_t *result;
};

static void
text_replace(char **text, const char *with)
{
    char *copy = strdup(with);
    if (!copy)
        fp_env_fail("out of memory");
    free(*text);
    *text = copy;
}

static int
explorer_open(struct explorer *e, void (*pe_main)(void *), void *arg)
{
    struct fp_session *session = &e->session;
    int status = fp_session_open(session, pe_main, arg, &e->wanted->run);
    if (status)
        return status;
    struct fp_config *config = &session->job.config;
    e->takes_turns = !e->wanted->run.chooser && !getenv("FENCEPOST_CHOOSER");
    e->quiet = config->quiet;
    e->report = config->report;
    e->trace = config->trace;
    config->report = config->trace = NULL;
    text_replace(&config->report, "");
    text_replace(&config->trace, "");
    config->quiet = true;
    if (!e->wanted->exhaustive)
        return 0;
    e->hooks = fp_backend->search;
    if (!e->hooks) {
        fprintf(stderr, "fencepost: backend %s has no choices to search through\n", fp_backend->name);
        return FP_STATUS_USAGE;
    }
    e->search = e->hooks->open(config->npes, e->wanted->exhaustive == FENCEPOST_PLAIN, fp_hooks_linked);
    return 0;
}

static void
explorer_close(struct explorer *e)
{
    if (e->search)
        e->hooks->close(e->search);
    free(e->report);
    free(e->trace);
    fp_session_close(&e->session);
}

/* One run; its exit status, or that of the caller's check. */
static int
run(struct explorer *e, uint64_t seed)
{
    if (e->wanted->before)
        e->wanted->before(e->session.arg);
    int status = fp_session_run(&e->session, seed, e->search ? e->hooks->log(e->search) : NULL);
    if (!status && e->wanted->after && e->wanted->after(e->session.arg))
        status = STATUS_AFTER;
    return status;
}

static bool
is_wrong(const struct explorer *e, int status)
{
    return status != 0 || (e->session.job.report && fp_report_count(e->session.job.report) > 0);
}

/* The run that went wrong once more, as the caller wants to see it. */
static int
show(struct explorer *e, uint64_t seed)
{
    struct fp_config *config = &e->session.job.config;
    if (e->quiet && !e->report[0] && !e->trace[0])
        return -1;
    config->quiet = e->quiet;
    text_replace(&config->report, e->report);
    text_replace(&config->trace, e->trace);
    if (e->search)
        e->hooks->again(e->search);
    int status = run(e, seed);
    fp_result_keep(e->result, &e->session, status);
    config->quiet = true;
    text_replace(&config->report, "");
    text_replace(&config->trace, "");
    return status;
}

/* What run number `number` shows. True: enough. */
static bool
judge(struct explorer *e, uint64_t seed, int status)
{
    fencepost_result_t *result = e->result;
    if (!is_wrong(e, status))
        return false;
    if (!result->wrong) {
        result->wrong = true;
        result->seed = seed;
        result->chooser = fp_result_text(result, e->search ? "exhaustive" : e->session.job.config.chooser);
        result->exit_status = status;
        if (show(e, seed) < 0)
            fp_result_keep(result, &e->session, status);
    } else {
        fp_result_keep(result, &e->session, status);
    }
    return !e->wanted->collect;
}

/* Shows the caller the run that has just been made. */
static void
tell(struct explorer *e, int status)
{
    static const fencepost_result_t clean;
    if (!e->wanted->each)
        return;
    if (!is_wrong(e, status)) {
        e->wanted->each(e->session.arg, &clean);
        return;
    }
    fencepost_result_t *run = fp_result_new();
    fp_result_keep(run, &e->session, status);
    run->exit_status = status;
    e->wanted->each(e->session.arg, run);
    fencepost_result_free(run);
}

static void
sample(struct explorer *e)
{
    struct fp_config *config = &e->session.job.config;
    uint64_t runs = e->wanted->runs ? e->wanted->runs : RUNS_DEFAULT, first = config->seed;
    for (uint64_t i = 0; i < runs; i++) {
        if (e->takes_turns)
            text_replace(&config->chooser, turns[i % (sizeof turns / sizeof *turns)]);
        int status = run(e, first + i);
        e->result->runs++;
        tell(e, status);
        if (judge(e, first + i, status) || status == FP_STATUS_USAGE)
            break;
    }
}

static void
exhaust(struct explorer *e)
{
    uint64_t seed = e->session.job.config.seed;
    while ((!e->wanted->runs || e->result->runs < e->wanted->runs) && e->hooks->next(e->search)) {
        int status = run(e, seed);
        bool enough = judge(e, seed, status) || status == FP_STATUS_USAGE;
        e->hooks->learn(e->search);
        struct fp_search_counts counts = e->hooks->counts(e->search);
        if (counts.executions > e->result->runs)
            tell(e, status);
        e->result->runs = counts.executions;
        e->result->repeats = counts.repeats;
        if (enough)
            return;
    }
    struct fp_search_counts counts = e->hooks->counts(e->search);
    e->result->complete = counts.complete;
    if (counts.astray) {
        fprintf(stderr,
                "fencepost: the PE function did something else with the same choices: what PEs share has to be reset "
                "before each run (before)\n");
        e->result->exit_status = FP_STATUS_USAGE;
    }
}

FP_EXPORT fencepost_result_t *
fencepost_explore(void (*pe_main)(void *), void *arg, const fencepost_exploration_t *exploration)
{
    static const fencepost_exploration_t nothing;
    struct explorer e = {.wanted = exploration ? exploration : &nothing, .result = fp_result_new()};
    int status = explorer_open(&e, pe_main, arg);
    if (status)
        e.result->exit_status = status;
    else if (e.search)
        exhaust(&e);
    else
        sample(&e);
    explorer_close(&e);
    return e.result;
}

FP_EXPORT uint64_t
fencepost_runs(const fencepost_result_t *result)
{
    return result->runs;
}

FP_EXPORT int
fencepost_complete(const fencepost_result_t *result)
{
    return result->complete;
}

FP_EXPORT uint64_t
fencepost_seed(const fencepost_result_t *result)
{
    return result->seed;
}

FP_EXPORT const char *
fencepost_chooser(const fencepost_result_t *result)
{
    return result->chooser ? result->chooser : "";
}
