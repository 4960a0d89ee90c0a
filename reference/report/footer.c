/* footer.c -- the last words of a run: what was done, what was not seen, and how to do it again.
 *
 * A clean verdict is worth as much as what was looked at, so the footer says both; after findings it gives the command
 * that shows them again.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "reference/report/state.h"

static const char plain_unseen[] = "plain loads and stores (compile with oshcc -fsanitize=shmem)";

int
fp_report_unseen(const struct fp_report *report, const char **phrases, int max)
{
    const struct fp_job *job = report->job;
    int n = 0;
    if (!job->config.check)
        phrases[n++] = "anything (--no-check)";
    else if (!job->hooked)
        phrases[n++] = plain_unseen;
    for (int i = 0; i < job->nunseen; i++) {
        int j = 0;
        while (j < n && strcmp(phrases[j], job->unseen[i]) != 0)
            j++;
        if (j == n && n < max)
            phrases[n++] = job->unseen[i];
    }
    return n;
}

/* 12345 as 12,345. */
static const char *
grouped(uint64_t value, char *text, size_t room)
{
    char *at = text + room - 1;
    int digits = 0;
    *at = '\0';
    do {
        if (digits && digits % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + value % 10);
        digits++;
    } while (value /= 10);
    return at;
}

static void
put_counted(FILE *out, uint64_t n, const char *one, const char *many)
{
    char text[32];
    fprintf(out, "%s %s", grouped(n, text, sizeof text), n == 1 ? one : many);
}

static bool
given(const char *value, const char *usual)
{
    return value && *value && strcmp(value, usual) != 0;
}

/* A word as a shell wants it. */
static void
put_quoted(FILE *out, const char *argument)
{
    bool plain = *argument != '\0';
    for (const char *c = argument; *c; c++)
        plain = plain && (isalnum((unsigned char)*c) || strchr("_-+=./:,@%^", *c));
    if (plain) {
        fputs(argument, out);
        return;
    }
    fputc('\'', out);
    for (const char *c = argument; *c; c++)
        if (*c == '\'')
            fputs("'\\''", out);
        else
            fputc(*c, out);
    fputc('\'', out);
}

void
fp_report_put_argument(FILE *out, const char *argument)
{
    fputc(' ', out);
    put_quoted(out, argument);
}

static void
put_option(FILE *out, const char *flag, const char *value, const char *usual)
{
    if (!given(value, usual))
        return;
    fprintf(out, " %s", flag);
    fp_report_put_argument(out, value);
}

static void
put_stall(const struct fp_config *c, FILE *out)
{
    char from[16] = "*", to[16] = "*";
    if (c->stall_from >= 0)
        snprintf(from, sizeof from, "%d", c->stall_from);
    if (c->stall_to >= 0)
        snprintf(to, sizeof to, "%d", c->stall_to);
    fprintf(out, " --stall '%s:%s'", from, to);
}

static void
put_field(FILE *out, const char *field, const char *value, const char *fallback)
{
    if (!value || !*value || !strcmp(value, fallback))
        return;
    fprintf(out, ", .%s = \"", field);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            fputc('\\', out);
        fputc(*value, out);
    }
    fputc('"', out);
}

/* The same for a PE function: the configuration that fencepost_run takes. */
static void
put_again_in_process(const struct fp_job *job, FILE *out)
{
    const struct fp_config *c = &job->config;
    fprintf(out, "again: fencepost_config_t{.npes = %d, .seed = %llu", job->npes, (unsigned long long)c->seed);
    put_field(out, "net", c->net, "reorder");
    put_field(out, "chooser", c->chooser, "adversarial");
    if (c->chooser && !strcmp(c->chooser, "pct")) {
        if (c->depth != 3)
            fprintf(out, ", .depth = %u", c->depth);
        if (c->steps)
            fprintf(out, ", .steps = %llu", (unsigned long long)c->steps);
    }
    put_field(out, "rules", c->rules_name, "common");
    fputs("}\n", out);
}

