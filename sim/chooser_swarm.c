/* chooser_swarm.c -- swarm testing (Groce and others, 2012): each seed switches features of the search on or off.
 *
 * One distribution over schedules, however fair, makes some schedules as good as impossible: where every step is a
 * coin, no PE ever runs a thousand steps behind. So a seed first draws a temper of the run (how eager PEs and
 * deliveries are, which
 * PEs and lanes are slow, whether the newest or the oldest delivery goes first, whether the network reorders and
 * splits) and then chooses at random within it. Over many seeds every schedule keeps a fair chance, and extreme ones
 * get a good one.
 *
 * Extreme, not unfair: an operation that never arrives is no execution. Where the newest goes first and a PE spins on
 * an atomic, each look is newer than what the look waits for; so once in a while all that is under way arrives in its
 * order, and the more often that was needed, the sooner.
 */
#include <stdlib.h>

#include "sim/sim.h"

/* So many deliveries in a row that leave an older one behind, and all arrive; half as many each time. */
enum { LATE_MAX = 4096, LATE_MIN = 16 };

enum order { ANY_ORDER, OLDEST_FIRST, NEWEST_FIRST, ORDERS };

struct swarm {
    struct sim_random random;
    uint64_t temper; /* decides who is slow */
    uint32_t deliver_in_16, switch_in_16;
    bool slow_pes, slow_lanes, in_order, whole;
    enum order order;
    uint32_t late, late_max;
    uint64_t drain; /* units up to this number go first, in order */
};

static bool
flag(struct sim_random *random, uint32_t one_in)
{
    return sim_random_below(random, one_in) == 0;
}

static void *
swarm_open(const struct sim *sim, uint64_t seed)
{
    static const uint32_t eager[] = {1, 2, 4, 8, 12, 15};
    struct swarm *swarm = calloc(1, sizeof *swarm);
    if (!swarm)
        return NULL;
    struct sim_random *random = &swarm->random;
    random->state = seed * UINT64_C(0x9ddfea08eb382d69) + 13;
    swarm->temper = sim_random_next(random);
    swarm->deliver_in_16 = eager[sim_random_below(random, 6)];
    swarm->switch_in_16 = eager[sim_random_below(random, 6)];
    swarm->slow_pes = flag(random, 2);
    swarm->slow_lanes = flag(random, 2);
    swarm->order = sim_random_below(random, ORDERS);
    swarm->in_order = flag(random, 4);
    swarm->whole = flag(random, 2);
    swarm->late_max = LATE_MAX;
    return swarm;
}

/* Only towards a stricter network: what it may do in addition would be a fault of ours, not of the program. */
static void
swarm_tune(void *self, struct sim_net *net)
{
    struct swarm *swarm = self;
    if (swarm->in_order)
        net->reorder = 0;
    if (swarm->whole || swarm->in_order)
        net->split_max = 1;
}

/* One in four, by name: the same ones all through the run. */
static bool
is_slow(const struct swarm *swarm, uint64_t name)
{
    struct sim_random random = {.state = swarm->temper ^ (name + 1) * UINT64_C(0xd6e8feb86659fd93)};
    return sim_random_next(&random) >> 62 == 0;
}

static bool
slow_pe(const struct swarm *swarm, const struct sim_pe *sp)
{
    return swarm->slow_pes && is_slow(swarm, (uint64_t)sp->rank);
}

static bool
slow_unit(const struct swarm *swarm, const struct sim_unit *unit)
{
    const struct sim_op *op = &unit->flight->op;
    return swarm->slow_lanes && is_slow(swarm, UINT64_C(1) << 63 | (uint64_t)op->origin << 32 | (uint32_t)op->target);
}

static uint32_t
oldest_unit(const struct sim_view *view)
{
    struct sim_unit *const *units = view->sim->units;
    uint32_t oldest = 0;
    for (uint32_t i = 1; i < view->nunits; i++)
        if (units[i]->seq < units[oldest]->seq)
            oldest = i;
    return oldest;
}

/* A delivery by the order of this run; a slow one gives way mostly. */
static uint32_t
pick_wanted(struct swarm *swarm, const struct sim_view *view)
{
    struct sim_unit *const *units = view->sim->units;
    uint32_t best = sim_random_below(&swarm->random, view->nunits);
    for (uint32_t i = 0; i < view->nunits && swarm->order != ANY_ORDER; i++)
        if ((units[i]->seq < units[best]->seq) == (swarm->order == OLDEST_FIRST))
            best = i;
    for (int tries = 0; tries < 4 && slow_unit(swarm, units[best]) && !flag(&swarm->random, 8); tries++)
        best = sim_random_below(&swarm->random, view->nunits);
    return best;
}

static uint32_t
pick_unit(struct swarm *swarm, const struct sim_view *view)
{
    uint32_t wanted = pick_wanted(swarm, view);
    if (swarm->order != NEWEST_FIRST) /* the others are fair by themselves */
        return wanted;
    struct sim_unit *const *units = view->sim->units;
    uint32_t oldest = oldest_unit(view);
    if (wanted == oldest) {
        swarm->late = 0;
    } else if (++swarm->late == swarm->late_max) {
        swarm->late = 0;
        swarm->late_max = swarm->late_max / 2 > LATE_MIN ? swarm->late_max / 2 : LATE_MIN;
        for (uint32_t i = 0; i < view->nunits; i++)
            if (units[i]->seq > swarm->drain)
                swarm->drain = units[i]->seq;
    }
    return units[oldest]->seq <= swarm->drain ? oldest : wanted;
}

static uint32_t
pick_ready(struct swarm *swarm, const struct sim_view *view)
{
    struct sim_pe *const *ready = view->sim->ready;
    uint32_t best = sim_random_below(&swarm->random, view->nready);
    for (int tries = 0; tries < 4 && (ready[best]->polling || slow_pe(swarm, ready[best])); tries++)
        best = sim_random_below(&swarm->random, view->nready);
    return best;
}

static uint32_t
swarm_pick(void *self, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view)
{
    struct swarm *swarm = self;
    struct sim_random *random = &swarm->random;
    if (kind != SIM_CHOICE_STEP)
        return sim_random_below(random, bound);
    uint32_t movers = view->can_go_on + view->nready;
    bool stuck = view->nready_polling + (view->can_go_on && view->polling) == movers; /* nobody does more than look */
    uint32_t eager = stuck && swarm->deliver_in_16 < 8 ? 8 : swarm->deliver_in_16;
    if (view->nunits > 0 && (movers == 0 || sim_random_below(random, 16) < eager))
        return movers + pick_unit(swarm, view);
    if (view->nready == 0)
        return 0;
    bool leave = !view->can_go_on || view->polling || slow_pe(swarm, view->sim->running);
    return leave || sim_random_below(random, 16) < swarm->switch_in_16 ? view->can_go_on + pick_ready(swarm, view) : 0;
}

const struct sim_chooser_class sim_chooser_swarm = {
    .name = "swarm",
    .help = "each seed is eager or slow in other ways",
    .tune = swarm_tune,
    .open = swarm_open,
    .pick = swarm_pick,
    .close = free,
};
