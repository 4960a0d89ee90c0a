/* race.c -- the race observer: events come in, knowledge moves, accesses are compared.
 *
 * See race.h for the parts. This file keeps the PEs, their contexts and the operations, and turns each event into a
 * change of knowledge (fence, quiet, return) or an access (shadow.c, private.c).
 */
#include "sim/observe/race.h"

#include <stdlib.h>
#include <string.h>

#include "reference/heap/heap.h"
#include "shmem.h"

#define OPS_A_CHUNK 256

void *
race_alloc(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        fp_env_fail("out of memory for the race checker: run fewer PEs, or with --no-check");
    return memory;
}

/* ---- Operations ------------------------------------------------------------------------------------------------------- */

/* Free operations are linked through pending_next; chunks are kept until the end through the first one's race. */
struct race_op *
race_op_new(struct race *race)
{
    if (!race->free_ops) {
        struct race_op *chunk = race_alloc((OPS_A_CHUNK + 1) * sizeof *chunk);
        chunk[0].pending_next = race->op_chunks;
        race->op_chunks = chunk;
        for (int i = OPS_A_CHUNK; i > 0; i--) {
            chunk[i].pending_next = race->free_ops;
            race->free_ops = &chunk[i];
        }
    }
    struct race_op *op = race->free_ops;
    race->free_ops = op->pending_next;
    memset(op, 0, sizeof *op);
    op->race = race;
    op->refs = 1;
    return op;
}

static void
op_unpend(struct race_op *op)
{
    if (!op->pending_at)
        return;
    *op->pending_at = op->pending_next;
    if (op->pending_next)
        op->pending_next->pending_at = op->pending_at;
    op->pending_at = NULL;
    op->pending_next = NULL;
}

/* What the operation knew is asked for by its own events, and by whoever reads what it wrote. */
static void
op_close(struct race_op *op)
{
    struct clock *clock = op->clock, *got = op->got;
    op->clock = op->got = NULL;
    if (clock)
        clock_drop(&op->race->pool, clock);
    if (got)
        clock_drop(&op->race->pool, got);
}

void
race_op_free(struct race_op *op)
{
    op_unpend(op);
    op_close(op);
    fence_drop(op->fence);
    op->pending_next = op->race->free_ops;
    op->race->free_ops = op;
}

void
race_op_unuse(struct race_op *op)
{
    FP_ASSERT(op->uses > 0);
    if (--op->uses == 0 && op->forgotten && !op->held)
        op_close(op);
    race_op_drop(op);
}

/* ---- PEs and contexts ---------------------------------------------------------------------------------------------------- */

uint64_t
race_tick(struct race *race, int pe, enum race_step_kind kind, uint32_t ctx, int target, bool nostore,
          const struct sim_event *event)
{
    struct race_pe *rp = &race->pes[pe];
    if (!rp->steps) {
        rp->steps = race_alloc(RACE_STEPS * sizeof *rp->steps);
        memset(rp->steps, 0, RACE_STEPS * sizeof *rp->steps);
    }
    rp->steps[rp->now % RACE_STEPS] = (struct race_step){.clock = rp->now,
                                                         .kind = kind,
                                                         .ctx = ctx,
                                                         .target = target,
                                                         .nostore = nostore,
                                                         .site = event->site,
                                                         .name = event->name};
    return rp->now++;
}

static struct race_ctx *
ctx_get(struct race *race, int pe, const shmem_ctx_state_t *state)
{
    struct race_pe *rp = &race->pes[pe];
    uint32_t id = state->id;
    if (id >= rp->nctxs) {
        uint32_t n = id < 4 ? 4 : 2 * id;
        struct race_ctx **ctxs = race_alloc(n * sizeof *ctxs);
        memset(ctxs, 0, n * sizeof *ctxs);
        if (rp->nctxs)
            memcpy(ctxs, rp->ctxs, rp->nctxs * sizeof *ctxs);
        free(rp->ctxs);
        rp->ctxs = ctxs;
        rp->nctxs = n;
    }
    if (!rp->ctxs[id]) {
        struct race_ctx *ctx = race_alloc(sizeof *ctx);
        *ctx = (struct race_ctx){.id = id, .nostore = state->options & SHMEM_CTX_NOSTORE};
        rp->ctxs[id] = ctx;
    }
    return rp->ctxs[id];
}

static void
op_pend(struct race_ctx *ctx, struct race_op *op)
{
    op->pending_next = ctx->pending;
    if (ctx->pending)
        ctx->pending->pending_at = &op->pending_next;
    op->pending_at = &ctx->pending;
    ctx->pending = op;
}

