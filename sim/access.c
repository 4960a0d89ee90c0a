/* access.c -- plain loads and stores of the program, as the hooks tell them.
 *
 * Besides telling the observers, a load may be a scheduling point: a loop that spins on a plain load would otherwise
 * never see what it waits for. A PE that loads the same bytes at the same place in the code again and again, and sees
 * the same value, only looks.
 */
#include <string.h>

#include "sim/sim.h"

/* So many equal loads in a row make a poll. */
#define SPIN_LOADS 32

static void
notice_spin(struct sim_pe *sp, const void *address, size_t bytes, const char *name, const void *site)
{
    uint64_t value = 0;
    memcpy(&value, address, bytes < sizeof value ? bytes : sizeof value);
    if (sp->spin_address != address || sp->spin_site != site || sp->spin_value != value) {
        sp->spin_address = address;
        sp->spin_site = site;
        sp->spin_value = value;
        sp->spin_count = 0;
        return;
    }
    if (++sp->spin_count < SPIN_LOADS)
        return;
    sp->spin_count = 0;
    sp->call = (shmem_call_t){name, site};
    sp->clock += sp->sim->net.overhead_ns;
    sim_poll_point(sp);
}

void
sim_access(const void *address, size_t bytes, bool write, const char *name, const void *site)
{
    struct fp_pe *pe = fp_self;
    struct sim_pe *sp = pe->backend;
    struct sim *sim = sp->sim;
    if (sim->running != sp || bytes == 0)
        return;
    if (!write)
        notice_spin(sp, address, bytes, name, site);
    else
        sp->spin_address = NULL;
    if (sim->observing)
        sim_emit_(sim, &(struct sim_event){.kind = write ? SIM_EV_STORE : SIM_EV_LOAD,
                                           .pe = sp->rank,
                                           .address = address,
                                           .place = fp_place_of(sim->job, address),
                                           .bytes = bytes,
                                           .name = name,
                                           .site = fp_site_of(sim->job, sp->rank, site)});
}
