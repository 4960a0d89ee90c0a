/* search_run.c -- the side of the run in an exhaustive search, see search.h.
 *
 * Who can move? A PE whose wait is not satisfied cannot (it would only block, whatever the order), and neither can one
 * that repeats a look which saw nothing (search_spin.c). When nobody else is left, those that only look are given a
 * turn each, which is no choice; a loop that gives up at some time does.
 *
 * The run follows the plan; beyond it the first mover that is not asleep moves. Asleep are movers whose next step was
 * explored from an earlier state of this path: until a dependent step is made, moving them leads to an execution that
 * has been seen (sleep sets; Godefroid 1996).
 */
#include "sim/search.h"

#include <string.h>

#include "reference/heap/heap.h"
#include "sim/sim.h"

static uint64_t
space(enum search_space kind, uint64_t whose)
{
    return (uint64_t)kind << 56 | whose;
}

static void
touch(struct search_log *log, uint64_t what, uint64_t lo, uint64_t hi, enum search_access_type type)
{
    if (log->nsteps == 0 || log->naccesses == SEARCH_ACCESSES_MAX)
        return;
    struct search_step *step = &log->steps[log->current];
    if (step->access_count > 0) { /* a loop over an array touches one range */
        struct search_access *last = &log->accesses[log->naccesses - 1];
        if (last->space == what && last->type == type && lo >= last->lo && lo <= last->hi) {
            last->hi = hi > last->hi ? hi : last->hi;
            return;
        }
    }
    log->accesses[log->naccesses++] = (struct search_access){.space = what, .lo = lo, .hi = hi, .type = type};
    step->access_count++;
}

/* ---- Steps */

static bool
conflicts(const struct search_access *a, uint32_t na, const struct search_access *b, uint32_t nb)
{
    for (uint32_t i = 0; i < na; i++)
        for (uint32_t j = 0; j < nb; j++)
            if (search_relation(&a[i], &b[j]) || search_relation(&b[j], &a[i]))
                return true;
    return false;
}

/* The step before this one is over: whoever depends on it wakes up. */
static void
step_over(struct search_log *log)
{
    if (log->nsteps == 0 || log->current < log->sleep_from)
        return;
    const struct search_step *step = &log->steps[log->current];
    for (uint32_t i = 0; i < log->sleep_count; i++) {
        struct search_asleep *sleeper = &log->sleep[i];
        sleeper->awake |= sleeper->entity == step->entity ||
                          conflicts(&log->sleep_accesses[sleeper->access_from], sleeper->access_count,
                                    &log->accesses[step->access_from], step->access_count);
    }
}

static bool
is_asleep(const struct search_log *log, uint32_t entity)
{
    for (uint32_t i = 0; i < log->sleep_count; i++)
        if (log->sleep[i].entity == entity && !log->sleep[i].awake)
            return true;
    return false;
}

static bool
can_move(const struct search_log *log, const struct sim_pe *sp)
{
    return !log->pes[sp->rank].spinning && !(sp->wait && !sim_wait_satisfied(sp->wait));
}

/* A mover that could not move before the last step was enabled by it. */
static void
offer(struct search_log *log, uint32_t entity)
{
    log->enabled[log->nenabled++] = entity;
    if (log->nsteps > 0 && log->stamps[entity] != log->current + 1 && log->steps[log->current].entity != entity)
        log->made[log->nmade++] = entity;
    log->stamps[entity] = log->nsteps + 1;
}

static _Noreturn void
stop(struct sim *sim, enum search_outcome outcome)
{
    sim->search->outcome = outcome;
    fp_job_abort(sim->job, 0);
}

/* Nobody can move: the PE that has waited longest for a turn gets one. */
static struct sim_pe *
next_turn(struct sim *sim, bool can_go_on)
{
    struct search_log *log = sim->search;
    struct sim_pe *next = can_go_on ? sim->running : NULL;
    for (uint32_t i = 0; i < sim->nready; i++)
        if (!next || log->pes[sim->ready[i]->rank].turn < log->pes[next->rank].turn)
            next = sim->ready[i];
    return next;
}

