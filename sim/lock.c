/* lock.c -- distributed locks (S 9.13; H12): one owner and a first-come first-served queue for each lock object.
 *
 * The object is named by its place, which is the same on every PE. Arrival is the step in which set_lock queues; the
 * scheduling point before it gives every order of arrival a chance. The variable itself is never written: touching it
 * is the program's fault anyway (E084).
 */
#include <stdlib.h>

#include "reference/check/check.h"
#include "sim/search.h"
#include "sim/sim.h"
#include "sim/timing.h"
#include "sim/topology.h"

struct sim_lock {
    struct sim_lock *next;
    enum fp_region region;
    uint64_t offset;
    struct sim_pe *owner;
    struct sim_pe *first, **last; /* waiting, through lock_next */
    shmem_call_t owner_call;
};

static bool
zero_everywhere(struct sim *sim, const long *lock, int rank)
{
    for (int pe = 0; pe < sim->npes; pe++)
        if (*(long *)fp_translate(sim->job, lock, rank, pe) != 0)
            return false;
    return true;
}

static struct sim_lock *
lock_find(struct sim_pe *sp, const long *address, const shmem_call_t *call)
{
    struct sim *sim = sp->sim;
    struct fp_place place = fp_place_of(sim->job, address);
    for (struct sim_lock *lock = sim->locks; lock; lock = lock->next)
        if (lock->region == place.region && lock->offset == place.offset)
            return lock;
    if (sim->job->config.check && !zero_everywhere(sim, address, sp->rank))
        fp_usage(FP_CLASS_USAGE, "E182, S 9.13.1", call, "the lock is not zero on every PE before its first use");
    struct sim_lock *lock = calloc(1, sizeof *lock);
    if (!lock)
        fp_env_fail("out of memory for a lock");
    lock->region = place.region;
    lock->offset = place.offset;
    lock->last = &lock->first;
    lock->next = sim->locks;
    return sim->locks = lock;
}

static void
emit_lock(struct sim_pe *sp, enum sim_event_kind kind, const long *lock, uint64_t point, const shmem_call_t *call)
{
    struct sim *sim = sp->sim;
    if (sim->observing)
        sim_emit_(sim, &(struct sim_event){.kind = kind,
                                           .pe = sp->rank,
                                           .address = lock,
                                           .place = fp_place_of(sim->job, lock),
                                           .bytes = sizeof *lock,
                                           .point = point,
                                           .name = call->name,
                                           .site = fp_site_of(sim->job, sp->rank, call->site)});
}

static void
take(struct sim_lock *lock, struct sim_pe *sp, const shmem_call_t *call)
{
    lock->owner = sp;
    lock->owner_call = *call;
}

static bool
held_by_caller(struct sim_lock *lock, struct sim_pe *sp, const shmem_call_t *call)
{
    if (lock->owner != sp)
        return false;
    fp_usage(FP_CLASS_USAGE, "E180, S 9.13.1", call, "PE %d already holds this lock; locks are not recursive",
             sp->rank);
    return true;
}

void
sim_lock_set(long *address, const shmem_call_t *call)
{
    struct sim_pe *sp = sim_self();
    sim_begin(sp, call);
    sim_point(sp);
    uint64_t asked = sp->points;
    if (sp->sim->search)
        sim_search_lock(sp->sim, address, true);
    struct sim_lock *lock = lock_find(sp, address, call);
    if (held_by_caller(lock, sp, call))
        return;
    if (!lock->owner) {
        take(lock, sp, call);
    } else {
        sp->lock = lock;
        sp->lock_next = NULL;
        *lock->last = sp;
        lock->last = &sp->lock_next;
        sim_block(sp, SIM_IN_LOCK);
        FP_ASSERT(lock->owner == sp);
        lock->owner_call = *call;
        sp->lock = NULL;
    }
    emit_lock(sp, SIM_EV_LOCK_SET, address, asked, call);
}

int
sim_lock_test(long *address, const shmem_call_t *call)
{
    struct sim_pe *sp = sim_self();
    sim_begin(sp, call);
    struct sim_lock *lock = lock_find(sp, address, call);
    if (lock->owner) /* by the caller itself too: a loop around that fault never ends */
        sim_poll_point(sp);
    else
        sim_point(sp);
    if (sp->sim->search)
        sim_search_lock(sp->sim, address, !lock->owner);
    if (held_by_caller(lock, sp, call) || lock->owner)
        return 1;
    take(lock, sp, call);
    emit_lock(sp, SIM_EV_LOCK_SET, address, sp->points, call);
    return 0;
}

static uint64_t
lock_latency(const struct sim *sim, int from, int to)
{
    return sim->links ? sim_links_latency(sim->links, from, to) : sim->net.latency_ns;
}

void
sim_lock_clear(long *address, const shmem_call_t *call)
{
    struct sim_pe *sp = sim_self();
    struct sim *sim = sp->sim;
    sp->call = *call;
    sp->began = sp->clock;
    if (sim->search)
        sim_search_lock(sim, address, true);
    struct sim_lock *lock = lock_find(sp, address, call);
    if (lock->owner != sp) {
        fp_usage(FP_CLASS_USAGE, "E181, S 9.13.1", call, "PE %d clears a lock that it does not hold", sp->rank);
        return;
    }
    emit_lock(sp, SIM_EV_LOCK_CLEAR, address, sp->points, call);
    struct sim_pe *next = lock->first;
    lock->owner = next;
    if (next) {
        lock->first = next->lock_next;
        if (!lock->first)
            lock->last = &lock->first;
        uint64_t time = sp->clock + lock_latency(sim, sp->rank, next->rank);
        if (sim->timing && next->clock < time)
            sim_timing_by_pe(next, time, sp, sp->clock);
        sim_wake(next, time);
    }
    sim_point(sp);
}

int
sim_lock_owner(const struct sim_lock *lock, shmem_call_t *call)
{
    *call = lock->owner_call;
    return lock->owner ? lock->owner->rank : -1;
}

void
sim_locks_free(struct sim *sim)
{
    for (struct sim_lock *lock = sim->locks, *next; lock; lock = next) {
        next = lock->next;
        free(lock);
    }
    sim->locks = NULL;
}
