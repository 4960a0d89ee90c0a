/* direct.h -- the plainest backend: every call has completed when it returns.
 *
 * PEs are free-running threads of one process; the machine's memory is the network. A put is a copy, an AMO is an
 * atomic instruction, quiet has nothing to wait for, and a wait sleeps until somebody has written to its PE. What the
 * memory model leaves open is decided by the processor, so runs are not reproducible: this backend shows what a
 * correct program computes, quickly. The CUDA backend is built on it: threads, rendezvous, locks, and whatever lies in
 * the host's memory are the same there.
 */
#ifndef FP_DIRECT_H
#define FP_DIRECT_H

#include <pthread.h>
#include <stdatomic.h>

#include "reference/job.h"

enum direct_why { DIRECT_RUNS, DIRECT_IN_RENDEZVOUS, DIRECT_IN_WAIT, DIRECT_IN_LOCK, DIRECT_ENDED };

/* Per PE. */
struct direct_pe {
    /* A sleeping wait: `waiting` is set before the last look at memory, and whoever writes to the PE looks at it after
     * writing (both sequentially consistent), so one of the two sees the other. `arrivals` is the futex word. */
    _Alignas(64) atomic_uint waiting;
    atomic_uint arrivals;
    int rank;
    /* Under direct_job.mutex: what it is blocked in. */
    enum direct_why why;
    int team;                 /* IN_RENDEZVOUS */
    const shmem_wait_t *wait; /* IN_WAIT: on the PE's stack, which stands while it is blocked */
    shmem_call_t call;
    struct direct_pe *lock_next; /* IN_LOCK: the queue of the lock */
};

/* One rendezvous a team; members sleep on `round`. */
struct direct_team {
    int arrived;       /* under direct_job.mutex */
    atomic_uint round; /* futex word */
    /* Set before a member's last look at `round`, read after that was changed: one of the two sees the other. */
    atomic_uint sleepers;
};

struct direct_job {
    struct direct_pe *pes;
    pthread_mutex_t mutex; /* who is blocked, rendezvous, locks; leaf: nothing is called with it held */
    int stopped;           /* PEs that are blocked or have ended */
    int ended;
    atomic_uint all_ended;      /* futex word of PE 0 in pe_end */
    atomic_bool hang_left;      /* a PE that ended has left a hang for one that sleeps to tell */
    struct direct_team **teams; /* by index; each made at its first rendezvous */
    int nteams;
    struct direct_lock *locks;
    /* Of a backend that is built on this one, or NULL: called on each PE's thread before the program; reads a lock
     * that the CPU cannot. */
    void (*enter)(struct fp_pe *pe);
    long (*lock_load)(const long *lock);
    unsigned looks; /* at a rendezvous before the PE sleeps */
};

static inline struct direct_job *
direct_of(const struct fp_job *job)
{
    return job->backend_state;
}

/* Between two looks at memory that another processor is about to write. */
static inline void
direct_pause(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

/* A job inside a unit test has been aborted by some PE; the others leave where they next sleep. */
static inline bool
direct_ending(const struct fp_job *job)
{
    return __atomic_load_n(&job->ending, __ATOMIC_ACQUIRE);
}

/* job.c: open fills a zeroed struct and makes it the job's state (0, or -1 after saying why), run runs all PEs. */
int direct_open(struct fp_job *job, struct direct_job *direct);
void direct_run(struct fp_job *job);
void direct_close(struct fp_job *job);

/* job.c: the calling PE sleeps while *word == seen, at most ns_max nanoseconds (0: no limit); it may also wake for
 * no reason. sleep leaves the PE for good when the job is ending, nap does not. wake: all that sleep on the word. */
void direct_sleep(atomic_uint *word, unsigned seen, uint64_t ns_max);
void direct_nap(atomic_uint *word, unsigned seen, uint64_t ns_max);
void direct_wake(atomic_uint *word);

/* block.c: who is blocked. With the mutex held: notes that the calling PE is about to sleep (its team or wait is
 * filled in), or goes on. direct_hang: nobody is left who could wake anybody; to be told to direct_report_hang
 * without the mutex. */
void direct_block(struct fp_job *job, enum direct_why why, const shmem_call_t *call);
void direct_unblock(struct direct_job *direct, struct direct_pe *pe);
bool direct_hang(const struct fp_job *job);
_Noreturn void direct_report_hang(struct fp_job *job);

/* memory.c */
void direct_arrived(struct fp_job *job, int pe); /* somebody has written to the PE's memory */
void direct_put(const shmem_op_t *op);
void direct_get(const shmem_op_t *op);
void direct_amo(const shmem_op_t *op);
uint64_t direct_signal_fetch(const uint64_t *sig_addr, const shmem_call_t *call);

/* wait.c */
size_t direct_wait(const shmem_wait_t *wait);
size_t direct_test(const shmem_wait_t *wait);
bool direct_satisfied(const shmem_wait_t *wait); /* a wait would return now; writes nothing */

/* meet.c */
void direct_sync(const shmem_coll_t *c);
void direct_pe_end(struct fp_pe *pe);
void direct_teams_free(struct direct_job *direct);

/* lock.c */
void direct_lock_set(long *lock, const shmem_call_t *call);
int direct_lock_test(long *lock, const shmem_call_t *call);
void direct_lock_clear(long *lock, const shmem_call_t *call);
void direct_locks_free(struct direct_job *direct);

#endif