/* Lists who can move in enabled[]; returns how many. */
static uint32_t
list_movers(struct sim *sim, bool can_go_on, bool *forced)
{
    struct search_log *log = sim->search;
    uint32_t from = log->nenabled;
    if (sim->unit_seq >= SEARCH_UNITS_MAX || from + sim->npes + sim->nunits >= SEARCH_ENABLED_MAX)
        stop(sim, SEARCH_TOO_LONG);
    if (can_go_on && can_move(log, sim->running))
        offer(log, (uint32_t)sim->running->rank);
    for (uint32_t i = 0; i < sim->nready; i++)
        if (can_move(log, sim->ready[i]))
            offer(log, (uint32_t)sim->ready[i]->rank);
    for (uint32_t i = 0; i < sim->nunits; i++)
        offer(log, log->npes + (uint32_t)sim->units[i]->seq);
    *forced = log->nenabled == from;
    if (*forced)
        offer(log, (uint32_t)next_turn(sim, can_go_on)->rank);
    return log->nenabled - from;
}

static uint32_t
pick(struct sim *sim, const struct search_step *step)
{
    struct search_log *log = sim->search;
    const uint32_t *enabled = &log->enabled[step->enabled_from];
    if (log->nsteps < log->plan_count) {
        for (uint32_t i = 0; i < step->enabled_count; i++)
            if (enabled[i] == log->plan[log->nsteps])
                return enabled[i];
        stop(sim, SEARCH_ASTRAY);
    }
    for (uint32_t i = 0; i < step->enabled_count; i++)
        if (!is_asleep(log, enabled[i]))
            return enabled[i];
    stop(sim, SEARCH_REPEAT);
}

/* What a PE without hooks may touch in a step, and what nobody can see. */
static void
touch_own_memory(struct sim *sim, uint32_t rank)
{
    struct search_log *log = sim->search;
    struct fp_job *job = sim->job;
    if (log->hooked)
        return;
    const uint64_t *mapped = job->pes[rank].mapped_pes;
    for (uint32_t pe = 0; pe < log->npes; pe++) {
        if (pe != rank && !(mapped && mapped[pe / 64] >> (pe % 64) & 1))
            continue;
        touch(log, space(SEARCH_HEAP, 0), pe * job->stride + fp_heap_internal_bytes(job->npes), (pe + 1) * job->stride,
              SEARCH_WRITE);
        touch(log, space(SEARCH_STATIC, pe), 0, UINT64_MAX, SEARCH_WRITE);
    }
    touch(log, space(SEARCH_OWN, rank), 0, 1, SEARCH_WRITE);
}

static uint32_t
answer_for(const struct sim *sim, uint32_t entity, bool can_go_on)
{
    uint32_t npes = sim->search->npes;
    if (entity < npes && can_go_on && sim->running->rank == (int)entity)
        return 0;
    if (entity < npes)
        return can_go_on + sim->pes[entity].slot;
    for (uint32_t i = 0; i < sim->nunits; i++)
        if (sim->units[i]->seq == entity - npes)
            return can_go_on + sim->nready + i;
    FP_BUG("unit %u is not ready", entity - npes);
}

uint32_t
sim_search_step(struct sim *sim, bool can_go_on, bool polling)
{
    struct search_log *log = sim->search;
    step_over(log);
    if (log->nsteps >= log->step_limit)
        stop(sim, SEARCH_TOO_LONG);
    if (can_go_on && polling)
        search_note_look(&log->pes[sim->running->rank], sim->running->call.site);
    struct search_step step = {.enabled_from = log->nenabled, .access_from = log->naccesses, .made_from = log->nmade};
    step.enabled_count = list_movers(sim, can_go_on, &step.forced);
    if (log->nsteps > 0)
        log->steps[log->current].made_count = log->nmade - log->steps[log->current].made_from;
    step.made_from = log->nmade;
    step.entity = pick(sim, &step);
    log->current = log->nsteps;
    log->steps[log->nsteps++] = step;
    if (step.entity < log->npes) {
        log->pes[step.entity].turn = ++log->turns;
        touch_own_memory(sim, step.entity);
        if (sim->pes[step.entity].pe->mapped_pes)
            search_unspin_all(log);
    }
    return answer_for(sim, step.entity, can_go_on);
}

