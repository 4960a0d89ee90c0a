/* race_op.c -- operations as long as anybody can ask about them, and what moves a PE's knowledge of its own: issue,
 * return, fence, quiet.
 *
 * The simulator forgets an operation when it has been carried out; here it lives on while a granule, a history or
 * somebody's knowledge refers to it, since it is complete only at the quiet that covers it.
 */
#include <stdlib.h>
#include <string.h>

#include "reference/team/team.h"
#include "shmem.h"
#include "sim/observe/race.h"

#define OPS_A_CHUNK 256

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

/* ---- PEs and contexts ------------------------------------------------------------------------------------------- */

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

/* ---- Issue, return, order points -------------------------------------------------------------------------------- */

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

/* What the simulator tells about an operation, as far as anybody will ask. */
static void
describe(const struct race *race, struct race_op *op, const struct sim_op *so)
{
    op->id = so->id;
    op->origin = so->origin;
    op->target = so->target;
    op->team = so->ctx->team;
    op->domain = (uint8_t)fp_team_domain(race->job, op->team);
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
}

void
race_on_issue(struct race *race, const struct sim_event *event)
{
    struct sim_op *so = event->op;
    if (so->flags & SHMEM_OPF_INTERNAL) {
        so->note[0] = NULL;
        return;
    }
    struct race_pe *rp = &race->pes[so->origin];
    struct race_ctx *ctx = ctx_get(race, so->origin, so->ctx);
    struct race_op *op = race_op_new(race);

    describe(race, op, so);
    op->ctx = ctx->id;
    op->clock = clock_ref(rp->clock);
    op->vis = rp->vis;
    op->point = event->point;
    op->locks = rp->locks;
    if ((op->fence = ctx->fence))
        op->fence->refs++;
    op->iss = race_tick(race, so->origin, step_of(so), ctx->id, so->target, false, event);
    op_pend(ctx, op);
    so->note[0] = op;
    race_access_issue(race, event, op);
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
void
race_on_return(struct race *race, const struct sim_event *event)
{
    struct race_op *op = event->op->note[0];
    if (!op)
        return;
    struct race_pe *rp = &race->pes[op->origin];
    uint64_t now = race_tick(race, op->origin, RACE_STEP_RETURN, op->ctx, op->target, false, event);
    if (race_orders(race, FP_EDGE_RETURN, op->class_, FP_ORDER_LOAD))
        op_done(op, now);
    take_got(race, op);
    if (op->behind && op->fence && !op->fence->done)
        clock_add_lane(&race->pool, &rp->clock, op->fence, op->target);
    clock_prune(&race->pool, &rp->clock, op->origin, rp->now);
}

/* Fences that nobody refers to need not hear of the quiet behind them. */
static void
sweep_fences(struct race_ctx *ctx)
{
    ctx->nundone = 0;
    for (struct race_fence **at = &ctx->undone; *at;) {
        struct race_fence *fence = *at;
        if (fence->refs > 1) {
            ctx->nundone++;
            at = &fence->next;
            continue;
        }
        *at = fence->next;
        fence_drop(fence);
    }
    ctx->sweep_at = 2 * ctx->nundone + 64;
}

void
race_on_fence(struct race *race, const struct sim_event *event)
{
    if (event->ctx->id == SHMEM_CTX_LIBRARY) /* inside of a collective, which orders nothing of the program's */
        return;
    struct race_pe *rp = &race->pes[event->pe];
    struct race_ctx *ctx = ctx_get(race, event->pe, event->ctx);
    struct race_fence *fence = race_alloc(sizeof *fence);

    *fence =
        (struct race_fence){.refs = 2, .pe = event->pe, .ctx = ctx->id, .nostore = ctx->nostore, .next = ctx->undone};
    fence->clock = race_tick(race, event->pe, RACE_STEP_FENCE, ctx->id, -1, ctx->nostore, event);
    ctx->undone = fence;
    fence_drop(ctx->fence);
    ctx->fence = fence;
    if (++ctx->nundone > ctx->sweep_at)
        sweep_fences(ctx);
    if (race->publish && !ctx->nostore)
        rp->vis = fence->clock;
}

/* The operations of the context (to one target, or -1) are complete at event `now`; nonblocking fetches have their
 * values. Joining and dropping may free operations, listed ones too, so that comes when the list is no longer
 * walked. `called`: by a quiet that stands in the program. */
static void
take_all(struct race *race, struct race_ctx *ctx, int target, uint64_t now, bool called, bool learn)
{
    struct race_op *fetched = NULL;

    for (struct race_op *op = ctx->pending, *next; op; op = next) {
        next = op->pending_next;
        if ((target >= 0 && op->target != target) || !race_orders(race, FP_EDGE_QUIET, op->class_, FP_ORDER_LOAD))
            continue;
        op_done(op, now);
        op->quieted = called;
        if (op->held) {
            op->pending_next = fetched;
            fetched = op;
        }
    }
    while (fetched) {
        struct race_op *op = fetched;
        fetched = op->pending_next;
        op->pending_next = NULL;
        op->held = false;
        if (learn)
            take_got(race, op);
        race_op_drop(op);
    }
}

/* A pe_quiet makes stores visible, but only those into the memory of its targets: like a fence whose effect at `target`
 * everybody knows who knows the PE. */
static void
quiet_stores(struct race *race, int pe, int target, uint64_t now)
{
    struct race_pe *rp = &race->pes[pe];

    if (target != pe && rp->far_store <= rp->vis)
        return;
    struct race_fence *fence = race_alloc(sizeof *fence);
    *fence = (struct race_fence){.refs = 1, .pe = pe, .ctx = RACE_CTX_PE_QUIET, .clock = now};
    clock_add_lane(&race->pool, &rp->clock, fence, target);
    fence_drop(fence);
}

void
race_on_quiet(struct race *race, const struct sim_event *event)
{
    struct race_pe *rp = &race->pes[event->pe];
    struct race_ctx *ctx = ctx_get(race, event->pe, event->ctx);
    bool one = event->kind == SIM_EV_PE_QUIET;
    enum race_step_kind kind = one ? RACE_STEP_PE_QUIET : RACE_STEP_QUIET;
    if (rp->privates)
        private_gone(race, event);
    uint64_t now = race_tick(race, event->pe, kind, ctx->id, one ? event->target : -1, ctx->nostore, event);

    bool stores = !ctx->nostore && race_orders(race, FP_EDGE_QUIET, FP_ORDER_STORE, FP_ORDER_LOAD);
    if (stores && one)
        quiet_stores(race, event->pe, event->target, now);
    else if (stores)
        rp->vis = now;
    take_all(race, ctx, one ? event->target : -1, now, event->name && strstr(event->name, "quiet"), true);
    race_report_decide(race);
    for (struct race_fence *fence = one ? NULL : ctx->undone, *next; fence; fence = next) {
        next = fence->next;
        fence->done = now;
        fence_drop(fence);
        ctx->undone = next;
        ctx->nundone = 0;
    }
    private_done(race, event->pe);
    clock_prune(&race->pool, &rp->clock, event->pe, rp->now);
}

void
race_op_forget(struct race_op *op)
{
    op->forgotten = true;
    if (op->uses == 0 && !op->held)
        op_close(op);
    race_op_drop(op);
}

void
race_pe_close(struct race *race, struct race_pe *rp)
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
        take_all(race, ctx, -1, 0, false, false);
        free(ctx);
    }
    free(rp->ctxs);
    free(rp->steps);
    clock_drop(&race->pool, rp->clock);
}
