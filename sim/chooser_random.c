/* chooser_random.c -- every step at random: half the time a PE moves, half the time an operation.
 *
 * Splitting the coin first keeps PEs moving when a burst has thousands of operations pending, and deliveries coming
 * when thousands of PEs are ready.
 */
#include <stdlib.h>

#include "sim/sim.h"

static void *
random_open(const struct sim *sim, uint64_t seed)
{
    struct sim_random *random = malloc(sizeof *random);
    if (random)
        random->state = seed * UINT64_C(0xd1342543de82ef95) + 1;
    return random;
}

static uint32_t
random_pick(void *self, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view)
{
    struct sim_random *random = self;
    if (kind != SIM_CHOICE_STEP)
        return sim_random_below(random, bound);
    uint32_t movers = bound - view->nunits;
    if (movers == 0 || (view->nunits > 0 && sim_random_below(random, 2) == 0))
        return movers + sim_random_below(random, view->nunits);
    return sim_random_below(random, movers);
}

const struct sim_chooser_class sim_chooser_random = {
    .name = "random",
    .help = "every step at random",
    .open = random_open,
    .pick = random_pick,
    .close = free,
};
