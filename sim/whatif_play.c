/* whatif_play.c -- the PE function that issues recorded calls again, see whatif.h.
 *
 * Operations, order points, locks and data collectives go through the same entries as those of a program. Allocations
 * are made anew, so that offsets, block names and lifetimes are the heap's own. Data is a number of the operation, so
 * that every update leaves another value: by it a wait tells the observers which update it has seen. Private buffers
 * are replaced: pending nonblocking operations get memory of their own, the others share.
 */
#include <stdlib.h>
#include <string.h>

#include "reference/api/ctx.h"
#include "reference/coll/coll.h"
#include "reference/heap/heap.h"
#include "reference/team/team.h"
#include "sim/whatif.h"

#define PRIVATE_BYTES_MAX ((size_t)1 << 32)

/* Memory of one nonblocking operation on private memory. */
struct whatif_buffer {
    struct whatif_buffer *next;
    _Alignas(16) char bytes[];
};

/* ---- Addresses
 * ---------------------------------------------------------------------------------------------------------- */

/* Where a recorded heap offset lies here: in the youngest block that has it. */
static int64_t
heap_offset(const struct whatif *w, int64_t offset)
{
    if (w->same_heap)
        return offset;
    for (size_t i = w->made; i-- > 0;)
        if (offset >= w->blocks[i].recorded && offset < w->blocks[i].recorded + w->blocks[i].bytes)
            return w->blocks[i].ours + (offset - w->blocks[i].recorded);
    return -1;
}

char *
whatif_address(struct whatif *w, int pe, int region, int64_t offset)
{
    struct fp_pe *to = w->sim->pes[pe].pe;
    if (region == FP_STATIC)
        return offset < w->static_bytes ? to->static_lo + offset : NULL;
    if (region != FP_HEAP)
        return NULL;
    int64_t here = heap_offset(w, offset);
    const struct fp_block *block = here < 0 ? NULL : fp_heap_find(w->sim->job, (uint64_t)here);
    return block && block->state == FP_BLOCK_LIVE ? to->heap_base + here : NULL;
}

/* A private buffer; `pending`: a nonblocking operation keeps it. */
static char *
private_buffer(struct whatif *w, size_t bytes, bool pending)
{
    if (!pending)
        return w->nothing;
    struct whatif_buffer *buffer = calloc(1, sizeof *buffer + bytes + 16);
    if (!buffer)
        fp_env_fail("out of memory for the buffers of nonblocking operations");
    buffer->next = w->buffers;
    w->buffers = buffer;
    return buffer->bytes;
}

static shmem_call_t
call_of(const struct whatif_act *act)
{
    return (shmem_call_t){act->shape->call, (const void *)(uintptr_t)(act->shape->site ? act->shape->site + 1 : 0)};
}

/* ---- Operations
 * --------------------------------------------------------------------------------------------------------- */

static shmem_ctx_state_t *
ctx_of(struct whatif *w, struct fp_pe *pe, const struct whatif_act *act)
{
    uint32_t id = (uint32_t)act->ctx;
    if (id < w->nctxs[pe->rank] && w->ctxs[pe->rank][id])
        return w->ctxs[pe->rank][id];
    return pe->ctxs[0];
}

static int
team_here(struct whatif *w, struct fp_pe *pe, int index)
{
    if (index < w->nteams && w->teams[index].size > 0)
        return fp_team_active(pe, w->teams[index].start, w->teams[index].stride, w->teams[index].size);
    return FP_TEAM_WORLD;
}

