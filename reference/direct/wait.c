/* wait.c -- wait and test: look, look again for a moment, then sleep until something arrives at the PE. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "reference/api/compare.h"
#include "reference/direct/direct.h"

/* What reaches memory without a call (a store through shmem_ptr) wakes nobody, so sleep ends by itself now and then. */
enum { LOOKS_BEFORE_SLEEP = 20 };
static const uint64_t sleep_ns = 5000000;

static bool
holds(const shmem_wait_t *wait, size_t i)
{
    const char *ivar = (const char *)wait->ivars + i * wait->elem_bytes;
    const char *wanted = (const char *)wait->values + (wait->vector ? i * wait->elem_bytes : 0);
    uint64_t seen = 0;

    if (wait->elem_bytes == 8)
        seen = __atomic_load_n((const uint64_t *)(const void *)ivar, __ATOMIC_SEQ_CST);
    else if (wait->elem_bytes == 4)
        seen = __atomic_load_n((const uint32_t *)(const void *)ivar, __ATOMIC_SEQ_CST);
    else
        seen = __atomic_load_n((const uint16_t *)(const void *)ivar, __ATOMIC_SEQ_CST);
    if (!fp_compare(wait->type, wait->cmp, &seen, wanted))
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
    struct direct_pe *self = &direct_of(job)->pes[fp_self->rank];
    size_t result;

    if (looked(wait, &result))
        return result;
    __atomic_fetch_add(&job->waits_blocked, 1, __ATOMIC_RELAXED);
    for (int looks = 0; looks < LOOKS_BEFORE_SLEEP; looks++) {
        sched_yield();
        if (looked(wait, &result))
            return result;
    }
    for (;;) {
        const unsigned seen = atomic_load(&self->arrivals);
        atomic_store(&self->waiting, 1);
        atomic_thread_fence(memory_order_seq_cst);
        if (looked(wait, &result))
            break;
        direct_sleep(&self->arrivals, seen, sleep_ns);
    }
    atomic_store(&self->waiting, 0);
    return result;
}
