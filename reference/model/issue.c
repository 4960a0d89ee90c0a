/* issue.c -- threads issue and return as soon as they may (H1 to H5, H8, H9).
 *
 * What a call waits for is a set of events, fixed when it is issued; when they have happened the thread knows them and
 * everything before them. A fence waits for nothing but, where the profile says so, its own stores: it leaves
 * behind the set of what it covers, and what is issued later looks that set up.
 */
#include <string.h>

#include "reference/model/model.h"

static int
place_of(const struct model *model, const uint64_t *state, int thread)
{
    return (int)(*state_place(model, (uint64_t *)state, thread) & 0xffff);
}

/* Was it issued before what `thread` does now? */
static bool
op_before(const struct model *model, uint64_t *state, int thread, int op)
{
    const struct lit_op *x = &model->test->ops[op];
    if (!set_has(state + model->at_done, op))
        return false;
    return x->thread == thread || set_has(state_known(model, state, thread), op);
}

static bool
is_memory_order(enum lit_kind kind)
{
    return kind == LIT_PUT || kind == LIT_GET || kind == LIT_AMO || kind == LIT_SIG;
}

/* Own stores of the thread so far, those into the memory of `pes`. */
static void
add_stores(const struct model *model, uint64_t *state, int thread, unsigned pes, uint64_t *set)
{
    const struct lit_thread *column = &model->test->threads[thread];

    for (int op = column->first; op < column->first + column->count; op++) {
        const struct lit_op *x = &model->test->ops[op];
        if (x->row->kind == LIT_STORE && op_before(model, state, thread, op) &&
            pes >> (x->place.pe < 0 ? x->pe : x->place.pe) & 1)
            set_add(set, model->ops[op].first);
    }
}

/* Events that a fence (or, with `whole`, a quiet) on this context covers, to the PEs of the set. */
static void
add_covered(const struct model *model, uint64_t *state, int thread, int ctx, unsigned pes, bool whole, uint64_t *set)
{
    const struct fp_litmus *test = model->test;

    for (int op = 0; op < test->nops; op++) {
        const struct lit_op *x = &test->ops[op];
        if (x->pe != test->threads[thread].pe || x->ctx != ctx || !is_memory_order(x->row->kind) ||
            !(pes >> x->place.pe & 1) || !op_before(model, state, thread, op))
            continue;
        for (int e = model->ops[op].first; e < model->ops[op].first + model->ops[op].count; e++) {
            enum fp_order_class class_ = model->events[e].class_;
            if (whole ? fp_order_has(model->rules, FP_EDGE_QUIET, class_, FP_ORDER_LOAD)
                      : model->events[e].kind == MOD_DATA || model->events[e].kind == MOD_ATOM ||
                            model->events[e].kind == MOD_SIGNAL)
                set_add(set, e);
        }
    }
    if (!test->contexts[ctx].nostore &&
        (!whole || fp_order_has(model->rules, FP_EDGE_QUIET, FP_ORDER_STORE, FP_ORDER_LOAD)))
        add_stores(model, state, thread, pes, set);
}

/* What fences put before an operation that is issued now. Which classes they order is asked event by event. */
static void
add_fenced(const struct model *model, uint64_t *state, int thread, const struct lit_op *op, uint64_t *set)
{
    const struct fp_litmus *test = model->test;

    for (int f = 0; f < test->nops; f++) {
        const struct lit_op *fence = &test->ops[f];
        if (fence->row->kind != LIT_FENCE || fence->pe != op->pe || fence->ctx != op->ctx ||
            !op_before(model, state, thread, f))
            continue;
        const uint64_t *covered = state_need(model, state, f);
        for (int e = test->nops; e < model->nevents; e++) {
            const struct lit_op *x = &test->ops[model->events[e].op];
            int target = x->row->kind == LIT_STORE && x->place.pe < 0 ? x->pe : x->place.pe;
            if (set_has(covered, e) && target == op->place.pe)
                set_add(set, e);
        }
    }
}

static void
plan(const struct model *model, uint64_t *state, int thread, int index)
{
    const struct lit_op *op = &model->test->ops[index];
    uint64_t *need = state_need(model, state, index);
    const unsigned all = (1u << model->test->npes) - 1;

    switch (op->row->kind) {
    case LIT_FENCE:
        add_covered(model, state, thread, op->ctx, all, false, need);
        break;
    case LIT_QUIET:
    case LIT_DESTROY:
    case LIT_BARRIER:
    case LIT_UNLOCK:
        add_covered(model, state, thread, op->ctx, all, true, need);
        break;
    case LIT_PE_QUIET:
        add_covered(model, state, thread, op->ctx, op->pes, true, need);
        break;
    case LIT_SYNC:
        if (fp_order_has(model->rules, FP_EDGE_SYNC, FP_ORDER_STORE, FP_ORDER_LOAD))
            add_stores(model, state, thread, all, need);
        break;
    case LIT_MEET:
        add_stores(model, state, thread, all, need);
        break;
    default:
        if (is_memory_order(op->row->kind))
            add_fenced(model, state, thread, op, need);
        break;
    }
}

static void
issue(const struct model *model, uint64_t *state, int thread, int index)
{
    const struct lit_op *op = &model->test->ops[index];
    const struct mod_op *parts = &model->ops[index];
    uint64_t *place = state_place(model, state, thread), *known = state_known(model, state, thread);

    if (op->guard >= 0 &&
        !lit_compare(op->guard_cmp, (int64_t)state[model->at_registers + op->guard], op->guard_value)) {
        for (int e = parts->first; e < parts->first + parts->count; e++)
            set_add(state + model->at_skipped, e);
        set_add(state + model->at_skipped, index);
        ++*place;
        return;
    }
    memcpy(state_past(model, state, index), known, sizeof *known * (size_t)model->nwords);
    plan(model, state, thread, index);
    set_add(known, index);
    set_add(state + model->at_done, index);
    *place |= MOD_IN_CALL;
}