static void
play_context(struct whatif *w, struct fp_pe *pe, const struct whatif_act *act)
{
    uint32_t id = (uint32_t)act->ctx;
    if (id >= w->nctxs[pe->rank]) {
        uint32_t count = id + 8;
        shmem_ctx_state_t **ctxs = realloc(w->ctxs[pe->rank], count * sizeof *ctxs);
        if (!ctxs)
            fp_env_fail("out of memory for contexts");
        memset(ctxs + w->nctxs[pe->rank], 0, (count - w->nctxs[pe->rank]) * sizeof *ctxs);
        w->ctxs[pe->rank] = ctxs;
        w->nctxs[pe->rank] = count;
    }
    shmem_call_t call = {"shmem_ctx_create", NULL};
    w->ctxs[pe->rank][id] = fp_ctx_add(pe, act->flags, team_here(w, pe, act->team), call);
}

/* What an operation leaves behind is its number, so that no two leave the same. */
static void
number_to(void *at, size_t bytes, uint64_t op)
{
    uint64_t value = op * UINT64_C(0x9e3779b97f4a7c15) | 1;
    memcpy(at, &value, bytes < sizeof value ? bytes : sizeof value);
}

/* An atomic becomes one of its kind whose result is new each time: it passes on what it read, or does not. */
static shmem_amo_t
amo_here(const struct whatif_act *act)
{
    switch (act->shape->amo) {
    case SHMEM_AMO_SET:
    case SHMEM_AMO_FETCH:
    case SHMEM_AMO_SWAP:
        return act->shape->amo;
    case SHMEM_AMO_CSWAP:
        return act->failed ? SHMEM_AMO_FETCH : SHMEM_AMO_SWAP;
    default:
        return SHMEM_AMO_ADD;
    }
}

static void
place_local(struct whatif *w, struct fp_pe *pe, const struct whatif_act *act, char **local, int64_t *local_step)
{
    bool pending = act->shape->flags & SHMEM_OPF_NBI;
    *local = whatif_address(w, pe->rank, act->local_region, act->local_offset);
    *local_step = act->local_step;
    if (*local)
        return;
    *local = private_buffer(w, (size_t)act->bytes, pending);
    *local_step = act->bytes / (act->blocks + 1);
    if (act->shape->op == SHMEM_OP_PUT && act->bytes <= 8 && pending)
        number_to(*local, (size_t)act->bytes, act->op);
}

static void
play_op(struct whatif *w, struct sim_pe *sp, const struct whatif_act *act)
{
    const struct whatif_shape *shape = act->shape;
    struct fp_pe *pe = sp->pe;
    char *remote = act->bytes ? whatif_address(w, pe->rank, act->region, act->offset) : NULL, *local;
    char *signal = whatif_address(w, pe->rank, act->signal_region, act->signal_offset);
    bool signals = shape->op == SHMEM_OP_PUT && shape->flags & SHMEM_OPF_SIGNAL;
    int64_t local_step;
    _Alignas(16) char own[16] = {0};
    if ((act->bytes && !remote) || (signals && !signal) || (!act->bytes && !signals)) {
        w->left_out++;
        return;
    }
    if (act->gate)
        whatif_gate_wait(w, sp, act);
    place_local(w, pe, act, &local, &local_step);
    shmem_op_t op = {.kind = shape->op,
                     .type = shape->type,
                     .flags = shape->flags,
                     .pe = act->target,
                     .ctx = ctx_of(w, pe, act),
                     .elem_bytes = shape->elem,
                     .block_bytes = (size_t)act->bytes / (size_t)(act->blocks + 1),
                     .nblocks = act->bytes ? (size_t)act->blocks + 1 : 0,
                     .sig_addr = (uint64_t *)(void *)signal,
                     .signal = act->op * UINT64_C(0x9e3779b97f4a7c15) | 1,
                     .sig_op = shape->sig_op,
                     .call = call_of(act)};
    w->issuing[pe->rank] = act->op;
    switch (shape->op) {
    case SHMEM_OP_PUT:
        if (local == w->nothing && act->bytes <= 8) {
            number_to(own, (size_t)act->bytes, act->op);
            local = own;
        }
        op.dest = remote;
        op.source = local;
        op.dest_step = act->step;
        op.source_step = local_step;
        fp_backend->put(&op);
        break;
    case SHMEM_OP_GET:
        op.dest = local;
        op.source = remote;
        op.dest_step = local_step;
        op.source_step = act->step;
        fp_backend->get(&op);
        break;
    case SHMEM_OP_AMO:
        op.amo = amo_here(act);
        op.dest = remote;
        op.fetch = shape->flags & SHMEM_OPF_NBI ? local : own;
        number_to(op.operand, sizeof op.operand, act->op);
        fp_backend->amo(&op);
        break;
    }
    w->issuing[pe->rank] = 0;
}

