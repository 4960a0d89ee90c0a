/* show.c -- an answer in words: outcomes, an execution for each, and one for the race. */
#include <stdlib.h>
#include <string.h>

#include "reference/model/answer.h"

static const char *const kind_text[] = {
#define MOD_KIND_ROW(name, reads, writes, text) text,
    MOD_KIND_ROWS(MOD_KIND_ROW)
#undef MOD_KIND_ROW
};

static int
text_width(const struct fp_litmus *test)
{
    int width = 0;
    for (int i = 0; i < test->nops; i++)
        if ((int)strlen(test->ops[i].text) > width)
            width = (int)strlen(test->ops[i].text);
    return width;
}

/* One event, between the states before and after it. */
static void
show_event(const struct model *model, const uint64_t *before, const uint64_t *after, int e, int number, FILE *out)
{
    const struct fp_litmus *test = model->test;
    const struct mod_event *event = &model->events[e];
    const struct lit_op *op = &test->ops[event->op];
    char name[2 * LIT_NAME];
    uint64_t was = before[model->at_memory + event->location], is = after[model->at_memory + event->location];

    lit_location_name(test, event->location, name, sizeof name);
    fprintf(out, "    %2d  PE %d  %-*s  %s", number, op->pe, text_width(test), op->text, kind_text[event->kind]);
    if (event->reads && !event->writes)
        fprintf(out, " %s = %lld", name,
                (long long)model_extend(event->type, event->slot >= 0 && event->kind != MOD_FETCH
                                                         ? after[model->at_slots + event->slot]
                                                         : was));
    else if (event->writes)
        fprintf(out, ": %s %lld -> %lld", name, (long long)model_extend(event->type, was),
                (long long)model_extend(event->type, is));
    fputc('\n', out);
}

/* The events that lead to a step, replayed from the start. */
static int
show_way(const struct fp_litmus_answer *answer, uint32_t step, uint64_t *state, FILE *out)
{
    const struct model *model = &answer->model;
    int events[MOD_EVENTS], count = 0;
    uint64_t *before = lit_alloc(NULL, (size_t)model->words * 8);

    for (; step; step = answer->steps[step].before)
        events[count++] = answer->steps[step].event;
    model_start(model, state);
    model_settle(model, state);
    for (int i = 0; i < count; i++) {
        memcpy(before, state, (size_t)model->words * 8);
        model_perform(model, state, events[count - 1 - i]);
        show_event(model, before, state, events[count - 1 - i], i + 1, out);
        model_settle(model, state);
    }
    free(before);
    return count;
}

static void
show_hang(const struct model *model, uint64_t *state, FILE *out)
{
    for (int t = 0; t < model->test->nthreads; t++) {
        const struct lit_thread *column = &model->test->threads[t];
        int place = (int)(*state_place(model, state, t) & 0xffff);
        if (place < column->count)
            fprintf(out, "        PE %d  %s  never returns\n", column->pe,
                    model->test->ops[column->first + place].text);
    }
}

static void
show_race(const struct fp_litmus_answer *answer, uint64_t *state, FILE *out)
{
    const struct model *model = &answer->model;
    const struct mod_event *a = &model->events[answer->race_other], *b = &model->events[answer->race_event];
    const struct lit_op *x = &model->test->ops[a->op], *y = &model->test->ops[b->op];
    uint64_t *before = lit_alloc(NULL, (size_t)model->words * 8);
    char name[2 * LIT_NAME];

    lit_location_name(model->test, b->location, name, sizeof name);
    fprintf(out, "  race on %s: nothing orders %s of PE %d (line %d) and %s of PE %d (line %d)\n", name, x->text, x->pe,
            x->line, y->text, y->pe, y->line);
    int count = show_way(answer, answer->race_step, state, out);
    memcpy(before, state, (size_t)model->words * 8);
    model_perform(model, state, answer->race_event);
    show_event(model, before, state, answer->race_event, count + 1, out);
    free(before);
}

static void
show_outcome(const struct fp_litmus_answer *answer, int i, uint64_t *state, FILE *out)
{
    show_way(answer, answer->outcomes[i].step, state, out);
    if (!answer->outcomes[i].values)
        show_hang(&answer->model, state, out);
}

void
fp_litmus_show_outcome(const struct fp_litmus_answer *answer, int index, FILE *out)
{
    uint64_t *state = lit_alloc(NULL, (size_t)answer->model.words * 8);

    show_outcome(answer, index, state, out);
    free(state);
}

void
fp_litmus_show_race(const struct fp_litmus_answer *answer, FILE *out)
{
    uint64_t *state = lit_alloc(NULL, (size_t)answer->model.words * 8);

    if (answer->races)
        show_race(answer, state, out);
    free(state);
}

void
fp_litmus_show(const struct fp_litmus *test, const struct fp_litmus_answer *answer, FILE *out)
{
    const struct model *model = &answer->model;
    uint64_t *state = lit_alloc(NULL, (size_t)model->words * 8);

    fprintf(out, "%s (%s): %s, %d outcome%s%s\n", test->name, lit_rules_text[model->rules],
            lit_verdict_text[answer->verdict], answer->noutcomes, answer->noutcomes == 1 ? "" : "s",
            answer->complete ? "" : " so far: too many executions to look at all of them");
    for (int i = 0; i < answer->noutcomes; i++) {
        bool final = fp_litmus_outcome_final(answer, i);
        fprintf(out, "  %s%s%s%s%s\n", answer->outcomes[i].text, answer->outcomes[i].sc ? "" : "   (no interleaving)",
                final ? "   (" : "", final ? test->final_text : "", final ? ")" : "");
        show_outcome(answer, i, state, out);
    }
    if (answer->races)
        show_race(answer, state, out);
    free(state);
}
