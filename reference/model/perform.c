/* perform.c -- an event happens: is it its turn, what was before it, whom does it race with, what does it change?
 *
 * The past of an event (the events that happen before it, H1 to H14) is what its thread knew at the issue, what a fence
 * put before it, and what it reads. Whatever the axioms order, is also waited for here; the reverse does not hold (the
 * delivery of a nonblocking put waits for the reading of its source, but in profile strict nobody may conclude from
 * it).
 */
#include <string.h>

#include "reference/model/model.h"

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* What is read at the location of the event: memory, and over it the own stores that only the thread sees yet. */
static uint64_t
look(const struct model *model, const uint64_t *state, int e)
{
    const struct mod_event *event = &model->events[e];
    const struct lit_op *op = &model->test->ops[event->op];
    uint64_t value = state[model->at_memory + event->location];

    for (int x = model->test->threads[op->thread].first; x < event->op; x++) {
        const struct mod_event *store = &model->events[model->ops[x].first];
        if (!model->ops[x].count || store->kind != MOD_STORE || store->location != event->location ||
            !set_has(state + model->at_done, x) || state_settled(model, state, model->ops[x].first) ||
            set_has(store->conflicts.word, e))
            continue;
        uint64_t stored = (uint64_t)model_value(model, state, &model->test->ops[x].values[0]);
        value = (value & ~store->bits) | (stored & store->bits);
    }
    return value & event->bits;
}

static uint64_t
operand(const struct model *model, const uint64_t *state, const struct mod_event *event)
{
    const struct lit_op *op = &model->test->ops[event->op];
    const struct lit_value *value = event->kind == MOD_SIGNAL ? &op->signal_value : &op->values[event->unit];

    return model_truncate(event->type, model_value(model, state, value));
}

static uint64_t
collected(const struct model *model, const uint64_t *state, const struct mod_event *event)
{
    uint64_t sum = 0;
    for (int e = model->test->nops; e < model->nevents; e++)
        if (set_has(event->contributions.word, e))
            sum += state[model->at_slots + model->events[e].slot];
    return sum;
}

/* ---- Is it its turn? --------------------------------------------------------------------------------------------- */

static bool
held_back(const struct model *model, const uint64_t *state, const struct mod_event *event)
{
    const uint64_t *need = state_need(model, (uint64_t *)state, event->op);
    uint64_t fenced[MOD_WORDS] = {0};

    for (int i = 0; i < model->nwords; i++)
        fenced[i] = need[i] & model->behind_fence[event->class_].word[i];
    return !state_all_settled(model, state, fenced);
}

static bool
data_is_out(const struct model *model, const uint64_t *state, int op)
{
    const struct mod_op *parts = &model->ops[op];
    for (int e = parts->first; e < parts->first + parts->count; e++)
        if (model->events[e].kind == MOD_DATA && !state_settled(model, state, e))
            return false;
    return true;
}

/* Result of a call that looks: what its register would get. */
static int64_t
result_of(const struct model *model, const uint64_t *state, int e)
{
    const struct mod_event *event = &model->events[e];
    const struct lit_op *op = &model->test->ops[event->op];
    int64_t value = event->kind == MOD_TRY ? state[model->at_memory + event->location] != 0
                                           : model_extend(event->type, look(model, state, e));

    if (op->row->kind == LIT_TEST)
        return lit_compare(op->cmp, value, model_value(model, state, &op->cmp_value));
    return value;
}

static bool
is_satisfied(const struct model *model, const uint64_t *state, int e)
{
    const struct lit_op *op = &model->test->ops[model->events[e].op];
    int64_t value = result_of(model, state, e);

    if (op->row->kind == LIT_WAIT)
        return lit_compare(op->cmp, value, model_value(model, state, &op->cmp_value));
    return lit_compare(op->until, value, op->until_value);
}

bool
model_enabled(const struct model *model, uint64_t *state, int e)
{
    const struct mod_event *event = &model->events[e];

    if (state_settled(model, state, e) || event->location < 0 ||
        (event->kind != MOD_TAKE && !set_has(state + model->at_done, event->op)) ||
        !state_all_settled(model, state, event->before.word) ||
        (event->pair >= 0 && !state_settled(model, state, event->pair)))
        return false;
    switch (event->kind) {
    case MOD_ISSUE:
        return false;
    case MOD_SOURCE:
    case MOD_DEST:
    case MOD_STORE:
    case MOD_GIVE:
        return true;
    case MOD_DATA:
    case MOD_FETCH:
        return !held_back(model, state, event);
    case MOD_ATOM:
        return !held_back(model, state, event) && is_satisfied(model, state, e);
    case MOD_SIGNAL:
        return !held_back(model, state, event) && data_is_out(model, state, event->op);
    case MOD_LOOK:
    case MOD_LOAD:
    case MOD_TRY:
        return is_satisfied(model, state, e);
    case MOD_TAKE:
        return state_all_settled(model, state, event->contributions.word);
    case MOD_ACQUIRE:
        return !state[model->at_memory + event->location];
    case MOD_RELEASE: /* who does not hold it waits for ever, in the model: wrong use */
        return state[model->at_memory + event->location] == (uint64_t)model->test->ops[event->op].pe + 1 &&
               state_all_settled(model, state, state_need(model, state, event->op));
    }
    LIT_BUG("event of unknown kind");
}