/* ---- Waits and plain accesses: told to the observers here
 * ------------------------------------------------------------- */

static void
play_wait(struct whatif *w, struct sim_pe *sp, const struct whatif_act *act)
{
    const struct whatif_shape *shape = act->shape;
    shmem_call_t call = call_of(act);
    char *at = whatif_address(w, sp->rank, act->region, act->offset);
    uint64_t value;
    sim_begin(sp, &call);
    sim_point(sp);
    if (act->gate)
        whatif_gate_wait(w, sp, act);
    if (!at || !whatif_gate_value(w, act, &value))
        return;
    struct sim_event event = {.kind = SIM_EV_WAIT,
                              .pe = sp->rank,
                              .address = at,
                              .place = fp_place_of(sp->sim->job, at),
                              .bytes = shape->elem,
                              .type = shape->type,
                              .cmp = SHMEM_CMP_EQ,
                              .signal = shape->flags & SHMEM_OPF_SIGNAL,
                              .name = shape->call,
                              .site = shape->site};
    memcpy(event.value, &value, sizeof value);
    sim_emit(sp->sim, &event);
}

static void
play_access(struct whatif *w, struct sim_pe *sp, const struct whatif_act *act)
{
    static const enum sim_event_kind kinds[] = {
        [TRACE_EV_LOAD] = SIM_EV_LOAD, [TRACE_EV_STORE] = SIM_EV_STORE, [TRACE_EV_ATOMIC] = SIM_EV_ATOMIC};
    char *at = whatif_address(w, act->target, act->region, act->offset);
    if (act->gate)
        whatif_gate_wait(w, sp, act);
    if (!at || act->bytes == 0) {
        w->left_out += act->region != FP_PRIVATE;
        return;
    }
    struct sim_event event = {.kind = kinds[act->shape->event],
                              .pe = sp->rank,
                              .address = at,
                              .place = fp_place_of(sp->sim->job, at),
                              .bytes = (size_t)act->bytes,
                              .grain = act->elems > 0 ? (size_t)act->elems : (size_t)act->bytes,
                              .name = act->shape->call,
                              .site = act->shape->site};
    sim_emit(sp->sim, &event);
    if (act->shape->event == TRACE_EV_ATOMIC)
        whatif_atomic_done(w, sp, act);
}

/* ---- Locks, order points
 * ------------------------------------------------------------------------------------------------ */

static void
play_lock(struct whatif *w, struct sim_pe *sp, const struct whatif_act *act)
{
    shmem_call_t call = call_of(act);
    long *lock = (long *)(void *)whatif_address(w, sp->rank, act->region, act->offset);
    if (!lock) {
        w->left_out++;
        return;
    }
    whatif_lock_wait(w, sp, act);
    for (int pe = 0; act->due == 0 && pe < w->npes; pe++) /* what the program stored there is not recorded */
        *(long *)fp_translate(sp->sim->job, lock, sp->rank, pe) = 0;
    if (act->shape->event == TRACE_EV_LOCK_SET)
        fp_backend->lock_set(lock, &call);
    else
        fp_backend->lock_clear(lock, &call);
    whatif_lock_done(w, act);
}

static void
play_order(struct whatif *w, struct fp_pe *pe, const struct whatif_act *act)
{
    shmem_call_t call = call_of(act);
    shmem_ctx_state_t *ctx = ctx_of(w, pe, act);
    int target = act->target;
    switch (act->shape->event) {
    case TRACE_EV_FENCE:
        fp_backend->fence(ctx, &call);
        break;
    case TRACE_EV_PE_QUIET:
        fp_backend->pe_quiet(ctx, &target, 1, &call);
        break;
    default:
        fp_backend->quiet(ctx, &call);
        break;
    }
}

