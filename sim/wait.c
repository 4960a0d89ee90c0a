/* wait.c -- wait_until and test in all forms, signal_fetch (S 9.11, 9.8; H10).
 *
 * Only the caller's own copy is read. A blocked wait is looked at again when bytes under it change by a delivery
 * (sim_wait_poke), and, since a plain store through shmem_ptr is no event, whenever nobody else can move. Waking does
 * not mean that the condition is seen: the PE looks again when it runs, and a value may have passed by (L201).
 */
#include <string.h>

#include "reference/api/compare.h"
#include "shmem.h"
#include "sim/search.h"
#include "sim/sim.h"
#include "sim/timing.h"

static bool
holds(const shmem_wait_t *w, size_t i)
{
    const char *wanted = (const char *)w->values + (w->vector ? i * w->elem_bytes : 0);
    return fp_compare(w->type, w->cmp, (const char *)w->ivars + i * w->elem_bytes, wanted);
}

static bool
ignored(const shmem_wait_t *w, size_t i)
{
    return w->status && w->status[i];
}

static size_t
participants(const shmem_wait_t *w)
{
    size_t count = 0;
    for (size_t i = 0; i < w->n; i++)
        count += !ignored(w, i);
    return count;
}

/* Whether a blocking call could return now. */
bool
sim_wait_satisfied(const shmem_wait_t *w)
{
    if (w->holds)
        return w->holds(w);
    bool any = false;
    for (size_t i = 0; i < w->n; i++) {
        if (ignored(w, i))
            continue;
        bool here = holds(w, i);
        if (w->mode == SHMEM_WAIT_ALL && !here)
            return false;
        any = any || here;
    }
    return w->mode == SHMEM_WAIT_ALL || any;
}

static void
saw(struct sim_pe *sp, const shmem_wait_t *w, size_t i)
{
    struct sim *sim = sp->sim;
    const char *ivar = (const char *)w->ivars + i * w->elem_bytes;
    if (w->seen)
        memcpy(w->seen, ivar, sizeof *w->seen);
    if (!sim->observing || (w->flags & SHMEM_OPF_INTERNAL))
        return;
    struct sim_event event = {.kind = SIM_EV_WAIT,
                              .pe = sp->rank,
                              .address = ivar,
                              .place = fp_place_of(sim->job, ivar),
                              .bytes = w->elem_bytes,
                              .type = w->type,
                              .cmp = w->cmp,
                              .seen_matters = w->seen != NULL,
                              .signal = w->flags & SHMEM_OPF_SIGNAL,
                              .by = sp->woken_by,
                              .name = w->call.name,
                              .site = fp_site_of(sim->job, sp->rank, w->call.site)};
    memcpy(event.value, (const char *)w->values + (w->vector ? i * w->elem_bytes : 0), w->elem_bytes);
    sim_emit_(sim, &event);
}

/* The result of a call whose condition is satisfied. ANY starts after the index it returned last, so that repeated
 * calls return every index whose condition holds. */
static size_t
collect(struct sim_pe *sp, const shmem_wait_t *w)
{
    if (w->mode == SHMEM_WAIT_ANY) {
        for (size_t k = 0; k < w->n; k++) {
            size_t i = (sp->any_cursor + k) % w->n;
            if (!ignored(w, i) && holds(w, i)) {
                sp->any_cursor = i + 1;
                saw(sp, w, i);
                return i;
            }
        }
        return SIZE_MAX;
    }
    size_t count = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (ignored(w, i) || !holds(w, i))
            continue;
        if (w->mode == SHMEM_WAIT_SOME)
            w->indices[count] = i;
        count++;
        saw(sp, w, i);
    }
    return w->mode == SHMEM_WAIT_SOME ? count : 1;
}

static size_t
empty_result(const shmem_wait_t *w)
{
    return w->mode == SHMEM_WAIT_ANY ? SIZE_MAX : w->mode == SHMEM_WAIT_SOME ? 0 : 1;
}

