/* shmem_backend.h -- the seam between the OpenSHMEM front end and what carries the operations out.
 *
 * reference/api turns each of the typed routines into one descriptor below and calls one entry of a backend's table.
 * A backend is one directory and one constant struct of this type: reference/direct (free-running threads, every call
 * completes at once), sim (the deterministic simulator), gpu_backend (CUDA).
 *
 * What the front end has done before an entry is called: the library is initialised; the context is live and `pe` has
 * been translated to a world PE and is in range; lengths do not overflow; nelems > 0 (calls that move nothing return
 * early, except put_signal, whose signal is still sent, and collectives, which still match). When checking is on,
 * reference/check has also classified every address. A backend never sees an argument error, and never reports one.
 *
 * Callers: any PE, on its own context of execution, except start and stop (the launcher). Descriptors live on the
 * caller's stack: what a backend needs after its entry returns, it copies.
 */
#ifndef SHMEM_BACKEND_H
#define SHMEM_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shmem_types.h"

struct fp_job;
struct fp_pe;
struct fp_search_hooks;

/* The call in the user's program: the routine's name as the user wrote it, and the return address of the call. */
typedef struct shmem_call {
    const char *name;
    const void *site;
} shmem_call_t;

/* A context, one a PE; `id` is unique within its PE and never reused. Its owner is the PE that created it. */
#define SHMEM_CTX_LIBRARY 1 /* id of the library's own context: collectives */
typedef struct shmem_ctx_state {
    struct fp_pe *pe;
    uint32_t id;  /* 0 is the default context */
    long options; /* SHMEM_CTX_* bits */
    int team;     /* index of its team in the job; 0 is the world */
    bool live;
    void *backend; /* the backend's own */
    shmem_call_t created;
} shmem_ctx_state_t;

typedef enum shmem_op_kind { SHMEM_OP_PUT, SHMEM_OP_GET, SHMEM_OP_AMO } shmem_op_kind_t;

/* Atomic functions. Each row: name, reads the old value (carries a release sequence on), may write. */
#define SHMEM_AMO_ROWS(X) X(NONE) X(SET) X(FETCH) X(ADD) X(INC) X(AND) X(OR) X(XOR) X(SWAP) X(CSWAP)
typedef enum shmem_amo {
#define SHMEM_AMO_ROW(name) SHMEM_AMO_##name,
    SHMEM_AMO_ROWS(SHMEM_AMO_ROW)
#undef SHMEM_AMO_ROW
} shmem_amo_t;

enum shmem_op_flags {
    SHMEM_OPF_NBI = 1,      /* returns at once; source and fetch stay in use until quiet */
    SHMEM_OPF_FETCH = 2,    /* AMO: old value goes to `fetch` */
    SHMEM_OPF_SIGNAL = 4,   /* AMO: is a signal update (signal_set, signal_add). PUT: is a put_signal */
    SHMEM_OPF_INTERNAL = 8, /* issued by reference/coll on behalf of the collective `coll` */
    SHMEM_OPF_VALUE = 16,   /* PUT: p; `source` points to the front end's own copy of the value */
    SHMEM_OPF_G = 32,       /* GET: g; `dest` is the front end's own, no buffer of the user */
};

/* One operation. The data of a PUT or GET is nblocks blocks of block_bytes; block i starts at
 * dest + i * dest_step and source + i * source_step (bytes). Contiguous transfers have nblocks 1.
 * dest of a PUT, source of a GET, dest of an AMO and sig_addr are addresses of the *caller's* copy of the object. */
typedef struct shmem_op {
    shmem_op_kind_t kind;
    shmem_type_t type;
    shmem_amo_t amo;
    unsigned flags;
    int pe; /* target, world numbering */
    shmem_ctx_state_t *ctx;
    void *dest;
    const void *source;
    size_t elem_bytes, block_bytes, nblocks;
    ptrdiff_t dest_step, source_step;
    /* AMO: operand and comparand hold a value of `type` in their first elem_bytes bytes. */
    unsigned char operand[16], cond[16];
    void *fetch;
    /* put_signal */
    uint64_t *sig_addr;
    uint64_t signal;
    shmem_amo_t sig_op; /* SET or ADD */
    const struct shmem_coll *coll;
    shmem_call_t call;
} shmem_op_t;

