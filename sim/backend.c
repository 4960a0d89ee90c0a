/* backend.c -- the simulator behind the seam: start, run, stop, and the table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "sim/insert.h"
#include "sim/order.h"
#include "sim/record.h"
#include "sim/search.h"
#include "sim/server.h"
#include "sim/sim.h"
#include "sim/timing.h"
#include "sim/topology.h"
#include "sim/watchdog.h"
#include "sim/whatif.h"

void
sim_emit_(struct sim *sim, const struct sim_event *event)
{
    if (sim->running)
        sim_access_tell(sim->running);
    sim_emit_access(sim, event);
}

void
sim_emit_access(struct sim *sim, const struct sim_event *event)
{
    if (sim->record) /* first: what the observers find is found by this record */
        sim_record_event(sim->record, event);
    for (int i = 0; i < sim->nobservers; i++)
        sim->observers[i]->event(sim->observer_self[i], event);
}

static bool
use_threads(struct fp_job *job)
{
    if (!strcmp(job->config.pe_context, "thread"))
        return true;
#ifdef __SANITIZE_ADDRESS__
    if (job->config.in_process)
        return true; /* the sanitizer takes a stack that we made for a stray pointer */
#endif
    if (job->config.in_process)
        return sim_context_under_valgrind();
    return !sim_context_fibers_work();
}

static int
open_chooser(struct sim *sim)
{
    struct fp_config *config = &sim->job->config;
    const struct sim_chooser_class *class_ = sim_chooser_find(config->chooser);
    if (!class_)
        return -1;
    sim->timed = class_->timed;
    sim->chooser.class_ = class_;
    sim->chooser.self = class_->open(sim, config->seed);
    if (sim->chooser.self && class_->tune && !sim->net.immediate)
        class_->tune(sim->chooser.self, &sim->net);
    if (sim->search) {
        if (sim->chooser.self)
            class_->close(sim->chooser.self);
        sim->chooser.class_ = &sim_chooser_exhaustive;
        sim->chooser.self = sim_chooser_exhaustive.open(sim, config->seed);
    } else if (config->replay[0]) { /* on the network of the recorded run, with the recorded answers */
        if (sim->chooser.self)
            class_->close(sim->chooser.self);
        sim->chooser.class_ = config->guided ? &sim_chooser_guided : &sim_chooser_replay;
        sim->chooser.self = sim->chooser.class_->open(sim, config->seed);
    }
    if (sim->chooser.self && sim->late.kind)
        sim->chooser = sim_chooser_late(sim, sim->chooser);
    return sim->chooser.self ? 0 : -1;
}

static void
at_end(struct fp_job *job)
{
    struct sim *sim = job->backend_state;
    if (!sim)
        return;
    for (int i = 0; i < sim->npes; i++)
        sim_access_tell(&sim->pes[i]);
    if (sim->search)
        sim_search_end(sim, sim->ended == sim->npes && !job->ending);
    for (int i = 0; i < sim->nobservers; i++)
        sim->observers[i]->close(sim->observer_self[i]);
    sim->nobservers = 0;
    sim->observing = false;
    if (sim->timing)
        sim_timing_tell(sim->timing, stderr);
    if (sim->record)
        if (sim_record_close(sim, sim->record) && !job->exit_status && fp_report_count(job->report) == 0)
            job->exit_status = EX_OSERR; /* what was asked for is not there */
    sim->record = NULL;
    if (sim->predict)
        sim_predict_end(sim);
    if (sim->served)
        sim_served_end(sim);
}

static void
add_observer(struct sim *sim, const struct sim_observer *observer)
{
    sim->observers[sim->nobservers] = observer;
    sim->observer_self[sim->nobservers++] = observer->open(sim->job);
}

static void
open_observers(struct sim *sim)
{
    if (sim->job->config.check) {
        add_observer(sim, &sim_observer_race);
        if (sim->job->hooked && !sim->job->given) /* without hooks nobody knows what plain stores have written */
            add_observer(sim, &sim_observer_uninit);
        if (sim->job->config.notes)
            add_observer(sim, &sim_observer_notes);
        if (sim->job->config.unneeded)
            add_observer(sim, &sim_observer_unneeded);
    }
    if (sim->job->given)
        add_observer(sim, &sim_observer_whatif);
    if (sim->search)
        add_observer(sim, &sim_observer_search);
    sim->observing = sim->nobservers > 0 || sim->record;
}

