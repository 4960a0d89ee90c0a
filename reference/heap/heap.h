/* heap.h -- the symmetric heap: one allocator decides for all PEs.
 *
 * The heap calls are collective, so the allocator is a single state machine in the job: call k of the job's sequence of
 * heap calls is decided once, by whichever PE gets there first, and every PE reads the same decision. Offsets are
 * therefore equal on all PEs and do not depend on the schedule.
 *
 * In check mode a block is never reused while address space lasts (quarantine), realloc always moves, and a block
 * starts on a page of its own, so that a stale pointer can be caught by page protection. The limit
 * (SHMEM_SYMMETRIC_SIZE) counts live bytes.
 */
#ifndef FP_HEAP_H
#define FP_HEAP_H

#include "reference/job.h"
#include "reference/team/team.h"

enum fp_block_state { FP_BLOCK_LIVE, FP_BLOCK_FREED, FP_BLOCK_MOVED /* left by realloc */ };

struct fp_block {
    uint64_t offset; /* in the heap of every PE */
    uint64_t bytes;  /* asked for */
    uint64_t span;   /* reserved, including the red zone behind */
    uint64_t id;     /* number of the allocation in the job, from 1 */
    enum fp_block_state state;
    shmem_call_t born_call; /* as made by born_pe */
    int born_pe;
    shmem_call_t died_call; /* free or realloc */
    int died_pe;
    long hints;
    uint64_t align; /* that was asked for, 1: any */
};

/* Each heap begins with memory of the library's own (collectives, locks): symmetric, zero at the start, never part of a
 * user's block. */
#define FP_HEAP_INTERNAL_BYTES ((size_t)65536)
static inline size_t
fp_heap_internal_bytes(int npes)
{
    return FP_HEAP_INTERNAL_BYTES + sizeof(uint64_t) * fp_team_pool_words(npes);
}
static inline void *
fp_heap_internal(struct fp_pe *pe)
{
    pe->job->internal_used = true;
    return pe->job->internal_bytes ? pe->job->internal + (size_t)pe->rank * pe->job->internal_stride : pe->heap_base;
}

/* Reserves the arena (npes strides) and the allocator. Sets job->arena, job->stride, pe->heap_base. 0, or -1 after
 * saying why. */
int fp_heap_open(struct fp_job *job);
void fp_heap_close(struct fp_job *job);
/* After a run: as if it had just been opened, for another run with job->config.seed. Undoes what was touched. False:
 * that would be harder than to open a new one. */
bool fp_heap_again(struct fp_job *job);

/* Whether the address lies in a heap that the CPU may not touch (shmem_backend.h). */
static inline bool
fp_heap_is_device(const struct fp_job *job, const void *address)
{
    return job->memory && (uintptr_t)address - (uintptr_t)job->arena < job->arena_bytes;
}

/* The block, live or dead, whose span contains heap offset `offset`; NULL if none ever did. */
const struct fp_block *fp_heap_find(const struct fp_job *job, uint64_t offset);
/* Whether the byte at heap offset `offset` of PE `pe` still has the contents that a fresh block gets in check mode.
 * False means that somebody wrote it, seen or not; true proves nothing. */
bool fp_heap_is_fresh(const struct fp_job *job, int pe, const struct fp_block *block, uint64_t offset);
/* Totals for a message: bytes asked for by live blocks, their peak, the limit. */
void fp_heap_usage(const struct fp_job *job, uint64_t *live, uint64_t *peak, uint64_t *limit);
/* The last allocation that failed, if any (E159: its NULL was used). */
bool fp_heap_failed(const struct fp_job *job, shmem_call_t *call, uint64_t *bytes);
/* After a plain access to memory that is no live block was reported: makes its pages accessible, so that the program
 * can go on and the access does not fault again. `address` lies in the arena. False: cannot be done. */
bool fp_heap_expose(struct fp_job *job, const void *address, size_t bytes);
/* --heap=device. The table whose entries take window addresses and pass those of the caller's copy in the arena to
 * `inner`; to be the outermost table of a job. With --heap=direct it is `inner` itself. */
const shmem_backend_t *fp_heap_table(struct fp_job *job, const shmem_backend_t *inner);
/* The address in the arena of an argument that may lie in the window; others as they are. For what does not pass the
 * table. */
static inline void *
fp_heap_own(const struct fp_pe *pe, const void *address)
{
    uint64_t offset = (uintptr_t)address - (uintptr_t)pe->job->window;
    if (__builtin_expect(offset < pe->job->window_bytes, 0)) {
        uint64_t slot = offset >> pe->job->stride_shift;
        uint64_t rank = slot ? slot - 1 : (uint64_t)pe->rank;
        return pe->job->arena + (rank << pe->job->stride_shift) + (offset & (pe->job->stride - 1));
    }
    return (void *)(uintptr_t)address;
}
/* Calls f for each live block, by offset. */
void fp_heap_each_live(const struct fp_job *job, void (*f)(const struct fp_block *block, void *arg), void *arg);

/* The collective routines (3.1), complete: match, decide, barriers, block_born/died. NULL on failure. */
void *fp_heap_malloc(size_t bytes, long hints, shmem_call_t call);
void *fp_heap_calloc(size_t count, size_t size, shmem_call_t call);
void *fp_heap_align(size_t alignment, size_t bytes, shmem_call_t call);
void *fp_heap_realloc(void *block, size_t bytes, shmem_call_t call);
void fp_heap_free(void *block, shmem_call_t call);

#endif
