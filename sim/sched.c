/* sched.c -- which step comes next.
 *
 * The PE that runs executes the scheduler itself, at its library calls: there is no scheduler context, and when the
 * chooser picks the PE that runs there is no switch at all. The candidates of a step are, in this order: going on (if
 * it can), the ready PEs, the ready units of operations (heap.c). Invariants: the running PE is not in `ready`; a PE
 * is in `ready`, or running, or blocked (why != SIM_RUNNABLE), or ended; a unit is in `units` exactly if its blockers
 * are 0 and it has not been carried out.
 */
#include "reference/check/hooks.h"
#include "sim/record.h"
#include "sim/search.h"
#include "sim/sim.h"

/* Looks in a row, over all PEs, without a change of memory by a delivery, a PE that is woken or a look at something
 * else, after which nothing will ever change (E095). A program may look many times and then give up, so there must be
 * very many; a look by an operation takes as long as some twenty by test, and counts for them. */
#define IDLE_LOOKS_MAX 10000000
#define IDLE_LOOKS_MORE_PER_PE 1000000
#define IDLE_POLLS_PER_PE_IN_SEARCH 1000

void
sim_ready_add(struct sim *sim, struct sim_pe *sp)
{
    sp->why = SIM_RUNNABLE;
    sim_ready_push(sim, sp);
}

void
sim_wake(struct sim_pe *sp, uint64_t time)
{
    FP_ASSERT(sp->why != SIM_RUNNABLE && !sp->ended);
    if (sp->clock < time)
        sp->clock = time;
    if (sp->why != SIM_IN_OP)
        sp->sim->idle_polls = 0;
    sim_ready_add(sp->sim, sp);
}

/* Takes `to` out of the ready set and runs it. Returns when `from` runs again. */
static void
resume(struct sim *sim, struct sim_pe *from, struct sim_pe *to)
{
    sim_ready_remove(sim, to->slot);
    sim->running = to;
    if (to == from)
        return;
    sim_context_switch(&from->context, &to->context);
    fp_self = from->pe; /* in-process fibers share thread-locals */
    if (sim->job->ending)
        fp_pe_abandon();
    FP_ASSERT(sim->running == from);
}

/* Answer of the chooser for one step. */
static uint32_t
choose_step(struct sim *sim, bool can_go_on, bool polling)
{
    uint32_t bound = can_go_on + sim->nready + sim->nunits;
    struct sim_pe *sp = sim->running;
    sim->steps++;
    sp->stretch_loads = sp->stretches = 0;
    if (sp->streams)
        sp->streams->nagain = 0;
    if (sp->in_stretch) {
        sim_access_tell_streams(sp);
    } else {
        sp->jumps = 0;
        sim_access_tell(sp);
    }
    if (sim->search) {
        uint32_t answer = sim_search_step(sim, can_go_on, polling);
        sim->choices += bound > 1;
        if (sim->record && bound > 1)
            sim_record_choice(sim->record, SIM_CHOICE_STEP, bound, answer);
        return answer;
    }
    if (bound <= 1)
        return 0;
    struct sim_view view = {.can_go_on = can_go_on,
                            .polling = polling,
                            .nready = sim->nready,
                            .nunits = sim->nunits,
                            .nready_polling = sim->nready_polling,
                            .sim = sim};
    return sim_choose(sim, SIM_CHOICE_STEP, bound, &view);
}

static void
point(struct sim_pe *sp, bool polling)
{
    struct sim *sim = sp->sim;
    FP_ASSERT(sim->running == sp);
    sp->points++;
    for (;;) {
        uint32_t step = choose_step(sim, true, polling);
        if (step == 0)
            return;
        step--;
        if (step < sim->nready) {
            struct sim_pe *to = sim->ready[step];
            sp->polling = polling;
            sim_ready_push(sim, sp);
            resume(sim, sp, to);
            sp->polling = false;
            return;
        }
        sim_unit_carry_out(sim, sim->units[step - sim->nready]);
    }
}

