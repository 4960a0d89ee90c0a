/* ops.c -- put, get and AMO as the front end calls them: a descriptor becomes a flight of units.
 *
 * A blocking put copies its source out here (H3) and its delivery stays pending. A nonblocking put leaves its source
 * alone: each unit reads it when it is carried out, so that an early overwrite really changes what arrives. A get,
 * and an AMO that fetches, block the caller until the last unit is carried out (H4, H5); a non-fetching AMO returns
 * at once.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"

/* The operand of an atomic, or the one element that is put, where a trace tells it: integers that fit 32 bits. */
static int64_t
shown_value(const shmem_op_t *op)
{
    const void *at = op->kind == SHMEM_OP_AMO ? op->operand : op->kind == SHMEM_OP_PUT ? op->source : NULL;
    bool real = op->type == SHMEM_TYPE_float || op->type == SHMEM_TYPE_double;
    if (!at || real || (op->kind == SHMEM_OP_PUT && op->block_bytes * op->nblocks != op->elem_bytes))
        return 0;
    if (op->elem_bytes > sizeof(int64_t))
        return 0;
    uint64_t bits = 0;
    unsigned above = 64 - 8 * (unsigned)op->elem_bytes;
    memcpy(&bits, at, op->elem_bytes);
    int64_t value = (int64_t)(bits << above) >> above;
    return value == (int32_t)value ? value : 0;
}

/* Tells the observers, with what the operation touches at the target and the local buffer that a nonblocking one uses
 * from now on. */
static void
emit_issue(struct sim_pe *sp, struct sim_flight *flight, const shmem_op_t *op)
{
    struct sim *sim = sp->sim;
    flight->op.site = fp_site_of(sim->job, sp->rank, op->call.site);
    struct sim_event event = {
        .kind = SIM_EV_ISSUE, .pe = sp->rank, .op = &flight->op, .name = op->call.name, .site = flight->op.site};
    event.point = sp->points;
    event.local = op->kind == SHMEM_OP_PUT ? op->source : op->kind == SHMEM_OP_GET ? op->dest : op->fetch;
    event.local_step = op->kind == SHMEM_OP_PUT ? op->source_step : op->dest_step;
    if (sim->record)
        event.shown = shown_value(op);
    if (op->flags & SHMEM_OPF_NBI) {
        event.address = op->kind == SHMEM_OP_PUT ? op->source : op->kind == SHMEM_OP_GET ? op->dest : op->fetch;
        event.place = fp_place_of(sim->job, event.address);
        event.bytes = flight->op.bytes;
    }
    if (flight->op.bytes > 0) {
        bool get = op->kind == SHMEM_OP_GET, amo = op->kind == SHMEM_OP_AMO;
        event.remote = fp_translate(sim->job, get ? op->source : op->dest, sp->rank, op->pe);
        event.block_bytes = amo ? op->elem_bytes : op->block_bytes;
        event.nblocks = amo ? 1 : op->nblocks;
        event.remote_step = get ? op->source_step : op->dest_step;
    }
    if (op->kind == SHMEM_OP_PUT && op->flags & SHMEM_OPF_SIGNAL)
        event.signal_at = fp_translate(sim->job, op->sig_addr, sp->rank, op->pe);
    event.signal_shown = (int64_t)op->signal == (int32_t)op->signal ? (int64_t)op->signal : 0;
    sim_emit_(sim, &event);
}

