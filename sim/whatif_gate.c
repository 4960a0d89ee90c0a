/* whatif_gate.c -- what an act waits for, see whatif.h.
 *
 * A second pass over the trace follows each location that somebody waited for or fetched: which operations updated it,
 * in which order. An act's gate is the location and how many of these updates must have arrived: for a wait those up
 * to the one that woke it (or that had arrived, where it did not block), for a fetch those before its own. Since the
 * recorded run did all this in that order, following it cannot deadlock.
 *
 * In a trace without deliveries (a recorder that sees calls alone) an operation counts as arrived where it was issued,
 * and a wait says itself by which operation it was satisfied.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/timing.h"
#include "sim/whatif.h"

/* A PE that is blocked at a gate. */
struct whatif_waiter {
    struct whatif_waiter *next;
    struct sim_pe *sp;
    uint32_t due;
};

static void *
grown(void *block, size_t bytes)
{
    block = realloc(block, bytes);
    if (!block)
        fp_env_fail("out of memory for the trace");
    return block;
}

/* ---- Which locations
 * ---------------------------------------------------------------------------------------------------- */

static int
loc_compare(const struct whatif_loc *a, int pe, int region, int64_t offset)
{
    if (a->pe != pe)
        return a->pe < pe ? -1 : 1;
    if (a->region != region)
        return a->region < region ? -1 : 1;
    return (a->offset > offset) - (a->offset < offset);
}