uint32_t
sim_search_split(struct sim *sim, uint32_t bound)
{
    struct search_log *log = sim->search;
    uint32_t answer = log->nsteps < log->plan_count ? log->plan[log->nsteps] : 0;
    if (answer >= bound)
        stop(sim, SEARCH_ASTRAY);
    if (log->nsteps >= log->step_limit)
        stop(sim, SEARCH_TOO_LONG);
    log->steps[log->nsteps++] = (struct search_step){.split = true, .bound = bound, .answer = answer};
    return answer;
}

void
sim_search_end(struct sim *sim, bool whole)
{
    struct search_log *log = sim->search;
    if (whole && log->outcome == SEARCH_UNFINISHED)
        log->outcome = SEARCH_FINISHED;
}

/* ---- What a step touches */

static void
touch_place(struct search_log *log, const struct fp_job *job, const void *address, struct fp_place place, size_t bytes,
            enum search_access_type type)
{
    uint64_t at = place.offset;
    switch (place.region) {
    case FP_HEAP:
        at = (uint64_t)((const char *)address - job->arena);
        touch(log, space(SEARCH_HEAP, 0), at, at + bytes, type);
        break;
    case FP_STATIC:
        touch(log, space(SEARCH_STATIC, (uint64_t)place.pe), at, at + bytes, type);
        break;
    case FP_PRIVATE:
        at = (uintptr_t)address;
        touch(log, space(SEARCH_PRIVATE, 0), at, at + bytes, type);
        break;
    }
}

static uint64_t
context_name(const shmem_ctx_state_t *ctx)
{
    return (uint64_t)ctx->pe->rank << 32 | ctx->id;
}

void
sim_search_unit(struct sim *sim, const struct sim_unit *unit)
{
    struct search_log *log = sim->search;
    const struct sim_flight *flight = unit->flight;
    const struct sim_op *op = &flight->op;
    const struct sim_lane *lane = flight->lane;
    bool signal = unit->kind == SIM_UNIT_SIGNAL;
    enum fp_order_class class_ = signal ? FP_ORDER_SIGNAL : sim_order_class(op);
    uint64_t name = space(SEARCH_LANE, context_name(lane->ctx->state)), target = (uint64_t)lane->target << 40;
    if (!sim->net.reorder || sim->rules.obeys[class_])
        touch(log, name, target, target + flight->lane_epoch, SEARCH_ACQUIRE);
    if (unit->holds)
        touch(log, name, target + flight->lane_epoch, target + flight->lane_epoch + 1, SEARCH_RELEASE);
    if (flight->quiets) {
        uint64_t context = space(SEARCH_CONTEXT, context_name(op->ctx));
        touch(log, context, (uint64_t)op->target, (uint64_t)op->target + 1, SEARCH_RELEASE);
    }
    if (unit->kind == SIM_UNIT_AMO && sim->rules.location_order) {
        uint64_t at = (uintptr_t)flight->remote, location = space(SEARCH_LOCATION, context_name(lane->ctx->state));
        touch(log, location, at, at + 1, SEARCH_ACQUIRE);
        touch(log, location, at, at + 1, SEARCH_RELEASE);
    }
    if (flight->signal_unit && sim->rules.signal_after_data)
        touch(log, space(SEARCH_FLIGHT, op->id), 0, 1, signal ? SEARCH_ACQUIRE : SEARCH_RELEASE);
    search_unspin_for(log, unit);
}

void
sim_search_look(struct sim_pe *sp, const shmem_wait_t *wait)
{
    struct sim *sim = sp->sim;
    for (size_t i = 0; i < wait->n; i++) {
        if (wait->status && wait->status[i])
            continue;
        const char *ivar = (const char *)wait->ivars + i * wait->elem_bytes;
        touch_place(sim->search, sim->job, ivar, fp_place_of(sim->job, ivar), wait->elem_bytes, SEARCH_READ);
    }
}

void
sim_search_lock(struct sim *sim, const void *lock, bool changes)
{
    struct fp_place place = fp_place_of(sim->job, lock);
    touch(sim->search, space(SEARCH_LOCK, place.region), place.offset, place.offset + 1,
          changes ? SEARCH_WRITE : SEARCH_READ);
    if (changes)
        search_unspin_all(sim->search);
}

/* ---- As an observer: the events say which bytes */

static void *
observer_open(struct fp_job *job)
{
    return job;
}

