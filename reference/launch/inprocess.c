/* inprocess.c -- fencepost.h: PEs that are functions of a unit test.
 *
 * The same machinery without images: a job per call, whose PEs share the test's globals. Its report is kept and
 * turned into a result that owns its strings, so everything else of the job is gone when the call returns. A session
 * makes many runs in one job: what a run has touched is undone, and what costs system calls (stacks, the arena, tables)
 * is kept.
 */
#include <string.h>
#include <unistd.h>

#include "fencepost.h"
#include "reference/check/check.h"
#include "reference/check/hooks.h"
#include "reference/heap/heap.h"
#include "reference/launch/inprocess.h"
#include "reference/launch/launch.h"
#include "reference/report/report.h"
#include "reference/team/team.h"

static const char *
keep(fencepost_result_t *result, const char *text)
{
    if (!text)
        text = "";
    if (result->ntexts == result->capacity) {
        result->capacity = result->capacity ? 2 * result->capacity : 32;
        result->texts = realloc(result->texts, result->capacity * sizeof *result->texts);
        if (!result->texts)
            fp_env_fail("out of memory");
    }
    char *copy = strdup(text);
    if (!copy)
        fp_env_fail("out of memory");
    return result->texts[result->ntexts++] = copy;
}

static const char *
kind_text(enum fp_access_kind kind)
{
    static const char *const texts[] = {"read", "write", "atomic", "free", "realloc", "alloc", "call"};
    return texts[kind];
}

static const char *
class_text(enum fp_class class_)
{
    static const char *const texts[] = {
#define CLASS_TEXT(id, text) text,
        FP_CLASS_ROWS(CLASS_TEXT)
#undef CLASS_TEXT
    };
    return texts[class_];
}

static void
finding_keep(fencepost_result_t *result, struct fp_report *report, const struct fp_finding *from,
             fencepost_finding_t *to)
{
    to->finding_class = keep(result, class_text(from->class_));
    to->rule = keep(result, from->rule);
    to->message = keep(result, from->message);
    to->object = keep(result, from->object.name);
    to->repair = keep(result, from->repair);
    to->predicted = from->predicted;
    to->witness = keep(result, from->witness);
    int max = (int)(sizeof to->accesses / sizeof *to->accesses);
    to->access_count = from->naccesses < max ? from->naccesses : max;
    for (int i = 0; i < to->access_count; i++) {
        const struct fp_access *access = &from->accesses[i];
        struct fp_line line = fp_site_line(report, access->site);
        to->accesses[i] = (fencepost_access_t){.pe = access->pe,
                                               .op = keep(result, access->op),
                                               .kind = keep(result, kind_text(access->kind)),
                                               .file = keep(result, line.file),
                                               .function = keep(result, line.function),
                                               .line = line.line};
    }
}

static bool
same_finding(const fencepost_finding_t *a, const fencepost_finding_t *b)
{
    if (strcmp(a->finding_class, b->finding_class) || strcmp(a->rule, b->rule) || strcmp(a->object, b->object) ||
        a->access_count != b->access_count)
        return false;
    for (int i = 0; i < a->access_count; i++) /* the order of the two may be that of the run */
        if (a->accesses[i].line != b->accesses[i].line &&
            a->accesses[i].line != b->accesses[a->access_count - 1 - i].line)
            return false;
    return true;
}

void
fp_result_keep(fencepost_result_t *result, struct fp_session *session, int status)
{
    struct fp_report *report = session->job.report;
    int count = report ? fp_report_count(report) : 0;
    size_t room = (size_t)(result->count + count + 1);
    result->findings = realloc(result->findings, room * sizeof *result->findings);
    if (!result->findings)
        fp_env_fail("out of memory");
    for (int i = 0; i < count; i++) {
        fencepost_finding_t *to = &result->findings[result->count], *known = result->findings;
        memset(to, 0, sizeof *to);
        finding_keep(result, report, fp_report_get(report, i, &to->count), to);
        while (known < to && !(result->runs && same_finding(known, to)))
            known++;
        if (known < to)
            known->count += to->count;
        else
            result->count++;
    }
    if (report && fp_report_close(report) && !status)
        result->exit_status = FP_STATUS_ENVIRONMENT;
}

const char *
fp_result_text(fencepost_result_t *result, const char *text)
{
    return keep(result, text);
}

static void
text_override(char **text, const char *given)
{
    if (!given)
        return;
    free(*text);
    *text = strdup(given);
    if (!*text)
        fp_env_fail("out of memory");
}

/* What the test leaves open comes from the environment, and then from the table of options. */
static int
config_make(struct fp_config *config, const fencepost_config_t *given)
{
    static const fencepost_config_t nothing;
    if (!given)
        given = &nothing;
    if (fp_config_read(config))
        return -1;
    config->in_process = true;
    config->no_footer = true;
    config->quiet = given->quiet;
    if (given->npes)
        config->npes = given->npes;
    if (given->seed)
        config->seed = given->seed;
    if (given->depth > 0)
        config->depth = (uint32_t)given->depth;
    if (given->steps)
        config->steps = given->steps;
    if (given->heap_bytes)
        config->heap_bytes = given->heap_bytes;
    if (given->predict)
        config->predict = true;
    if (given->no_check)
        config->check = false;
    text_override(&config->net, given->net);
    text_override(&config->chooser, given->chooser);
    text_override(&config->rules_name, given->rules);
    text_override(&config->pe_context, given->pe_context);
    text_override(&config->report, given->report);
    text_override(&config->trace, given->trace);
    text_override(&config->replay, given->replay);
    return fp_config_settle(config);
}

/* ---- A session: runs of one PE function, one after the other, in a job whose parts are kept between them */

