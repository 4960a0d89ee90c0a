/* flight.c -- operations on their way: from issue to the last of their units.
 *
 * An operation is cut into units (ops.c). A unit may be carried out as soon as nothing blocks it: its lane has not
 * opened its fence epoch (H7), an earlier atomic of its lane on the same location is still pending (A3), for the update
 * of a put_signal, its own data is (H6), or the target has not left the team's earlier collectives (turns.c).
 * Everything else is free: any ready unit may be next, which is all the reordering that the rules allow.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/search.h"
#include "sim/sim.h"
#include "sim/timing.h"
#include "sim/topology.h"

#define SAME_LOCATION_BUCKETS 4096
#define CHUNK 64

/* Flights and units are cut from chunks that live until the end of the run. */
struct sim_chunk {
    struct sim_chunk *next;
    bool flights;
    _Alignas(16) char bytes[];
};

static void *
chunk_new(struct sim *sim, size_t size, bool flights)
{
    struct sim_chunk *chunk = calloc(1, sizeof *chunk + CHUNK * size);
    if (!chunk)
        fp_env_fail("out of memory for pending operations: quiet more often, or give the machine more memory");
    chunk->next = sim->chunks;
    chunk->flights = flights;
    sim->chunks = chunk;
    return chunk->bytes;
}

struct sim_flight *
sim_flight_new(struct sim *sim)
{
    if (!sim->free_flights) {
        struct sim_flight *chunk = chunk_new(sim, sizeof *chunk, true);
        for (int i = 0; i < CHUNK; i++) {
            chunk[i].next = sim->free_flights;
            sim->free_flights = &chunk[i];
        }
    }
    struct sim_flight *flight = sim->free_flights;
    sim->free_flights = flight->next;
    sim->flights_out++;
    memset(flight, 0, offsetof(struct sim_flight, inline_data));
    flight->data = flight->inline_data;
    flight->fetch = NULL;
    flight->sig_remote = NULL;
    return flight;
}

struct sim_unit *
sim_unit_new(struct sim *sim)
{
    if (!sim->free_units) {
        struct sim_unit *chunk = chunk_new(sim, sizeof *chunk, false);
        for (int i = 0; i < CHUNK; i++) {
            chunk[i].next = sim->free_units;
            sim->free_units = &chunk[i];
        }
    }
    struct sim_unit *unit = sim->free_units;
    sim->free_units = unit->next;
    memset(unit, 0, sizeof *unit);
    return unit;
}

static void
unit_free(struct sim *sim, struct sim_unit *unit)
{
    unit->next = sim->free_units;
    sim->free_units = unit;
}

static void
flight_free(struct sim *sim, struct sim_flight *flight)
{
    for (int i = 0; i < sim->nobservers; i++)
        if (sim->observers[i]->forget)
            sim->observers[i]->forget(sim->observer_self[i], &flight->op);
    if (flight->data != flight->inline_data)
        free(flight->data);
    flight->data = NULL;
    for (struct sim_unit *unit = flight->unit.next, *next; unit; unit = next) {
        next = unit->next;
        unit_free(sim, unit);
    }
    if (flight->signal_unit)
        unit_free(sim, flight->signal_unit);
    flight->next = sim->free_flights;
    sim->free_flights = flight;
    sim->flights_out--;
}

void
sim_flight_done(struct sim *sim, struct sim_flight *flight)
{
    flight_free(sim, flight);
}

/* Whatever is pending is forgotten; all chunks are free again. */
void
sim_flights_again(struct sim *sim)
{
    if (sim->nunits == 0 && !sim->flights_out)
        return;
    sim_flights_free(sim);
    sim->free_flights = NULL;
    sim->free_units = NULL;
    if (sim->same_location)
        memset(sim->same_location, 0, SAME_LOCATION_BUCKETS * sizeof *sim->same_location);
}

void
sim_flights_free(struct sim *sim)
{
    for (struct sim_chunk *chunk = sim->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        struct sim_flight *flights = (struct sim_flight *)chunk->bytes;
        for (int i = 0; chunk->flights && i < CHUNK; i++)
            if (flights[i].data && flights[i].data != flights[i].inline_data)
                free(flights[i].data);
        free(chunk);
    }
    sim->chunks = NULL;
}