static void
read_rules(struct sim_rules *rules, enum fp_rules profile)
{
    for (enum fp_order_class c = 0; c < FP_ORDER_COUNT; c++) {
        rules->holds[c] = sim_order_fence_covers_earlier(profile, c);
        rules->obeys[c] = sim_order_fence_covers_later(profile, c);
        rules->quiets[c] = fp_order_has(profile, FP_EDGE_QUIET, c, FP_ORDER_LOAD);
    }
    rules->signal_after_data = fp_order_has(profile, FP_EDGE_CALL, FP_ORDER_PUT, FP_ORDER_SIGNAL);
    rules->location_order = sim_order_amo_same_location(profile);
}

/* What one run has and the next has not; the rest of the struct stays. */
static int
open_run(struct sim *sim)
{
    struct fp_job *job = sim->job;
    char error[512];
    sim->search = job->search;
    for (int i = 0; i < job->npes; i++) {
        sim->pes[i].pe = &job->pes[i];
        sim->pes[i].sim = sim;
        sim->pes[i].rank = i;
        job->pes[i].backend = &sim->pes[i];
        bool stops = job->config.stop_call && i == job->config.stop_pe;
        job->pes[i].counted = stops || job->config.insert[0] || job->config.notes;
    }
    if (sim_net_load(&sim->net, job->config.net, error, sizeof error)) {
        fprintf(stderr, "fencepost: %s\n", error);
        return -1;
    }
    if (sim->net.topology != SIM_TOPOLOGY_PAIRS)
        sim->links = sim_links_open(&sim->net, sim->npes);
    if (job->config.time)
        sim->timing = sim_timing_open(sim);
    read_rules(&sim->rules, job->config.rules);
    if (open_chooser(sim))
        return -1;
    job->predict = sim->predict = sim_predict_new(sim);
    const char *trace = job->config.trace[0] ? job->config.trace : job->config.until ? "/dev/null" : NULL;
    if (trace && !sim->predict && !(sim->record = sim_record_open(sim, trace))) /* --until counts records */
        return -1;
    open_observers(sim);
    if (sim_insert_open(sim))
        return -1;
    fp_job_at_end = at_end;
    return 0;
}

int
sim_reopen(struct sim *sim)
{
    if (sim->chooser.self)
        sim->chooser.class_->close(sim->chooser.self);
    sim->chooser.self = NULL;
    sim->search = sim->job->search;
    if (open_chooser(sim))
        return -1;
    bool keeps = sim->predict && sim->predict->pass == PREDICT_LOG; /* its trace begins behind another fork */
    if (sim->job->config.trace[0] && !keeps && !(sim->record = sim_record_open(sim, sim->job->config.trace)))
        return -1;
    if (sim->search)
        add_observer(sim, &sim_observer_search);
    sim->observing = sim->nobservers > 0 || sim->record;
    return 0;
}

static int
sim_start(struct fp_job *job)
{
    struct sim *sim = calloc(1, sizeof *sim);
    if (!sim)
        fp_env_fail("out of memory for %d PEs", job->npes);
    job->backend_state = sim;
    sim->job = job;
    sim->npes = job->npes;
    sim->pes = calloc((size_t)job->npes, sizeof *sim->pes);
    sim->ready = calloc((size_t)job->npes, sizeof *sim->ready);
    if (!sim->pes || !sim->ready)
        fp_env_fail("out of memory for %d PEs", job->npes);
    return open_run(sim);
}

/* First step of a PE but PE 0. */
static void
begin(struct fp_pe *pe)
{
    fp_self = pe; /* in-process fibers share thread-locals */
    fp_pe_main(pe);
    FP_BUG("the program of PE %d came back", pe->rank);
}

