/* litmus_run.c -- a litmus test as a real program: compiled with oshcc, run under many seeds, compared with the oracle.
 *
 * An outcome that the model does not allow is a failure, on every backend. Under the simulator the race observer has to
 * agree as well: at least one run reports a race where the model says racy, none does where it does not.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/litmus.h"

enum { TEXT = 1024, CPU_SECONDS = 60 };

static const char *const choosers[] = {"random", "adversarial", "uniform", "timed"};
enum { chooser_count = sizeof choosers / sizeof choosers[0] };

/* ---- Running ----------------------------------------------------------------------------------------------------- */

/* Does the report have a finding of this class? */
static bool
reports(const char *report, const char *class_)
{
    static const char key[] = "\"class\":";

    for (const char *at = report; at && (at = strstr(at, key));) {
        at += strlen(key);
        at += strspn(at, " \t\n");
        if (*at == '"' && !strncmp(at + 1, class_, strlen(class_)) && at[1 + strlen(class_)] == '"')
            return true;
    }
    return false;
}

/* One run. Its outcome; "hang" where it was told that a call never returns, or is wrong and might not (a lock taken
 * twice); "" where it said nothing. */
static void
run_once(const struct litmus_batch *batch, char *outcome, bool *races)
{
    struct arguments words = {0};

    unlink(batch->report);
    arguments_add(&words, batch->program);
    litmus_command(&words, batch->output, CPU_SECONDS);
    char *output = litmus_file(batch->output), *report = litmus_file(batch->report);
    char *line = output ? strstr(output, "outcome ") : NULL;
    outcome[0] = 0;
    if (reports(report, "hang") || reports(report, "mismatch") || reports(report, "usage"))
        strcpy(outcome, "hang");
    else if (line)
        snprintf(outcome, TEXT, "%.*s", (int)strcspn(line + 8, "\n"), line + 8);
    *races = reports(report, "race") || reports(report, "lifetime");
    free(output);
    free(report);
    free(words.items);
}

static bool
compare(const struct litmus_batch *batch, const char *rules, const struct fp_litmus_answer *answer,
        const struct litmus_histogram *histogram, int races, int first_race)
{
    bool right = true, sim = !strcmp(batch->request->backend, "sim"), racy = !strcmp(fp_litmus_verdict(answer), "racy");

    for (int i = 0; i < histogram->count; i++)
        if (!fp_litmus_outcome_allowed(answer, histogram->rows[i].text)) {
            printf("%s: %s: %s gave an outcome that the model does not allow: %s\n", batch->path, rules,
                   batch->request->backend, histogram->rows[i].text[0] ? histogram->rows[i].text : "none at all");
            right = false;
        }
    if (sim && racy && !races) {
        printf("%s: %s: racy, but no run reports a race\n", batch->path, rules);
        right = false;
    }
    if (sim && !racy && races) {
        printf("%s: %s: %s, but %d of %d runs report a race (seed %d)\n", batch->path, rules, fp_litmus_verdict(answer),
               races, batch->request->runs, first_race);
        right = false;
    }
    return right;
}

static bool
run_profile(const struct litmus_batch *batch, const char *rules, const struct fp_litmus_answer *answer,
            struct litmus_counts *counts)
{
    struct litmus_histogram histogram = {0};
    int races = 0, first_race = 0;
    bool raced, right;
    char outcome[TEXT];

    (void)counts;
    litmus_set_number("FENCEPOST_NPES", fp_litmus_pes(batch->test));
    setenv("FENCEPOST_REPORT", batch->report, 1);
    setenv("FENCEPOST_NO_FOOTER", "1", 1);
    setenv("FENCEPOST_RULES", rules, 1);
    for (int i = 0; i < batch->request->runs; i++) {
        long seed = (long)batch->request->seed + i / chooser_count;
        litmus_set_number("FENCEPOST_SEED", seed);
        setenv("FENCEPOST_CHOOSER", choosers[i % chooser_count], 1);
        run_once(batch, outcome, &raced);
        litmus_histogram_add(&histogram, outcome, 1);
        if (raced && !races++)
            first_race = (int)seed;
    }
    if (batch->request->show) {
        printf("%s (%s): %s; %d runs, %d with a race\n", fp_litmus_name(batch->test), rules, fp_litmus_verdict(answer),
               batch->request->runs, races);
        litmus_histogram_show(answer, &histogram);
    }
    right = compare(batch, rules, answer, &histogram, races, first_race);
    litmus_histogram_free(&histogram);
    fflush(stdout);
    return right;
}

int
litmus_run(const struct litmus_request *request, const struct fp_litmus *test, const char *path, unsigned rules,
           struct litmus_counts *counts)
{
    return litmus_in_profiles(request, test, path, rules, counts, run_profile);
}