/* The lane of (ctx, target). With a first-in-first-out network all contexts of a PE share the lanes of its default
 * context. */
struct sim_lane *
sim_lane(struct sim_ctx *ctx, int target)
{
    struct sim *sim = ctx->owner->sim;
    if (!sim->net.reorder)
        ctx = ctx->owner->pe->ctxs[0]->backend;
    if (!ctx->lanes) {
        ctx->lanes = calloc((size_t)sim->npes, sizeof *ctx->lanes);
        if (!ctx->lanes)
            fp_env_fail("out of memory for a context of %d PEs", sim->npes);
    }
    struct sim_lane *lane = ctx->lanes[target];
    if (!lane) {
        lane = calloc(1, sizeof *lane);
        if (!lane)
            fp_env_fail("out of memory for a context of %d PEs", sim->npes);
        lane->ctx = ctx;
        lane->target = target;
        lane->tail = &lane->head;
        ctx->lanes[target] = lane;
    }
    return lane;
}

/* ---- Atomics of one lane on one location keep their order (A3)
 * ---------------------------------------------------------- */

static struct sim_unit **
same_location_bucket(struct sim *sim, const struct sim_flight *flight)
{
    uintptr_t key = (uintptr_t)flight->remote ^ ((uintptr_t)flight->lane >> 4);
    key = (key >> 3) * UINT64_C(0x9e3779b97f4a7c15);
    return &sim->same_location[key >> 52 & (SAME_LOCATION_BUCKETS - 1)];
}

static void
same_location_add(struct sim *sim, struct sim_unit *unit)
{
    struct sim_flight *flight = unit->flight;
    if (!sim->same_location)
        sim->same_location = calloc(SAME_LOCATION_BUCKETS, sizeof *sim->same_location);
    if (!sim->same_location)
        fp_env_fail("out of memory for pending operations");
    struct sim_unit **bucket = same_location_bucket(sim, flight);
    for (struct sim_unit *last = *bucket; last; last = last->hash_next) {
        if (last->flight->remote == flight->remote && last->flight->lane == flight->lane) {
            FP_ASSERT(!last->same_next); /* newest first, so this is the latest of its location */
            last->same_next = unit;
            unit->blockers++;
            break;
        }
    }
    unit->hash_next = *bucket;
    *bucket = unit;
}

static void
same_location_remove(struct sim *sim, struct sim_unit *unit)
{
    struct sim_unit **at = same_location_bucket(sim, unit->flight);
    while (*at != unit)
        at = &(*at)->hash_next;
    *at = unit->hash_next;
    if (unit->same_next)
        sim_unit_unblock(sim, unit->same_next);
}

/* ---- Lanes
 * ----------------------------------------------------------------------------------------------------------- */

static void
unit_ready(struct sim *sim, struct sim_unit *unit)
{
    if (!sim->job->config.stall || !sim_stall_keeps(sim, unit))
        sim_units_push(sim, unit);
}

void
sim_unit_unblock(struct sim *sim, struct sim_unit *unit)
{
    FP_ASSERT(unit->blockers > 0);
    if (--unit->blockers == 0)
        unit_ready(sim, unit);
}

/* Opens the next epoch when nothing of the open one is outstanding. */
static void
lane_advance(struct sim *sim, struct sim_lane *lane)
{
    while (lane->out == 0 && lane->head) {
        lane->open = lane->head->flight->lane_epoch;
        while (lane->head && lane->head->flight->lane_epoch == lane->open) {
            struct sim_unit *unit = lane->head;
            lane->head = unit->lane_next;
            if (!lane->head)
                lane->tail = &lane->head;
            unit->queued = false;
            lane->out += unit->holds;
            sim_unit_unblock(sim, unit);
        }
    }
}

/* The unit joins its lane: at once if its epoch is open, else in the queue. */
static void
lane_admit(struct sim_lane *lane, struct sim_unit *unit, bool obeys)
{
    uint64_t epoch = unit->flight->lane_epoch;
    if (!obeys)
        return;
    if (lane->out == 0 && !lane->head)
        lane->open = epoch;
    if (epoch == lane->open) {
        lane->out += unit->holds;
        return;
    }
    FP_ASSERT(epoch > lane->open);
    unit->blockers++;
    unit->queued = true;
    *lane->tail = unit;
    lane->tail = &unit->lane_next;
}

