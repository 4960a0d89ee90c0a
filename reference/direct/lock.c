/* lock.c -- locks, first come first served.
 *
 * The program's `long` only names the lock (its place is equal on all PEs); owner and queue are kept here, under the
 * job's mutex. Whoever waits sleeps on its own PE's word and is handed the lock by the PE that clears it. */
#include <stdlib.h>

#include "reference/check/check.h"
#include "reference/direct/direct.h"

enum { NOBODY = -1 };

struct direct_lock {
    enum fp_region region;
    uint64_t offset;
    int owner;
    struct direct_pe *first, **last; /* queue of waiting PEs */
    struct direct_lock *next;
};

static long
host_load(const long *lock)
{
    return __atomic_load_n(lock, __ATOMIC_RELAXED);
}

/* A new lock is 0 in every PE's copy (E182). */
static bool
zero_everywhere(const struct fp_job *job, const long *address)
{
    long (*load)(const long *) = direct_of(job)->lock_load != NULL ? direct_of(job)->lock_load : host_load;

    for (int i = 0; i < job->npes; i++)
        if (load(fp_translate(job, address, fp_self->rank, i)) != 0)
            return false;
    return true;
}

/* Precondition: the mutex is held. NULL: no memory. */
static struct direct_lock *
lock_find(struct direct_job *direct, struct fp_place place, bool *is_new)
{
    struct direct_lock *lock;

    for (lock = direct->locks; lock != NULL; lock = lock->next)
        if (lock->region == place.region && lock->offset == place.offset)
            return lock;
    lock = calloc(1, sizeof *lock);
    if (lock == NULL)
        return NULL;
    *lock = (struct direct_lock){place.region, place.offset, NOBODY, NULL, &lock->first, direct->locks};
    direct->locks = lock;
    *is_new = true;
    return lock;
}

/* Takes the mutex. */
static struct direct_lock *
lock_enter(struct direct_job *direct, long *address, const shmem_call_t *call)
{
    struct direct_lock *lock;
    bool is_new = false;

    pthread_mutex_lock(&direct->mutex);
    lock = lock_find(direct, fp_place_of(fp_self->job, address), &is_new);
    if (lock == NULL)
        fp_env_fail("no memory for a lock");
    if (is_new && !zero_everywhere(fp_self->job, address)) {
        pthread_mutex_unlock(&direct->mutex);
        fp_usage(FP_CLASS_USAGE, "E182, S 9.13.1", call, "the lock is not zero on every PE before its first use");
        pthread_mutex_lock(&direct->mutex);
    }
    return lock;
}

static void
told_twice(const shmem_call_t *call)
{
    fp_usage(FP_CLASS_USAGE, "E180, S 9.13.1", call, "%s was called by the PE that holds the lock", call->name);
}

void
direct_lock_set(long *address, const shmem_call_t *call)
{
    struct fp_job *job = fp_self->job;
    struct direct_job *direct = direct_of(job);
    struct direct_pe *self = &direct->pes[fp_self->rank];
    struct direct_lock *lock = lock_enter(direct, address, call);
    const bool held = lock->owner == self->rank, free_now = lock->owner == NOBODY;
    bool hang = false;

    if (free_now) {
        lock->owner = self->rank;
    } else if (!held) {
        self->lock_next = NULL;
        *lock->last = self;
        lock->last = &self->lock_next;
        direct_block(job, DIRECT_IN_LOCK, call);
        hang = direct_hang(job);
    }
    pthread_mutex_unlock(&direct->mutex);
    if (hang)
        direct_report_hang(job);
    if (held)
        told_twice(call);
    if (held || free_now)
        return;
    __atomic_fetch_add(&job->waits_blocked, 1, __ATOMIC_RELAXED);
    for (;;) {
        const unsigned seen = atomic_load(&self->arrivals);
        if (__atomic_load_n(&lock->owner, __ATOMIC_ACQUIRE) == self->rank)
            return;
        direct_sleep(&self->arrivals, seen, 0);
    }
}

int
direct_lock_test(long *address, const shmem_call_t *call)
{
    struct direct_job *direct = direct_of(fp_self->job);
    struct direct_lock *lock = lock_enter(direct, address, call);
    const int owner = lock->owner;

    if (owner == NOBODY)
        lock->owner = fp_self->rank;
    pthread_mutex_unlock(&direct->mutex);
    if (owner == fp_self->rank)
        told_twice(call);
    return owner != NOBODY;
}

void
direct_lock_clear(long *address, const shmem_call_t *call)
{
    struct direct_job *direct = direct_of(fp_self->job);
    struct direct_lock *lock = lock_enter(direct, address, call);
    const bool mine = lock->owner == fp_self->rank;
    struct direct_pe *next = NULL;

    if (mine) {
        next = lock->first;
        if (next != NULL) {
            lock->first = next->lock_next;
            if (lock->first == NULL)
                lock->last = &lock->first;
            direct_unblock(direct, next);
        }
        __atomic_store_n(&lock->owner, next == NULL ? NOBODY : next->rank, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&direct->mutex);
    if (!mine)
        fp_usage(FP_CLASS_USAGE, "E181, S 9.13.1", call, "%s was called by a PE that does not hold the lock",
                 call->name);
    if (next != NULL) {
        atomic_fetch_add(&next->arrivals, 1);
        direct_wake(&next->arrivals);
    }
}

void
direct_locks_free(struct direct_job *direct)
{
    while (direct->locks != NULL) {
        struct direct_lock *lock = direct->locks;
        direct->locks = lock->next;
        free(lock);
    }
}