/* ---- What was before it? ----------------------------------------------------------------------------------------- */

/* The value that is there tells whoever reads it what happened before it was written (H10). A failing test reads too,
 * but learns nothing. */
static void
learn_from_value(const struct model *model, uint64_t *state, int e, uint64_t *past)
{
    const struct mod_event *event = &model->events[e];
    const struct lit_op *op = &model->test->ops[event->op];
    bool fetches = op->row->flags & LIT_FETCH;

    if (!model->natural[e])
        return;
    if (event->kind == MOD_LOOK ? op->row->kind == LIT_TEST && !result_of(model, state, e)
                                : event->kind != MOD_ATOM || !fetches)
        return;
    /* From a put only a wait learns, where the profile has it (A6). */
    if (state[model->at_release_put] >> model->release_of[event->location] & 1 && event->kind != MOD_LOOK)
        return;
    set_join(model, past, state_release(model, state, event->location));
}

static void
find_past(const struct model *model, uint64_t *state, int e, uint64_t *past)
{
    const struct mod_event *event = &model->events[e];
    uint64_t set[MOD_WORDS] = {0};

    if (event->kind == MOD_TAKE) {
        model_learn(model, state, past, event->contributions.word);
        return;
    }
    set_join(model, past, state_past(model, state, event->op));
    set_add(past, event->op);
    model_learn(model, state, past, event->before.word);
    switch (event->kind) {
    case MOD_DATA:
        if (event->pair >= 0 &&
            (event->class_ == FP_ORDER_PUT || fp_order_has(model->rules, FP_EDGE_CAUSAL, event->class_, FP_ORDER_LOAD)))
            set_add(set, event->pair);
        break;
    case MOD_DEST:
        set_add(set, event->pair);
        break;
    case MOD_SIGNAL:
        for (int k = model->ops[event->op].first; k < e; k++)
            if (model->events[k].kind == MOD_DATA &&
                fp_order_has(model->rules, FP_EDGE_CALL, model->events[k].class_, event->class_))
                set_add(set, k);
        break;
    case MOD_LOOK:
        learn_from_value(model, state, e, past);
        break;
    case MOD_RELEASE:
        set_join(model, set, state_need(model, state, event->op));
        break;
    case MOD_ACQUIRE:
    case MOD_TRY:
        if (!state[model->at_memory + event->location])
            set_join(model, past, state_release(model, state, event->location));
        break;
    default:
        break;
    }
    if (event->kind == MOD_DATA || event->kind == MOD_FETCH || event->kind == MOD_ATOM || event->kind == MOD_SIGNAL)
        for (int i = 0; i < model->nwords; i++)
            set[i] |= state_need(model, state, event->op)[i] & model->behind_fence[event->class_].word[i];
    model_learn(model, state, past, set);
}

static int
races_with(const struct model *model, const uint64_t *state, int e, const uint64_t *past)
{
    for (int i = 0; i < model->nwords; i++) {
        uint64_t unordered = model->events[e].conflicts.word[i] & state[model->at_done + i] & ~past[i];
        if (unordered)
            return i * 64 + __builtin_ctzll(unordered);
    }
    return -1;
}

/* ---- What does it change? ---------------------------------------------------------------------------------------- */

/* Whether the other bytes of the put have been delivered; *others gets them. A flag tells when all of it has come. */
static bool
last_piece(const struct model *model, const uint64_t *state, int e, uint64_t *others)
{
    const struct mod_op *parts = &model->ops[model->events[e].op];

    for (int k = parts->first; k < parts->first + parts->count; k++)
        if (model->events[k].kind == MOD_DATA && k != e)
            set_add(others, k);
    return state_all_settled(model, state, others);
}