/* A topology says when: an answer goes through the links of the way back; what a lane keeps in order arrives in
 * order. */
static uint64_t
linked_arrival(struct sim *sim, struct sim_flight *flight, size_t bytes, uint64_t now, uint64_t more)
{
    const struct sim_op *op = &flight->op;
    struct sim_lane *lane = flight->lane;
    uint64_t time;
    if (op->kind == SHMEM_OP_GET || (op->flags & SHMEM_OPF_FETCH)) {
        now = sim_links_send(sim->links, op->origin, op->target, 0, now, 0);
        time = sim_links_send(sim->links, op->target, op->origin, bytes, now, more);
    } else {
        time = sim_links_send(sim->links, op->origin, op->target, bytes, now, more);
    }
    if (!sim->net.reorder && time < lane->latest)
        time = lane->latest;
    if (!sim->net.reorder)
        lane->latest = time;
    return time;
}

static uint64_t
arrival_time(struct sim *sim, struct sim_flight *flight, size_t bytes)
{
    uint64_t latency, jitter, bandwidth;
    sim_net_pair(&sim->net, flight->op.origin, flight->op.target, &latency, &jitter, &bandwidth);
    struct sim_lane *lane = flight->lane;
    uint64_t now = sim->pes[flight->op.origin].clock, more = 0;
    if (jitter && sim->timed)
        more = jitter * sim_choose(sim, SIM_CHOICE_JITTER, 17, NULL) / 16;
    if (sim->links)
        return linked_arrival(sim, flight, bytes, now, more);
    latency += more;
    uint64_t start = now > lane->busy_until ? now : lane->busy_until;
    lane->busy_until = start + (bandwidth ? bytes * 1000 / bandwidth : 0);
    uint64_t trips = flight->op.kind == SHMEM_OP_GET || (flight->op.flags & SHMEM_OPF_FETCH) ? 2 : 1;
    return lane->busy_until + trips * latency;
}

/* Behind a fence nothing arrives before what was in front of it. */
static void
after_earlier_epochs(struct sim_lane *lane, uint64_t epoch, struct sim_unit *unit)
{
    if (epoch != lane->timed_epoch)
        lane->latest = lane->epoch_end;
    lane->timed_epoch = epoch;
    if (unit->time < lane->latest)
        unit->time = lane->latest;
    if (unit->time > lane->epoch_end)
        lane->epoch_end = unit->time;
}

static void
launch_unit(struct sim *sim, struct sim_unit *unit, enum fp_order_class class_)
{
    struct sim_flight *flight = unit->flight;
    bool fifo = !sim->net.reorder;
    struct sim_lane *lane = flight->lane;
    unit->seq = ++sim->unit_seq;
    if (lane->chain_epoch != flight->lane_epoch)
        lane->chain = 0;
    lane->chain_epoch = flight->lane_epoch;
    unit->chain = lane->chain++;
    unit->time = arrival_time(sim, flight, unit->kind == SIM_UNIT_SIGNAL ? 8 : unit->to - unit->from);
    if (sim->links && sim->net.reorder)
        after_earlier_epochs(lane, flight->lane_epoch, unit);
    unit->holds = fifo || sim->rules.holds[class_];
    lane_admit(flight->lane, unit, fifo || sim->rules.obeys[class_]);
    if (unit->kind == SIM_UNIT_AMO && sim->rules.location_order)
        same_location_add(sim, unit);
    unit->blockers += sim_turn_holds(sim, unit);
    if (unit->blockers == 0)
        unit_ready(sim, unit);
}