/* The operation is complete at event `clock` of its PE. */
static void
op_done(struct race_op *op, uint64_t clock)
{
    op->done = clock;
    op_unpend(op);
}

/* ---- Issue, return, order points ---------------------------------------------------------------------------------------------- */

static enum race_step_kind
step_of(const struct sim_op *op)
{
    switch (op->kind) {
    case SHMEM_OP_PUT:
        return op->flags & SHMEM_OPF_SIGNAL ? RACE_STEP_SIGNAL : RACE_STEP_PUT;
    case SHMEM_OP_GET:
        return RACE_STEP_GET;
    case SHMEM_OP_AMO:
        return RACE_STEP_AMO;
    }
    FP_BUG("operation of unknown kind %d", (int)op->kind);
}

static void local_access(struct race *race, const struct sim_event *event, struct race_op *op, bool write);

static void
on_issue(struct race *race, const struct sim_event *event)
{
    struct sim_op *so = event->op;
    if (so->flags & SHMEM_OPF_INTERNAL) {
        so->note[0] = NULL;
        return;
    }
    struct race_pe *rp = &race->pes[so->origin];
    struct race_ctx *ctx = ctx_get(race, so->origin, so->ctx);
    struct race_op *op = race_op_new(race);

    op->id = so->id;
    op->origin = so->origin;
    op->target = so->target;
    op->ctx = ctx->id;
    op->team = so->ctx->team;
    op->class_ = sim_order_class(so);
    op->covered = race->covered[op->class_];
    op->behind = race->behind[op->class_];
    op->nbi = so->flags & SHMEM_OPF_NBI;
    op->signalling = so->kind == SHMEM_OP_PUT && so->flags & SHMEM_OPF_SIGNAL;
    op->elem_bytes = (uint8_t)so->elem_bytes;
    op->single = so->kind == SHMEM_OP_PUT && so->bytes == so->elem_bytes && so->elem_bytes <= 8;
    /* mem routines count bytes: an element is what they move. */
    if (so->kind == SHMEM_OP_PUT && so->type == SHMEM_TYPE_MEM && so->bytes <= 8 && !(so->bytes & (so->bytes - 1))) {
        op->single = true;
        op->elem_bytes = (uint8_t)so->bytes;
    }
    op->site = so->site;
    op->name = so->call.name;
    op->clock = clock_ref(rp->clock);
    op->vis = rp->vis;
    if ((op->fence = ctx->fence))
        op->fence->refs++;
    op->iss = race_tick(race, so->origin, step_of(so), ctx->id, so->target, false, event);
    op_pend(ctx, op);
    so->note[0] = op;
    if (op->nbi && event->address && event->bytes > 0) {
        op->has_local = true;
        local_access(race, event, op, so->kind != SHMEM_OP_PUT);
    }
}

/* The PE learns what its fetch read from. */
static void
take_got(struct race *race, struct race_op *op)
{
    struct clock *got = op->got;
    if (!got)
        return;
    op->got = NULL;
    clock_join(&race->pool, &race->pes[op->origin].clock, got);
    clock_drop(&race->pool, got);
}

/* A blocking get or fetching AMO has returned: complete, and with it what a fence in front of it held back (H7). */
static void
on_return(struct race *race, const struct sim_event *event)
{
    struct race_op *op = event->op->note[0];
    if (!op)
        return;
    struct race_pe *rp = &race->pes[op->origin];
    op_done(op, race_tick(race, op->origin, RACE_STEP_RETURN, op->ctx, op->target, false, event));
    take_got(race, op);
    if (op->behind && op->fence && !op->fence->done)
        clock_add_lane(&race->pool, &rp->clock, op->fence, op->target);
    clock_prune(&race->pool, &rp->clock, op->origin, rp->now);
}

static void
on_fence(struct race *race, const struct sim_event *event)
{
    struct race_pe *rp = &race->pes[event->pe];
    struct race_ctx *ctx = ctx_get(race, event->pe, event->ctx);
    struct race_fence *fence = race_alloc(sizeof *fence);

    *fence =
        (struct race_fence){.refs = 2, .pe = event->pe, .ctx = ctx->id, .nostore = ctx->nostore, .next = ctx->undone};
    fence->clock = race_tick(race, event->pe, RACE_STEP_FENCE, ctx->id, -1, ctx->nostore, event);
    ctx->undone = fence;
    fence_drop(ctx->fence);
    ctx->fence = fence;
    if (race->publish && !ctx->nostore)
        rp->vis = fence->clock;
}