void
sim_point(struct sim_pe *sp)
{
    point(sp, false);
}

void
sim_poll_point(struct sim_pe *sp)
{
    sim_looked_in_vain(sp, 1);
    point(sp, true);
}

void
sim_stretch_point(struct sim_pe *sp, bool polling)
{
    sp->sim->idle_polls = 0; /* it may well compute */
    sp->in_stretch = true;
    point(sp, polling);
    sp->in_stretch = false;
}

void
sim_looked_in_vain(struct sim_pe *sp, unsigned weight)
{
    struct sim *sim = sp->sim;
    bool idle = sim->nready == sim->nready_polling && sim->nunits == 0;
    if (idle && sim->nstalled && sp->polls > 2 && sim_stall_release(sim))
        return;
    uint64_t most = IDLE_LOOKS_MAX + (uint64_t)sim->npes * IDLE_LOOKS_MORE_PER_PE;
    if (sim->search)
        most = (uint64_t)sim->npes * IDLE_POLLS_PER_PE_IN_SEARCH;
    if (sim->nready == sim->nready_polling && !(sim->search && sim->nunits > 0))
        sim->idle_polls += sim->search ? 1 : weight;
    if (sim->idle_polls > most)
        sim_hang(sim, "every PE is blocked or looks, again and again, for something that cannot happen any more");
    sp->polls++;
}

/* Carries units out and finds the next PE to run; the caller cannot go on. NULL: nobody is left that could ever run. */
static struct sim_pe *
next_pe(struct sim *sim)
{
    for (;;) {
        if (sim->nready + sim->nunits == 0) {
            if (sim_stall_release(sim) || sim_wait_poke_all(sim))
                continue;
            return NULL;
        }
        uint32_t step = choose_step(sim, false, false);
        if (step < sim->nready)
            return sim->ready[step];
        sim_unit_carry_out(sim, sim->units[step - sim->nready]);
    }
}

void
sim_block(struct sim_pe *sp, enum sim_why why)
{
    struct sim *sim = sp->sim;
    FP_ASSERT(sim->running == sp && why != SIM_RUNNABLE);
    sp->points++;
    sp->why = why;
    struct sim_pe *to = next_pe(sim);
    if (!to)
        sim_hang(sim, NULL);
    resume(sim, sp, to);
}

/* The job was aborted inside a unit test: PE 0 takes its caller back to the test, whatever it was doing. */
static void
leave_aborted(struct sim_pe *sp)
{
    struct sim *sim = sp->sim;
    struct sim_pe *zero = &sim->pes[0];
    sp->ended = true;
    if (sp == zero)
        return;
    sim->running = zero;
    sim_context_finish(&sp->context, &zero->context);
}

void
sim_leave(struct sim_pe *sp)
{
    struct sim *sim = sp->sim;
    if (sim->job->ending) {
        leave_aborted(sp);
        return;
    }
    sim_emit(sim, &(struct sim_event){.kind = SIM_EV_PE_END, .pe = sp->rank});
    sim->ended++;
    sim->idle_polls = 0;
    sp->ended = true;
    struct sim_pe *zero = &sim->pes[0];
    if (sp == zero) {
        sp->ended = false; /* its context must still come back here */
        while (sim->ended < sim->npes) {
            sp->why = SIM_AT_END;
            struct sim_pe *to = next_pe(sim);
            if (!to)
                sim_hang(sim, NULL);
            resume(sim, sp, to);
        }
        sp->ended = true;
        return;
    }
    sp->why = SIM_AT_END;
    if (sim->ended == sim->npes)
        sim_wake(zero, sp->clock);
    struct sim_pe *to = next_pe(sim);
    if (!to)
        sim_hang(sim, NULL);
    sim_ready_remove(sim, to->slot);
    sim->running = to;
    sim_context_finish(&sp->context, &to->context);
}