/* May the call return? If so, the thread has learned what that tells it. */
static bool
returns(const struct model *model, uint64_t *state, int thread, int index)
{
    const struct lit_op *op = &model->test->ops[index];
    const struct mod_op *parts = &model->ops[index];
    uint64_t *known = state_known(model, state, thread), wanted[MOD_WORDS] = {0};

    switch (op->row->kind) {
    case LIT_QUIET:
    case LIT_PE_QUIET:
    case LIT_DESTROY:
        if (!state_all_settled(model, state, state_need(model, state, index)))
            return false;
        model_learn(model, state, known, state_need(model, state, index));
        return true;
    case LIT_FENCE:
        if (model->test->contexts[op->ctx].nostore ||
            !fp_order_has(model->rules, FP_EDGE_PUBLISH, FP_ORDER_STORE, FP_ORDER_LOAD))
            return true;
        add_stores(model, state, thread, (1u << model->test->npes) - 1, wanted);
        break;
    default:
        if (!parts->blocking)
            return true;
        for (int e = parts->first; e < parts->first + parts->count; e++)
            if ((op->row->kind != LIT_PUT && op->row->kind != LIT_SIG) || model->events[e].kind == MOD_SOURCE)
                set_add(wanted, e);
    }
    if (!state_all_settled(model, state, wanted))
        return false;
    /* A collective that hands on nothing but its data: what was before the other members' calls stays unknown. */
    if (op->row->kind == LIT_COLL && !fp_order_has(model->rules, FP_EDGE_ENTRY, FP_ORDER_COLL, FP_ORDER_COLL))
        set_join(model, known, wanted);
    else
        model_learn(model, state, known, wanted);
    return true;
}

/* ---- Meetings ---------------------------------------------------------------------------------------------------- */

static bool
is_meeting(enum lit_kind kind)
{
    return kind == LIT_SYNC || kind == LIT_BARRIER || kind == LIT_MEET;
}

/* The operation of the meeting in which the thread waits, or NULL. */
static const struct lit_op *
waits_in(const struct model *model, uint64_t *state, int thread)
{
    if (!(*state_place(model, state, thread) & MOD_ARRIVED))
        return NULL;
    return &model->test->ops[model->test->threads[thread].first + place_of(model, state, thread)];
}

static bool
same_meeting(const struct lit_op *a, const struct lit_op *b)
{
    if (a->row != b->row)
        return false;
    return a->row->kind == LIT_MEET ? a->pe == b->pe : a->team == b->team;
}

/* All members of the meeting have arrived: they leave together, each with the knowledge of all (H9). */
static bool
meet(const struct model *model, uint64_t *state, int thread)
{
    const struct fp_litmus *test = model->test;
    const struct lit_op *op = waits_in(model, state, thread);
    uint64_t known[MOD_WORDS] = {0};
    unsigned pes = 0;
    int threads = 0, wanted = 0;

    for (int t = 0; t < test->nthreads; t++) {
        const struct lit_op *other = waits_in(model, state, t);
        wanted += test->threads[t].pe == op->pe;
        if (!other || !same_meeting(op, other))
            continue;
        pes |= 1u << test->threads[t].pe;
        threads++;
        set_join(model, known, state_known(model, state, t));
    }
    if (op->row->kind == LIT_MEET ? threads != wanted : pes != test->teams[op->team].members)
        return false;
    for (int t = 0; t < test->nthreads; t++) {
        const struct lit_op *other = t == thread ? NULL : waits_in(model, state, t);
        if (!other || !same_meeting(op, other))
            continue;
        memcpy(state_known(model, state, t), known, sizeof known[0] * (size_t)model->nwords);
        *state_place(model, state, t) = (uint64_t)(place_of(model, state, t) + 1);
    }
    memcpy(state_known(model, state, thread), known, sizeof known[0] * (size_t)model->nwords);
    *state_place(model, state, thread) = (uint64_t)(place_of(model, state, thread) + 1);
    return true;
}

static bool
step(const struct model *model, uint64_t *state, int thread)
{
    const struct lit_thread *column = &model->test->threads[thread];
    uint64_t *place = state_place(model, state, thread);
    int index = column->first + place_of(model, state, thread);

    if (place_of(model, state, thread) == column->count)
        return false;
    if (!(*place & MOD_IN_CALL)) {
        issue(model, state, thread, index);
        return true;
    }
    if (*place & MOD_ARRIVED)
        return meet(model, state, thread);
    if (is_meeting(model->test->ops[index].row->kind)) {
        if (!state_all_settled(model, state, state_need(model, state, index)))
            return false;
        model_learn(model, state, state_known(model, state, thread), state_need(model, state, index));
        *place |= MOD_ARRIVED;
        return true;
    }
    if (!returns(model, state, thread, index))
        return false;
    *place = (uint64_t)(place_of(model, state, thread) + 1);
    return true;
}

void
model_settle(const struct model *model, uint64_t *state)
{
    bool moved = true;

    while (moved) {
        moved = false;
        for (int t = 0; t < model->test->nthreads; t++)
            while (step(model, state, t))
                moved = true;
    }
}

bool
model_ended(const struct model *model, const uint64_t *state)
{
    for (int t = 0; t < model->test->nthreads; t++)
        if (place_of(model, state, t) < model->test->threads[t].count)
            return false;
    return true;
}
