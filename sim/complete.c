/* complete.c -- fence, quiet and pe_quiet (S 9.12; H7, H8).
 *
 * A fence costs nothing here: it starts a new epoch of the context, and the lanes do the rest. A quiet blocks the PE
 * until the context has nothing pending.
 */
#include "sim/sim.h"

void
sim_fence(shmem_ctx_state_t *state, const shmem_call_t *call)
{
    struct sim_pe *sp = sim_self();
    struct sim_ctx *ctx = state->backend;
    ctx->epoch++;
    sp->began = sp->clock;
    sp->clock += sp->sim->net.overhead_ns;
    if (sp->sim->observing)
        sim_emit_(sp->sim, &(struct sim_event){.kind = SIM_EV_FENCE,
                                               .pe = sp->rank,
                                               .ctx = state,
                                               .name = call->name,
                                               .site = fp_site_of(sp->sim->job, sp->rank, call->site)});
    sim_point(sp);
}

bool
sim_quiet_done(const struct sim_pe *sp)
{
    if (!sp->quiet_pes)
        return sp->quiet_ctx->pending == 0;
    for (size_t i = 0; i < sp->quiet_npes; i++)
        if (sim_lane(sp->quiet_ctx, sp->quiet_pes[i])->pending > 0)
            return false;
    return true;
}

uint64_t
sim_quiet_acked(const struct sim_pe *sp)
{
    if (!sp->quiet_pes)
        return sp->quiet_ctx->acked;
    uint64_t acked = 0;
    for (size_t i = 0; i < sp->quiet_npes; i++) {
        uint64_t lane = sim_lane(sp->quiet_ctx, sp->quiet_pes[i])->acked;
        acked = acked > lane ? acked : lane;
    }
    return acked;
}

static void
complete(struct sim_pe *sp, struct sim_ctx *ctx, const int *pes, size_t npes, const shmem_call_t *call)
{
    sim_begin(sp, call);
    sp->quiet_ctx = ctx;
    sp->quiet_pes = pes;
    sp->quiet_npes = npes;
    if (sim_quiet_done(sp))
        sim_point(sp);
    else
        sim_block(sp, SIM_IN_QUIET);
    if (sp->sim->links && sp->clock < sim_quiet_acked(sp)) {
        sp->blocked += sim_quiet_acked(sp) - sp->clock;
        sp->clock = sim_quiet_acked(sp);
    }
    sp->quiet_ctx = NULL;
}

void
sim_quiet(shmem_ctx_state_t *state, const shmem_call_t *call)
{
    struct sim_pe *sp = sim_self();
    struct sim_ctx *ctx = state->backend;
    complete(sp, ctx, NULL, 0, call);
    ctx->epoch++; /* what was issued before can no longer hold anything back; keeps epochs telling phases apart */
    if (sp->sim->observing)
        sim_emit_(sp->sim, &(struct sim_event){.kind = SIM_EV_QUIET,
                                               .pe = sp->rank,
                                               .ctx = state,
                                               .name = call->name,
                                               .site = fp_site_of(sp->sim->job, sp->rank, call->site)});
}

void
sim_pe_quiet(shmem_ctx_state_t *state, const int *pes, size_t npes, const shmem_call_t *call)
{
    struct sim_pe *sp = sim_self();
    complete(sp, state->backend, pes, npes, call);
    for (size_t i = 0; i < npes && sp->sim->observing; i++)
        sim_emit_(sp->sim, &(struct sim_event){.kind = SIM_EV_PE_QUIET,
                                               .pe = sp->rank,
                                               .ctx = state,
                                               .target = pes[i],
                                               .name = call->name,
                                               .site = fp_site_of(sp->sim->job, sp->rank, call->site)});
}
