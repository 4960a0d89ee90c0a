/* race_access.c -- which memory an event touches, as what, and on whose behalf. */
#include "sim/observe/race.h"

/* The record of an operation as reader or writer of data: one, however many pieces it is carried out in. */
static uint32_t
op_record(struct race *race, struct race_op *op, enum race_access kind)
{
    bool writes = !race_reads[kind];
    uint32_t id = op->record[writes];
    if (id) {
        shadow_record(race, id)->refs++;
        return id;
    }
    id = shadow_record_new(race);
    struct race_record *record = shadow_record(race, id);
    record->op = op;
    record->name = op->name;
    record->site = op->site;
    record->clock = op->iss;
    record->pe = op->origin;
    record->kind = kind;
    op->refs++;
    op->uses++;
    op->record[writes] = id;
    return id;
}

static void
local_access(struct race *race, const struct sim_event *event, struct race_op *op, bool write)
{
    private_access(race, event, op, write);
    if (op->has_local)
        private_add(race, op, event, write);
    if (event->place.region == FP_PRIVATE)
        return;
    struct race_view view = race_view_op(race, op);
    view.local = true;
    view.fence = NULL;
    uint32_t id = op_record(race, op, write ? RACE_DEST : RACE_SOURCE);
    shadow_access(race, id, &view, event);
    shadow_record_drop(race, id);
}

/* ---- The target side of an operation ---------------------------------------------------------------------------- */

static void
target_data(struct race *race, const struct sim_event *event, struct race_op *op, bool write)
{
    struct race_view view = race_view_op(race, op);
    uint32_t id = op_record(race, op, write ? RACE_PUT : RACE_GET);
    shadow_access(race, id, &view, event);
    shadow_record_drop(race, id);
}

static void
target_atomic(struct race *race, const struct sim_event *event, struct race_op *op, bool signal)
{
    const struct sim_op *so = event->op;
    struct race_view view = race_view_op(race, op);
    uint32_t id = shadow_record_new(race);
    struct race_record *record = shadow_record(race, id);

    record->op = op;
    op->refs++;
    op->uses++;
    record->name = op->name;
    record->site = op->site;
    record->clock = op->iss;
    record->pe = op->origin;
    record->kind = !signal && so->amo == SHMEM_AMO_FETCH ? RACE_AMO_READ : RACE_AMO;
    record->type = (uint8_t)(signal ? SHMEM_TYPE_uint64 : so->type);
    record->amo = (uint8_t)(signal ? so->sig_op : so->amo);
    record->signal = signal || so->flags & SHMEM_OPF_SIGNAL;
    shadow_access(race, id, &view, event);
    shadow_record_drop(race, id);
}

/* From its issue on an operation may touch its buffers at any time, so all of them are compared here and now: what
 * is found does not depend on when the network delivers. */
void
race_access_issue(struct race *race, const struct sim_event *event, struct race_op *op)
{
    const struct sim_op *so = event->op;
    struct sim_event at = *event;

    if (op->nbi && event->address && event->bytes > 0) {
        op->has_local = true;
        local_access(race, event, op, so->kind != SHMEM_OP_PUT);
    }
    if (event->signal_at) {
        op->has_remote = true;
        at.address = event->signal_at;
        at.place = fp_place_of(race->job, event->signal_at);
        at.bytes = sizeof(uint64_t);
        target_atomic(race, &at, op, true);
    }
    if (!event->remote)
        return;
    op->has_remote = true;
    struct fp_place first = fp_place_of(race->job, event->remote);
    at.bytes = event->block_bytes;
    for (size_t i = 0; i < event->nblocks; i++) {
        ptrdiff_t step = (ptrdiff_t)i * event->remote_step;
        at.address = (const char *)event->remote + step;
        at.place = first;
        at.place.offset += (uint64_t)step;
        if (so->kind == SHMEM_OP_AMO)
            target_atomic(race, &at, op, false);
        else
            target_data(race, &at, op, so->kind == SHMEM_OP_PUT);
    }
}

