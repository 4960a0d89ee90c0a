/* heap.c -- the two sets that a step is chosen from: ready PEs and ready units.
 *
 * A chooser that follows the clock wants the earliest at index 0, so under it both are binary heaps ordered by (time,
 * tie-breaker). The other choosers do not ask for times; for them units are a plain array with swap-removal, just as
 * deterministic and much cheaper when a million units are pending. Elements know their slot, so any can be removed.
 */
#include <stdlib.h>

#include "sim/sim.h"

static bool
pe_before(const struct sim_pe *a, const struct sim_pe *b)
{
    return a->clock != b->clock ? a->clock < b->clock : a->rank < b->rank;
}

static bool
unit_before(const struct sim_unit *a, const struct sim_unit *b)
{
    return a->time != b->time ? a->time < b->time : a->seq < b->seq;
}

/* One pair of sift functions for each element type; the array and its length are parameters. */
#define DEFINE_SIFTS(name, type, before)                                                                               \
    static void name##_up(type **heap, uint32_t slot)                                                                  \
    {                                                                                                                  \
        type *moving = heap[slot];                                                                                     \
        while (slot > 0 && before(moving, heap[(slot - 1) / 2])) {                                                     \
            heap[slot] = heap[(slot - 1) / 2];                                                                         \
            heap[slot]->slot = slot;                                                                                   \
            slot = (slot - 1) / 2;                                                                                     \
        }                                                                                                              \
        heap[slot] = moving;                                                                                           \
        moving->slot = slot;                                                                                           \
    }                                                                                                                  \
    static void name##_down(type **heap, uint32_t count, uint32_t slot)                                                \
    {                                                                                                                  \
        type *moving = heap[slot];                                                                                     \
        for (;;) {                                                                                                     \
            uint32_t child = 2 * slot + 1;                                                                             \
            if (child >= count)                                                                                        \
                break;                                                                                                 \
            if (child + 1 < count && before(heap[child + 1], heap[child]))                                             \
                child++;                                                                                               \
            if (!before(heap[child], moving))                                                                          \
                break;                                                                                                 \
            heap[slot] = heap[child];                                                                                  \
            heap[slot]->slot = slot;                                                                                   \
            slot = child;                                                                                              \
        }                                                                                                              \
        heap[slot] = moving;                                                                                           \
        moving->slot = slot;                                                                                           \
    }

DEFINE_SIFTS(ready, struct sim_pe, pe_before)
DEFINE_SIFTS(units, struct sim_unit, unit_before)
#undef DEFINE_SIFTS

void
sim_ready_push(struct sim *sim, struct sim_pe *sp)
{
    FP_ASSERT(sim->nready < (uint32_t)sim->npes);
    sim->ready[sim->nready] = sp;
    ready_up(sim->ready, sim->nready++);
    sim->nready_polling += sp->polling;
}

void
sim_ready_remove(struct sim *sim, uint32_t slot)
{
    struct sim_pe *sp = sim->ready[slot];
    struct sim_pe *last = sim->ready[--sim->nready];
    sim->nready_polling -= sp->polling;
    if (sp == last)
        return;
    sim->ready[slot] = last;
    last->slot = slot;
    ready_up(sim->ready, slot);
    ready_down(sim->ready, sim->nready, last->slot);
}

void
sim_units_push(struct sim *sim, struct sim_unit *unit)
{
    if (sim->nunits == sim->units_cap) {
        uint32_t cap = sim->units_cap ? 2 * sim->units_cap : 256;
        struct sim_unit **units = realloc(sim->units, cap * sizeof *units);
        if (!units)
            fp_env_fail("out of memory for %u pending operations: quiet more often, or give the machine more memory",
                        cap);
        sim->units = units;
        sim->units_cap = cap;
    }
    unit->slot = sim->nunits;
    sim->units[sim->nunits++] = unit;
    if (sim->timed)
        units_up(sim->units, unit->slot);
}

void
sim_units_remove(struct sim *sim, uint32_t slot)
{
    struct sim_unit *unit = sim->units[slot];
    struct sim_unit *last = sim->units[--sim->nunits];
    if (unit == last)
        return;
    sim->units[slot] = last;
    last->slot = slot;
    if (!sim->timed)
        return;
    units_up(sim->units, slot);
    units_down(sim->units, sim->nunits, last->slot);
}