void
sim_flight_launch(struct sim *sim, struct sim_flight *flight)
{
    struct sim_lane *lane = flight->lane;
    enum fp_order_class class_ = sim_order_class(&flight->op);
    flight->lane_epoch = sim->net.reorder ? flight->op.epoch : lane->issued++;
    flight->quiets = sim->rules.quiets[class_];
    flight->ctx->pending += flight->quiets;
    lane->pending += flight->quiets;
    if (flight->units_left > (flight->signal_unit != NULL))
        for (struct sim_unit *unit = &flight->unit; unit; unit = unit->next)
            launch_unit(sim, unit, class_);
    if (flight->signal_unit) {
        struct sim_unit *unit = flight->signal_unit;
        unit->blockers = sim->rules.signal_after_data && flight->data_left > 0;
        launch_unit(sim, unit, FP_ORDER_SIGNAL);
    }
    if (sim->net.immediate) {
        /* An immediate network has nothing pending before this operation, so all its units become ready in turn. */
        while (sim->nunits > 0)
            sim_unit_carry_out(sim, sim->units[0]);
    }
}

/* ---- Carrying a unit out
 * ---------------------------------------------------------------------------------------------- */

/* Moves bytes [from, to) of the operation's data between its blocks at `base` and the flat copy `flat`; calls emit
 * for each contiguous run of the blocks. */
static void
each_run(struct sim *sim, struct sim_unit *unit, char *base, ptrdiff_t step, enum sim_event_kind kind)
{
    struct sim_flight *flight = unit->flight;
    size_t at = unit->from;
    while (at < unit->to) {
        size_t block = at / flight->block_bytes, inside = at % flight->block_bytes;
        size_t run = flight->block_bytes - inside;
        if (run > unit->to - at)
            run = unit->to - at;
        char *address = base + (ptrdiff_t)block * step + (ptrdiff_t)inside;
        if (kind == SIM_EV_READ)
            memcpy(flight->data + at, address, run);
        else
            memcpy(address, flight->data + at, run);
        if (sim->observing && !(kind == SIM_EV_WRITE && (flight->op.flags & SHMEM_OPF_G)))
            sim_emit_(sim, &(struct sim_event){.kind = kind,
                                               .pe = flight->op.origin,
                                               .op = &flight->op,
                                               .address = address,
                                               .place = fp_place_of(sim->job, address),
                                               .bytes = run,
                                               .op_offset = at,
                                               .took = (int64_t)(unit->time - flight->issued),
                                               .name = flight->op.call.name,
                                               .site = flight->op.site,
                                               .last = flight->data_left == 1 && at + run == unit->to});
        at += run;
    }
}

static void
poke_runs(struct sim *sim, struct sim_unit *unit, char *base, ptrdiff_t step, int pe)
{
    struct sim_flight *flight = unit->flight;
    FP_ASSERT(unit->from < unit->to);
    size_t first = unit->from / flight->block_bytes, last = (unit->to - 1) / flight->block_bytes;
    for (size_t block = first; block <= last; block++)
        sim_wait_poke(sim, pe, base + (ptrdiff_t)block * step, flight->block_bytes, unit);
}

static void
carry_out_put(struct sim *sim, struct sim_unit *unit)
{
    struct sim_flight *flight = unit->flight;
    sim->idle_polls = 0;
    if (flight->op.flags & SHMEM_OPF_NBI)
        each_run(sim, unit, flight->local, flight->local_step, SIM_EV_READ);
    each_run(sim, unit, flight->remote, flight->remote_step, SIM_EV_WRITE);
    poke_runs(sim, unit, flight->remote, flight->remote_step, flight->op.target);
}

static void
carry_out_get(struct sim *sim, struct sim_unit *unit)
{
    struct sim_flight *flight = unit->flight;
    each_run(sim, unit, flight->remote, flight->remote_step, SIM_EV_READ);
    each_run(sim, unit, flight->local, flight->local_step, SIM_EV_WRITE);
    poke_runs(sim, unit, flight->local, flight->local_step, flight->op.origin);
}

