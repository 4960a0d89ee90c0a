/* state.c -- the layout of a state, its canonical form, and values. */
#include <string.h>

#include "reference/model/model.h"

void
model_layout(struct model *model)
{
    const struct fp_litmus *test = model->test;
    int at = 0, words = model->nwords;

    model->at_threads = at;
    at += test->nthreads * (1 + words);
    model->at_done = at;
    at += words;
    model->at_skipped = at;
    at += words;
    model->at_memory = at;
    at += test->nlocations;
    model->at_registers = at;
    at += test->nregs;
    model->at_slots = at;
    at += model->nslots;
    model->at_releases = at;
    at += model->nreleases * words;
    model->at_release_put = at++;
    model->at_past = at;
    at += model->nevents * words;
    model->at_need = at;
    at += test->nops * words;
    model->words = at;
}

uint64_t
model_truncate(enum lit_type type, int64_t value)
{
    int bits = lit_types[type].bytes * 8;
    return bits == 64 ? (uint64_t)value : (uint64_t)value & ((UINT64_C(1) << bits) - 1);
}

int64_t
model_extend(enum lit_type type, uint64_t value)
{
    uint64_t low = model_truncate(type, (int64_t)value), sign = UINT64_C(1) << (lit_types[type].bytes * 8 - 1);

    return lit_types[type].is_signed ? (int64_t)((low ^ sign) - sign) : (int64_t)low;
}

int64_t
model_value(const struct model *model, const uint64_t *state, const struct lit_value *value)
{
    uint64_t base = value->reg < 0 ? 0 : state[model->at_registers + value->reg];
    return (int64_t)(base + (uint64_t)value->constant);
}

uint64_t
model_atomic(const struct lit_op *op, uint64_t old, uint64_t operand, uint64_t compare, bool *writes)
{
    *writes = true;
    switch (op->row->amo) {
    case SHMEM_AMO_SET:
    case SHMEM_AMO_SWAP:
        return operand;
    case SHMEM_AMO_ADD:
        return old + operand;
    case SHMEM_AMO_INC:
        return old + 1;
    case SHMEM_AMO_AND:
        return old & operand;
    case SHMEM_AMO_OR:
        return old | operand;
    case SHMEM_AMO_XOR:
        return old ^ operand;
    case SHMEM_AMO_CSWAP:
        *writes = old == compare;
        return *writes ? operand : old;
    case SHMEM_AMO_FETCH:
    case SHMEM_AMO_NONE:
        *writes = false;
        return old;
    }
    LIT_BUG("no such atomic function");
}

void
model_start(const struct model *model, uint64_t *state)
{
    const struct fp_litmus *test = model->test;

    memset(state, 0, sizeof *state * (size_t)model->words);
    for (int i = 0; i < test->nobjects; i++)
        for (int pe = 0; pe < test->npes; pe++)
            for (int k = 0; k < test->objects[i].elements; k++)
                state[model->at_memory + lit_location(test, i, pe, k)] =
                    model_truncate(test->objects[i].type, test->objects[i].start[pe][k]);
}

void
model_learn(const struct model *model, uint64_t *state, uint64_t *into, const uint64_t *set)
{
    for (int i = 0; i < model->nwords; i++) {
        uint64_t left = set[i] & state[model->at_done + i];
        into[i] |= left;
        for (; left; left &= left - 1)
            set_join(model, into, state_past(model, state, i * 64 + __builtin_ctzll(left)));
    }
}

/* An event is worth knowing as long as one that conflicts with it may still happen. */
static void
worth_knowing(const struct model *model, const uint64_t *state, uint64_t *worth)
{
    for (int i = 0; i < model->nwords; i++)
        worth[i] = model->kept_issues.word[i];
    for (int e = model->test->nops; e < model->nevents; e++)
        if (!state_all_settled(model, state, model->events[e].conflicts.word))
            set_add(worth, e);
}

/* Nobody asks any more what was before the events of this operation: its threads have ended, or it is the issue of an
 * operation all of whose events have happened. */
static bool
past_is_done_with(const struct model *model, uint64_t *state, int event)
{
    const struct fp_litmus *test = model->test;
    const struct lit_op *op = &test->ops[model->events[event].op];
    const struct mod_op *parts = &model->ops[model->events[event].op];

    if (op->row->kind == LIT_COLL)
        return false;
    for (int e = parts->first; e < parts->first + parts->count; e++)
        if (!state_settled(model, state, e))
            return false;
    if (model->events[event].kind == MOD_ISSUE)
        return true;
    for (int t = 0; t < test->nthreads; t++)
        if (test->threads[t].pe == op->pe && (int)(*state_place(model, state, t) & 0xffff) < test->threads[t].count)
            return false;
    return true;
}

void
model_reduce(const struct model *model, uint64_t *state)
{
    const struct fp_litmus *test = model->test;
    uint64_t worth[MOD_WORDS];

    worth_knowing(model, state, worth);
    for (int t = 0; t < test->nthreads; t++)
        for (int i = 0; i < model->nwords; i++)
            state_known(model, state, t)[i] &= worth[i];
    for (int k = 0; k < model->nreleases; k++)
        for (int i = 0; i < model->nwords; i++)
            state[model->at_releases + k * model->nwords + i] &= worth[i];
    for (int e = 0; e < model->nevents; e++) {
        bool gone = past_is_done_with(model, state, e);
        for (int i = 0; i < model->nwords; i++)
            state_past(model, state, e)[i] &= gone ? 0 : worth[i];
    }
}
