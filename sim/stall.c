/* stall.c -- faults that a test asks for: a link that delivers only when nothing else can move (--stall), a PE that
 * stops (--stop-pe).
 *
 * A stalled link breaks no rule: every delivery has to happen some time, and as late as this is legal. What is on it
 * keeps its order of readiness, so that a run stays a function of its choices. A stopped PE is as good as a dead
 * machine: what it had issued still arrives, nothing more is issued, and whoever needs it hangs.
 */
#include <stdlib.h>

#include "sim/sim.h"

static bool
on_link(const struct fp_config *config, const struct sim_op *op)
{
    return (config->stall_from < 0 || config->stall_from == op->origin) &&
           (config->stall_to < 0 || config->stall_to == op->target);
}

bool
sim_stall_keeps(struct sim *sim, struct sim_unit *unit)
{
    if (!on_link(&sim->job->config, &unit->flight->op))
        return false;
    if (sim->nstalled == sim->stalled_cap) {
        uint32_t cap = sim->stalled_cap ? 2 * sim->stalled_cap : 64;
        struct sim_unit **stalled = realloc(sim->stalled, cap * sizeof *stalled);
        if (!stalled)
            fp_env_fail("out of memory for %u operations on a stalled link", cap);
        sim->stalled = stalled;
        sim->stalled_cap = cap;
    }
    sim->stalled[sim->nstalled++] = unit;
    return true;
}

bool
sim_stall_release(struct sim *sim)
{
    if (sim->nstalled == 0)
        return false;
    struct sim_unit *first = sim->stalled[0];
    sim->nstalled--;
    for (uint32_t i = 0; i < sim->nstalled; i++)
        sim->stalled[i] = sim->stalled[i + 1];
    sim_units_push(sim, first);
    return true;
}

void
sim_stall_free(struct sim *sim)
{
    free(sim->stalled);
    sim->stalled = NULL;
    sim->nstalled = sim->stalled_cap = 0;
}

void
sim_stop_pe(struct fp_pe *pe, const shmem_call_t *call)
{
    struct sim_pe *sp = pe->backend;
    sp->call = *call;
    sim_block(sp, SIM_STOPPED);
}
