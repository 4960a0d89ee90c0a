/* direct.h -- the plainest backend: every call has completed when it returns.
 *
 * PEs are free-running threads of one process; the machine's memory is the network. A put is a copy, an AMO is an
 * atomic instruction, quiet has nothing to wait for, and a wait sleeps until somebody has written to its PE. What the
 * memory model leaves open is decided by the processor, so runs are not reproducible: this backend shows what a
 * correct program computes, quickly.
 */
#ifndef FP_DIRECT_H
#define FP_DIRECT_H

#include <pthread.h>
#include <stdatomic.h>

#include "reference/job.h"

/* Per PE. */
struct direct_pe {
    /* A sleeping wait: `waiting` is set before the last look at memory, and whoever writes to the PE looks at it
     * after writing (both sequentially consistent), so one of the two sees the other. `arrivals` is the futex word. */
    _Alignas(64) atomic_uint waiting;
    atomic_uint arrivals;
    unsigned lock_ticket;        /* under direct_job.mutex */
    struct direct_pe *lock_next; /* the queue of the lock it waits for */
    bool lock_granted;
    int rank;
};

/* One rendezvous a team; members wait on `round`. */
struct direct_team {
    int arrived;       /* under direct_job.mutex */
    atomic_uint round; /* futex word */
};

enum { DIRECT_TEAMS_MAX = 1024 };

struct direct_job {
    struct direct_pe *pes;
    pthread_mutex_t mutex; /* rendezvous, locks, ends; leaf: nothing is called with it held */
    int ended, in_rendezvous;
    atomic_uint all_ended; /* futex word of PE 0 in pe_end */
    struct direct_team teams[DIRECT_TEAMS_MAX];
    struct direct_lock *locks;
};

static inline struct direct_job *
direct_of(const struct fp_job *job)
{
    return job->backend_state;
}

/* futex.c part: sleep while *word == seen, at most ns nanoseconds (0: no limit); wake all sleepers. */
void direct_sleep(atomic_uint *word, unsigned seen, uint64_t ns_max);
void direct_wake(atomic_uint *word);

/* Memory was written at PE `pe`: wakes its wait. */
void direct_arrived(struct fp_job *job, int pe);

/* memory.c */
void direct_put(const shmem_op_t *op);
void direct_get(const shmem_op_t *op);
void direct_amo(const shmem_op_t *op);
uint64_t direct_signal_fetch(const uint64_t *sig_addr, const shmem_call_t *call);

/* wait.c */
size_t direct_wait(const shmem_wait_t *wait);
size_t direct_test(const shmem_wait_t *wait);

/* meet.c: rendezvous, the end of PEs, and the one deadlock that is found here. */
void direct_sync(const shmem_coll_t *c);
void direct_pe_end(struct fp_pe *pe);

/* lock.c */
void direct_lock_set(long *lock, const shmem_call_t *call);
int direct_lock_test(long *lock, const shmem_call_t *call);
void direct_lock_clear(long *lock, const shmem_call_t *call);
void direct_locks_free(struct direct_job *direct);

#endif
