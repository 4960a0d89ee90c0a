/* chooser_pct.c -- priorities with d - 1 change points (Burckhardt, Kothari, Musuvathi, Nagarakatte: "A Randomized
 * Scheduler with Probabilistic Guarantees of Finding Bugs", 2010; for messages: Ozkan and others, PCTCP, 2018).
 *
 * What can move falls into *chains*: each PE is one, and so is the i-th delivery of an epoch of a lane (deliveries of
 * one epoch are not ordered among themselves, those of different epochs are). Every chain has a random priority, and
 * the highest that can move moves. At d - 1 steps, drawn at random, the chain that would have moved drops below all
 * others. With n chains and k steps a fault that needs d ordering constraints is hit with probability of at least
 * 1 / (n k^(d-1)) a run, whatever the program does: tests/unit/test_choosers.c measures it.
 *
 * Three deviations. k is not known before the run: --steps says it (explore measures it); without, it is a power of two
 * drawn from the seed, which divides the guarantee by the number of powers. A PE that only looks (test in a loop) has
 * yielded: it moves when nothing else can, or the highest priority could keep what it looks for from happening. And a
 * PE that has moved very often drops below all others: it may look by means that are not known as such (a fetching
 * atomic in a loop), alone or in turns with another one that looks.
 */
#include <stdlib.h>

#include "sim/sim.h"

#define DEPTH_MAX 64
#define STEPS_LOG_MIN 4
#define STEPS_LOG_COUNT 10

/* So many steps in a row without a delivery, while one is possible, and the deliveries go first once. */
#define LATE_STEPS_MAX 20000
/* So many steps of one PE before it drops. */
#define PE_STEPS_MAX 5000

struct pct {
    struct sim_random random;
    uint64_t seed; /* of the priorities */
    uint64_t step;
    uint32_t changes; /* entries of at[] */
    uint64_t at[DEPTH_MAX];
    uint64_t dropped[DEPTH_MAX]; /* chains, below all others; a later one is below an earlier one */
    uint32_t ndropped;
    uint32_t late_steps;
    uint32_t pe_steps[]; /* of each PE since it dropped for having made many */
};

static uint64_t
mix(uint64_t a, uint64_t b)
{
    struct sim_random random = {.state = a ^ (b + 1) * UINT64_C(0xd6e8feb86659fd93)};
    return sim_random_next(&random);
}

static void *
pct_open(const struct sim *sim, uint64_t seed)
{
    struct pct *pct = calloc(1, sizeof *pct + sim->npes * sizeof pct->pe_steps[0]);
    if (!pct)
        return NULL;
    pct->random.state = seed * UINT64_C(0xc2b2ae3d27d4eb4f) + 7;
    pct->seed = sim_random_next(&pct->random);
    uint64_t steps = sim->job->config.steps;
    if (!steps)
        steps = UINT64_C(1) << (STEPS_LOG_MIN + sim_random_below(&pct->random, STEPS_LOG_COUNT));
    uint32_t depth = sim->job->config.depth;
    pct->changes = depth > DEPTH_MAX ? DEPTH_MAX : depth ? depth - 1 : 0;
    for (uint32_t i = 0; i < pct->changes; i++)
        pct->at[i] = sim_random_next(&pct->random) % steps;
    return pct;
}

static uint64_t
chain_of_pe(const struct sim_pe *sp)
{
    return (uint64_t)sp->rank;
}

/* Told by names that do not depend on the schedule: origin, target, context, place in the epoch. */
static uint64_t
chain_of_unit(const struct sim_unit *unit)
{
    const struct sim_op *op = &unit->flight->op;
    return mix(mix((uint64_t)op->origin << 32 | (uint32_t)op->target, op->ctx->id), UINT64_C(1) << 32 | unit->chain);
}

/* Higher moves first. A chain that never dropped has a hash with the top bit set, the others count downward. */
static uint64_t
priority(const struct pct *pct, uint64_t chain)
{
    for (uint32_t i = pct->ndropped; i > 0; i--)
        if (pct->dropped[i - 1] == chain)
            return DEPTH_MAX - i + 1;
    return mix(pct->seed, chain) | UINT64_C(1) << 63;
}

struct best {
    uint64_t priority, chain;
    uint32_t index;
    bool any;
};

static void
consider(const struct pct *pct, struct best *best, uint64_t chain, uint32_t index, bool yields)
{
    uint64_t p = yields ? 0 : priority(pct, chain);
    if (!best->any || p > best->priority)
        *best = (struct best){.priority = p, .chain = chain, .index = index, .any = true};
}

static struct best
highest(const struct pct *pct, const struct sim_view *view, bool yield)
{
    const struct sim *sim = view->sim;
    struct best best = {.any = false};
    bool deliver = view->nunits > 0 && pct->late_steps >= LATE_STEPS_MAX;
    if (view->can_go_on && !deliver)
        consider(pct, &best, chain_of_pe(sim->running), 0, yield && view->polling);
    for (uint32_t i = 0; i < view->nready && !deliver; i++)
        consider(pct, &best, chain_of_pe(sim->ready[i]), view->can_go_on + i, yield && sim->ready[i]->polling);
    for (uint32_t i = 0; i < view->nunits; i++)
        consider(pct, &best, chain_of_unit(sim->units[i]), view->can_go_on + view->nready + i, false);
    return best;
}

/* Only PEs that look are left: each gets its turn. */
static uint32_t
pick_looker(struct pct *pct, const struct sim_view *view)
{
    return sim_random_below(&pct->random, view->can_go_on + view->nready);
}

/* Below all others, whatever it was before. */
static void
drop(struct pct *pct, uint64_t chain)
{
    uint32_t n = 0, skip = 0;
    for (uint32_t i = 0; i < pct->ndropped; i++)
        if (pct->dropped[i] != chain)
            pct->dropped[n++] = pct->dropped[i];
    skip = n == DEPTH_MAX;
    for (uint32_t i = 0; skip && i + 1 < n; i++)
        pct->dropped[i] = pct->dropped[i + 1];
    pct->dropped[n - skip] = chain;
    pct->ndropped = n - skip + 1;
}

static uint32_t
pct_pick(void *self, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view)
{
    struct pct *pct = self;
    if (kind != SIM_CHOICE_STEP)
        return sim_random_below(&pct->random, bound);
    struct best best = highest(pct, view, true);
    for (uint32_t i = 0; i < pct->changes; i++) {
        if (pct->at[i] != pct->step || pct->ndropped == DEPTH_MAX)
            continue;
        pct->dropped[pct->ndropped++] = best.chain;
        best = highest(pct, view, true);
    }
    pct->step++;
    bool unit = best.index >= view->can_go_on + view->nready;
    if (!unit && ++pct->pe_steps[best.chain] == PE_STEPS_MAX) { /* the chain of a PE is its rank */
        pct->pe_steps[best.chain] = 0;
        drop(pct, best.chain);
        best = highest(pct, view, false); /* who yielded looks again */
        unit = best.index >= view->can_go_on + view->nready;
    }
    pct->late_steps = unit || view->nunits == 0 ? 0 : pct->late_steps + 1;
    return best.priority == 0 && !unit ? pick_looker(pct, view) : best.index;
}

const struct sim_chooser_class sim_chooser_pct = {
    .name = "pct",
    .help = "random priorities with --depth - 1 change points",
    .open = pct_open,
    .pick = pct_pick,
    .close = free,
};
