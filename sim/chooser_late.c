/* chooser_late.c -- another chooser's answers, but for one thing that is late (predict.h).
 *
 * A PE at one of its scheduling points, or one operation under way, is passed over as long as anything else can move.
 * Until then the answers are the other chooser's, so the run is the one without lateness up to that point. PEs that
 * only look for something do not count as moving for long: it may be the late thing that they look for.
 */
#include <stdlib.h>
#include <sysexits.h>

#include "sim/sim.h"

#define LOOKS_IN_A_ROW 64
#define LOOKS_MORE_PER_PE 16

struct late {
    struct sim *sim;
    struct sim_chooser inner;
    uint64_t steps, looks; /* with something kept back: all of them, and those in a row at which others only looked */
    bool over;
};

static bool
pe_is_late(const struct late *self, const struct sim_pe *sp)
{
    const struct predict_late *late = &self->sim->late;
    return late->kind == PREDICT_STAY && sp->rank == late->pe && sp->points == late->point;
}

static bool
unit_is_late(const struct late *self, const struct sim_unit *unit)
{
    const struct predict_late *late = &self->sim->late;
    return late->kind == PREDICT_FLY && unit->flight->op.id == late->op &&
           (unit->kind == SIM_UNIT_SIGNAL || !unit->flight->signal_unit);
}

/* Candidates are in the order of struct sim_view. */
static bool
is_late(const struct late *self, const struct sim_view *view, uint32_t candidate)
{
    const struct sim *sim = self->sim;
    if (view->can_go_on && candidate == 0)
        return pe_is_late(self, sim->running);
    candidate -= view->can_go_on;
    return candidate < view->nready ? pe_is_late(self, sim->ready[candidate])
                                    : unit_is_late(self, sim->units[candidate - view->nready]);
}

static bool
only_looks(const struct late *self, const struct sim_view *view, uint32_t candidate)
{
    if (view->can_go_on && candidate == 0)
        return view->polling;
    candidate -= view->can_go_on;
    return candidate < view->nready && self->sim->ready[candidate]->polling;
}

/* Whether anything can be late now, at a glance. */
static bool
may_be_late(const struct late *self)
{
    const struct sim *sim = self->sim;
    const struct predict_late *late = &sim->late;
    return late->kind == PREDICT_STAY ? sim->pes[late->pe].points == late->point : sim->op_count >= late->op;
}

static uint32_t
pass_over(struct late *self, uint32_t answer, uint32_t bound, const struct sim_view *view)
{
    bool late = false;
    uint32_t other = bound, mover = bound;
    for (uint32_t i = 0; i < bound; i++) {
        uint32_t candidate = (answer + i) % bound;
        if (is_late(self, view, candidate)) {
            late = true;
            continue;
        }
        if (other == bound)
            other = candidate;
        if (mover == bound && !only_looks(self, view, candidate))
            mover = candidate;
    }
    if (!late)
        return answer;
    self->steps++;
    self->looks = mover < bound ? 0 : self->looks + 1;
    uint64_t most = LOOKS_IN_A_ROW + LOOKS_MORE_PER_PE * (uint64_t)self->sim->npes;
    self->over = other == bound || self->looks > most || self->steps > self->sim->late.patience;
    if (self->over || !is_late(self, view, answer))
        return answer;
    return mover < bound ? mover : other;
}

static uint32_t
late_pick(void *self_, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view)
{
    struct late *self = self_;
    if (self->sim->steps > self->sim->late.steps)
        fp_job_abort(self->sim->job, EX_DATAERR);
    uint32_t answer = self->inner.class_->pick(self->inner.self, kind, bound, view);
    if (kind != SIM_CHOICE_STEP || self->over || !may_be_late(self))
        return answer;
    return pass_over(self, answer, bound, view);
}

static void
late_close(void *self_)
{
    struct late *self = self_;
    self->inner.class_->close(self->inner.self);
    free(self);
}

static const struct sim_chooser_class late_class = {
    .name = "late", .help = "another chooser, with one thing late", .pick = late_pick, .close = late_close};

struct sim_chooser
sim_chooser_late(struct sim *sim, struct sim_chooser inner)
{
    struct late *self = malloc(sizeof *self);
    if (!self)
        fp_env_fail("out of memory for a chooser");
    *self = (struct late){.sim = sim, .inner = inner};
    return (struct sim_chooser){.class_ = &late_class, .self = self};
}