/* Knowledge that the new value hands on: an update that reads the old value passes that on as well. */
static void
hand_on(const struct model *model, uint64_t *state, int e, const uint64_t *past)
{
    const struct mod_event *event = &model->events[e];
    const struct lit_op *op = &model->test->ops[event->op];
    int release = model->release_of[event->location];

    if (release < 0)
        return;
    uint64_t *known = state_release(model, state, event->location), *put = state + model->at_release_put;
    bool reading =
        event->kind == MOD_SIGNAL ? op->signal_adds : event->kind == MOD_ATOM && op->row->flags & LIT_READING;
    bool tells = model->natural[e] && fp_order_has(model->rules, FP_EDGE_READS, event->class_, FP_ORDER_WAIT) &&
                 (event->kind != MOD_DATA || op->count == 1);
    uint64_t bytes[MOD_WORDS] = {0};
    bool piece = event->kind == MOD_DATA && op->row->flags & LIT_BYTES;
    if (piece && !last_piece(model, state, e, bytes))
        return;
    if (!reading) {
        memset(known, 0, sizeof *known * (size_t)model->nwords);
        *put &= ~(UINT64_C(1) << release);
    }
    if (!tells)
        return;
    if (piece)
        model_learn(model, state, known, bytes);
    set_join(model, known, past);
    set_add(known, e);
    if (event->kind == MOD_DATA)
        *put |= UINT64_C(1) << release;
}

static void
write_memory(const struct model *model, uint64_t *state, int e, uint64_t value, const uint64_t *past)
{
    const struct mod_event *event = &model->events[e];
    uint64_t *memory = state + model->at_memory + event->location;

    *memory = (*memory & ~event->bits) | (value & event->bits);
    hand_on(model, state, e, past);
}

static void
give_result(const struct model *model, uint64_t *state, const struct lit_op *op, int64_t value)
{
    if (op->result >= 0)
        state[model->at_registers + op->result] = (uint64_t)value;
}

static void
execute_atomic(const struct model *model, uint64_t *state, int e, const uint64_t *past)
{
    const struct mod_event *event = &model->events[e];
    const struct lit_op *op = &model->test->ops[event->op];
    uint64_t old = look(model, state, e), new_value;
    bool writes = true;

    if (event->kind == MOD_SIGNAL)
        new_value = op->signal_adds ? old + operand(model, state, event) : operand(model, state, event);
    else
        new_value = model_atomic(op, old, operand(model, state, event),
                                 model_truncate(event->type, model_value(model, state, &op->compare)), &writes);
    if (event->slot >= 0)
        state[model->at_slots + event->slot] = old;
    else if (event->kind == MOD_ATOM)
        give_result(model, state, op, model_extend(event->type, old));
    if (writes)
        write_memory(model, state, e, new_value, past);
}

static void
take_effect(const struct model *model, uint64_t *state, int e, const uint64_t *past)
{
    const struct mod_event *event = &model->events[e];
    const struct lit_op *op = &model->test->ops[event->op];
    uint64_t *memory = state + model->at_memory + event->location, *slots = state + model->at_slots;

    switch (event->kind) {
    case MOD_ISSUE:
        break;
    case MOD_FETCH:
        give_result(model, state, op, model_extend(event->type, look(model, state, e)));
        /* fall through */
    case MOD_SOURCE:
    case MOD_GIVE:
        slots[event->slot] = look(model, state, e);
        break;
    case MOD_DATA:
    case MOD_DEST:
        write_memory(model, state, e,
                     event->pair >= 0 ? slots[model->events[event->pair].slot] : operand(model, state, event), past);
        break;
    case MOD_ATOM:
    case MOD_SIGNAL:
        execute_atomic(model, state, e, past);
        break;
    case MOD_LOOK:
    case MOD_LOAD:
        give_result(model, state, op, result_of(model, state, e));
        break;
    case MOD_STORE:
        write_memory(model, state, e, operand(model, state, event), past);
        break;
    case MOD_TAKE:
        write_memory(model, state, e, collected(model, state, event), past);
        break;
    case MOD_TRY:
        give_result(model, state, op, *memory != 0);
        *memory = *memory ? *memory : (uint64_t)op->pe + 1;
        break;
    case MOD_ACQUIRE:
        *memory = (uint64_t)op->pe + 1;
        break;
    case MOD_RELEASE:
        *memory = 0;
        memcpy(state_release(model, state, event->location), past, sizeof *past * (size_t)model->nwords);
        break;
    }
}

int
model_perform(const struct model *model, uint64_t *state, int e)
{
    uint64_t past[MOD_WORDS] = {0};

    find_past(model, state, e, past);
    int race = races_with(model, state, e, past);
    if (model->events[e].kind == MOD_ATOM) /* what a fetch reads was before its return (H10), not before itself */
        learn_from_value(model, state, e, past);
    take_effect(model, state, e, past);
    memcpy(state_past(model, state, e), past, sizeof past[0] * (size_t)model->nwords);
    set_add(state + model->at_done, e);
    return race;
}
