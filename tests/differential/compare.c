/* compare.c -- see compare.h. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

/* Runs of a racy test that are looked at for outcomes, after the first race. */
enum { RUNS_AFTER_RACE = 6 };

const char *const compare_texts[] = {"agrees", "outcome not allowed", "false alarm", "missed race", "other finding"};

static const char *const choosers[] = {"random", "adversarial", "pct", "uniform", "swarm", "timed"};
enum { chooser_count = sizeof choosers / sizeof choosers[0] };

const struct lit_expect *
compare_expectation(const struct fp_litmus *test, enum fp_rules rules)
{
    if (test->expect[rules].given)
        return &test->expect[rules];
    return test->any.given ? &test->any : NULL;
}

static int
outcome_index(const struct lit_expect *expect, const char *outcome)
{
    for (int i = 0; i < expect->noutcomes; i++)
        if (!strcmp(expect->outcomes[i], outcome))
            return i;
    return -1;
}

static void
note(struct compared *compared, enum compare_result result, const char *what, const char *chooser, uint64_t seed)
{
    if (compared->result != COMPARE_AGREES)
        return;
    compared->result = result;
    compared->seed = seed;
    snprintf(compared->what, sizeof compared->what, "%s", what);
    snprintf(compared->chooser, sizeof compared->chooser, "%s", chooser);
}

struct compared
compare_test(const struct fp_litmus *test, enum fp_rules rules, const struct compare_effort *effort)
{
    const struct lit_expect *expect = compare_expectation(test, rules);
    struct compared compared = {.outcomes_expected = (unsigned)expect->noutcomes};
    bool racy = expect->verdict == LIT_RACY, raced = false, *seen = calloc((size_t)expect->noutcomes + 1, sizeof *seen);
    int limit = racy ? effort->runs_racy : effort->runs;
    static struct player player;

    play_open(&player, test, rules);
    for (int i = 0; i < limit && seen; i++) {
        const char *chooser = choosers[i % chooser_count];
        uint64_t seed = effort->seed + (uint64_t)(i / chooser_count);
        struct played played = play_run(&player, chooser, seed);
        int index = outcome_index(expect, played.outcome);
        compared.runs++;
        if (index < 0)
            note(&compared, COMPARE_FORBIDDEN, played.outcome[0] ? played.outcome : "none at all", chooser, seed);
        else if (!seen[index])
            compared.outcomes_seen += seen[index] = true;
        if (played.other[0])
            note(&compared, COMPARE_OTHER, played.other, chooser, seed);
        if (played.raced && !racy)
            note(&compared, COMPARE_FALSE_ALARM, lit_verdict_text[expect->verdict], chooser, seed);
        if (compared.result != COMPARE_AGREES && effort->first_only)
            break;
        if (played.raced && racy && !raced) {
            raced = true;
            limit = i + 1 + RUNS_AFTER_RACE;
        }
    }
    if (racy && !raced)
        note(&compared, COMPARE_MISSED_RACE, "racy", "all", effort->seed);
    play_close(&player);
    free(seen);
    return compared;
}

void
compare_tell(const struct fp_litmus *test, enum fp_rules rules, const struct compared *compared, FILE *out)
{
    fprintf(out, "%s (%s): %s: %s (chooser %s, seed %llu)\n", test->name, lit_rules_text[rules],
            compare_texts[compared->result], compared->what, compared->chooser, (unsigned long long)compared->seed);
}
