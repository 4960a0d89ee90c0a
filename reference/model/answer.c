/* answer.c -- asks both enumerations, and compares what they say with what the test expects. */
#include "reference/model/answer.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { STATES_MAX = 20 * 1000 * 1000 };

/* ---- Outcomes ---------------------------------------------------------------------------------------------------- */

static uint32_t *
outcome_slot(struct fp_litmus_answer *answer, const int64_t *values)
{
    size_t size = (size_t)answer->model.test->nseen * sizeof *values;
    uint32_t at = values ? (uint32_t)XXH3_64bits(values, size) : 0;

    for (;; at++) {
        uint32_t *slot = &answer->outcome_table[at & (answer->outcome_slots - 1)];
        if (!*slot)
            return slot;
        const int64_t *other = answer->outcomes[*slot - 1].values;
        if (!values == !other && (!values || !memcmp(values, other, size)))
            return slot;
    }
}

static void
outcome_room(struct fp_litmus_answer *answer)
{
    if ((uint32_t)answer->noutcomes * 2 < answer->outcome_slots)
        return;
    answer->outcome_slots = answer->outcome_slots ? answer->outcome_slots * 2 : 64;
    answer->outcome_table = lit_alloc(answer->outcome_table, answer->outcome_slots * sizeof *answer->outcome_table);
    memset(answer->outcome_table, 0, answer->outcome_slots * sizeof *answer->outcome_table);
    for (int i = 0; i < answer->noutcomes; i++)
        *outcome_slot(answer, answer->outcomes[i].values) = (uint32_t)i + 1;
}

struct outcome *
answer_outcome(struct fp_litmus_answer *answer, const int64_t *values, bool *added)
{
    outcome_room(answer);
    uint32_t *slot = outcome_slot(answer, values);
    *added = !*slot;
    if (*slot)
        return &answer->outcomes[*slot - 1];
    if (answer->noutcomes == answer->outcomes_cap) {
        answer->outcomes_cap = answer->outcomes_cap ? answer->outcomes_cap * 2 : 16;
        answer->outcomes = lit_alloc(answer->outcomes, (size_t)answer->outcomes_cap * sizeof *answer->outcomes);
    }
    struct outcome *outcome = &answer->outcomes[answer->noutcomes];
    *outcome = (struct outcome){0};
    if (values) {
        size_t size = (size_t)answer->model.test->nseen * sizeof *values;
        outcome->values = lit_alloc(NULL, size);
        memcpy(outcome->values, values, size);
        outcome->nvalues = answer->model.test->nseen;
    }
    *slot = (uint32_t)++answer->noutcomes;
    return outcome;
}

/* In an interleaving of whole operations too. One that the relations do not give would be our mistake. */
static void
mark_sc(void *context, const int64_t *values)
{
    struct fp_litmus_answer *answer = context;
    bool added;
    struct outcome *outcome = answer_outcome(answer, values, &added);

    if (added)
        LIT_BUG("an interleaving of whole operations gives an outcome that the ordering relations do not");
    outcome->sc = true;
}

static int
compare_outcomes(const void *left, const void *right)
{
    const struct outcome *a = left, *b = right;

    if (!a->values || !b->values)
        return !a->values - !b->values;
    for (int i = 0; i < a->nvalues; i++)
        if (a->values[i] != b->values[i])
            return a->values[i] < b->values[i] ? -1 : 1;
    return 0;
}

static char *
outcome_text(const struct fp_litmus *test, const int64_t *values)
{
    char text[LIT_SEEN * (2 * LIT_NAME + 24)], *copy;
    size_t used = 0;

    snprintf(text, sizeof text, values ? "done" : "hang");
    for (int i = 0; values && i < test->nseen; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%lld", i ? " " : "", test->seen[i].text,
                                 (long long)values[i]);
    copy = lit_alloc(NULL, strlen(text) + 1);
    return strcpy(copy, text);
}

/* ---- Asking ------------------------------------------------------------------------------------------------------ */

struct fp_litmus_answer *
fp_litmus_ask(const struct fp_litmus *test, const struct fp_litmus_question *question)
{
    struct fp_litmus_answer *answer = lit_alloc(NULL, sizeof *answer);
    int rules = lit_rules(question->rules ? question->rules : "common");
    uint64_t states_max = question->states_max ? question->states_max : STATES_MAX;
    char error[FP_LITMUS_ERROR];

    if (rules < 0)
        LIT_BUG("no such profile");
    memset(answer, 0, sizeof *answer);
    if (!model_open(&answer->model, test, (enum fp_rules)rules, error))
        return answer;
    answer->complete = explore(answer, question, states_max);
    if (answer->complete)
        answer->complete = sc_explore(test, states_max, mark_sc, answer);
    answer->verdict = LIT_SC;
    for (int i = 0; i < answer->noutcomes; i++) {
        answer->outcomes[i].text = outcome_text(test, answer->outcomes[i].values);
        if (!answer->outcomes[i].sc)
            answer->verdict = LIT_WEAK;
    }
    if (answer->races)
        answer->verdict = LIT_RACY;
    if (answer->noutcomes)
        qsort(answer->outcomes, (size_t)answer->noutcomes, sizeof answer->outcomes[0], compare_outcomes);
    free(answer->outcome_table);
    answer->outcome_table = NULL;
    return answer;
}

