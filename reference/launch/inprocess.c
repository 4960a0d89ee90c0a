/* inprocess.c -- fencepost.h: PEs that are functions of a unit test.
 *
 * The same machinery without images: a job per call, whose PEs share the test's globals. Its report is kept and
 * turned into a result that owns its strings, so everything else of the job is gone when the call returns.
 */
#include <string.h>
#include <unistd.h>

#include "fencepost.h"
#include "reference/check/check.h"
#include "reference/heap/heap.h"
#include "reference/launch/launch.h"
#include "reference/report/report.h"
#include "reference/team/team.h"

struct fencepost_result {
    int exit_status;
    int count;
    fencepost_finding_t *findings;
    char **texts; /* every string of the findings */
    size_t ntexts, capacity;
};

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

static void
findings_keep(fencepost_result_t *result, struct fp_report *report)
{
    int count = fp_report_count(report);
    result->findings = calloc(count ? (size_t)count : 1, sizeof *result->findings);
    if (!result->findings)
        fp_env_fail("out of memory");
    for (int i = 0; i < count; i++)
        finding_keep(result, report, fp_report_get(report, i, &result->findings[i].count), &result->findings[i]);
    result->count = count;
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

static void
job_run(struct fp_job *job, fencepost_result_t *result)
{
    fp_crash_install(job);
    result->exit_status = FP_STATUS_USAGE;
    if (!job->backend->start(job)) {
        fp_self = &job->pes[0];
        job->backend->run(job);
        fp_self = NULL;
        result->exit_status = job->exit_status;
    }
    fp_crash_remove();
    for (int i = 0; i < job->npes; i++)
        fp_output_flush(&job->pes[i], true);
    if (fp_job_at_end)
        fp_job_at_end(job);
    result->exit_status = fp_job_status(job, result->exit_status);
    findings_keep(result, job->report);
    if (fp_report_close(job->report) && !result->exit_status)
        result->exit_status = FP_STATUS_ENVIRONMENT;
    job->backend->stop(job);
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
}

static void
job_free(struct fp_job *job)
{
    fp_match_close(job->match);
    fp_teams_close(job->teams);
    fp_report_free(job->report);
    fp_heap_close(job);
    fp_libc_close(job);
    for (int i = 0; i < job->npes; i++)
        pe_free(&job->pes[i]);
    free(job->pes);
    fp_job_now = NULL;
}

FP_EXPORT fencepost_result_t *
fencepost_run(void (*pe_main)(void *), void *arg, const fencepost_config_t *config)
{
    static char *no_arguments[] = {NULL};
    struct fp_job job = {0};
    fencepost_result_t *result = calloc(1, sizeof *result);
    if (!result)
        fp_env_fail("out of memory");
    if (fp_self || fp_job_now) {
        fprintf(stderr, "fencepost: fencepost_run was called while PEs are running: one run at a time\n");
        result->exit_status = FP_STATUS_USAGE;
        return result;
    }
    if (config_make(&job.config, config)) {
        result->exit_status = FP_STATUS_USAGE;
    } else {
        job.config.argv = no_arguments;
        fp_job_end_reset();
        fp_job_open(&job);
        for (int i = 0; i < job.npes; i++) {
            job.pes[i].in_process_main = pe_main;
            job.pes[i].in_process_arg = arg;
        }
        job_run(&job, result);
        job_free(&job);
    }
    fp_config_free(&job.config);
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
