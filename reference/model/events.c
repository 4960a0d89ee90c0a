/* events.c -- the operations of a test become events.
 *
 * All that depends on the program text alone is settled here, once: which bytes an event touches, which events of
 * other operations it conflicts with (semantics 1.12), and which events of its own thread come before it on one
 * location.
 */
#include <stdio.h>
#include <string.h>

#include "reference/model/model.h"

static const struct {
    bool reads, writes;
} kinds[] = {
#define MOD_KIND_ROW(name, reads, writes, text) {reads, writes},
    MOD_KIND_ROWS(MOD_KIND_ROW)
#undef MOD_KIND_ROW
};

/* ---- What an operation is to the rules --------------------------------------------------------------------------- */

static enum fp_order_class
class_of(const struct lit_op *op)
{
    bool nbi = op->row->flags & LIT_NBI;

    switch (op->row->kind) {
    case LIT_PUT:
    case LIT_SIG:
        return nbi ? FP_ORDER_PUT_NBI : FP_ORDER_PUT;
    case LIT_GET:
        return nbi ? FP_ORDER_GET_NBI : FP_ORDER_GET;
    case LIT_AMO:
        if (!(op->row->flags & LIT_FETCH))
            return FP_ORDER_AMO;
        return nbi ? FP_ORDER_AMO_FETCH_NBI : FP_ORDER_AMO_FETCH;
    case LIT_STORE:
        return FP_ORDER_STORE;
    case LIT_LOAD:
        return FP_ORDER_LOAD;
    case LIT_COLL:
        return FP_ORDER_COLL;
    default:
        return FP_ORDER_WAIT;
    }
}

/* Returns only when its events are done, as far as the return tells the thread of them. */
static bool
is_blocking(enum fp_rules rules, const struct lit_op *op)
{
    switch (op->row->kind) {
    case LIT_PUT:
    case LIT_SIG:
        return !(op->row->flags & LIT_NBI);
    case LIT_GET:
    case LIT_AMO:
        return fp_order_has(rules, FP_EDGE_RETURN, class_of(op), FP_ORDER_LOAD);
    case LIT_WAIT:
    case LIT_TEST:
    case LIT_SFETCH:
    case LIT_LOAD:
    case LIT_COLL:
    case LIT_LOCK:
    case LIT_UNLOCK:
    case LIT_TRYLOCK:
        return true;
    default:
        return false;
    }
}

/* ---- Making them ------------------------------------------------------------------------------------------------- */

static struct mod_event *
add(struct model *model, int op, enum mod_kind kind, int location)
{
    static struct mod_event overflow;
    if (model->nevents == MOD_EVENTS) {
        model->nwords = -1; /* too many: model_open says so */
        return &overflow;
    }
    struct mod_event *event = &model->events[model->nevents++];
    *event = (struct mod_event){.kind = kind,
                                .op = op,
                                .location = location,
                                .class_ = model->ops[op].class_,
                                .reads = kinds[kind].reads,
                                .writes = kinds[kind].writes,
                                .type = model->test->ops[op].type,
                                .slot = -1,
                                .pair = -1};
    event->bits = location < 0 ? 0 : model_truncate(event->type, -1);
    return event;
}

static int
element(const struct model *model, const struct lit_op *op, const struct lit_place *place, int k)
{
    return lit_location(model->test, place->object, place->pe < 0 ? op->pe : place->pe, place->first + k);
}

static void
add_put(struct model *model, int index)
{
    const struct lit_op *op = &model->test->ops[index];
    int first_source = model->nevents;

    if (op->local.object >= 0)
        for (int k = 0; k < op->count; k++) {
            struct mod_event *event = add(model, index, MOD_SOURCE, element(model, op, &op->local, k));
            event->unit = k;
            event->slot = model->nslots++;
        }
    for (int k = 0; k < op->count; k++) {
        int parts = op->row->flags & LIT_BYTES ? lit_types[op->type].bytes : 1;
        for (int part = 0; part < parts; part++) {
            struct mod_event *event = add(model, index, MOD_DATA, element(model, op, &op->place, k * op->stride));
            event->unit = k;
            event->pair = op->local.object >= 0 ? first_source + k : -1;
            if (parts > 1)
                event->bits = UINT64_C(0xff) << (8 * part);
        }
    }
    if (op->row->kind == LIT_SIG) {
        struct lit_place place = op->signal;
        place.pe = op->place.pe;
        struct mod_event *event = add(model, index, MOD_SIGNAL, element(model, op, &place, 0));
        event->class_ = FP_ORDER_SIGNAL;
        event->type = LIT_TYPE_uint64;
        event->bits = UINT64_MAX;
        event->atomic = true;
    }
}

