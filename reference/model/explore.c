/* explore.c -- all executions of a test, breadth first.
 *
 * Two executions that differ only in the order of events that do not concern each other lead to the same state, and are
 * one from there on (merging). Besides, where an event can be found whose order against everything that may still
 * happen makes no difference, it happens at once and nothing else is tried (reduction): no event that is still to come
 * touches the same bytes in a conflicting way, or only one that waits for it. Nothing can then disable the event,
 * change what it does or what was before it, or race with it later; so each execution has one with the same outcome and
 * the same races in which it comes now.
 *
 * Breadth first, so that the execution with which an outcome is found first is a shortest one.
 */
#include <stdlib.h>
#include <string.h>

#include "reference/model/answer.h"

struct front {
    uint64_t *states;
    uint32_t *steps;
    uint64_t count, cap;
};

static void
front_add(struct front *front, const uint64_t *state, uint32_t step, int words)
{
    if (front->count == front->cap) {
        front->cap = front->cap ? front->cap * 2 : 64;
        front->states = lit_alloc(front->states, front->cap * (uint64_t)words * 8);
        front->steps = lit_alloc(front->steps, front->cap * sizeof *front->steps);
    }
    memcpy(front->states + front->count * (uint64_t)words, state, (size_t)words * 8);
    front->steps[front->count++] = step;
}

static uint32_t
step_add(struct fp_litmus_answer *answer, uint32_t before, int event)
{
    if (answer->nsteps == answer->steps_cap) {
        answer->steps_cap = answer->steps_cap ? answer->steps_cap * 2 : 256;
        answer->steps = lit_alloc(answer->steps, answer->steps_cap * sizeof *answer->steps);
    }
    answer->steps[answer->nsteps] = (struct step){before, (int16_t)event};
    return answer->nsteps++;
}

/* Its order against what is still to come makes no difference. */
static bool
stands_alone(const struct model *model, const uint64_t *state, int e)
{
    const struct mod_event *event = &model->events[e];
    for (int i = 0; i < model->nwords; i++)
        if (event->meets.word[i] &
            ~(state[model->at_done + i] | state[model->at_skipped + i] | event->cannot_precede.word[i]))
            return false;
    return true;
}

static void
take_final(struct fp_litmus_answer *answer, const uint64_t *state, uint32_t step)
{
    const struct fp_litmus *test = answer->model.test;
    int64_t values[LIT_SEEN];
    bool added;

    for (int i = 0; i < test->nseen; i++) {
        const struct lit_seen *seen = &test->seen[i];
        if (seen->reg >= 0) {
            values[i] = (int64_t)state[answer->model.at_registers + seen->reg];
            continue;
        }
        int object = 0;
        while (object + 1 < test->nobjects && test->objects[object + 1].base <= seen->location)
            object++;
        values[i] = model_extend(test->objects[object].type, state[answer->model.at_memory + seen->location]);
    }
    struct outcome *outcome = answer_outcome(answer, model_ended(&answer->model, state) ? values : NULL, &added);
    if (added)
        outcome->step = step;
}

static void
note_race(struct fp_litmus_answer *answer, uint32_t step, int event, int other)
{
    if (other < 0 || answer->races)
        return;
    answer->races = true;
    answer->race_step = step;
    answer->race_event = event;
    answer->race_other = other;
}

struct search {
    struct fp_litmus_answer *answer;
    struct seen_set seen;
    struct front now, next;
    uint64_t *state;
    bool reducing, merging;
};

/* The state after `event`, if it is a new one. */
static void
follow(struct search *search, const uint64_t *from, uint32_t step, int event)
{
    const struct model *model = &search->answer->model;

    memcpy(search->state, from, (size_t)model->words * 8);
    note_race(search->answer, step, event, model_perform(model, search->state, event));
    model_settle(model, search->state);
    model_reduce(model, search->state);
    if (search->merging && !seen_add(&search->seen, search->state, (size_t)model->words * 8))
        return;
    front_add(&search->next, search->state, step_add(search->answer, step, event), model->words);
}

static void
expand(struct search *search, uint64_t *from, uint32_t step)
{
    const struct model *model = &search->answer->model;
    int enabled[MOD_EVENTS], count = 0;

    for (int e = model->test->nops; e < model->nevents; e++)
        if (model_enabled(model, from, e))
            enabled[count++] = e;
    if (!count)
        take_final(search->answer, from, step);
    for (int i = 0; search->reducing && i < count; i++)
        if (stands_alone(model, from, enabled[i])) {
            follow(search, from, step, enabled[i]);
            return;
        }
    for (int i = 0; i < count; i++)
        follow(search, from, step, enabled[i]);
}

bool
explore(struct fp_litmus_answer *answer, const struct fp_litmus_question *question, uint64_t states_max)
{
    const struct model *model = &answer->model;
    struct search search = {.answer = answer,
                            .state = lit_alloc(NULL, (size_t)model->words * 8),
                            .reducing = !question->without_reduction,
                            .merging = !question->without_merging};
    bool complete = true;

    model_start(model, search.state);
    model_settle(model, search.state);
    model_reduce(model, search.state);
    front_add(&search.next, search.state, step_add(answer, 0, -1), model->words);
    while (search.next.count && complete) {
        struct front done = search.now;
        search.now = search.next;
        search.next = done;
        search.next.count = 0;
        for (uint64_t i = 0; i < search.now.count && complete; i++) {
            expand(&search, search.now.states + i * (uint64_t)model->words, search.now.steps[i]);
            complete = answer->nsteps < states_max;
        }
    }
    answer->states = answer->nsteps;
    free(search.state);
    free(search.now.states);
    free(search.now.steps);
    free(search.next.states);
    free(search.next.steps);
    seen_free(&search.seen);
    return complete;
}