typedef enum shmem_wait_mode { SHMEM_WAIT_ALL, SHMEM_WAIT_ANY, SHMEM_WAIT_SOME } shmem_wait_mode_t;

/* wait_until and test, all forms. `values` holds 1 value, or n with `vector`. status may be NULL.
 * Scalar forms are ALL with n 1. signal_wait_until sets `seen` and receives the value that satisfied it. */
typedef struct shmem_wait {
    shmem_wait_mode_t mode;
    shmem_type_t type;
    size_t elem_bytes;
    const void *ivars;
    size_t n;
    const int *status;
    int cmp; /* SHMEM_CMP_* */
    const void *values;
    bool vector;
    size_t *indices; /* SOME */
    uint64_t *seen;  /* signal_wait_until, signal_fetch */
    unsigned flags;  /* SHMEM_OPF_SIGNAL, SHMEM_OPF_INTERNAL */
    shmem_call_t call;
    bool (*holds)(const struct shmem_wait *wait); /* NULL, or (sim/whatif.h) what counts instead of the values */
} shmem_wait_t;

/* Collective calls, matched per team in order of call. Allocation calls and barriers are among them (team 0). */
#define SHMEM_COLL_ROWS(X)                                                                                             \
    X(BARRIER)                                                                                                         \
    X(SYNC) X(MALLOC) X(CALLOC) X(ALIGN) X(REALLOC) X(FREE) X(BROADCAST) X(REDUCE) X(SCAN) X(COLLECT) X(FCOLLECT)      \
        X(ALLTOALL) X(ALLTOALLS) X(TEAM_SPLIT) X(TEAM_DESTROY) X(INIT) X(FINALIZE)
typedef enum shmem_coll_kind {
#define SHMEM_COLL_ROW(name) SHMEM_COLL_##name,
    SHMEM_COLL_ROWS(SHMEM_COLL_ROW)
#undef SHMEM_COLL_ROW
        SHMEM_COLL_COUNT
} shmem_coll_kind_t;

typedef enum shmem_reduce {
    SHMEM_REDUCE_AND,
    SHMEM_REDUCE_OR,
    SHMEM_REDUCE_XOR,
    SHMEM_REDUCE_MAX,
    SHMEM_REDUCE_MIN,
    SHMEM_REDUCE_SUM,
    SHMEM_REDUCE_PROD
} shmem_reduce_t;

typedef struct shmem_coll {
    shmem_coll_kind_t kind;
    int team;     /* index of the team in the job */
    uint64_t seq; /* number of this call on the team, from 0; filled in by the front end */
    shmem_type_t type;
    shmem_reduce_t reduce;
    void *dest; /* or the block freed or reallocated */
    const void *source;
    size_t elem_bytes, nelems; /* allocation: nelems = bytes (calloc: count, with elem_bytes = size) */
    size_t align;
    long hints;
    int root;                         /* team numbering */
    ptrdiff_t dest_step, source_step; /* ALLTOALLS: bytes between elements */
    bool exclusive;                   /* SCAN */
    /* The deprecated forms, on the team of an active set (broadcast then leaves the root's dest alone); else NULL. */
    long *psync;
    void *pwrk;
    size_t psync_n, pwrk_bytes;
    shmem_call_t call;
} shmem_coll_t;

/* Whose memory the heaps are, where it is not the host's. Addresses of the heaps may then not be touched by the CPU:
 * the front end uses these instead. Called before start() too. */
typedef struct shmem_heap_memory {
    /* Address space for all heaps of the job, a multiple of `align`; NULL after saying why. */
    char *(*reserve)(struct fp_job *job, size_t bytes, size_t align);
    void (*release)(char *reserved, size_t bytes);
    /* [0, end) of the PE's heap has to have memory; it may have more already. */
    void (*grow)(struct fp_pe *pe, size_t end);
    /* Either side may be the host's. Complete on return. */
    void (*copy)(struct fp_pe *pe, void *dest, const void *source, size_t bytes);
    void (*zero)(struct fp_pe *pe, void *dest, size_t bytes);
} shmem_heap_memory_t;