static void
job_open(struct fp_session *session)
{
    static char *no_arguments[] = {NULL};
    struct fp_job *job = &session->job;
    job->config.argv = no_arguments;
    fp_job_open(job);
    job->hooked = fp_hooks_linked;
    for (int i = 0; i < job->npes; i++) {
        job->pes[i].in_process_main = session->pe_main;
        job->pes[i].in_process_arg = session->arg;
    }
    if (session->prepare)
        session->prepare(job);
    session->fresh = true;
    fp_crash_install(job);
    session->failed = job->backend->start(job) != 0;
}

/* The front end never frees a context during a run: late events may still name it. */
static void
pe_free(struct fp_pe *pe)
{
    for (int i = 0; i < pe->nctxs; i++)
        free(pe->ctxs[i]);
    free(pe->ctxs);
    free(pe->team_seq);
    free(pe->mapped_pes);
    fp_locks_free(pe);
}

static void
job_close(struct fp_session *session)
{
    struct fp_job *job = &session->job;
    fp_crash_remove();
    job->backend->stop(job);
    fp_match_close(job->match);
    fp_teams_close(job->teams);
    fp_report_free(job->report);
    fp_heap_close(job);
    fp_libc_close(job);
    for (int i = 0; i < job->npes; i++)
        pe_free(&job->pes[i]);
    free(job->pes);
    fp_job_now = NULL;
    *job = (struct fp_job){.config = job->config};
}

int
fp_session_open(struct fp_session *session, void (*pe_main)(void *), void *arg, const fencepost_config_t *config)
{
    *session = (struct fp_session){.pe_main = pe_main, .arg = arg};
    if (fp_self || fp_job_now) {
        fprintf(stderr, "fencepost: PEs are running: one run at a time, and not from a PE\n");
        return FP_STATUS_USAGE;
    }
    if (config_make(&session->job.config, config)) {
        fp_config_free(&session->job.config);
        return FP_STATUS_USAGE;
    }
    return 0;
}

void
fp_session_close(struct fp_session *session)
{
    if (session->job.pes)
        job_close(session);
    fp_config_free(&session->job.config);
}

static void
pe_again(struct fp_pe *pe)
{
    pe_free(pe);
    *pe = (struct fp_pe){.rank = pe->rank,
                         .job = pe->job,
                         .heap_base = pe->heap_base,
                         .libc = pe->libc,
                         .backend = pe->backend,
                         .in_process_main = pe->in_process_main,
                         .in_process_arg = pe->in_process_arg};
}

/* Everything as after job_open. False: this job cannot be used again. */
static bool
job_again(struct fp_session *session)
{
    struct fp_job *job = &session->job;
    if (session->fresh)
        return true;
    if (session->failed || !job->backend->again || !fp_heap_again(job))
        return false;
    for (int i = 0; i < job->npes; i++)
        pe_again(&job->pes[i]);
    fp_libc_again(job);
    if (fp_report_count(job->report) || job->config.report[0]) {
        fp_report_free(job->report);
        job->report = fp_report_open(job);
    }
    fp_match_close(job->match);
    job->match = fp_match_open(job);
    if (!fp_teams_untouched(job->teams)) {
        fp_teams_close(job->teams);
        job->teams = fp_teams_open(job);
    }
    job->exit_status = job->npes_at_end = job->nunseen = 0;
    job->ending = job->watch_all = false;
    job->hooked = fp_hooks_linked;
    job->ops = job->waits_blocked = 0;
    return job->backend->again(job) == 0;
}

int
fp_session_run(struct fp_session *session, uint64_t seed, void *search)
{
    struct fp_job *job = &session->job;
    job->config.seed = seed;
    job->search = search;
    if (job->pes && !job_again(session))
        job_close(session);
    if (!job->pes) {
        job->search = search;
        job_open(session);
    }
    fp_job_end_reset();
    session->fresh = false;
    if (session->failed)
        return FP_STATUS_USAGE;
    fp_self = &job->pes[0];
    job->backend->run(job);
    fp_self = NULL;
    for (int i = 0; i < job->npes; i++)
        fp_output_flush(&job->pes[i], true);
    if (fp_job_at_end)
        fp_job_at_end(job);
    return fp_job_status(job, job->exit_status);
}

fencepost_result_t *
fp_result_new(void)
{
    fencepost_result_t *result = calloc(1, sizeof *result);
    if (!result)
        fp_env_fail("out of memory");
    return result;
}

FP_EXPORT fencepost_result_t *
fencepost_run(void (*pe_main)(void *), void *arg, const fencepost_config_t *config)
{
    struct fp_session session;
    fencepost_result_t *result = fp_result_new();
    int status = fp_session_open(&session, pe_main, arg, config);
    if (!status) {
        status = fp_session_run(&session, session.job.config.seed, NULL);
        result->exit_status = status;
        fp_result_keep(result, &session, status);
        fp_session_close(&session);
    } else {
        result->exit_status = status;
    }
    return result;
}

FP_EXPORT int
fencepost_finding_count(const fencepost_result_t *result)
{
    return result->count;
}

FP_EXPORT const fencepost_finding_t *
fencepost_finding(const fencepost_result_t *result, int index)
{
    return index >= 0 && index < result->count ? &result->findings[index] : NULL;
}

FP_EXPORT int
fencepost_exit_status(const fencepost_result_t *result)
{
    return result->exit_status;
}

FP_EXPORT void
fencepost_result_free(fencepost_result_t *result)
{
    if (!result)
        return;
    for (size_t i = 0; i < result->ntexts; i++)
        free(result->texts[i]);
    free(result->texts);
    free(result->findings);
    free(result);
}
