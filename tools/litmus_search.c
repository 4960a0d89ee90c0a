/* litmus_search.c -- a litmus test searched exhaustively on the simulator, and laid beside the oracle.
 *
 * A test without a race has to give exactly the outcomes of the model: each one missing or too many is a failure, and
 * so is a race that is reported. A racy test is undefined, and what its outcomes are is a matter of what a machine does
 * besides; of it at least one execution has to report a race, and each outcome has to be one that the model knows
 * (FORMAT.md says what that means). A search that was cut off shows nothing and is a failure.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/litmus.h"

enum { CPU_SECONDS = 600 };

/* What the program printed (reference/model/emit_search.c). */
struct found {
    struct litmus_histogram outcomes;
    long races, executions;
    bool complete;
    char other[512]; /* the first finding of another kind */
};

static void
read_line(struct found *found, char *line)
{
    char word[32] = "", *end;

    if (!strncmp(line, "outcome ", 8)) {
        long runs = strtol(line + 8, &end, 10);
        litmus_histogram_add(&found->outcomes, end + (*end == ' '), runs);
    } else if (!strncmp(line, "other ", 6) && !found->other[0]) {
        snprintf(found->other, sizeof found->other, "%s", line + 6);
    } else if (sscanf(line, "executions %ld %31s", &found->executions, word) == 2) {
        found->complete = !strcmp(word, "complete");
    } else {
        sscanf(line, "race %ld", &found->races);
    }
}

static bool
search(const struct litmus_batch *batch, const char *rules, struct found *found)
{
    struct arguments words = {0};
    char limit[32], *rest = NULL;

    snprintf(limit, sizeof limit, "%ld", batch->request->executions);
    setenv("FENCEPOST_RULES", rules, 1);
    arguments_add(&words, batch->program);
    arguments_add(&words, limit);
    int status = litmus_command(&words, batch->output, CPU_SECONDS);
    char *output = litmus_file(batch->output);
    for (char *line = output ? strtok_r(output, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
        read_line(found, line);
    free(output);
    free(words.items);
    return status == 0;
}

static bool
was_seen(const struct found *found, const char *outcome)
{
    for (int i = 0; i < found->outcomes.count; i++)
        if (!strcmp(found->outcomes.rows[i].text, outcome))
            return true;
    return false;
}

/* Says what is wrong; whether the outcomes are the model's in *equal. */
static bool
compare(const struct litmus_batch *batch, const char *rules, const struct fp_litmus_answer *answer,
        const struct found *found, bool *equal)
{
    const char *verdict = fp_litmus_verdict(answer);
    bool right = true, racy = !strcmp(verdict, "racy");

    *equal = true;
    for (int i = 0; i < found->outcomes.count; i++) {
        const char *outcome = found->outcomes.rows[i].text;
        if (fp_litmus_outcome_allowed(answer, outcome))
            continue;
        printf("%s: %s: the simulator gives what the model does not allow: %s\n", batch->path, rules, outcome);
        *equal = right = false;
    }
    for (int i = 0; i < fp_litmus_outcomes(answer); i++) {
        const char *outcome = fp_litmus_outcome(answer, i);
        if (was_seen(found, outcome))
            continue;
        *equal = false;
        if (racy)
            continue;
        printf("%s: %s: the model allows what no execution of the simulator gives: %s\n", batch->path, rules, outcome);
        fp_litmus_show_outcome(answer, i, stdout);
        right = false;
    }
    if (racy && !found->races) {
        printf("%s: %s: racy, but no execution reports a race\n", batch->path, rules);
        right = false;
    }
    if (!racy && found->races) {
        printf("%s: %s: %s, but %ld of %ld executions report a race\n", batch->path, rules, verdict, found->races,
               found->executions);
        right = false;
    }
    if (!right && racy)
        fp_litmus_show_race(answer, stdout);
    if (found->other[0] && !fp_litmus_outcome_allowed(answer, "hang")) {
        printf("%s: %s: another finding: %s\n", batch->path, rules, found->other);
        right = false;
    }
    return right;
}

static bool
search_profile(const struct litmus_batch *batch, const char *rules, const struct fp_litmus_answer *answer,
               struct litmus_counts *counts)
{
    struct found *found = calloc(1, sizeof *found);
    bool equal, right;

    if (!search(batch, rules, found)) {
        printf("%s: %s: the search ended badly\n", batch->path, rules);
        right = false;
    } else if (!found->complete || !fp_litmus_complete(answer)) {
        printf("%s: %s: not complete: %s after %ld executions\n", batch->path, rules,
               found->complete ? "the model was cut off" : "the search was cut off", found->executions);
        right = false;
    } else {
        right = compare(batch, rules, answer, found, &equal);
        counts->equal += equal;
        counts->within += right && !equal;
    }
    counts->executions += found->executions;
    if (batch->request->show) {
        printf("%s (%s): %s; %ld executions%s, %ld with a race\n", fp_litmus_name(batch->test), rules,
               fp_litmus_verdict(answer), found->executions, found->complete ? "" : " (not complete)", found->races);
        litmus_histogram_show(answer, &found->outcomes);
    }
    litmus_histogram_free(&found->outcomes);
    free(found);
    fflush(stdout);
    return right;
}

int
litmus_search(const struct litmus_request *request, const struct fp_litmus *test, const char *path, unsigned rules,
              struct litmus_counts *counts)
{
    return litmus_in_profiles(request, test, path, rules, counts, search_profile);
}