size_t
sim_wait(const shmem_wait_t *w)
{
    struct sim_pe *sp = sim_self();
    sim_begin(sp, &w->call);
    if (participants(w) == 0)
        return empty_result(w);
    bool blocked = false;
    sp->woken_by = 0;
    sp->wait = w;
    sim_point(sp);
    while (!sim_wait_satisfied(w)) {
        blocked = true;
        sim_block(sp, SIM_IN_WAIT);
    }
    sp->wait = NULL;
    if (sp->sim->search)
        sim_search_look(sp, w);
    sp->sim->job->waits_blocked += blocked;
    size_t result = collect(sp, w);
    sp->woken_by = 0; /* a test wakes nobody */
    return result;
}

/* A test that fails has looked all the same. It orders nothing, so only who knows what nobody has written is told. */
static void
looked(struct sim_pe *sp, const shmem_wait_t *w)
{
    struct sim *sim = sp->sim;
    for (int k = 0; k < sim->nobservers; k++) {
        const struct sim_observer *observer = sim->observers[k];
        for (size_t i = 0; observer->unwritten && i < w->n; i++) {
            const char *ivar = (const char *)w->ivars + i * w->elem_bytes;
            if (ignored(w, i) || !observer->unwritten(sim->observer_self[k], ivar, w->elem_bytes))
                continue;
            observer->event(sim->observer_self[k],
                            &(struct sim_event){.kind = SIM_EV_LOAD,
                                                .pe = sp->rank,
                                                .address = ivar,
                                                .place = fp_place_of(sim->job, ivar),
                                                .bytes = w->elem_bytes,
                                                .grain = w->elem_bytes,
                                                .name = w->call.name,
                                                .site = fp_site_of(sim->job, sp->rank, w->call.site)});
        }
    }
}

size_t
sim_test(const shmem_wait_t *w)
{
    struct sim_pe *sp = sim_self();
    sim_begin(sp, &w->call);
    size_t count = participants(w);
    if (count == 0)
        return empty_result(w);
    bool again = sp->tested == w->ivars || sp->sim->search;
    sp->tested = sim_wait_satisfied(w) ? NULL : w->ivars;
    if (!sp->tested)
        sp->polls = 0;
    if (again && sp->tested)
        sim_poll_point(sp);
    else
        sim_point(sp); /* a first look may see nothing: only one that is repeated makes way for what it looks for */
    if (sp->sim->search)
        sim_search_look(sp, w);
    if (!sim_wait_satisfied(w)) {
        if (!again && sp->sim->observing)
            looked(sp, w);
        return w->mode == SHMEM_WAIT_ANY ? SIZE_MAX : 0;
    }
    return collect(sp, w);
}

uint64_t
sim_signal_fetch(const uint64_t *sig_addr, const shmem_call_t *call)
{
    struct sim_pe *sp = sim_self();
    uint64_t value = *sig_addr;
    sim_begin(sp, call);
    if (sp->fetched_from == sig_addr && sp->fetched == value)
        sim_poll_point(sp);
    else
        sim_point(sp);
    sp->fetched_from = sig_addr;
    sp->fetched = value = *sig_addr;
    shmem_wait_t look = {.mode = SHMEM_WAIT_ALL,
                         .type = SHMEM_TYPE_uint64,
                         .elem_bytes = sizeof value,
                         .ivars = sig_addr,
                         .n = 1,
                         .cmp = SHMEM_CMP_EQ,
                         .values = &value,
                         .seen = &value,
                         .flags = SHMEM_OPF_SIGNAL,
                         .call = *call};
    saw(sp, &look, 0);
    return value;
}

void
sim_wait_poke(struct sim *sim, int pe, const void *address, size_t bytes, const struct sim_unit *unit)
{
    struct sim_pe *sp = &sim->pes[pe];
    if (sp->why != SIM_IN_WAIT)
        return;
    const char *from = sp->wait->ivars, *to = from + sp->wait->n * sp->wait->elem_bytes;
    const char *changed = address;
    if (changed < to && changed + bytes > from && sim_wait_satisfied(sp->wait)) {
        sp->woken_by = unit->flight->op.id;
        sim_wake_by(sp, unit->time, unit->flight);
    }
}

bool
sim_wait_poke_all(struct sim *sim)
{
    bool woken = false;
    for (int i = 0; i < sim->npes; i++) {
        struct sim_pe *sp = &sim->pes[i];
        if (sp->why == SIM_IN_WAIT && sim_wait_satisfied(sp->wait)) {
            sim_wake(sp, 0);
            woken = true;
        }
    }
    return woken;
}