static void
add_get(struct model *model, int index)
{
    const struct lit_op *op = &model->test->ops[index];
    int first = model->nevents;

    for (int k = 0; k < op->count; k++) {
        struct mod_event *event = add(model, index, MOD_FETCH, element(model, op, &op->place, k));
        event->unit = k;
        event->slot = model->nslots++;
    }
    for (int k = 0; k < op->count && op->local.object >= 0; k++) {
        struct mod_event *event = add(model, index, MOD_DEST, element(model, op, &op->local, k));
        event->unit = k;
        event->pair = first + k;
    }
}

static void
add_atomic(struct model *model, int index)
{
    const struct lit_op *op = &model->test->ops[index];
    struct mod_event *event = add(model, index, MOD_ATOM, element(model, op, &op->place, 0));

    event->atomic = true;
    event->writes = op->row->amo != SHMEM_AMO_FETCH;
    if (!(op->row->flags & LIT_NBI))
        return;
    event->slot = model->nslots++;
    int atom = model->nevents - 1;
    event = add(model, index, MOD_DEST, element(model, op, &op->local, 0));
    event->pair = atom;
}

static bool
collective_is(const struct lit_op *op, const char *name)
{
    return !strcmp(op->row->name, name);
}

static void
add_collective(struct model *model, int index)
{
    const struct lit_op *op = &model->test->ops[index];
    int members = __builtin_popcount(model->test->teams[op->team].members);
    int take = collective_is(op, "fcollect") ? op->count * members : op->count;

    bool broadcast = collective_is(op, "broadcast") || collective_is(op, "broadcast64");

    if (collective_is(op, "broadcast64") && op->root == op->pe)
        take = 0; /* the form on active sets leaves the root's destination alone */
    if (!broadcast || op->root == op->pe)
        for (int k = 0; k < op->count; k++) {
            struct mod_event *event = add(model, index, MOD_GIVE, element(model, op, &op->local, k));
            event->unit = k;
            event->slot = model->nslots++;
        }
    for (int k = 0; k < take; k++)
        add(model, index, MOD_TAKE, element(model, op, &op->dest, k))->unit = k;
}

static void
add_events(struct model *model, int index)
{
    const struct lit_op *op = &model->test->ops[index];
    static const enum mod_kind single[] = {
        [LIT_WAIT] = MOD_LOOK,      [LIT_TEST] = MOD_LOOK,   [LIT_SFETCH] = MOD_LOOK,
        [LIT_LOAD] = MOD_LOAD,      [LIT_STORE] = MOD_STORE, [LIT_LOCK] = MOD_ACQUIRE,
        [LIT_UNLOCK] = MOD_RELEASE, [LIT_TRYLOCK] = MOD_TRY, [LIT_MEET] = MOD_ISSUE};
    struct lit_place home = {.object = op->place.object, .pe = 0};

    switch (op->row->kind) {
    case LIT_PUT:
    case LIT_SIG:
        add_put(model, index);
        break;
    case LIT_GET:
        add_get(model, index);
        break;
    case LIT_AMO:
        add_atomic(model, index);
        break;
    case LIT_WAIT:
    case LIT_TEST:
    case LIT_SFETCH:
        add(model, index, MOD_LOOK, element(model, op, &op->place, 0))->atomic = true;
        break;
    case LIT_LOAD:
    case LIT_STORE:
        add(model, index, single[op->row->kind], element(model, op, &op->place, 0));
        break;
    case LIT_LOCK:
    case LIT_UNLOCK:
    case LIT_TRYLOCK:
        add(model, index, single[op->row->kind], element(model, op, &home, 0));
        break;
    case LIT_COLL:
        add_collective(model, index);
        break;
    default:
        break;
    }
}

/* The event of member `pe` that gives element k of its source, or -1. */
static int
gives(const struct model *model, const struct lit_op *op, int pe, int k)
{
    int other = op->match[pe];
    if (other < 0)
        return -1;
    for (int e = model->ops[other].first; e < model->ops[other].first + model->ops[other].count; e++)
        if (model->events[e].kind == MOD_GIVE && model->events[e].unit == k)
            return e;
    return -1;
}