/* ---- The heap, collectives
 * ---------------------------------------------------------------------------------------------- */

/* The block that this PE's allocation has made, beside the one of the recording. */
static void
note_made(struct whatif *w, struct fp_pe *pe, char *at)
{
    size_t number = w->born[pe->rank]++;
    if (!at || number >= w->nblocks)
        return;
    struct whatif_block *block = &w->blocks[number];
    block->ours = at - pe->heap_base;
    if (number >= w->made)
        w->made = number + 1;
    w->same_heap = w->same_heap && block->ours == block->recorded;
}

static void
play_heap(struct whatif *w, struct fp_pe *pe, const struct whatif_act *act)
{
    shmem_call_t call = call_of(act);
    size_t bytes = (size_t)act->elems;
    char *old = whatif_address(w, pe->rank, act->region, act->offset);
    switch (act->shape->coll) {
    case SHMEM_COLL_MALLOC:
        note_made(w, pe, fp_heap_malloc(bytes, act->flags, call));
        break;
    case SHMEM_COLL_CALLOC:
        note_made(w, pe, fp_heap_calloc(bytes, act->shape->elem ? act->shape->elem : 1, call));
        break;
    case SHMEM_COLL_ALIGN:
        note_made(w, pe, fp_heap_align(act->step > 0 ? (size_t)act->step : 16, bytes, call));
        break;
    case SHMEM_COLL_REALLOC:
        if (old)
            note_made(w, pe, fp_heap_realloc(old, bytes, call));
        break;
    case SHMEM_COLL_FREE:
        if (old)
            fp_heap_free(old, call);
        break;
    default:
        break;
    }
}

static void
play_sync(struct whatif *w, struct fp_pe *pe, const struct whatif_act *act)
{
    shmem_call_t call = call_of(act);
    shmem_coll_kind_t kind = act->shape->coll;
    if (kind >= SHMEM_COLL_MALLOC && kind <= SHMEM_COLL_FREE) {
        /* A call that meets twice is made at its first meeting. */
        const struct whatif_script *script = &w->scripts[pe->rank];
        if (kind != SHMEM_COLL_REALLOC || act == script->acts || act[-1].shape != act->shape ||
            act[-1].offset != act->offset || act[-1].flags != act->flags)
            play_heap(w, pe, act);
        return;
    }
    /* The set of PEs that stands for the team here stays: with its end the numbers of its collectives would begin anew,
     * and the words by which they tell each other how far they are would still hold the old ones. The end of a team is
     * a meeting like its split. */
    fp_coll_sync(pe, kind == SHMEM_COLL_TEAM_DESTROY ? SHMEM_COLL_TEAM_SPLIT : kind, team_here(w, pe, act->team),
                 &call);
}

static void
play_coll(struct whatif *w, struct fp_pe *pe, const struct whatif_act *act)
{
    const struct whatif_shape *shape = act->shape;
    int team = team_here(w, pe, act->team);
    shmem_coll_t coll = {.kind = shape->coll,
                         .team = team,
                         .type = shape->type,
                         .reduce = shape->reduce,
                         .dest = whatif_address(w, pe->rank, act->region, act->offset),
                         .source = whatif_address(w, pe->rank, act->local_region, act->local_offset),
                         .elem_bytes = shape->elem,
                         .nelems = (size_t)act->elems,
                         .dest_step = act->step,
                         .source_step = act->local_step,
                         .exclusive = act->flags & 1,
                         .call = call_of(act)};
    coll.root = fp_team_rank(pe->job, team, act->root);
    if (coll.root < 0)
        coll.root = 0;
    if (shape->coll < SHMEM_COLL_BROADCAST || shape->coll > SHMEM_COLL_ALLTOALLS)
        return;
    if (coll.nelems && (!coll.dest || !coll.source)) {
        w->left_out++; /* all members leave it out: the objects are symmetric */
        return;
    }
    fp_coll_data(pe, &coll);
}

