/* chooser_timed.c -- the network's clock decides: whatever is earliest happens next; only the jitter is drawn at
 * random.
 *
 * PEs and operations are both in heaps by time, so the earliest of each is at index 0.
 */
#include <stdlib.h>

#include "sim/sim.h"

static void *
timed_open(const struct sim *sim, uint64_t seed)
{
    struct sim_random *random = malloc(sizeof *random);
    if (random)
        random->state = seed * UINT64_C(0x9fb21c651e98df25) + 5;
    return random;
}

static uint32_t
timed_pick(void *self, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view)
{
    if (kind != SIM_CHOICE_STEP)
        return sim_random_below(self, bound);
    uint64_t now = view->can_go_on ? sim_running_time(view->sim) : UINT64_MAX;
    uint64_t ready = view->nready ? sim_ready_time(view->sim, 0) : UINT64_MAX;
    uint64_t unit = view->nunits ? sim_unit_time(view->sim, 0) : UINT64_MAX;
    if (view->nunits && unit <= now && unit <= ready)
        return view->can_go_on + view->nready;
    if (view->nready && ready < now)
        return view->can_go_on;
    return 0;
}

const struct sim_chooser_class sim_chooser_timed = {
    .name = "timed",
    .help = "the network's clock decides, with random jitter",
    .timed = true,
    .open = timed_open,
    .pick = timed_pick,
    .close = free,
};
