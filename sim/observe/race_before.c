/* race_before.c -- did access A happen before event B? And do the two conflict at all?
 *
 * A is a record of the shadow, B is who asks now (struct race_view): a PE at its present point of program order, or
 * an event of an operation, which knows what its PE knew at the issue and what a fence in front of it holds back
 * (H1, H7). The answer never depends on when A was delivered, only on edges.
 */
#include "sim/observe/race.h"

const bool race_reads[] = {
#define RACE_ACCESS_ROW(name, reads, atomic) reads,
    RACE_ACCESS_ROWS(RACE_ACCESS_ROW)
#undef RACE_ACCESS_ROW
};
const bool race_atomic[] = {
#define RACE_ACCESS_ROW(name, reads, atomic) atomic,
    RACE_ACCESS_ROWS(RACE_ACCESS_ROW)
#undef RACE_ACCESS_ROW
};

struct race_view
race_view_pe(const struct race *race, int pe)
{
    const struct race_pe *rp = &race->pes[pe];
    return (struct race_view){.clock = rp->clock, .pe = pe, .po = rp->now, .vis = rp->vis, .target = -1};
}

struct race_view
race_view_op(const struct race *race, const struct race_op *op)
{
    return (struct race_view){.clock = op->clock,
                              .pe = op->origin,
                              .po = op->iss,
                              .vis = op->vis,
                              .fence = op->behind ? op->fence : NULL,
                              .store_fence =
                                  race_orders(race, FP_EDGE_FENCE, FP_ORDER_STORE, op->class_) ? op->fence : NULL,
                              .target = op->target,
                              .op = op};
}

static uint64_t
view_po(const struct race_view *view, int pe)
{
    return pe == view->pe ? view->po : clock_po(view->clock, pe);
}

static bool
op_done(const struct race_op *op, const struct race_view *view)
{
    return op->done && view_po(view, op->origin) >= op->done;
}

/* The effect of `op` at its target is known to have happened. */
bool
race_op_known(const struct race *race, const struct race_op *op, const struct race_view *view)
{
    if (op_done(op, view))
        return true;
    if (op->covered) {
        const struct race_fence *own = view->fence;
        if (own && view->pe == op->origin && own->ctx == op->ctx && view->target == op->target && op->iss < own->clock)
            return true;
        const struct race_fence *lane = clock_lane(view->clock, op->origin, op->ctx, op->target);
        if (lane && op->iss < lane->clock)
            return true;
    }
    return clock_has_op(view->clock, op);
}

/* Two atomics of one thread, on one context, on one location (A3). */
static bool
in_issue_order(const struct race *race, const struct race_record *a, const struct race_view *view)
{
    const struct race_op *x = a->op, *y = view->op;

    return y && x->origin == y->origin && x->ctx == y->ctx &&
           race_orders(race, FP_EDGE_LOCATION, x->class_, y->class_) && x->target == y->target &&
           x->elem_bytes == y->elem_bytes && !view->local;
}

/* A plain store of `a->pe`, at `place`: ordered for its own thread at once, for others when it is visible (H15). */
static bool
store_before(const struct race *race, const struct race_record *a, const struct race_view *view,
             const struct fp_place *place)
{
    bool own = a->pe == view->pe;

    if (own && !view->op)
        return true;
    if (own && a->clock > view->po)
        return false;
    if (own && (view->local || place->pe == a->pe || view->vis >= a->clock))
        return true;
    const struct race_fence *fence = view->store_fence;
    if (own && fence && !fence->nostore && view->target == place->pe && a->clock <= fence->clock)
        return true;
    if (!own && clock_vis(view->clock, a->pe) >= a->clock)
        return true;
    /* A fence that publishes nothing is known by what came behind it to the same target. A pe_quiet covers one. */
    return clock_stores_fenced(view->clock, a->pe, place->pe, a->clock,
                               race_orders(race, FP_EDGE_FENCE, FP_ORDER_STORE, FP_ORDER_PUT));
}

bool
race_before(const struct race *race, const struct race_record *a, const struct race_view *view,
            const struct fp_place *place)
{
    const struct race_op *op = a->op;

    switch ((enum race_access)a->kind) {
    case RACE_LOAD:
        return race_orders(race, FP_EDGE_RETURN, FP_ORDER_LOAD, FP_ORDER_LOAD) && view_po(view, a->pe) >= a->clock;
    case RACE_STORE:
        return store_before(race, a, view, place);
    case RACE_SOURCE:
        if (!op->nbi)
            return view_po(view, op->origin) >= op->iss;
        return op_done(op, view) || (race->causal && race_op_known(race, op, view));
    case RACE_PUT:
        return race_op_known(race, op, view);
    case RACE_AMO_READ:
    case RACE_AMO:
        if (!op)
            return !(a->lock && meet_lock_held(race, place)) && view_po(view, a->pe) >= a->clock &&
                   (a->lock || race_orders(race, FP_EDGE_RETURN, FP_ORDER_WAIT, FP_ORDER_LOAD));
        return race_op_known(race, op, view) || in_issue_order(race, a, view);
    case RACE_GET:
    case RACE_DEST:
    case RACE_COLL_READ:
    case RACE_COLL_WRITE:
        return op_done(op, view);
    }
    FP_BUG("access of unknown kind %d", a->kind);
}