/* ---- The PE
 * ------------------------------------------------------------------------------------------------------------- */

static void
play_act(struct whatif *w, struct sim_pe *sp, const struct whatif_act *act)
{
    sp->clock += act->gap;
    switch (act->shape->event) {
    case TRACE_EV_ISSUE:
        play_op(w, sp, act);
        break;
    case TRACE_EV_FENCE:
    case TRACE_EV_QUIET:
    case TRACE_EV_PE_QUIET:
        play_order(w, sp->pe, act);
        break;
    case TRACE_EV_WAIT:
        play_wait(w, sp, act);
        break;
    case TRACE_EV_SYNC_ENTER:
        play_sync(w, sp->pe, act);
        break;
    case TRACE_EV_COLL_ENTER:
        play_coll(w, sp->pe, act);
        break;
    case TRACE_EV_LOCK_SET:
    case TRACE_EV_LOCK_CLEAR:
        play_lock(w, sp, act);
        break;
    case TRACE_EV_CONTEXT:
        play_context(w, sp->pe, act);
        break;
    default:
        play_access(w, sp, act);
        break;
    }
}

void
whatif_play(void *self)
{
    struct whatif *w = self;
    struct fp_pe *pe = fp_self;
    const struct whatif_script *script = &w->scripts[pe->rank];
    shmem_call_t init = {"shmem_init", NULL};
    pe->in_runtime = true;
    pe->init_count = 1;
    pe->was_initialised = true;
    fp_ctx_open(pe, &init);
    for (size_t i = 0; i < script->count; i++)
        play_act(w, pe->backend, &script->acts[i]);
    pe->init_count = 0;
    pe->finalised = true;
    pe->in_runtime = false;
}

void
whatif_play_free(struct whatif *w)
{
    for (int i = 0; w->ctxs && i < w->npes; i++)
        free(w->ctxs[i]);
    for (struct whatif_buffer *buffer = w->buffers, *next; buffer; buffer = next) {
        next = buffer->next;
        free(buffer);
    }
    free(w->ctxs);
    free(w->nctxs);
    free(w->issuing);
    free(w->numbers);
    free(w->born);
    free(w->nothing);
}

/* ---- What arrives, as an observer hears of it
 * ---------------------------------------------------------------------------- */

static void *
observe_open(struct fp_job *job)
{
    struct whatif *w = job->given->self;
    w->sim = job->backend_state;
    return w;
}

static void
note_number(struct whatif *w, uint64_t ours, uint64_t recorded)
{
    if (ours >= w->numbers_cap) {
        uint64_t cap = ours * 2 + 1024;
        w->numbers = realloc(w->numbers, cap * sizeof *w->numbers);
        if (!w->numbers)
            fp_env_fail("out of memory for operations");
        memset(w->numbers + w->numbers_cap, 0, (cap - w->numbers_cap) * sizeof *w->numbers);
        w->numbers_cap = cap;
    }
    w->numbers[ours] = recorded;
}

static void
observe(void *self, const struct sim_event *event)
{
    struct whatif *w = self;
    if (event->kind == SIM_EV_ISSUE)
        note_number(w, event->op->id, w->issuing[event->pe]);
    bool put = event->kind == SIM_EV_WRITE && event->op->kind == SHMEM_OP_PUT;
    if (!put && event->kind != SIM_EV_RMW)
        return;
    uint64_t recorded = w->numbers[event->op->id];
    if (recorded)
        whatif_arrived(w, recorded, event);
}

static void
observe_close(void *self)
{
}

const struct sim_observer sim_observer_whatif = {
    .name = "whatif", .open = observe_open, .event = observe, .close = observe_close};