static void
on_quiet(struct race *race, const struct sim_event *event)
{
    struct race_pe *rp = &race->pes[event->pe];
    struct race_ctx *ctx = ctx_get(race, event->pe, event->ctx);
    bool one = event->kind == SIM_EV_PE_QUIET;
    enum race_step_kind kind = one ? RACE_STEP_PE_QUIET : RACE_STEP_QUIET;
    uint64_t now = race_tick(race, event->pe, kind, ctx->id, one ? event->target : -1, ctx->nostore, event);

    if (!ctx->nostore)
        rp->vis = now;
    struct race_op *fetched = NULL;
    for (struct race_op *op = ctx->pending, *next; op; op = next) {
        next = op->pending_next;
        if (one && op->target != event->target)
            continue;
        op_done(op, now);
        if (op->held) {
            op->pending_next = fetched;
            fetched = op;
        }
    }
    /* The values of nonblocking fetches are there now. Joining may free operations, so the list above is left alone by then. */
    while (fetched) {
        struct race_op *op = fetched;
        fetched = op->pending_next;
        op->pending_next = NULL;
        op->held = false;
        take_got(race, op);
        race_op_drop(op);
    }
    for (struct race_fence *fence = one ? NULL : ctx->undone, *next; fence; fence = next) {
        next = fence->next;
        fence->done = now;
        fence_drop(fence);
        ctx->undone = next;
    }
    private_done(race, event->pe);
    clock_prune(&race->pool, &rp->clock, event->pe, rp->now);
}

/* ---- Accesses ------------------------------------------------------------------------------------------------------------------ */

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

static void
on_data(struct race *race, const struct sim_event *event, bool write)
{
    struct race_op *op = event->op->note[0];
    if (event->op->flags & SHMEM_OPF_INTERNAL) {
        meet_internal(race, event);
        return;
    }
    if (!op || event->bytes == 0)
        return;
    bool put = event->op->kind == SHMEM_OP_PUT;
    if (put != write) {
        if (!op->has_local && !(event->op->flags & SHMEM_OPF_G)) /* else told at the issue, or not the user's */
            local_access(race, event, op, write);
        return;
    }
    struct race_view view = race_view_op(race, op);
    uint32_t id = op_record(race, op, write ? RACE_PUT : RACE_GET);
    if (write && op->single)
        memcpy(&shadow_record(race, id)->value, event->address, event->bytes < 8 ? event->bytes : 8);
    shadow_access(race, id, &view, event);
    shadow_record_drop(race, id);
}

static void
on_rmw(struct race *race, const struct sim_event *event)
{
    struct race_op *op = event->op->note[0];
    if (!op)
        return;
    bool amo = event->op->kind == SHMEM_OP_AMO;
    bool fetching = amo && event->op->flags & SHMEM_OPF_FETCH;
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
    record->kind = amo && event->op->amo == SHMEM_AMO_FETCH ? RACE_AMO_READ : RACE_AMO;
    record->type = (uint8_t)event->type;
    record->amo = (uint8_t)(amo ? event->op->amo : event->op->sig_op);
    record->signal = event->signal;
    shadow_access(race, id, &view, event);
    shadow_record_drop(race, id);
    history_update(race, event, op, fetching ? &op->got : NULL);
    if (fetching && op->nbi) {
        op->held = true;
        op->refs++;
    }
}

static void
on_wait(struct race *race, const struct sim_event *event)
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
    record->known = clock_ref(rp->clock);
    return *last;
}

static void
on_plain(struct race *race, const struct sim_event *event)
{
    if (event->bytes == 0)
        return;
    private_access(race, event, NULL, event->kind == SIM_EV_STORE);
    if (event->place.region == FP_PRIVATE || race_internal(race, &event->place))
        return;
    struct race_view view = race_view_pe(race, event->pe);
    shadow_access(race, plain_record(race, event), &view, event);
}

bool
race_internal(const struct race *race, const struct fp_place *place)
{
    return place->region == FP_HEAP && place->offset < race->internal_bytes;
}

static void
on_block(struct race *race, const struct sim_event *event)
{
    if (event->kind == SIM_EV_DIED) {
        struct race_view view = race_view_pe(race, event->pe);
        shadow_died(race, &view, event);
    } else {
        shadow_forget(race, &event->place, event->bytes);
    }
}

/* ---- The observer ------------------------------------------------------------------------------------------------------------------ */

