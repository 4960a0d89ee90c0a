/* chooser_adversarial.c -- everything as late as legal: the default for checking.
 *
 * As long as any PE can move it moves, and no operation is carried out; then one operation is, at random, and what it
 * woke moves before the next. So a program that counts on luck ("the put will be there by now") is out of luck on
 * every seed. The seed decides which PE moves and which operation comes first. A PE that only looks (test in a loop)
 * does not count as able to move, or nothing would ever arrive for it; and since operations complete without
 * anybody's help (S 4.1), a PE that calls and calls cannot keep one from arriving for ever.
 */
#include <stdlib.h>

#include "sim/sim.h"

/* One step in so many lets another PE move although the running one could go on. */
#define SWITCH_ONE_IN 8

/* So many steps in a row without a delivery, while one is possible, are late enough. */
#define LATE_STEPS_MAX 20000

struct adversary {
    struct sim_random random;
    uint32_t late_steps;
};

static void *
adversarial_open(const struct sim *sim, uint64_t seed)
{
    struct adversary *adversary = calloc(1, sizeof *adversary);
    if (adversary)
        adversary->random.state = seed * UINT64_C(0xaef17502108ef2d9) + 3;
    return adversary;
}

/* A random ready PE that does more than look, if there is one. Starts at a random place and walks, so the cost is
 * bounded by the number of PEs that only look. */
static uint32_t
busy_ready(struct sim_random *random, const struct sim_view *view)
{
    uint32_t start = sim_random_below(random, view->nready);
    for (uint32_t i = 0; i < view->nready && view->nready_polling < view->nready; i++) {
        uint32_t index = (start + i) % view->nready;
        if (!sim_ready_polling(view->sim, index))
            return index;
    }
    return start;
}

static uint32_t
pick_step(struct sim_random *random, const struct sim_view *view)
{
    uint32_t first_ready = view->can_go_on, first_unit = first_ready + view->nready;
    bool go_on = view->can_go_on && !view->polling;
    bool others = view->nready_polling < view->nready;
    if (go_on && (!others || sim_random_below(random, SWITCH_ONE_IN) != 0))
        return 0;
    if (others)
        return first_ready + busy_ready(random, view);
    /* Only PEs that look are left. Let them look now and then, between two arrivals. */
    uint32_t lookers = first_unit;
    if (view->nunits == 0 || (lookers > 0 && sim_random_below(random, 4) == 0))
        return sim_random_below(random, lookers);
    return first_unit + sim_random_below(random, view->nunits);
}

static uint32_t
adversarial_pick(void *self, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view)
{
    struct adversary *adversary = self;
    if (kind != SIM_CHOICE_STEP)
        return sim_random_below(&adversary->random, bound);
    uint32_t first_unit = bound - view->nunits;
    uint32_t answer = pick_step(&adversary->random, view);
    if (answer >= first_unit || view->nunits == 0) {
        adversary->late_steps = 0;
    } else if (++adversary->late_steps >= LATE_STEPS_MAX) {
        adversary->late_steps = 0;
        answer = first_unit + sim_random_below(&adversary->random, view->nunits);
    }
    return answer;
}

const struct sim_chooser_class sim_chooser_adversarial = {
    .name = "adversarial",
    .help = "everything as late as the rules allow (default)",
    .open = adversarial_open,
    .pick = adversarial_pick,
    .close = free,
};