/* Fills what every kind of operation has in common, and tells the observers that it was issued. */
static struct sim_flight *
issue(struct sim_pe *sp, const shmem_op_t *op)
{
    struct sim *sim = sp->sim;
    struct sim_flight *flight = sim_flight_new(sim);
    struct sim_ctx *ctx = op->ctx->backend;
    sim_begin(sp, &op->call);
    sim->job->ops++;
    flight->op.id = ++sim->op_count;
    flight->op.origin = sp->rank;
    flight->op.target = op->pe;
    flight->op.kind = op->kind;
    flight->op.type = op->type;
    flight->op.amo = op->amo;
    flight->op.flags = op->flags;
    flight->op.ctx = op->ctx;
    flight->op.epoch = ctx->epoch;
    flight->op.elem_bytes = op->elem_bytes;
    flight->op.bytes = op->kind == SHMEM_OP_AMO ? op->elem_bytes : op->block_bytes * op->nblocks;
    flight->op.sig_op = op->sig_op;
    flight->op.call = op->call;
    if (op->coll)
        flight->op.coll = *op->coll;
    flight->issued = sp->clock;
    flight->step = sp->step;
    flight->ctx = ctx;
    flight->lane = sim_lane(ctx, op->pe);
    if (sim->observing)
        emit_issue(sp, flight, op);
    return flight;
}

/* Cuts the data into pieces at element borders; the first is the flight's own unit. */
static void
cut(struct sim *sim, struct sim_flight *flight, enum sim_unit_kind kind)
{
    size_t bytes = flight->op.bytes, elem = flight->op.elem_bytes;
    if (bytes % elem != 0)
        elem = bytes; /* what a collective tells its members besides the data is one piece */
    size_t elems = bytes / elem;
    size_t most = elems < sim->net.split_max ? elems : sim->net.split_max;
    uint32_t pieces = 1;
    if (most > 1 && !sim->net.immediate)
        pieces += sim_choose(sim, SIM_CHOICE_SPLIT, (uint32_t)most, NULL);
    struct sim_unit *unit = &flight->unit;
    for (uint32_t i = 0; i < pieces; i++) {
        if (i > 0)
            unit = unit->next = sim_unit_new(sim);
        unit->flight = flight;
        unit->kind = kind;
        unit->from = elems * i / pieces * elem;
        unit->to = elems * (i + 1) / pieces * elem;
    }
    flight->units_left += pieces;
    flight->data_left = pieces;
}

static void
data_buffer(struct sim_flight *flight)
{
    if (flight->op.bytes <= sizeof flight->inline_data)
        return;
    flight->data = malloc(flight->op.bytes);
    if (!flight->data)
        fp_env_fail("out of memory for %zu bytes in flight", flight->op.bytes);
}

static void
place_blocks(struct sim_flight *flight, const shmem_op_t *op)
{
    flight->block_bytes = op->block_bytes;
    flight->nblocks = op->nblocks;
    bool put = op->kind == SHMEM_OP_PUT;
    flight->remote_step = put ? op->dest_step : op->source_step;
    flight->local_step = put ? op->source_step : op->dest_step;
}

/* Copies the source of a blocking put out. */
static void
copy_out(struct sim *sim, struct sim_flight *flight, const shmem_op_t *op)
{
    for (size_t block = 0; block < op->nblocks; block++) {
        const char *from = (const char *)op->source + (ptrdiff_t)block * op->source_step;
        memcpy(flight->data + block * op->block_bytes, from, op->block_bytes);
        if (sim->observing && !(op->flags & SHMEM_OPF_VALUE))
            sim_emit_(sim, &(struct sim_event){.kind = SIM_EV_READ,
                                               .pe = flight->op.origin,
                                               .op = &flight->op,
                                               .address = from,
                                               .place = fp_place_of(sim->job, from),
                                               .bytes = op->block_bytes,
                                               .op_offset = block * op->block_bytes,
                                               .name = op->call.name,
                                               .site = flight->op.site,
                                               .last = block + 1 == op->nblocks});
    }
}