static void
observe_rmw(struct search_log *log, struct fp_job *job, const struct sim_event *event)
{
    bool reads = event->failed || (!event->signal && event->op->amo == SHMEM_AMO_FETCH);
    touch_place(log, job, event->address, event->place, event->bytes, reads ? SEARCH_READ : SEARCH_WRITE);
    if (!reads && event->op->amo == SHMEM_AMO_CSWAP)
        search_unspin_changed(log, event->op, event->address, (const char *)event->address + event->bytes);
}

/* The local buffer of a nonblocking operation: the PE's own steps may touch it unseen. */
static void
observe_buffer(struct search_log *log, const struct sim_event *event)
{
    if (event->place.region == FP_PRIVATE && event->op->flags & SHMEM_OPF_NBI)
        touch(log, space(SEARCH_OWN, (uint64_t)event->op->origin), 0, 1, SEARCH_WRITE);
}

static void
observe(void *self, const struct sim_event *event)
{
    struct fp_job *job = self;
    struct sim *sim = job->backend_state;
    struct search_log *log = sim->search;
    bool writes = event->kind == SIM_EV_WRITE || event->kind == SIM_EV_ATOMIC || event->kind == SIM_EV_STORE ||
                  event->kind == SIM_EV_BORN || event->kind == SIM_EV_DIED;
    switch (event->kind) {
    case SIM_EV_READ:
    case SIM_EV_WRITE:
        observe_buffer(log, event);
        touch_place(log, job, event->address, event->place, event->bytes, writes ? SEARCH_WRITE : SEARCH_READ);
        break;
    case SIM_EV_RMW:
        observe_rmw(log, job, event);
        break;
    case SIM_EV_LOAD:
    case SIM_EV_STORE:
    case SIM_EV_ATOMIC:
    case SIM_EV_BORN:
    case SIM_EV_DIED:
        touch_place(log, job, event->address, event->place, event->bytes, writes ? SEARCH_WRITE : SEARCH_READ);
        if (writes && event->place.region != FP_PRIVATE)
            search_unspin_all(log);
        break;
    case SIM_EV_WAIT:
        touch_place(log, job, event->address, event->place, event->bytes, SEARCH_READ);
        break;
    case SIM_EV_ISSUE:
        if (!search_is_look(event->op))
            search_unspin(&log->pes[event->pe]);
        break;
    case SIM_EV_QUIET:
    case SIM_EV_PE_QUIET: {
        bool all = event->kind == SIM_EV_QUIET;
        uint64_t target = all ? 0 : (uint64_t)event->target;
        touch(log, space(SEARCH_CONTEXT, context_name(event->ctx)), target, all ? UINT64_MAX : target + 1,
              SEARCH_ACQUIRE);
        break;
    }
    case SIM_EV_SYNC_ENTER:
    case SIM_EV_SYNC_LEAVE:
        search_unspin(&log->pes[event->pe]);
        touch(log, space(SEARCH_MEETING, (uint64_t)event->coll->team), event->coll->seq, event->coll->seq + 1,
              event->kind == SIM_EV_SYNC_ENTER ? SEARCH_RELEASE : SEARCH_ACQUIRE);
        break;
    default:
        break;
    }
}

static void
observer_close(void *self)
{
}

const struct sim_observer sim_observer_search = {
    .name = "search", .open = observer_open, .event = observe, .close = observer_close};

static void *
exhaustive_open(const struct sim *sim, uint64_t seed)
{
    return (void *)(uintptr_t)sim;
}

/* Steps do not come here: see choose_step in sched.c. */
static uint32_t
exhaustive_pick(void *self, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view)
{
    FP_ASSERT(kind != SIM_CHOICE_STEP);
    /* Pieces that are delivered one after the other are the same as one larger piece: the finest cut covers the
     * others. */
    if (kind == SIM_CHOICE_SPLIT)
        return bound - 1;
    return sim_search_split(self, bound);
}

static void
exhaustive_close(void *self)
{
}

const struct sim_chooser_class sim_chooser_exhaustive = {
    .name = "exhaustive",
    .help = "along the plan of an exhaustive search",
    .open = exhaustive_open,
    .pick = exhaustive_pick,
    .close = exhaustive_close,
};
