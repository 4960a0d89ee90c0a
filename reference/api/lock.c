/* lock.c -- locks (9.13). The backend does the work and judges who may do what; here each PE's locks are kept, so
 * that those it still holds when the library ends can be told with the line that took them (E183). */
#include "reference/api/lock.h"

#include <stdlib.h>

#include "reference/api/define.h"
#include "reference/check/check.h"

struct fp_held_lock {
    struct fp_held_lock *next;
    const long *lock;
    shmem_call_t call;
};

static struct fp_held_lock **
find(struct fp_pe *pe, const long *lock)
{
    struct fp_held_lock **at = &pe->held_locks;

    while (*at != NULL && (*at)->lock != lock)
        at = &(*at)->next;
    return at;
}

static void
note_held(struct fp_pe *pe, const long *lock, const shmem_call_t *call)
{
    struct fp_held_lock *held;

    if (*find(pe, lock) != NULL) /* taken twice: the backend has told */
        return;
    held = malloc(sizeof *held);
    if (held == NULL)
        fp_env_fail("%s: no memory", call->name);
    *held = (struct fp_held_lock){pe->held_locks, lock, *call};
    pe->held_locks = held;
}

static void
forget(struct fp_held_lock **at)
{
    struct fp_held_lock *held = *at;

    if (held == NULL)
        return;
    *at = held->next;
    free(held);
}

void
fp_locks_free(struct fp_pe *pe)
{
    while (pe->held_locks != NULL)
        forget(&pe->held_locks);
}

void
fp_locks_close(struct fp_pe *pe)
{
    while (pe->held_locks != NULL) {
        fp_usage(FP_CLASS_LEAK, "E183, S 9.13.1", &pe->held_locks->call,
                 "a lock that %s took is still held at the last shmem_finalize", pe->held_locks->call.name);
        forget(&pe->held_locks);
    }
}

static void
lock_set(long *lock, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    pe->job->backend->lock_set(lock, &call);
    note_held(pe, lock, &call);
    fp_leave(pe);
}

static int
lock_test(long *lock, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    int held_by_another;

    if (pe == NULL)
        return 1;
    held_by_another = pe->job->backend->lock_test(lock, &call);
    if (!held_by_another)
        note_held(pe, lock, &call);
    fp_leave(pe);
    return held_by_another;
}

static void
lock_clear(long *lock, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    pe->job->backend->quiet(pe->ctxs[0], &call);
    forget(find(pe, lock));
    pe->job->backend->lock_clear(lock, &call);
    fp_leave(pe);
}

FP_ROUTINE_IS(void, set_lock, (long *lock), lock_set(lock, call))
FP_ROUTINE_IS(void, clear_lock, (long *lock), lock_clear(lock, call))
FP_ROUTINE_IS(int, test_lock, (long *lock), return lock_test(lock, call))