static void *
race_open(struct fp_job *job)
{
    struct race *race = race_alloc(sizeof *race);
    enum fp_rules rules = job->config.rules;

    *race = (struct race){.job = job, .rules = rules};
    race->amo_in_order = sim_order_amo_same_location(rules);
    race->publish = sim_order_has(rules, SIM_EDGE_PUBLISH, SIM_CLASS_STORE, SIM_CLASS_AMO);
    race->causal = sim_order_has(rules, SIM_EDGE_CAUSAL, SIM_CLASS_PUT_NBI, SIM_CLASS_STORE);
    race->entry = sim_order_has(rules, SIM_EDGE_ENTRY, SIM_CLASS_COLL, SIM_CLASS_COLL);
    race->put_flags = sim_order_has(rules, SIM_EDGE_READS, SIM_CLASS_PUT, SIM_CLASS_WAIT);
    for (int i = 0; i < SIM_CLASS_COUNT; i++) {
        race->covered[i] = sim_order_fence_covers_earlier(rules, (enum sim_class)i);
        race->behind[i] = sim_order_fence_covers_later(rules, (enum sim_class)i);
    }
    race->internal_bytes = fp_heap_internal_bytes(job->npes);
    clock_pool_open(&race->pool, job->npes);
    shadow_open(race);
    race->pes = race_alloc((size_t)job->npes * sizeof *race->pes);
    memset(race->pes, 0, (size_t)job->npes * sizeof *race->pes);
    struct clock *nothing = clock_new(&race->pool);
    for (int i = 0; i < job->npes; i++) {
        race->pes[i].clock = clock_ref(nothing);
        race->pes[i].now = 1;
    }
    clock_drop(&race->pool, nothing);
    return race;
}

static void
race_event(void *self, const struct sim_event *event)
{
    struct race *race = self;

    switch (event->kind) {
    case SIM_EV_ISSUE:
        on_issue(race, event);
        break;
    case SIM_EV_READ:
    case SIM_EV_WRITE:
        on_data(race, event, event->kind == SIM_EV_WRITE);
        break;
    case SIM_EV_RMW:
        on_rmw(race, event);
        break;
    case SIM_EV_RETURN:
        on_return(race, event);
        break;
    case SIM_EV_FENCE:
        on_fence(race, event);
        break;
    case SIM_EV_QUIET:
    case SIM_EV_PE_QUIET:
        on_quiet(race, event);
        break;
    case SIM_EV_SYNC_ENTER:
    case SIM_EV_SYNC_LEAVE:
    case SIM_EV_COLL_ENTER:
    case SIM_EV_COLL_LEAVE:
    case SIM_EV_LOCK_SET:
    case SIM_EV_LOCK_CLEAR:
        meet_event(race, event);
        break;
    case SIM_EV_WAIT:
        on_wait(race, event);
        break;
    case SIM_EV_BORN:
    case SIM_EV_DIED:
        on_block(race, event);
        break;
    case SIM_EV_LOAD:
    case SIM_EV_STORE:
        on_plain(race, event);
        break;
    case SIM_EV_PE_END:
        break;
    }
}

static void
race_forget(void *self, struct sim_op *so)
{
    struct race_op *op = so->note[0];
    (void)self;
    if (!op)
        return;
    so->note[0] = NULL;
    op->forgotten = true;
    if (op->uses == 0 && !op->held)
        op_close(op);
    race_op_drop(op);
}

static void
pe_close(struct race *race, struct race_pe *rp)
{
    for (int i = 0; i < 4; i++)
        if (rp->last_record[i])
            shadow_record_drop(race, rp->last_record[i]);
    for (uint32_t i = 0; i < rp->nctxs; i++) {
        struct race_ctx *ctx = rp->ctxs[i];
        if (!ctx)
            continue;
        for (struct race_fence *fence = ctx->undone, *next; fence; fence = next) {
            next = fence->next;
            fence_drop(fence);
        }
        fence_drop(ctx->fence);
        for (struct race_op *op = ctx->pending, *next; op; op = next) {
            next = op->pending_next;
            op_unpend(op);
            if (op->held)
                race_op_drop(op);
        }
        free(ctx);
    }
    free(rp->ctxs);
    free(rp->steps);
    clock_drop(&race->pool, rp->clock);
}

static void
race_close(void *self)
{
    struct race *race = self;

    private_close(race);
    meet_close(race);
    history_close(race);
    for (int i = 0; i < race->job->npes; i++)
        pe_close(race, &race->pes[i]);
    shadow_close(race);
    race_report_close(race);
    clock_pool_close(&race->pool);
    for (struct race_op *chunk = race->op_chunks, *next; chunk; chunk = next) {
        next = chunk[0].pending_next;
        free(chunk);
    }
    free(race->pes);
    free(race);
}

const struct sim_observer sim_observer_race = {
    .name = "race", .open = race_open, .event = race_event, .forget = race_forget, .close = race_close};