static void
carry_out_atomic(struct sim *sim, struct sim_unit *unit)
{
    struct sim_flight *flight = unit->flight;
    bool signal = unit->kind == SIM_UNIT_SIGNAL;
    char *at = signal ? flight->sig_remote : flight->remote;
    size_t width = signal ? sizeof(uint64_t) : flight->op.elem_bytes;
    shmem_amo_t amo = signal ? flight->op.sig_op : flight->op.amo;
    const void *operand = signal ? &flight->sig_value : &flight->operand;
    bool wrote = sim_amo_apply(amo, width, at, operand, &flight->cond, &flight->old);
    if (memcmp(at, &flight->old, width))
        sim->idle_polls = 0;
    if (sim->observing) {
        struct sim_event event = {.kind = SIM_EV_RMW,
                                  .pe = flight->op.origin,
                                  .op = &flight->op,
                                  .address = at,
                                  .place = fp_place_of(sim->job, at),
                                  .bytes = width,
                                  .type = signal ? SHMEM_TYPE_uint64 : flight->op.type,
                                  .signal = signal || (flight->op.flags & SHMEM_OPF_SIGNAL),
                                  .failed = amo == SHMEM_AMO_CSWAP && !wrote,
                                  .took = (int64_t)(unit->time - flight->issued),
                                  .name = flight->op.call.name,
                                  .site = flight->op.site,
                                  .last = true};
        memcpy(event.value, at, width);
        sim_emit_(sim, &event);
    }
    sim_wait_poke(sim, flight->op.target, at, width, unit);
    if (!signal && flight->fetch && (flight->op.flags & SHMEM_OPF_NBI)) {
        memcpy(flight->fetch, &flight->old, width);
        if (sim->observing)
            sim_emit_(sim, &(struct sim_event){.kind = SIM_EV_WRITE,
                                               .pe = flight->op.origin,
                                               .op = &flight->op,
                                               .address = flight->fetch,
                                               .place = fp_place_of(sim->job, flight->fetch),
                                               .bytes = width,
                                               .took = (int64_t)(unit->time - flight->issued),
                                               .name = flight->op.call.name,
                                               .site = flight->op.site,
                                               .last = true});
    }
    if (unit->kind == SIM_UNIT_AMO && sim->rules.location_order)
        same_location_remove(sim, unit);
}

/* With a topology the origin learns of it by a message back, unless it was an answer that came last. */
static void
acknowledge(struct sim *sim, struct sim_flight *flight, uint64_t time)
{
    const struct sim_op *op = &flight->op;
    if (op->kind == SHMEM_OP_PUT || !(op->kind == SHMEM_OP_GET || op->flags & SHMEM_OPF_FETCH))
        time += sim_links_latency(sim->links, op->target, op->origin);
    if (flight->lane->acked < time)
        flight->lane->acked = time;
    if (flight->ctx->acked < time)
        flight->ctx->acked = time;
}

/* The last unit of the operation is carried out: the operation is complete. */
static void
complete(struct sim *sim, struct sim_flight *flight, uint64_t time)
{
    struct sim_pe *origin = &sim->pes[flight->op.origin];
    flight->ctx->pending -= flight->quiets;
    flight->lane->pending -= flight->quiets;
    if (sim->links && flight->quiets)
        acknowledge(sim, flight, time);
    if (flight->waited) {
        if (origin->why == SIM_IN_OP)
            sim_wake_by(origin, time, flight);
        return; /* the origin frees it */
    }
    if (origin->why == SIM_IN_QUIET && sim_quiet_done(origin))
        sim_wake_by(origin, sim->links ? sim_quiet_acked(origin) : time, flight);
    flight_free(sim, flight);
}

void
sim_unit_carry_out(struct sim *sim, struct sim_unit *unit)
{
    struct sim_flight *flight = unit->flight;
    struct sim_lane *lane = flight->lane;
    uint64_t time = unit->time;
    bool holds = unit->holds;
    FP_ASSERT(unit->blockers == 0 && sim->units[unit->slot] == unit);
    sim_units_remove(sim, unit->slot);
    if (sim->search)
        sim_search_unit(sim, unit);
    switch (unit->kind) {
    case SIM_UNIT_PUT:
        carry_out_put(sim, unit);
        break;
    case SIM_UNIT_GET:
        carry_out_get(sim, unit);
        break;
    case SIM_UNIT_AMO:
    case SIM_UNIT_SIGNAL:
        carry_out_atomic(sim, unit);
        break;
    }
    if (unit->kind == SIM_UNIT_PUT && --flight->data_left == 0 && flight->signal_unit && sim->rules.signal_after_data)
        sim_unit_unblock(sim, flight->signal_unit);
    else if (unit->kind == SIM_UNIT_GET)
        flight->data_left--;
    if (holds && --lane->out == 0)
        lane_advance(sim, lane);
    if (--flight->units_left == 0)
        complete(sim, flight, time);
}
