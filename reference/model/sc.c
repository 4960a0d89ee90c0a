/* sc.c -- what the interleavings of whole operations give: each takes effect at once, in program order.
 *
 * The yardstick for `weak`. It knows nothing of events, fences or pasts: a put writes when it is called, a nonblocking
 * get has its value at once. Only collectives are two steps, since a PE may come long before the others: it gives its
 * source when it enters and takes its result when it leaves, as soon as what it takes from has entered.
 */
#include <stdlib.h>
#include <string.h>

#include "reference/model/answer.h"

struct sc {
    const struct fp_litmus *test;
    struct seen_set seen;
    uint64_t states, states_max;
    bool complete;
    void (*found)(void *context, const int64_t *values);
    void *context;
    int at_memory, at_registers, at_given, words;
};

/* A thread: its place, and whether it has entered the operation there. */
enum { ENTERED = 1 << 16 };

static const struct lit_op *
current(const struct sc *sc, const uint64_t *state, int thread)
{
    const struct lit_thread *column = &sc->test->threads[thread];
    int place = (int)(state[thread] & 0xffff);
    return place < column->count ? &sc->test->ops[column->first + place] : NULL;
}

static int64_t
value_of(const struct sc *sc, const uint64_t *state, const struct lit_value *value)
{
    return (int64_t)((value->reg < 0 ? 0 : state[sc->at_registers + value->reg]) + (uint64_t)value->constant);
}

static uint64_t *
cell(const struct sc *sc, uint64_t *state, const struct lit_op *op, const struct lit_place *place, int k)
{
    int pe = place->pe < 0 ? op->pe : place->pe;
    return &state[sc->at_memory + lit_location(sc->test, place->object, pe, place->first + k)];
}

/* An access of the operation's type to an object that may be of a wider one. */
static uint64_t
load(const struct lit_op *op, const uint64_t *at)
{
    return model_truncate(op->type, (int64_t)*at);
}

static void
store(const struct lit_op *op, uint64_t *at, uint64_t value)
{
    uint64_t bits = model_truncate(op->type, -1);
    *at = (*at & ~bits) | (value & bits);
}

static void
set_result(const struct sc *sc, uint64_t *state, const struct lit_op *op, int64_t value)
{
    if (op->result >= 0)
        state[sc->at_registers + op->result] = (uint64_t)value;
}

static void
do_put(const struct sc *sc, uint64_t *state, const struct lit_op *op)
{
    uint64_t values[LIT_ELEMENTS];

    for (int k = 0; k < op->count; k++)
        values[k] = op->local.object >= 0 ? load(op, cell(sc, state, op, &op->local, k))
                                          : (uint64_t)value_of(sc, state, &op->values[k]);
    for (int k = 0; k < op->count; k++)
        store(op, cell(sc, state, op, &op->place, k * op->stride), values[k]);
    if (op->row->kind == LIT_SIG) {
        struct lit_place place = op->signal;
        place.pe = op->place.pe;
        uint64_t *signal = cell(sc, state, op, &place, 0);
        *signal = (op->signal_adds ? *signal : 0) + (uint64_t)value_of(sc, state, &op->signal_value);
    }
}

static void
do_get(const struct sc *sc, uint64_t *state, const struct lit_op *op)
{
    uint64_t values[LIT_ELEMENTS];

    for (int k = 0; k < op->count; k++)
        values[k] = load(op, cell(sc, state, op, &op->place, k));
    for (int k = 0; k < op->count && op->local.object >= 0; k++)
        store(op, cell(sc, state, op, &op->local, k), values[k]);
    set_result(sc, state, op, model_extend(op->type, values[0]));
}

static bool
do_atomic(const struct sc *sc, uint64_t *state, const struct lit_op *op)
{
    uint64_t *at = cell(sc, state, op, &op->place, 0), old = load(op, at);
    bool writes;
    uint64_t value = model_atomic(op, old, (uint64_t)value_of(sc, state, &op->values[0]),
                                  model_truncate(op->type, value_of(sc, state, &op->compare)), &writes);

    if (!lit_compare(op->until, model_extend(op->type, old), op->until_value))
        return false;
    if (writes)
        store(op, at, value);
    if (op->row->flags & LIT_NBI)
        store(op, cell(sc, state, op, &op->local, 0), old);
    else if (op->row->flags & LIT_FETCH)
        set_result(sc, state, op, model_extend(op->type, old));
    return true;
}