static int
by_place(const void *a, const void *b)
{
    const struct whatif_loc *x = a, *y = b;
    int order = loc_compare(x, y->pe, y->region, y->offset);
    return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

size_t
whatif_loc_from(const struct whatif *w, int pe, int region, int64_t offset)
{
    size_t lo = 0, hi = w->nlocs;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (loc_compare(&w->locs[mid], pe, region, offset) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool
fetches(const struct whatif_act *act)
{
    const struct whatif_shape *shape = act->shape;
    return shape->event == TRACE_EV_ISSUE && shape->op == SHMEM_OP_AMO && shape->flags & SHMEM_OPF_FETCH &&
           !(shape->flags & SHMEM_OPF_NBI);
}

static bool
looks(const struct whatif_act *act)
{
    return act->region != FP_PRIVATE && act->bytes <= 8 &&
           (act->shape->event == TRACE_EV_WAIT || act->shape->event == TRACE_EV_ATOMIC || fetches(act));
}

static void
find_locations(struct whatif *w)
{
    for (int pe = 0; pe < w->npes; pe++)
        for (size_t i = 0; i < w->scripts[pe].count; i++) {
            const struct whatif_act *act = &w->scripts[pe].acts[i];
            if (!looks(act))
                continue;
            if (w->nlocs == w->locs_cap) {
                w->locs_cap = w->locs_cap ? 2 * w->locs_cap : 64;
                w->locs = grown(w->locs, w->locs_cap * sizeof *w->locs);
            }
            w->locs[w->nlocs++] = (struct whatif_loc){
                .pe = act->target, .region = act->region, .offset = act->offset, .bytes = act->bytes};
            if (w->nlocs > 1 && !by_place(&w->locs[w->nlocs - 1], &w->locs[w->nlocs - 2]))
                w->nlocs--;
        }
    if (!w->nlocs)
        return;
    qsort(w->locs, w->nlocs, sizeof *w->locs, by_place);
    size_t kept = 1;
    for (size_t i = 1; i < w->nlocs; i++)
        if (by_place(&w->locs[kept - 1], &w->locs[i]))
            w->locs[kept++] = w->locs[i];
    w->nlocs = kept;
}

static struct whatif_loc *
loc_of(const struct whatif *w, const struct whatif_act *act)
{
    size_t i = whatif_loc_from(w, act->target, act->region, act->offset);
    while (w->locs[i].bytes != act->bytes)
        i++;
    return &w->locs[i];
}

/* ---- In which order they were updated
 * ---------------------------------------------------------------------------------- */

/* Calls each(loc, bytes in common) for the locations that [pe, region, offset, +bytes) touches. */
static void
each_touched(struct whatif *w, int pe, int region, int64_t offset, int64_t bytes, uint64_t op,
             void (*each)(struct whatif *w, struct whatif_loc *loc, uint32_t common, uint64_t op))
{
    if (region == FP_PRIVATE)
        return;
    for (size_t i = whatif_loc_from(w, pe, region, offset > 8 ? offset - 7 : 0); i < w->nlocs; i++) {
        struct whatif_loc *loc = &w->locs[i];
        if (loc->pe != pe || loc->region != region || loc->offset >= offset + bytes)
            break;
        int64_t from = loc->offset > offset ? loc->offset : offset;
        int64_t to = loc->offset + loc->bytes < offset + bytes ? loc->offset + loc->bytes : offset + bytes;
        if (from < to)
            each(w, loc, (uint32_t)(to - from), op);
    }
}

/* One entry an operation, where its first bytes arrived. */
static void
plan_update(struct whatif *w, struct whatif_loc *loc, uint32_t common, uint64_t op)
{
    for (uint32_t i = loc->count; i > 0 && loc->count - i < 16; i--)
        if (loc->updates[i - 1].op == op) {
            loc->updates[i - 1].left += common;
            return;
        }
    if (loc->count == loc->cap) {
        loc->cap = loc->cap ? 2 * loc->cap : 4;
        loc->updates = grown(loc->updates, loc->cap * sizeof *loc->updates);
    }
    loc->updates[loc->count++] = (struct whatif_update){.op = op, .left = common};
}

/* Bytes [from, +bytes) of the data of a put, block by block. */
static void
plan_put(struct whatif *w, const struct whatif_act *act, int64_t from, int64_t bytes)
{
    int64_t block_bytes = act->bytes / (act->blocks + 1);
    if (block_bytes <= 0 || from < 0 || from > act->bytes || bytes > act->bytes - from)
        return;
    for (int64_t at = from; at < from + bytes;) {
        int64_t block = at / block_bytes, inside = at % block_bytes, run = block_bytes - inside;
        run = run < from + bytes - at ? run : from + bytes - at;
        each_touched(w, act->target, act->region, act->offset + block * act->step + inside, run, act->op, plan_update);
        at += run;
    }
}

static void
plan_signal(struct whatif *w, const struct whatif_act *act)
{
    each_touched(w, act->target, act->signal_region, act->signal_offset, 8, act->op, plan_update);
}

static void
gate_at(struct whatif *w, struct whatif_act *act, const struct whatif_loc *loc, uint32_t due)
{
    if (due == 0)
        return;
    act->gate = (uint32_t)(loc - w->locs) + 1;
    act->due = due;
}

/* A fetching atomic reads what came before it; then it is an update itself. */
static void
plan_amo(struct whatif *w, struct whatif_act *act)
{
    if (act->region == FP_PRIVATE)
        return;
    if (fetches(act)) {
        struct whatif_loc *loc = loc_of(w, act);
        gate_at(w, act, loc, loc->count);
    }
    each_touched(w, act->target, act->region, act->offset, act->bytes, act->op, plan_update);
}

/* How many updates a wait must have seen: up to the one that woke it, or all that had arrived. */
static uint32_t
due_of(const struct whatif_loc *loc, uint64_t by)
{
    for (uint32_t i = loc->count; by && i > 0; i--)
        if (loc->updates[i - 1].op == by)
            return i;
    return loc->count;
}

static struct whatif_lock *
lock_of(struct whatif *w, const struct whatif_act *act)
{
    for (size_t i = 0; i < w->nlocks; i++)
        if (w->locks[i].region == act->region && w->locks[i].offset == act->offset)
            return &w->locks[i];
    w->locks = grown(w->locks, (w->nlocks + 1) * sizeof *w->locks);
    w->locks[w->nlocks] = (struct whatif_lock){.region = act->region, .offset = act->offset};
    return &w->locks[w->nlocks++];
}

/* An atomic operation of the language is an update as well, under a number that no operation has. */
static uint64_t
number_of_atomic(const struct whatif *w, const struct whatif_act *act)
{
    for (int pe = 0; pe < w->npes; pe++) {
        size_t index = (size_t)(act - w->scripts[pe].acts);
        if (act >= w->scripts[pe].acts && index < w->scripts[pe].count)
            return UINT64_C(1) << 63 | (uint64_t)pe << 40 | index;
    }
    FP_BUG("an act of nobody");
}

struct pass {
    size_t *next; /* act of each PE that its next record may be */
};

static struct whatif_act *
act_of_op(const struct whatif *w, uint64_t op)
{
    if (op < 1 || op > w->nops || w->ops[op].pe < 0)
        return NULL;
    return &w->scripts[w->ops[op].pe].acts[w->ops[op].index];
}

/* Deliveries, from where the trace has them. */
static void
follow_delivery(struct whatif *w, const struct fp_trace_entry *entry)
{
    const int64_t *f = entry->fields;
    struct whatif_act *act = act_of_op(w, fp_trace_op(entry));
    if (!act)
        return;
    if (entry->shape->event == TRACE_EV_RMW && act->shape->op == SHMEM_OP_AMO)
        plan_amo(w, act);
    else if (entry->shape->event == TRACE_EV_RMW)
        plan_signal(w, act);
    else if (entry->shape->event == TRACE_EV_WRITE && act->shape->op == SHMEM_OP_PUT)
        plan_put(w, act, f[TRACE_F_from], f[TRACE_F_bytes]);
}

/* An operation that arrives where it is issued. */
static void
deliver_at_once(struct whatif *w, struct whatif_act *act)
{
    if (act->shape->op == SHMEM_OP_AMO)
        plan_amo(w, act);
    if (act->shape->op != SHMEM_OP_PUT)
        return;
    plan_put(w, act, 0, act->bytes);
    if (act->shape->flags & SHMEM_OPF_SIGNAL)
        plan_signal(w, act);
}

static void
follow_act(struct whatif *w, const struct fp_trace_entry *entry, struct whatif_act *act)
{
    switch (act->shape->event) {
    case TRACE_EV_ISSUE:
        if (!w->delivers)
            deliver_at_once(w, act);
        break;
    case TRACE_EV_WAIT:
    case TRACE_EV_ATOMIC:
        if (looks(act)) {
            int64_t by = act->shape->event == TRACE_EV_WAIT ? entry->fields[TRACE_F_by] : 0;
            bool told = by >= 1 && (uint64_t)by <= entry->issues;
            struct whatif_loc *loc = loc_of(w, act);
            gate_at(w, act, loc, due_of(loc, told ? entry->issues - (uint64_t)by + 1 : 0));
            if (act->shape->event == TRACE_EV_ATOMIC)
                each_touched(w, act->target, act->region, act->offset, act->bytes, number_of_atomic(w, act),
                             plan_update);
        }
        break;
    case TRACE_EV_LOCK_SET:
    case TRACE_EV_LOCK_CLEAR: {
        struct whatif_lock *lock = lock_of(w, act);
        act->gate = (uint32_t)(lock - w->locks) + 1;
        act->due = lock->planned++;
        break;
    }
    default:
        break;
    }
}

/* The act of this record, if it has one: those of a PE stand in the order of its records. */
static bool
is_next_act(const struct whatif *w, const struct fp_trace_entry *entry, const struct pass *pass)
{
    const struct whatif_script *script = &w->scripts[entry->fields[TRACE_F_pe]];
    size_t next = pass->next[entry->fields[TRACE_F_pe]];
    const struct whatif_shape *shape = w->shapes[entry->shape->number];
    return next < script->count && script->acts[next].shape == shape && script->acts[next].op == entry->issues &&
           (shape->event == TRACE_EV_CONTEXT || entry->fields[TRACE_F_ctx] != 1 || shape->event > TRACE_EV_PE_QUIET);
}

int
whatif_gates_read(struct whatif *w)
{
    struct fp_trace_entry entry;
    struct fp_trace_reader *trace = fp_trace_open(w->path, w->error, sizeof w->error);
    struct pass pass = {calloc((size_t)w->npes, sizeof *pass.next)};
    int got = -1;
    if (!pass.next)
        fp_env_fail("out of memory for the trace");
    find_locations(w);
    while (trace && (got = fp_trace_next_record(trace, &entry, w->error, sizeof w->error)) == 1) {
        enum fp_trace_event event = entry.shape->event;
        if (event == TRACE_EV_READ || event == TRACE_EV_WRITE || event == TRACE_EV_RMW) {
            follow_delivery(w, &entry);
        } else if (event != TRACE_EV_TEAM && event != TRACE_EV_FINDING && is_next_act(w, &entry, &pass)) {
            int pe = (int)entry.fields[TRACE_F_pe];
            follow_act(w, &entry, &w->scripts[pe].acts[pass.next[pe]++]);
        }
    }
    free(pass.next);
    fp_trace_free(trace);
    return got;
}

/* ---- While it runs
 * ------------------------------------------------------------------------------------------------------ */

static bool
is_open(const shmem_wait_t *wait)
{
    const struct whatif_loc *loc = wait->ivars;
    return loc->arrived >= *(const uint32_t *)wait->values;
}

static bool
is_turn(const shmem_wait_t *wait)
{
    const struct whatif_lock *lock = wait->ivars;
    return lock->turn >= *(const uint32_t *)wait->values;
}

static void
block(struct sim_pe *sp, const shmem_wait_t *wait)
{
    sp->wait = wait;
    while (!wait->holds(wait))
        sim_block(sp, SIM_IN_WAIT);
    sp->wait = NULL;
}

void
whatif_gate_wait(struct whatif *w, struct sim_pe *sp, const struct whatif_act *act)
{
    struct whatif_loc *loc = &w->locs[act->gate - 1];
    if (loc->arrived >= act->due)
        return;
    struct whatif_waiter waiter = {.next = loc->waiters, .sp = sp, .due = act->due};
    shmem_wait_t wait = {.ivars = loc, .values = &act->due, .holds = is_open, .call.name = act->shape->call};
    loc->waiters = &waiter;
    block(sp, &wait);
    struct whatif_waiter **link = &loc->waiters;
    while (*link != &waiter)
        link = &(*link)->next;
    *link = waiter.next;
}

bool
whatif_gate_value(const struct whatif *w, const struct whatif_act *act, uint64_t *value)
{
    if (!act->gate)
        return false;
    const struct whatif_loc *loc = &w->locs[act->gate - 1];
    *value = loc->updates[loc->updates[act->due - 1].last].value;
    return true;
}

void
whatif_lock_wait(struct whatif *w, struct sim_pe *sp, const struct whatif_act *act)
{
    shmem_wait_t wait = {
        .ivars = &w->locks[act->gate - 1], .values = &act->due, .holds = is_turn, .call.name = act->shape->call};
    block(sp, &wait);
}

void
whatif_lock_done(struct whatif *w, const struct whatif_act *act)
{
    w->locks[act->gate - 1].turn++;
    sim_wait_poke_all(w->sim);
}

static void
wake_waiters(struct whatif_loc *loc, uint64_t time, const struct sim_flight *flight)
{
    for (struct whatif_waiter *waiter = loc->waiters; waiter; waiter = waiter->next)
        if (waiter->due <= loc->arrived && waiter->sp->why == SIM_IN_WAIT)
            sim_wake_by(waiter->sp, time, flight);
}

/* Update i of the location is there: the location's value, and how far all have arrived. */
static void
complete_update(struct whatif *w, struct whatif_loc *loc, uint32_t i)
{
    const char *at = whatif_address(w, loc->pe, loc->region, loc->offset);
    loc->updates[i].value = 0;
    if (at)
        memcpy(&loc->updates[i].value, at, (size_t)loc->bytes);
    while (loc->arrived < loc->count && loc->updates[loc->arrived].left == 0)
        loc->updates[loc->arrived++].last = i;
}

static void
arrive(struct whatif *w, struct whatif_loc *loc, uint32_t common, uint64_t op)
{
    for (uint32_t i = loc->arrived; i < loc->count; i++) {
        struct whatif_update *update = &loc->updates[i];
        if (update->op != op || update->left == 0)
            continue;
        update->left -= common < update->left ? common : update->left;
        if (update->left == 0)
            complete_update(w, loc, i);
        return;
    }
}

void
whatif_atomic_done(struct whatif *w, struct sim_pe *sp, const struct whatif_act *act)
{
    if (!looks(act))
        return;
    struct whatif_loc *loc = loc_of(w, act);
    each_touched(w, act->target, act->region, act->offset, act->bytes, number_of_atomic(w, act), arrive);
    for (struct whatif_waiter *waiter = loc->waiters; waiter; waiter = waiter->next)
        if (waiter->due <= loc->arrived && waiter->sp->why == SIM_IN_WAIT)
            sim_wake(waiter->sp, sp->clock);
}

void
whatif_arrived(struct whatif *w, uint64_t op, const struct sim_event *event)
{
    const struct whatif_act *act = act_of_op(w, op);
    if (!act || !w->nlocs)
        return;
    const struct sim_flight *flight = (const struct sim_flight *)(const void *)event->op;
    uint64_t time = flight->issued + (uint64_t)event->took;
    int64_t offset = act->offset, bytes = act->bytes;
    int region = act->region;
    if (event->kind == SIM_EV_RMW && act->shape->op == SHMEM_OP_PUT) {
        region = act->signal_region;
        offset = act->signal_offset;
        bytes = 8;
    } else if (event->kind == SIM_EV_WRITE) { /* a run of bytes of one block */
        int64_t block_bytes = act->bytes / (act->blocks + 1);
        offset += (int64_t)event->op_offset / block_bytes * act->step + (int64_t)event->op_offset % block_bytes;
        bytes = (int64_t)event->bytes;
    }
    each_touched(w, act->target, region, offset, bytes, op, arrive);
    for (size_t i = whatif_loc_from(w, act->target, region, offset > 8 ? offset - 7 : 0);
         i < w->nlocs && w->locs[i].pe == act->target && w->locs[i].region == region &&
         w->locs[i].offset < offset + bytes;
         i++)
        wake_waiters(&w->locs[i], time, flight);
}