static void
link_collective(struct model *model, struct mod_event *event)
{
    const struct lit_op *op = &model->test->ops[event->op];
    unsigned members = model->test->teams[op->team].members;
    int size = __builtin_popcount(members), rank = lit_rank(members, op->pe);

    for (int r = 0; r < size; r++) {
        int pe = lit_member(members, r), from = -1, k = event->unit;
        if (collective_is(op, "broadcast") || collective_is(op, "broadcast64"))
            from = pe == op->root ? k : -1;
        else if (collective_is(op, "fcollect"))
            from = k / op->count == r ? k % op->count : -1;
        else if (collective_is(op, "alltoall"))
            from = k / (op->count / size) == r ? rank * (op->count / size) + k % (op->count / size) : -1;
        else if (collective_is(op, "sum_inscan") || collective_is(op, "sum_exscan"))
            from = r < rank + collective_is(op, "sum_inscan") ? k : -1;
        else
            from = k;
        if (from < 0)
            continue;
        int give = gives(model, op, pe, from);
        if (give < 0)
            event->location = -1; /* never happens: that member does not take part */
        else
            set_add(event->contributions.word, give);
    }
    if (collective_is(op, "sum_exscan") && rank == 0) /* takes from nobody, but not before it is called */
        set_add(event->contributions.word, event->op);
}

/* ---- Pairs of events --------------------------------------------------------------------------------------------- */

static bool
is_natural(const struct model *model, const struct mod_event *event)
{
    return model->test->objects[lit_place_of(model->test, event->location).object].type == event->type;
}

static bool
is_lock(enum mod_kind kind)
{
    return kind == MOD_ACQUIRE || kind == MOD_RELEASE || kind == MOD_TRY;
}

/* Class for the question whether two atomics may share a location. */
static enum fp_order_class
sharing(const struct model *model, const struct mod_event *event)
{
    if (event->kind == MOD_ATOM && model->test->ops[event->op].row->flags & LIT_SIGNAL)
        return FP_ORDER_SIGNAL;
    return event->kind == MOD_LOOK ? FP_ORDER_WAIT : event->class_;
}

static bool
signal_adds(const struct model *model, const struct mod_event *event)
{
    const struct lit_op *op = &model->test->ops[event->op];
    return event->kind == MOD_SIGNAL ? op->signal_adds : op->row->amo == SHMEM_AMO_ADD;
}

/* A put of one element, which a wait of the same type may look at (A6). What a mem routine moves counts as one (L196),
 * though its bytes come one by one. */
static bool
is_flag(const struct model *model, const struct mod_event *event)
{
    const struct lit_op *op = &model->test->ops[event->op];
    return event->kind == MOD_DATA && op->count == 1;
}

static bool
compatible(const struct model *model, const struct mod_event *a, const struct mod_event *b)
{
    const struct fp_litmus *test = model->test;
    enum fp_order_class x = sharing(model, a), y = sharing(model, b);
    const struct lit_op *p = &test->ops[a->op], *q = &test->ops[b->op];

    if (a->type != b->type || !(a->atomic || is_flag(model, a)) || !(b->atomic || is_flag(model, b)))
        return false;
    if (a->kind != MOD_LOOK && b->kind != MOD_LOOK && test->contexts[p->ctx].shared != test->contexts[q->ctx].shared)
        return false;
    if (x == FP_ORDER_SIGNAL && y == FP_ORDER_SIGNAL && signal_adds(model, a) != signal_adds(model, b))
        y = FP_ORDER_AMO; /* other operators: the same question as with another atomic (A8) */
    return fp_order_has(model->rules, FP_EDGE_SHARE, x, y) || fp_order_has(model->rules, FP_EDGE_SHARE, y, x);
}

/* A plain store is seen at once by its own thread, in plain accesses and in whatever the thread's calls do to its own
 * PE's memory (H15). */
static bool
own_store(const struct model *model, const struct mod_event *store, const struct mod_event *later)
{
    const struct lit_op *x = &model->test->ops[store->op], *y = &model->test->ops[later->op];

    if (store->kind != MOD_STORE || x->thread != y->thread || store->op >= later->op)
        return false;
    if (later->kind == MOD_LOAD || later->kind == MOD_STORE)
        return true;
    if (later->kind == MOD_TAKE) { /* others may push into it before the thread comes to the collective */
        const struct mod_op *parts = &model->ops[later->op];
        bool own = false;
        for (int e = parts->first; e < parts->first + parts->count; e++)
            own |= set_has(later->contributions.word, e);
        return own;
    }
    return lit_place_of(model->test, later->location).pe == y->pe;
}

static bool
one_collective(const struct model *model, const struct mod_event *a, const struct mod_event *b)
{
    const struct lit_op *x = &model->test->ops[a->op], *y = &model->test->ops[b->op];
    return x->row->kind == LIT_COLL && y->row->kind == LIT_COLL && x->match[y->pe] == b->op;
}

/* Calls of one team follow each other on every member, whatever buffers they share (A19). */
static bool
team_order(const struct model *model, const struct mod_event *earlier, const struct mod_event *later)
{
    const struct lit_op *x = &model->test->ops[earlier->op], *y = &model->test->ops[later->op];
    return x->row->kind == LIT_COLL && y->row->kind == LIT_COLL && x->team == y->team && x->thread == y->thread &&
           earlier->op < later->op;
}