static bool
do_look(const struct sc *sc, uint64_t *state, const struct lit_op *op)
{
    int64_t value = model_extend(op->type, load(op, cell(sc, state, op, &op->place, 0)));
    bool holds = lit_compare(op->cmp, value, value_of(sc, state, &op->cmp_value));

    if (op->row->kind == LIT_TEST)
        value = holds;
    if (op->row->kind == LIT_WAIT ? !holds : !lit_compare(op->until, value, op->until_value))
        return false;
    set_result(sc, state, op, value);
    return true;
}

static bool
do_lock(const struct sc *sc, uint64_t *state, const struct lit_op *op)
{
    uint64_t *lock = &state[sc->at_memory + lit_location(sc->test, op->place.object, 0, op->place.first)];
    bool held = *lock != 0;

    if (op->row->kind == LIT_TRYLOCK  ? !lit_compare(op->until, held, op->until_value)
        : op->row->kind == LIT_UNLOCK ? *lock != (uint64_t)op->pe + 1
                                      : held)
        return false;
    if (op->row->kind == LIT_UNLOCK)
        *lock = 0;
    else if (!held)
        *lock = (uint64_t)op->pe + 1;
    set_result(sc, state, op, held);
    return true;
}

/* ---- Several PEs ------------------------------------------------------------------------------------------------- */

static bool
do_meet(const struct sc *sc, uint64_t *state, int thread, const struct lit_op *op)
{
    const struct fp_litmus *test = sc->test;
    unsigned pes = 0;
    int threads = 0, wanted = 0;
    bool together[LIT_THREADS];

    state[thread] |= ENTERED;
    for (int t = 0; t < test->nthreads; t++) {
        const struct lit_op *other = state[t] & ENTERED ? current(sc, state, t) : NULL;
        together[t] = other && other->row == op->row &&
                      (op->row->kind == LIT_MEET ? other->pe == op->pe : other->team == op->team);
        pes |= together[t] ? 1u << test->threads[t].pe : 0;
        threads += together[t];
        wanted += test->threads[t].pe == op->pe;
    }
    if (op->row->kind == LIT_MEET ? threads != wanted : pes != test->teams[op->team].members)
        return false;
    for (int t = 0; t < test->nthreads; t++)
        if (together[t])
            state[t] = (state[t] & 0xffff) + 1;
    return true;
}

static void
enter(const struct sc *sc, uint64_t *state, const struct lit_op *op)
{
    for (int k = 0; k < op->count; k++)
        state[sc->at_given + (op - sc->test->ops) * LIT_ELEMENTS + k] = load(op, cell(sc, state, op, &op->local, k));
}

/* Has the member entered? Then *given points to what it gave. */
static bool
has_given(const struct sc *sc, const uint64_t *state, const struct lit_op *op, int pe, const uint64_t **given)
{
    int index = op->match[pe];
    if (index < 0)
        return false;
    const struct lit_op *other = &sc->test->ops[index];
    int place = index - sc->test->threads[other->thread].first, now = (int)(state[other->thread] & 0xffff);
    *given = &state[sc->at_given + index * LIT_ELEMENTS];
    return now > place || (now == place && state[other->thread] & ENTERED);
}