void
race_on_data(struct race *race, const struct sim_event *event)
{
    struct race_op *op = event->op->note[0];
    bool write = event->kind == SIM_EV_WRITE, put = event->op->kind == SHMEM_OP_PUT;

    if (event->op->flags & SHMEM_OPF_INTERNAL) {
        meet_internal(race, event);
        return;
    }
    if (!op || event->bytes == 0)
        return;
    if (put != write) {
        if (!op->has_local && !(event->op->flags & SHMEM_OPF_G)) /* else told at the issue, or not the user's */
            local_access(race, event, op, write);
        if (write && event->place.region != FP_PRIVATE)
            shadow_arrived(race, op, event);
        return;
    }
    if (!op->has_remote)
        target_data(race, event, op, write);
    if (write)
        shadow_arrived(race, op, event);
}

void
race_on_rmw(struct race *race, const struct sim_event *event)
{
    struct race_op *op = event->op->note[0];
    if (!op)
        return;
    bool signal = event->op->kind == SHMEM_OP_PUT;
    bool fetching = !signal && event->op->flags & SHMEM_OPF_FETCH;

    if (!op->has_remote)
        target_atomic(race, event, op, signal);
    history_update(race, event, op, fetching ? &op->got : NULL);
    if (fetching && op->nbi) {
        op->held = true;
        op->refs++;
    }
}

/* ---- Accesses of a PE itself ------------------------------------------------------------------------------------ */

void
race_on_wait(struct race *race, const struct sim_event *event)
{
    if (event->place.region == FP_PRIVATE || race_internal(race, &event->place))
        return;
    history_wait(race, event);
    struct race_view view = race_view_pe(race, event->pe);
    uint32_t id = shadow_record_new(race);
    struct race_record *record = shadow_record(race, id);
    record->name = event->name;
    record->site = event->site;
    record->clock = race->pes[event->pe].now;
    record->pe = event->pe;
    record->kind = RACE_AMO_READ;
    record->type = (uint8_t)event->type;
    record->signal = event->signal;
    record->wait = true;
    record->value = race->pes[event->pe].locks;
    record->known = clock_ref(race->pes[event->pe].clock);
    shadow_access(race, id, &view, event);
    shadow_record_drop(race, id);
}

/* Plain accesses from one place between two events of the PE share a record. */
static uint32_t
plain_record(struct race *race, const struct sim_event *event)
{
    struct race_pe *rp = &race->pes[event->pe];
    enum race_access kind = event->kind == SIM_EV_STORE ? RACE_STORE : RACE_LOAD;
    uint32_t *last = &rp->last_record[(event->site ^ event->site >> 4 ^ kind) % 4];

    if (*last) {
        struct race_record *record = shadow_record(race, *last);
        if (record->clock == rp->now && record->site == event->site && record->kind == kind &&
            record->known == rp->clock && record->name == event->name)
            return *last;
        shadow_record_drop(race, *last);
    }
    *last = shadow_record_new(race);
    struct race_record *record = shadow_record(race, *last);
    record->name = event->name;
    record->site = event->site;
    record->clock = rp->now;
    record->pe = event->pe;
    record->kind = kind;
    record->value = rp->locks;
    record->known = clock_ref(rp->clock);
    return *last;
}

void
race_on_plain(struct race *race, const struct sim_event *event)
{
    if (event->bytes == 0)
        return;
    private_access(race, event, NULL, event->kind == SIM_EV_STORE);
    if (event->place.region == FP_PRIVATE || race_internal(race, &event->place))
        return;
    struct race_view view = race_view_pe(race, event->pe);
    if (event->kind == SIM_EV_STORE && event->place.pe != event->pe)
        race->pes[event->pe].far_store = race->pes[event->pe].now;
    shadow_access(race, plain_record(race, event), &view, event);
}

bool
race_internal(const struct race *race, const struct fp_place *place)
{
    return place->region == FP_HEAP && place->offset < race->internal_bytes;
}

void
race_on_block(struct race *race, const struct sim_event *event)
{
    if (event->kind == SIM_EV_DIED) {
        struct race_view view = race_view_pe(race, event->pe);
        shadow_died(race, &view, event);
    } else {
        shadow_forget(race, &event->place, event->bytes);
    }
}