/* The command that runs this again; options that have their default are left out. */
static void
put_again(const struct fp_report *report, FILE *out, bool simulated)
{
    const struct fp_config *c = &report->job->config;
    if (report->job->given || report->job->search) /* no seed repeats an execution of a search; its trace does */
        return;
    if (c->in_process) {
        if (simulated)
            put_again_in_process(report->job, out);
        return;
    }
    const char *heap = getenv("SHMEM_SYMMETRIC_SIZE"); /* decides which allocations fail */
    fputs("again:", out);
    if (heap && *heap) {
        fputs(" SHMEM_SYMMETRIC_SIZE=", out);
        put_quoted(out, heap);
    }
    fprintf(out, " fencepost run -n %d", report->job->npes);
    if (simulated) {
        fprintf(out, " --seed %llu", (unsigned long long)c->seed);
        put_option(out, "--net", c->net, "reorder");
        put_option(out, "--chooser", c->chooser, "adversarial");
        if (c->depth != 3 && c->chooser && !strcmp(c->chooser, "pct"))
            fprintf(out, " --depth %u", c->depth);
        if (c->steps && c->chooser && !strcmp(c->chooser, "pct"))
            fprintf(out, " --steps %llu", (unsigned long long)c->steps);
    }
    put_option(out, "--heap", c->heap, "direct");
    put_option(out, "--rules", c->rules_name, "common");
    if (c->fail_alloc)
        fprintf(out, " --fail-alloc %llu", (unsigned long long)c->fail_alloc);
    if (c->stop_call)
        fprintf(out, " --stop-pe %d:%llu", c->stop_pe, (unsigned long long)c->stop_call);
    if (c->stall)
        put_stall(c, out);
    put_option(out, "--insert", c->insert, "");
    for (int i = 0; i < c->argc && c->argv; i++)
        fp_report_put_argument(out, c->argv[i]);
    fputc('\n', out);
}

static void
put_facts(const struct fp_report *report, FILE *out, bool simulated)
{
    const struct fp_job *job = report->job;
    if (simulated)
        fprintf(out, "seed %llu, ", (unsigned long long)job->config.seed);
    put_counted(out, (uint64_t)job->npes, "PE", "PEs");
    fputs(", ", out);
    put_counted(out, job->ops, "operation", "operations");
    fputs(", ", out);
    put_counted(out, job->waits_blocked, "wait that blocked", "waits that blocked");
    if (simulated)
        fprintf(out, ", chooser %s, net %s", job->config.chooser ? job->config.chooser : "?",
                job->config.net ? job->config.net : "?");
    else if (job->backend && job->backend->name)
        fprintf(out, ", backend %s", job->backend->name);
    if (given(job->config.rules_name, "common"))
        fprintf(out, ", rules %s", job->config.rules_name);
    if (report->suppressed) {
        fputs(", ", out);
        put_counted(out, (uint64_t)report->suppressed, "finding", "findings");
        fprintf(out, " suppressed by %s", job->config.suppress);
    }
    if (report->stopping)
        fputs(", stopped at the first finding", out);
    if (job->exit_status)
        fprintf(out, "; the program's exit status is %d", job->exit_status);
}

static void
put_verdict(const struct fp_report *report, FILE *out)
{
    fputs("fencepost: ", out);
    if (report->findings.count == 0 && report->job->cut_short) {
        fprintf(out, "not finished (%s), so there is no verdict. ", report->job->cut_short);
        return;
    }
    if (report->findings.count == 0) {
        fputs(report->job->config.check ? "clean. " : "not checked. ", out);
        return;
    }
    put_counted(out, (uint64_t)report->findings.count, "finding", "findings");
    if (report->occurrences > (uint64_t)report->findings.count) {
        fputs(" (", out);
        put_counted(out, report->occurrences, "occurrence", "occurrences");
        fputs(")", out);
    }
    fputs(". ", out);
}

void
fp_report_tell_footer(struct fp_report *report)
{
    const struct fp_config *config = &report->job->config;
    const char *unseen[16];
    char *text = NULL;
    size_t bytes = 0;
    if (config->quiet || (report->findings.count == 0 && (config->no_footer || config->in_process)))
        return;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return;
    bool simulated = !report->job->backend || strcmp(report->job->backend->name, "sim") == 0;
    if (report->findings.count)
        fputc('\n', out);
    if (report->untold || report->dropped)
        fprintf(out, "fencepost: %llu more findings are the same on further PEs' copies; %s\n",
                (unsigned long long)(report->untold + report->dropped),
                report->path ? "the report file lists them" : "--report FILE lists them");
    put_verdict(report, out);
    put_facts(report, out, simulated);
    if (report->job->predicted)
        fprintf(out, "; prediction: %s", report->job->predicted);
    int n = fp_report_unseen(report, unseen, 16);
    for (int i = 0; i < n && config->check; i++)
        fprintf(out, "%s%s", i ? ", " : "; not checked: ", unseen[i]);
    fputc('\n', out);
    if (report->findings.count && !report->findings.at[0]->finding.predicted) /* those come with their witness */
        put_again(report, out, simulated);
    fclose(out);
    fp_report_say(text, bytes);
    free(text);
}
