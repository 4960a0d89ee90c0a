/* heap_state.h -- the heap of a job, for the files of reference/heap alone. */
#ifndef FP_HEAP_STATE_H
#define FP_HEAP_STATE_H

#include "reference/heap/arena.h"
#include "reference/heap/pattern.h"

/* What the heap call number `call` of every PE does. Made by the PE that gets there first, read once by each. Blocks
 * are copies: without checks the allocator may use a record again as soon as the block has died. An id of 0 is no
 * block. */
struct fp_decision {
    uint64_t call;
    struct fp_block born, died;
    bool resized; /* realloc in place (never in check mode): nothing is born or dies */
    int readers_left;
};

/* PEs are at most one rendezvous apart, and no heap call goes without one; the ring only has to be longer than that. */
#define FP_DECISIONS 8

struct fp_static_segment {
    char *lo, *hi;
    int pe;
};

struct fp_heap {
    pthread_mutex_t lock; /* everything below but arena and live */
    struct fp_allocator *allocator;
    struct fp_decision decisions[FP_DECISIONS];
    uint64_t decided; /* number of calls decided */
    uint64_t *calls;  /* by PE: its next heap call */
    uint64_t allocation_calls; /* so far */
    bool failed;
    shmem_call_t failed_call;
    uint64_t failed_bytes;

    struct fp_arena arena;
    struct fp_pattern pattern;
    bool exposed;        /* some page was made accessible after a finding: fresh pages need not be zero */
    unsigned char *live; /* job->heap_live */
    size_t live_bytes;

    /* --heap=device (device.c). */
    const shmem_backend_t *inner;
    shmem_backend_t device_table;

    /* Images by address, made when all are loaded (place.c). */
    struct fp_static_segment *segments;
    int nsegments; /* 0: not made yet */
};

/* What a pointer given to free or realloc can be instead of the start of a live block. */
enum fp_pointer_fault {
    FP_POINTER_FINE,
    FP_POINTER_FOREIGN,
    FP_POINTER_NOT_HEAP,
    FP_POINTER_NO_BLOCK,
    FP_POINTER_INTERIOR,
    FP_POINTER_DEAD
};

/* device.c: reserves the window; 0, or -1 after saying why. */
int fp_heap_window_open(struct fp_job *job);
void fp_heap_window_close(struct fp_job *job);

/* Reports it as the fault of PE `pe`'s call (faults.c). `block` is the one concerned, if any; kind is FP_FREE or
 * FP_REALLOC. */
void fp_heap_report_pointer(struct fp_pe *pe, enum fp_pointer_fault fault, const void *pointer,
                            const struct fp_block *block, int kind, const shmem_call_t *call);
/* An alignment that is no power of two or no multiple of sizeof(void *); a calloc whose product overflows. */
void fp_heap_report_align(struct fp_pe *pe, size_t alignment, const shmem_call_t *call);
void fp_heap_report_overflow(struct fp_pe *pe, size_t count, size_t size, const shmem_call_t *call);

#endif