static void
relate(struct model *model, int i, int k)
{
    struct mod_event *a = &model->events[i], *b = &model->events[k];
    const struct lit_op *x = &model->test->ops[a->op], *y = &model->test->ops[b->op];

    /* Later calls of the thread wait for this one, except that others may push a collective's data early. */
    if (x->thread == y->thread && a->op < b->op && model->ops[a->op].blocking && b->kind != MOD_TAKE &&
        (a->kind == MOD_SOURCE || (x->row->kind != LIT_PUT && x->row->kind != LIT_SIG)))
        set_add(a->cannot_precede.word, k);
    if (a->location < 0 || a->location != b->location || i == k)
        return;
    if (is_lock(a->kind) || is_lock(b->kind)) {
        set_add(a->meets.word, k);
        return;
    }
    if (!(a->bits & b->bits))
        return;
    if (x->thread == y->thread && b->op < a->op &&
        ((x->ctx == y->ctx && a->kind == MOD_ATOM && b->kind == MOD_ATOM && a->bits == b->bits &&
          fp_order_has(model->rules, FP_EDGE_LOCATION, b->class_, a->class_)) ||
         (a->writes && own_store(model, b, a))))
        set_add(a->before.word, k);
    if (!a->writes && !b->writes)
        return;
    if (team_order(model, b, a))
        set_add(a->before.word, k);
    set_add(a->meets.word, k);
    if (a->op != b->op && !one_collective(model, a, b) && !team_order(model, a, b) && !team_order(model, b, a) &&
        !compatible(model, a, b) && !own_store(model, a, b) && !own_store(model, b, a))
        set_add(a->conflicts.word, k);
}

static void
find_releases(struct model *model)
{
    for (int i = 0; i < LIT_LOCATIONS; i++)
        model->release_of[i] = -1;
    for (int e = model->test->nops; e < model->nevents; e++) {
        const struct mod_event *event = &model->events[e];
        bool hands_on = event->kind == MOD_LOOK || is_lock(event->kind) ||
                        (event->kind == MOD_ATOM && model->test->ops[event->op].row->flags & LIT_FETCH);
        if (hands_on && model->release_of[event->location] < 0)
            model->release_of[event->location] = model->nreleases++;
    }
}

static void
find_fenced(struct model *model)
{
    for (int e = model->test->nops; e < model->nevents; e++) {
        const struct mod_event *event = &model->events[e];
        bool delivered = event->kind == MOD_DATA || event->kind == MOD_ATOM || event->kind == MOD_SIGNAL;
        for (int c = 0; c < FP_ORDER_COUNT; c++)
            if ((delivered || event->kind == MOD_STORE) &&
                fp_order_has(model->rules, FP_EDGE_FENCE, event->class_, (enum fp_order_class)c))
                set_add(model->behind_fence[c].word, e);
    }
}

bool
model_open(struct model *model, const struct fp_litmus *test, enum fp_rules rules, char *error)
{
    int threads[LIT_PES] = {0};

    memset(model, 0, sizeof *model);
    model->test = test;
    model->rules = rules;
    for (int i = 0; i < test->nops; i++) {
        model->ops[i].class_ = class_of(&test->ops[i]);
        model->ops[i].blocking = is_blocking(rules, &test->ops[i]);
        add(model, i, MOD_ISSUE, -1);
    }
    for (int i = 0; i < test->nops; i++) {
        model->ops[i].first = model->nevents;
        add_events(model, i);
        model->ops[i].count = model->nevents - model->ops[i].first;
    }
    if (model->nwords < 0 || model->nslots > MOD_SLOTS) {
        snprintf(error, FP_LITMUS_ERROR, "%s: more than %d events", test->path, MOD_EVENTS);
        return false;
    }
    model->nwords = (model->nevents + 63) / 64;
    for (int e = test->nops; e < model->nevents; e++)
        if (model->events[e].kind == MOD_TAKE)
            link_collective(model, &model->events[e]);
    for (int i = test->nops; i < model->nevents; i++)
        for (int k = test->nops; k < model->nevents; k++)
            relate(model, i, k);
    for (int e = test->nops; e < model->nevents; e++)
        model->natural[e] = model->events[e].location >= 0 && is_natural(model, &model->events[e]);
    find_releases(model);
    find_fenced(model);
    for (int t = 0; t < test->nthreads; t++)
        model->threaded[test->threads[t].pe] = ++threads[test->threads[t].pe] > 1;
    for (int i = 0; i < test->nops; i++)
        if (model->threaded[test->ops[i].pe])
            set_add(model->kept_issues.word, i);
    model_layout(model);
    return true;
}