void
race_acquire_op(struct race *race, struct clock **clock, struct race_op *op)
{
    struct clock_pool *pool = &race->pool;

    clock_join(pool, clock, op->clock);
    clock_raise(pool, clock, op->origin, op->iss, op->vis);
    if (op->behind && op->fence && !(op->fence->done && op->fence->done <= op->iss))
        clock_add_lane(pool, clock, op->fence, op->target);
    if (!(op->done && clock_po(*clock, op->origin) >= op->done))
        clock_add_op(pool, clock, op);
}

/* ---- Conflicts -------------------------------------------------------------------------------------------------- */

/* C types by name: names that are one C type are compatible (1.12). */
static const struct type_row {
    uint8_t bytes;
    bool floating;
    uint8_t ctype;
} types[SHMEM_TYPE_COUNT] = {
#define FLOATING(ctype) ((ctype)0.5 != 0)
#define CTYPE(ctype)                                                                                                   \
    _Generic((ctype)0, float : 1, double : 2, long double : 3, char : 4, signed char : 5, short : 6, int : 7,          \
             long : 8, long long : 9, unsigned char : 10, unsigned short : 11, unsigned : 12, unsigned long : 13,      \
             unsigned long long : 14, default : 0)
#define TYPE_ROW(name, ctype) [SHMEM_TYPE_##name] = {sizeof(ctype), FLOATING(ctype), CTYPE(ctype)},
    SHMEM_RMA_TYPES(TYPE_ROW)
#undef TYPE_ROW
#define TYPE_ROW(bits) [SHMEM_TYPE_BITS##bits] = {bits / 8, false, 0},
        SHMEM_SIZES(TYPE_ROW)
#undef TYPE_ROW
};

size_t
race_type_bytes(unsigned type)
{
    return type < SHMEM_TYPE_COUNT ? types[type].bytes : 0;
}

/* What an atomic is to the rows of SHARE. */
static enum fp_order_class
sharing(const struct race_record *a)
{
    if (a->wait)
        return FP_ORDER_WAIT;
    if (a->signal)
        return FP_ORDER_SIGNAL;
    return a->op ? (enum fp_order_class)a->op->class_ : FP_ORDER_AMO;
}

static bool
share(const struct race *race, enum fp_order_class x, enum fp_order_class y)
{
    return race_orders(race, FP_EDGE_SHARE, x, y) || race_orders(race, FP_EDGE_SHARE, y, x);
}

bool
race_compatible(const struct race *race, const struct race_record *a, const struct race_record *b, const char **rule)
{
    const struct type_row *x = &types[a->type], *y = &types[b->type];
    enum fp_order_class p = sharing(a), q = sharing(b);

    *rule = "E084";
    if (a->lock || b->lock)
        return a->lock && b->lock;
    *rule = "E076";
    if (a->op && b->op && a->op->domain != b->op->domain)
        return false;
    *rule = a->wait || b->wait ? "E077" : "E075";
    if (x->bytes != y->bytes || x->floating != y->floating)
        return false;
    if (race->rules == FP_RULES_STRICT && x->ctype != y->ctype)
        return false;
    *rule = p == q ? "E075" : "E079";
    if (p != FP_ORDER_SIGNAL || q != FP_ORDER_SIGNAL)
        return share(race, p, q);
    /* Other operators: the same question as with another atomic (A8). */
    *rule = "E080";
    return share(race, p, a->amo != b->amo ? FP_ORDER_AMO : q);
}

/* A wait on a flag that a put of one element writes (A6). */
static bool
flag_by_put(const struct race *race, const struct race_record *put, const struct race_record *wait)
{
    return put->kind == RACE_PUT && share(race, (enum fp_order_class)put->op->class_, FP_ORDER_WAIT) &&
           put->op->single && wait->kind == RACE_AMO_READ && wait->wait &&
           put->op->elem_bytes == race_type_bytes(wait->type);
}

static bool
of_coll(const struct race_record *a)
{
    return a->kind == RACE_COLL_READ || a->kind == RACE_COLL_WRITE;
}

/* Two overlapping accesses, unordered, are a race. `same_bytes`: they cover the same bytes of the granule. */
bool
race_conflict(const struct race *race, const struct race_record *a, const struct race_record *b, bool same_bytes)
{
    const char *rule;

    if (race_reads[a->kind] && race_reads[b->kind])
        return false;
    if (a->op && a->op == b->op)
        return false;
    if (race_atomic[a->kind] && race_atomic[b->kind])
        return !same_bytes || !race_compatible(race, a, b, &rule);
    if (same_bytes && (flag_by_put(race, a, b) || flag_by_put(race, b, a)))
        return false;
    /* Calls of one team follow each other on every member; users of the buffers in between are another matter (A19). */
    if (of_coll(a) && of_coll(b) && a->op->team == b->op->team)
        return false;
    return true;
}