static void
create_contexts(struct sim *sim, bool threads)
{
    struct fp_job *job = sim->job;
    sim_context_adopt(&sim->pes[0].context, threads);
    for (int i = 1; i < job->npes; i++) {
        int error = sim_context_create(&sim->pes[i].context, &job->pes[i], threads, begin);
        if (error)
            fp_env_fail("cannot start PE %d of %d: %s (raise the limit of processes, ulimit -u, or ask for fewer PEs)",
                        i, job->npes, strerror(error));
        sim_ready_add(sim, &sim->pes[i]);
    }
}

/* Forks the process that makes further runs, where there is to be one, and begins the trace: a child has its own. */
static void
keep(struct sim *sim)
{
    struct fp_job *job = sim->job;
    if (!sim->predict)
        return;
    sim_predict_keep(sim);
    if (sim->predict->pass == PREDICT_LOG && job->config.trace[0] &&
        !(sim->record = sim_record_open(sim, job->config.trace)))
        fp_job_abort(job, EX_OSERR);
    sim->observing = sim->nobservers > 0 || sim->record;
}

/* Forks where that is needed: threads do not outlive it, so they are made afterwards. */
static void
fork_point(struct sim *sim, bool server)
{
    if (server)
        sim_serve(sim);
    keep(sim);
}

static void
sim_run(struct fp_job *job)
{
    struct sim *sim = job->backend_state;
    bool threads = use_threads(job), server = !job->config.in_process && sim_is_server();
    if (threads)
        fork_point(sim, server);
    create_contexts(sim, threads);
    for (int i = 1; (server || sim->predict) && !threads && !job->config.in_process && i < job->npes; i++)
        sim_context_await(&sim->pes[i].context);
    if (!threads)
        fork_point(sim, server);
    sim->running = &sim->pes[0];
    sim->watchdog = sim_watchdog_start(sim);
    fp_self = &job->pes[0];
    fp_pe_main(&job->pes[0]);
    bool child = sim->predict && sim->predict->pass != PREDICT_LOG;
    if (child && job->config.in_process)
        sim_predict_leave(sim);
    if (server || child)
        fp_job_abort(job, job->exit_status); /* a child has no threads that could be waited for */
}

static void
sim_pe_end(struct fp_pe *pe)
{
    sim_leave(pe->backend);
}

static void
free_ctx(struct sim_ctx *ctx, int npes)
{
    for (int i = 0; ctx->lanes && i < npes; i++)
        free(ctx->lanes[i]);
    free(ctx->lanes);
    free(ctx);
}

static void
close_run(struct sim *sim)
{
    sim_insert_close(sim);
    sim_watchdog_stop(sim->watchdog);
    sim->watchdog = NULL;
    for (struct sim_ctx *ctx = sim->all_ctxs, *next; ctx; ctx = next) {
        next = ctx->next;
        free_ctx(ctx, sim->npes);
    }
    sim->all_ctxs = NULL;
    if (sim->chooser.self)
        sim->chooser.class_->close(sim->chooser.self);
    sim->chooser.self = NULL;
    for (int i = 0; i < sim->npes; i++)
        sim_turns_free(&sim->pes[i]);
    sim_meet_free(sim);
    sim_locks_free(sim);
    sim_stall_free(sim);
    sim_links_close(sim->links);
    sim->links = NULL;
    sim_timing_close(sim->timing);
    sim->timing = NULL;
    sim_net_free(&sim->net);
    sim_predict_forget(sim);
}

static void
sim_stop(struct fp_job *job)
{
    struct sim *sim = job->backend_state;
    close_run(sim);
    for (int i = 0; i < sim->npes; i++)
        sim_access_free(&sim->pes[i]);
    for (int i = 1; i < sim->npes; i++)
        sim_context_destroy(&sim->pes[i].context, &job->pes[i]);
    sim_flights_free(sim);
    free(sim->same_location);
    free(sim->units);
    free(sim->ready);
    free(sim->pes);
    free(sim);
    job->backend_state = NULL;
}