typedef struct shmem_backend {
    const char *name;
    const shmem_heap_memory_t *memory; /* NULL: the host's */

    /* Launcher only. start: prepare for job->npes PEs. run: run fp_pe_main() once for each PE, PE 0 on the calling
     * thread; returns when all have ended. stop: release everything. start returns 0, or -1 after printing why. */
    int (*start)(struct fp_job *job);
    void (*run)(struct fp_job *job);
    void (*stop)(struct fp_job *job);
    /* The calling PE has ended (returned from main, or exit): never returns, unless the PE is PE 0, which returns when
     * every PE has ended. */
    /* Optional, after run() of a job of PE functions: makes ready for another run(), as stop() and start() would, but
     * keeps what can be kept. 0, or -1 after saying why. */
    int (*again)(struct fp_job *job);
    /* Optional: exhaustive search (reference/job.h). */
    const struct fp_search_hooks *search;
    void (*pe_end)(struct fp_pe *pe);

    int (*ctx_create)(shmem_ctx_state_t *ctx);
    void (*ctx_destroy)(shmem_ctx_state_t *ctx); /* after its quiet */

    void (*put)(const shmem_op_t *op);
    void (*get)(const shmem_op_t *op);
    void (*amo)(const shmem_op_t *op);
    void (*fence)(shmem_ctx_state_t *ctx, const shmem_call_t *call);
    void (*quiet)(shmem_ctx_state_t *ctx, const shmem_call_t *call);
    void (*pe_quiet)(shmem_ctx_state_t *ctx, const int *pes, size_t npes, const shmem_call_t *call);

    /* Blocks until the condition holds. Returns 0, or the index (ANY) or the count (SOME). */
    size_t (*wait)(const shmem_wait_t *wait);
    /* Looks once. Returns 1 or 0 (ALL), index or SIZE_MAX (ANY), count (SOME). */
    size_t (*test)(const shmem_wait_t *wait);
    /* Atomic read of the caller's signal (signal_fetch). */
    uint64_t (*signal_fetch)(const uint64_t *sig_addr, const shmem_call_t *call);

    /* Every data collective and allocation is bracketed by enter and leave; sync is the rendezvous alone (H9):
     * returns when every member of c->team has entered the call c->seq. */
    void (*coll_enter)(const shmem_coll_t *c);
    void (*coll_leave)(const shmem_coll_t *c);
    void (*sync)(const shmem_coll_t *c);

    /* Locks: the object is `lock` at the caller; FIFO in order of arrival; clear has quieted the default context. */
    void (*lock_set)(long *lock, const shmem_call_t *call);
    int (*lock_test)(long *lock, const shmem_call_t *call); /* 0: acquired */
    void (*lock_clear)(long *lock, const shmem_call_t *call);

    /* Blocks of the heap, as decided once for all PEs; told so that a backend can protect or map memory. Called by
     * every PE for its own copy, between the barriers of the call. */
    void (*block_born)(struct fp_pe *pe, size_t offset, size_t bytes, const shmem_call_t *call);
    void (*block_died)(struct fp_pe *pe, size_t offset, size_t bytes, const shmem_call_t *call);

    /* The PE's clock in nanoseconds; advance it (sleep, compute). Both NULL: the backend has none, programs see real
     * time. */
    uint64_t (*now)(struct fp_pe *pe);
    void (*advance)(struct fp_pe *pe, uint64_t ns);
    /* The calling PE stops for ever (--stop-pe). NULL: the backend cannot. */
    void (*stop_pe)(struct fp_pe *pe, const shmem_call_t *call);
    /* The PE is about to make a call at `site` (--insert). NULL: the backend cannot. */
    void (*before)(struct fp_pe *pe, const void *site);
    /* Plain access by the program, from compiler hooks or from libc on its behalf; `name` is "load", "store" or the
     * libc routine (a literal). NULL: not wanted. */
    void (*access)(const void *address, size_t bytes, bool write, const char *name, const void *site);
} shmem_backend_t;

#endif
