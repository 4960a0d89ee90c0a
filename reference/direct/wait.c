/* wait.c -- wait and test: look, look again for a moment, then sleep until something arrives at the PE. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "reference/api/compare.h"
#include "reference/direct/direct.h"

/* What reaches memory without a call (a store through shmem_ptr) wakes nobody, so sleep ends by itself now and then. */
enum { LOOKS_BEFORE_SLEEP = 20 };
static const uint64_t sleep_ns = 5000000;

static uint64_t
value_of(const shmem_wait_t *wait, size_t i)
{
    const void *ivar = (const char *)wait->ivars + i * wait->elem_bytes;

    switch (wait->elem_bytes) {
    case 8:
        return __atomic_load_n((const uint64_t *)ivar, __ATOMIC_SEQ_CST);
    case 4:
        return __atomic_load_n((const uint32_t *)ivar, __ATOMIC_SEQ_CST);
    default:
        return __atomic_load_n((const uint16_t *)ivar, __ATOMIC_SEQ_CST);
    }
}

static const void *
wanted_of(const shmem_wait_t *wait, size_t i)
{
    return (const char *)wait->values + (wait->vector ? i * wait->elem_bytes : 0);
}

static bool
holds(const shmem_wait_t *wait, size_t i)
{
    const uint64_t seen = value_of(wait, i);

    if (!fp_compare(wait->type, wait->cmp, &seen, wanted_of(wait, i)))
        return false;
    if (wait->seen != NULL)
        *wait->seen = seen;
    return true;
}

/* One look: as test returns. ANY begins behind the element it returned last, so that every satisfied element has its
 * turn. */
size_t
direct_test(const shmem_wait_t *wait)
{
    static __thread size_t turn;
    size_t satisfied = 0, considered = 0;

    for (size_t k = 0; k < wait->n; k++) {
        const size_t i = wait->mode == SHMEM_WAIT_ANY ? (turn + k) % wait->n : k;
        if (wait->status != NULL && wait->status[i] != 0)
            continue;
        considered++;
        if (!holds(wait, i))
            continue;
        if (wait->mode == SHMEM_WAIT_ANY) {
            turn = i + 1;
            return i;
        }
        if (wait->mode == SHMEM_WAIT_SOME)
            wait->indices[satisfied] = i;
        satisfied++;
    }
    if (wait->mode == SHMEM_WAIT_ANY)
        return SIZE_MAX;
    return wait->mode == SHMEM_WAIT_SOME ? satisfied : satisfied == considered;
}

bool
direct_satisfied(const shmem_wait_t *wait)
{
    bool all = true;

    for (size_t i = 0; i < wait->n; i++) {
        if (wait->status != NULL && wait->status[i] != 0)
            continue;
        const uint64_t seen = value_of(wait, i);
        const bool holds = fp_compare(wait->type, wait->cmp, &seen, wanted_of(wait, i));
        if (holds && wait->mode != SHMEM_WAIT_ALL)
            return true;
        all = all && holds;
    }
    return all && wait->mode == SHMEM_WAIT_ALL;
}

static bool
looked(const shmem_wait_t *wait, size_t *result)
{
    *result = direct_test(wait);
    return wait->mode == SHMEM_WAIT_ANY ? *result != SIZE_MAX : *result != 0;
}

size_t
direct_wait(const shmem_wait_t *wait)
{
    struct fp_job *job = fp_self->job;
    struct direct_job *direct = direct_of(job);
    struct direct_pe *self = &direct->pes[fp_self->rank];
    size_t result;

    if (looked(wait, &result))
        return result;
    __atomic_fetch_add(&job->waits_blocked, 1, __ATOMIC_RELAXED);
    for (int looks = 0; looks < LOOKS_BEFORE_SLEEP; looks++) {
        sched_yield();
        if (looked(wait, &result))
            return result;
    }
    pthread_mutex_lock(&direct->mutex);
    self->wait = wait;
    direct_block(job, DIRECT_IN_WAIT, &wait->call);
    const bool hang = direct_hang(job);
    pthread_mutex_unlock(&direct->mutex);
    if (hang)
        direct_report_hang(job);
    for (;;) {
        const unsigned seen = atomic_load(&self->arrivals);
        atomic_store(&self->waiting, 1);
        atomic_thread_fence(memory_order_seq_cst);
        if (looked(wait, &result))
            break;
        direct_sleep(&self->arrivals, seen, sleep_ns);
    }
    atomic_store(&self->waiting, 0);
    pthread_mutex_lock(&direct->mutex);
    direct_unblock(direct, self);
    pthread_mutex_unlock(&direct->mutex);
    return result;
}