static bool
leave(const struct sc *sc, uint64_t *state, const struct lit_op *op)
{
    unsigned members = sc->test->teams[op->team].members;
    int size = __builtin_popcount(members), rank = lit_rank(members, op->pe), r = 0;
    bool active_set = !strcmp(op->row->name, "broadcast64");
    uint64_t result[LIT_ELEMENTS] = {0};
    int share = op->count / size, count = active_set && op->pe == op->root ? 0 : op->count, last = size;

    if (!strcmp(op->row->name, "sum_inscan") || !strcmp(op->row->name, "sum_exscan"))
        last = rank - !strcmp(op->row->name, "sum_exscan");
    for (int pe = 0; pe < sc->test->npes; pe++) {
        const uint64_t *given;
        if (!(members >> pe & 1))
            continue;
        if ((strcmp(op->row->name, "broadcast") && !active_set) || pe == op->root) {
            if (r > last)
                break;
            if (!has_given(sc, state, op, pe, &given))
                return false;
            if (!strcmp(op->row->name, "fcollect"))
                memcpy(result + r * op->count, given, (size_t)op->count * 8);
            else if (!strcmp(op->row->name, "alltoall"))
                memcpy(result + r * share, given + rank * share, (size_t)share * 8);
            else
                for (int k = 0; k < op->count; k++)
                    result[k] += given[k];
        }
        r++;
    }
    if (!strcmp(op->row->name, "fcollect"))
        count *= size;
    for (int k = 0; k < count; k++)
        store(op, cell(sc, state, op, &op->dest, k), result[k]);
    return true;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

/* The thread's next step. False: it cannot go on now. */
static bool
advance(const struct sc *sc, uint64_t *state, int thread)
{
    const struct lit_op *op = current(sc, state, thread);
    bool done = true;

    if (!op)
        return false;
    if (op->guard < 0 || lit_compare(op->guard_cmp, (int64_t)state[sc->at_registers + op->guard], op->guard_value))
        switch (op->row->kind) {
        case LIT_PUT:
        case LIT_SIG:
            do_put(sc, state, op);
            break;
        case LIT_GET:
            do_get(sc, state, op);
            break;
        case LIT_AMO:
            done = do_atomic(sc, state, op);
            break;
        case LIT_WAIT:
        case LIT_TEST:
        case LIT_SFETCH:
            done = do_look(sc, state, op);
            break;
        case LIT_LOAD:
            done = do_look(sc, state, op);
            break;
        case LIT_STORE:
            store(op, cell(sc, state, op, &op->place, 0), (uint64_t)value_of(sc, state, &op->values[0]));
            break;
        case LIT_LOCK:
        case LIT_UNLOCK:
        case LIT_TRYLOCK:
            done = do_lock(sc, state, op);
            break;
        case LIT_SYNC:
        case LIT_BARRIER:
        case LIT_MEET:
            /* Arriving is a step of its own. */
            if (state[thread] & ENTERED)
                return false;
            do_meet(sc, state, thread, op);
            return true;
        case LIT_COLL:
            if (!(state[thread] & ENTERED)) {
                enter(sc, state, op);
                state[thread] |= ENTERED;
                return true;
            }
            done = leave(sc, state, op);
            break;
        case LIT_FENCE:
        case LIT_QUIET:
        case LIT_PE_QUIET:
        case LIT_DESTROY:
            break;
        }
    if (done)
        state[thread] = (state[thread] & 0xffff) + 1;
    return done;
}

static void
finish(const struct sc *sc, const uint64_t *state)
{
    const struct fp_litmus *test = sc->test;
    int64_t values[LIT_SEEN];
    bool ended = true;

    for (int t = 0; t < test->nthreads; t++)
        ended &= !current(sc, state, t);
    for (int i = 0; i < test->nseen; i++) {
        const struct lit_seen *seen = &test->seen[i];
        int object = 0;
        while (seen->reg < 0 && object + 1 < test->nobjects && test->objects[object + 1].base <= seen->location)
            object++;
        values[i] = seen->reg >= 0 ? (int64_t)state[sc->at_registers + seen->reg]
                                   : model_extend(test->objects[object].type, state[sc->at_memory + seen->location]);
    }
    sc->found(sc->context, ended ? values : NULL);
}

static void
visit(struct sc *sc, const uint64_t *state)
{
    uint64_t *next = lit_alloc(NULL, (size_t)sc->words * 8);
    bool moved = false;

    for (int t = 0; t < sc->test->nthreads && sc->complete; t++) {
        memcpy(next, state, (size_t)sc->words * 8);
        if (!advance(sc, next, t))
            continue;
        moved = true;
        if (!seen_add(&sc->seen, next, (size_t)sc->words * 8))
            continue;
        sc->complete = ++sc->states < sc->states_max;
        visit(sc, next);
    }
    if (!moved)
        finish(sc, state);
    free(next);
}

bool
sc_explore(const struct fp_litmus *test, uint64_t states_max, void (*found)(void *context, const int64_t *values),
           void *context)
{
    struct sc sc = {.test = test, .states_max = states_max, .complete = true, .found = found, .context = context};

    sc.at_memory = test->nthreads;
    sc.at_registers = sc.at_memory + test->nlocations;
    sc.at_given = sc.at_registers + test->nregs;
    sc.words = sc.at_given + test->nops * LIT_ELEMENTS;
    uint64_t *state = lit_alloc(NULL, (size_t)sc.words * 8);
    memset(state, 0, (size_t)sc.words * 8);
    for (int i = 0; i < test->nobjects; i++)
        for (int pe = 0; pe < test->npes; pe++)
            for (int k = 0; k < test->objects[i].elements; k++)
                state[sc.at_memory + lit_location(test, i, pe, k)] =
                    model_truncate(test->objects[i].type, test->objects[i].start[pe][k]);
    visit(&sc, state);
    free(state);
    seen_free(&sc.seen);
    return sc.complete;
}