/* Operations that were pending when the run ended are where they were: then everything is built anew. */
static int
sim_again(struct fp_job *job)
{
    struct sim *sim = job->backend_state;
    close_run(sim);
    sim_flights_again(sim);
    for (int i = 0; i < sim->npes; i++) {
        struct sim_pe *sp = &sim->pes[i];
        sim_access_free(sp);
        if (i > 0 && sp->context.threads)
            sim_context_destroy(&sp->context, sp->pe);
        *sp = (struct sim_pe){.context.stack = i > 0 ? sp->context.stack : NULL};
    }
    *sim = (struct sim){.job = job,
                        .npes = sim->npes,
                        .pes = sim->pes,
                        .ready = sim->ready,
                        .units = sim->units,
                        .units_cap = sim->units_cap,
                        .same_location = sim->same_location,
                        .chunks = sim->chunks,
                        .free_flights = sim->free_flights,
                        .free_units = sim->free_units};
    return open_run(sim);
}

static int
sim_ctx_create(shmem_ctx_state_t *state)
{
    struct sim *sim = state->pe->job->backend_state;
    struct sim_ctx *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return -1;
    ctx->state = state;
    ctx->owner = state->pe->backend;
    ctx->next = sim->all_ctxs;
    sim->all_ctxs = ctx;
    state->backend = ctx;
    return 0;
}

/* The lanes of a destroyed context are empty; its struct stays until the end, since finished operations may still
 * name it. */
static void
sim_ctx_destroy(shmem_ctx_state_t *state)
{
    struct sim_ctx *ctx = state->backend;
    FP_ASSERT(ctx->pending == 0);
}

static void
emit_block(struct fp_pe *pe, enum sim_event_kind kind, size_t offset, size_t bytes, const shmem_call_t *call)
{
    struct sim *sim = pe->job->backend_state;
    char *address = pe->heap_base + offset;
    if (sim->observing)
        sim_emit_(sim, &(struct sim_event){.kind = kind,
                                           .pe = pe->rank,
                                           .address = address,
                                           .place = {.region = FP_HEAP, .pe = pe->rank, .offset = offset},
                                           .bytes = bytes,
                                           .zeroed = kind == SIM_EV_BORN && !strcmp(call->name, "shmem_calloc"),
                                           .name = call->name,
                                           .site = fp_site_of(sim->job, pe->rank, call->site)});
}

static void
sim_block_born(struct fp_pe *pe, size_t offset, size_t bytes, const shmem_call_t *call)
{
    emit_block(pe, SIM_EV_BORN, offset, bytes, call);
}

static void
sim_block_died(struct fp_pe *pe, size_t offset, size_t bytes, const shmem_call_t *call)
{
    emit_block(pe, SIM_EV_DIED, offset, bytes, call);
}

static uint64_t
sim_now(struct fp_pe *pe)
{
    struct sim_pe *sp = pe->backend;
    /* Looking at the clock takes time, so that a loop which waits for it to advance ends. */
    return sp->clock += 20;
}

static void
sim_advance(struct fp_pe *pe, uint64_t ns)
{
    struct sim_pe *sp = pe->backend;
    sp->clock += ns;
    if (sp->sim->running == sp)
        sim_poll_point(sp);
}

static const shmem_backend_t sim_backend = {
    .name = "sim",
    .start = sim_start,
    .run = sim_run,
    .stop = sim_stop,
    .again = sim_again,
    .search = &sim_search_hooks,
    .pe_end = sim_pe_end,
    .ctx_create = sim_ctx_create,
    .ctx_destroy = sim_ctx_destroy,
    .put = sim_put,
    .get = sim_get,
    .amo = sim_amo,
    .fence = sim_fence,
    .quiet = sim_quiet,
    .pe_quiet = sim_pe_quiet,
    .wait = sim_wait,
    .test = sim_test,
    .signal_fetch = sim_signal_fetch,
    .coll_enter = sim_coll_enter,
    .coll_leave = sim_coll_leave,
    .sync = sim_sync,
    .lock_set = sim_lock_set,
    .lock_test = sim_lock_test,
    .lock_clear = sim_lock_clear,
    .block_born = sim_block_born,
    .block_died = sim_block_died,
    .now = sim_now,
    .advance = sim_advance,
    .stop_pe = sim_stop_pe,
    .before = sim_insert_before,
    .access = sim_access,
};

const shmem_backend_t *const fp_backend = &sim_backend;