void
fp_litmus_answer_free(struct fp_litmus_answer *answer)
{
    if (!answer)
        return;
    for (int i = 0; i < answer->noutcomes; i++) {
        free(answer->outcomes[i].values);
        free(answer->outcomes[i].text);
    }
    free(answer->outcomes);
    free(answer->outcome_table);
    free(answer->steps);
    free(answer);
}

bool
fp_litmus_complete(const struct fp_litmus_answer *answer)
{
    return answer->complete;
}

const char *
fp_litmus_verdict(const struct fp_litmus_answer *answer)
{
    return lit_verdict_text[answer->verdict];
}

uint64_t
fp_litmus_states(const struct fp_litmus_answer *answer)
{
    return answer->states;
}

int
fp_litmus_outcomes(const struct fp_litmus_answer *answer)
{
    return answer->noutcomes;
}

const char *
fp_litmus_outcome(const struct fp_litmus_answer *answer, int index)
{
    return answer->outcomes[index].text;
}

bool
fp_litmus_outcome_sc(const struct fp_litmus_answer *answer, int index)
{
    return answer->outcomes[index].sc;
}

bool
fp_litmus_outcome_final(const struct fp_litmus_answer *answer, int index)
{
    const struct outcome *outcome = &answer->outcomes[index];
    return outcome->values && lit_condition_holds(answer->model.test, outcome->values);
}

bool
fp_litmus_outcome_allowed(const struct fp_litmus_answer *answer, const char *outcome)
{
    for (int i = 0; i < answer->noutcomes; i++)
        if (!strcmp(answer->outcomes[i].text, outcome))
            return true;
    return false;
}

/* ---- Comparing --------------------------------------------------------------------------------------------------- */

static bool
expects(const struct lit_expect *expect, const char *outcome)
{
    for (int i = 0; i < expect->noutcomes; i++)
        if (!strcmp(expect->outcomes[i], outcome))
            return true;
    return false;
}

bool
fp_litmus_check(const struct fp_litmus *test, const struct fp_litmus_answer *answer, FILE *out)
{
    enum fp_rules rules = answer->model.rules;
    const struct lit_expect *expect = test->expect[rules].given ? &test->expect[rules] : &test->any;
    const char *name = lit_rules_text[rules];
    bool right = true;

    if (!answer->complete) {
        fprintf(out, "%s: %s: too many executions to look at all of them\n", test->path, name);
        return false;
    }
    if (!expect->given) {
        fprintf(out, "%s: no expectation for %s\n", test->path, name);
        return false;
    }
    if (expect->verdict != answer->verdict) {
        fprintf(out, "%s:%d: %s: expected %s, found %s\n", test->path, expect->line, name,
                lit_verdict_text[expect->verdict], lit_verdict_text[answer->verdict]);
        right = false;
    }
    for (int i = 0; i < answer->noutcomes; i++)
        if (!expects(expect, answer->outcomes[i].text)) {
            fprintf(out, "%s:%d: %s: outcome not expected: %s\n", test->path, expect->line, name,
                    answer->outcomes[i].text);
            right = false;
        }
    for (int i = 0; i < expect->noutcomes; i++)
        if (!fp_litmus_outcome_allowed(answer, expect->outcomes[i])) {
            fprintf(out, "%s:%d: %s: outcome expected, but impossible: %s\n", test->path, expect->line, name,
                    expect->outcomes[i]);
            right = false;
        }
    return right;
}

void
fp_litmus_print_expect(const struct fp_litmus_answer *answer, const char *rules, FILE *out)
{
    int column =
        fprintf(out, "expect %s%s%s:", rules ? rules : "", rules ? " " : "", lit_verdict_text[answer->verdict]);

    for (int i = 0; i < answer->noutcomes; i++) {
        const char *text = answer->outcomes[i].text;
        if (i)
            column += fprintf(out, ";");
        if (column + (int)strlen(text) + 2 > 118)
            column = fprintf(out, "\n       ") - 1;
        column += fprintf(out, " %s", text);
    }
    fprintf(out, "\n");
}