void
sim_put(const shmem_op_t *op)
{
    struct sim_pe *sp = sim_self();
    struct sim *sim = sp->sim;
    struct sim_flight *flight = issue(sp, op);
    if (flight->op.bytes > 0) {
        flight->remote = fp_translate(sim->job, op->dest, sp->rank, op->pe);
        flight->local = (char *)op->source;
        place_blocks(flight, op);
        data_buffer(flight);
        if (!(op->flags & SHMEM_OPF_NBI))
            copy_out(sim, flight, op);
        cut(sim, flight, SIM_UNIT_PUT);
    }
    if (op->flags & SHMEM_OPF_SIGNAL) {
        flight->sig_remote = fp_translate(sim->job, op->sig_addr, sp->rank, op->pe);
        flight->sig_value = op->signal;
        struct sim_unit *unit = flight->signal_unit = sim_unit_new(sim);
        unit->flight = flight;
        unit->kind = SIM_UNIT_SIGNAL;
        unit->to = sizeof(uint64_t);
        flight->units_left++;
    }
    if (flight->units_left == 0) {
        sim_flight_done(sim, flight);
        return;
    }
    sim_flight_launch(sim, flight);
    sim_point(sp);
}

/* A loop over fetch, g or a failing compare-and-swap looks for something as a loop over test does. */
static void
notice_look(struct sim_pe *sp, const struct sim_flight *flight)
{
    uint64_t value = 0;
    if (flight->op.bytes <= sizeof value)
        memcpy(&value, flight->op.kind == SHMEM_OP_AMO ? (const char *)&flight->old : flight->data, flight->op.bytes);
    if (flight->op.bytes <= sizeof value && sp->looked_at == flight->remote && sp->looked_value == value) {
        sim_looked_in_vain(sp, 20);
        return;
    }
    sp->looked_at = flight->remote;
    sp->looked_value = value;
    sp->sim->idle_polls = 0;
}

/* Waits until the flight is complete; the observers learn that the call returned. */
static void
wait_for(struct sim_pe *sp, struct sim_flight *flight)
{
    struct sim *sim = sp->sim;
    if (flight->units_left > 0)
        sim_block(sp, SIM_IN_OP);
    else
        sim_point(sp); /* carried out at once: a loop of such calls must still let others move */
    notice_look(sp, flight);
    sim_emit(sim, &(struct sim_event){.kind = SIM_EV_RETURN,
                                      .pe = sp->rank,
                                      .op = &flight->op,
                                      .name = flight->op.call.name,
                                      .site = flight->op.site});
}

void
sim_get(const shmem_op_t *op)
{
    struct sim_pe *sp = sim_self();
    struct sim *sim = sp->sim;
    struct sim_flight *flight = issue(sp, op);
    bool blocking = !(op->flags & SHMEM_OPF_NBI);
    flight->remote = fp_translate(sim->job, op->source, sp->rank, op->pe);
    flight->local = op->dest;
    flight->waited = blocking;
    place_blocks(flight, op);
    data_buffer(flight);
    cut(sim, flight, SIM_UNIT_GET);
    sim_flight_launch(sim, flight);
    if (!blocking) {
        sim_point(sp);
        return;
    }
    wait_for(sp, flight);
    sim_flight_done(sim, flight);
}

void
sim_amo(const shmem_op_t *op)
{
    struct sim_pe *sp = sim_self();
    struct sim *sim = sp->sim;
    struct sim_flight *flight = issue(sp, op);
    bool fetching = op->flags & SHMEM_OPF_FETCH, blocking = fetching && !(op->flags & SHMEM_OPF_NBI);
    flight->remote = fp_translate(sim->job, op->dest, sp->rank, op->pe);
    flight->fetch = fetching ? op->fetch : NULL;
    memcpy(&flight->operand, op->operand, sizeof flight->operand);
    memcpy(&flight->cond, op->cond, sizeof flight->cond);
    flight->waited = blocking;
    flight->unit =
        (struct sim_unit){.flight = flight, .kind = SIM_UNIT_AMO, .holds = true, .from = 0, .to = op->elem_bytes};
    flight->units_left = 1;
    sim_flight_launch(sim, flight);
    if (!blocking) {
        sim_point(sp);
        return;
    }
    wait_for(sp, flight);
    memcpy(op->fetch, &flight->old, op->elem_bytes);
    sim_flight_done(sim, flight);
}
