/* timing.h -- how long the run would take on its network, and why: `fencepost run --time`.
 *
 * Each PE's clock comes from somewhere: from its own calls and computation, or, where it was blocked, from an operation
 * that arrived, the last PE at a barrier, the PE that gave a lock back. Each such cause is a step that points to the
 * step its own time came from. From the PE that ends last the steps lead back to the start: the critical path.
 */
#ifndef SIM_TIMING_H
#define SIM_TIMING_H

#include <stdint.h>
#include <stdio.h>

#include "sim/sim.h"

struct sim_timing;

struct sim_timing *sim_timing_open(struct sim *sim);
void sim_timing_close(struct sim_timing *timing);
/* The prediction, a table and the critical path. */
void sim_timing_tell(struct sim_timing *timing, FILE *out);
/* Time at the end of the run: the clock of the last PE. */
uint64_t sim_timing_end(const struct sim *sim);

/* The clock of `sp` is now at `until` since an operation, or PE `other` at `at` (its call, its step), let it go on. */
void sim_timing_by_op(struct sim_pe *sp, uint64_t until, const struct sim_flight *flight);
void sim_timing_by_pe(struct sim_pe *sp, uint64_t until, const struct sim_pe *other, uint64_t at);

/* sim_wake, with the cause. */
static inline void
sim_wake_by(struct sim_pe *sp, uint64_t time, const struct sim_flight *flight)
{
    if (sp->sim->timing && sp->clock < time)
        sim_timing_by_op(sp, time, flight);
    sim_wake(sp, time);
}

#endif
