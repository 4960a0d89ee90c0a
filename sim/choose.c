/* choose.c -- sim_choose: asks the chooser, checks the answer, records it. See choose.h. */
#include "sim/choose.h"

#include <stdio.h>
#include <string.h>

#include "sim/record.h"
#include "sim/sim.h"

static const struct sim_chooser_class *const classes[] = {
#define SIM_CHOOSER_ROW(name) &sim_chooser_##name,
    SIM_CHOOSERS(SIM_CHOOSER_ROW)
#undef SIM_CHOOSER_ROW
};
#define CLASS_COUNT (sizeof classes / sizeof classes[0])

const struct sim_chooser_class *
sim_chooser_find(const char *name)
{
    for (size_t i = 0; i < CLASS_COUNT; i++)
        if (!strcmp(classes[i]->name, name))
            return classes[i];
    fprintf(stderr, "fencepost: no chooser %s: there are", name);
    for (size_t i = 0; i < CLASS_COUNT; i++)
        fprintf(stderr, "%s %s", i ? "," : "", classes[i]->name);
    fprintf(stderr, "\n");
    return NULL;
}

uint32_t
sim_choose(struct sim *sim, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view)
{
    if (bound <= 1)
        return 0;
    uint32_t answer = sim->chooser.class_->pick(sim->chooser.self, kind, bound, view);
    FP_ASSERT(answer < bound);
    sim->choices++;
    if (sim->predict)
        sim->choice_hash = (sim->choice_hash ^ (kind + 1) ^ (uint64_t)bound << 8 ^ (uint64_t)answer << 32) *
                           UINT64_C(0x9e3779b97f4a7c15);
    if (sim->record)
        sim_record_choice(sim->record, kind, bound, answer);
    return answer;
}

uint64_t
sim_random_next(struct sim_random *random)
{
    uint64_t z = (random->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint32_t
sim_random_below(struct sim_random *random, uint32_t bound)
{
    return (uint32_t)(((sim_random_next(random) >> 32) * bound) >> 32);
}

uint64_t
sim_ready_time(const struct sim *sim, uint32_t index)
{
    return sim->ready[index]->clock;
}

bool
sim_ready_polling(const struct sim *sim, uint32_t index)
{
    return sim->ready[index]->polling;
}

uint64_t
sim_unit_time(const struct sim *sim, uint32_t index)
{
    return sim->units[index]->time;
}

uint64_t
sim_running_time(const struct sim *sim)
{
    return sim->running->clock;
}
