/* chooser_uniform.c -- a random walk: every candidate of a step is equally likely.
 *
 * The chooser `random` splits the coin between PEs and deliveries first; here a burst of a hundred pending operations
 * outweighs the PEs a hundred to one. The plain walk is what the literature compares with, and what a count of
 * outcomes over seeds is easiest to reason about.
 */
#include <stdlib.h>

#include "sim/sim.h"

static void *
uniform_open(const struct sim *sim, uint64_t seed)
{
    struct sim_random *random = malloc(sizeof *random);
    if (random)
        random->state = seed * UINT64_C(0xff51afd7ed558ccd) + 11;
    return random;
}

static uint32_t
uniform_pick(void *self, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view)
{
    return sim_random_below(self, bound);
}

const struct sim_chooser_class sim_chooser_uniform = {
    .name = "uniform",
    .help = "a random walk, every candidate equally likely",
    .open = uniform_open,
    .pick = uniform_pick,
    .close = free,
};
