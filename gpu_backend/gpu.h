/* gpu.h -- the CUDA backend: the heaps are GPU memory, the processor's other end of the bus is the network.
 *
 * PEs are free-running threads of one process, as in reference/direct, on which this backend is built: threads,
 * rendezvous and locks are its, and so is every operation whose two ends lie in the host's memory (static symmetric
 * objects, the library's own signals). PE i uses GPU i mod n. Its heap is memory of that GPU, mapped for all GPUs of
 * the process at one range of addresses, so that an operation is a load, a store or an atomic on the address of the
 * other PE's copy, wherever it is carried out.
 *
 * Three ways lead from the host to that memory:
 *   - the PE's ring (queue.h): small operations, atomics, copies up to GPU_COPY_MAX. Posting costs a store; the proxy
 *     kernel carries it out.
 *   - the copy engine, on the PE's own stream: large copies.
 *   - none for a host operand of a few KiB: its bytes go into a staging ring that the kernel can read, so the caller's
 *     buffer is free at once.
 *
 * Order. Within the ring a FENCE entry keeps what is before it in front of what follows. Between the ring, the copy
 * engine and the host's own memory there is no order by itself: gpu_settle waits for what was fenced before a way is
 * changed, and quiet waits for all ways.
 */
#ifndef GPU_H
#define GPU_H

#include <stdatomic.h>

#include "fencepost_gpu.h"
#include "gpu_backend/driver.h"
#include "gpu_backend/queue.h"
#include "reference/direct/direct.h"
#include "reference/job.h"

#define GPU_COPY_MAX ((size_t)128 << 10)  /* by the proxy kernel; more is faster by the copy engine */
#define GPU_STAGE_MAX ((size_t)64 << 10)  /* from or to the host, through the staging ring */
#define GPU_STAGE_BYTES ((size_t)1 << 20) /* of a PE's staging ring */
#define GPU_STAGE_RECORDS 1024

/* One of the process's GPUs. */
struct gpu_device {
    CUdevice device;
    CUcontext context; /* the primary one, which the CUDA runtime uses too */
    CUmodule module;
    CUfunction proxy;
    int multiprocessors, pes; /* PEs that use it */
    double cycles_per_us;
};

/* A piece of the staging ring: reusable when its entry has been consumed and nobody reads it. */
struct gpu_stage_record {
    uint64_t end;   /* position in the ring's endless numbering */
    uint64_t entry; /* it is in use until this many entries are consumed */
    bool held;      /* the host has not yet read what came */
};

/* A source of the program with kernels (fencepost_gpu.h), and the GPUs that have its constant. */
struct gpu_module {
    int (*set)(const struct fencepost_gpu_state *state);
    uint64_t done;
};

/* Per PE. The lock covers the ring, the staging ring and the launch of the proxy; it is never held while waiting for a
 * reply, only while waiting for room. */
struct gpu_pe {
    atomic_flag lock;
    struct gpu_device *device;
    struct gpu_shared *shared;
    CUdeviceptr shared_there, position;
    uint64_t launches, posted, replies, consumed_seen;
    bool reply_busy[GPU_REPLIES];
    char *stage;
    CUdeviceptr stage_there;
    uint64_t stage_first, stage_next; /* bytes in use: [first, next) of the endless numbering */
    struct gpu_stage_record records[GPU_STAGE_RECORDS];
    unsigned record_first, record_next; /* modulo GPU_STAGE_RECORDS, endless */
    CUstream proxy_stream, copy_stream;
    /* Order between the ways. Numbers of entries: posted, that a fence covers, that are known to be complete. */
    uint64_t fenced, settled;
    bool copying;        /* the copy engine may still be busy */
    bool copying_fenced; /* ... with something that a fence covers */
    struct fencepost_gpu_state state;
    struct gpu_module *modules;
    int nmodules;
    size_t mapped; /* bytes of its heap that have memory; under gpu_job.memory_lock */
};

struct gpu_job {
    struct direct_job direct; /* first: the direct backend finds its own state */
    int ndevices;
    struct gpu_device *devices;
    struct gpu_pe *pes;
    atomic_int dozing; /* PEs that have waited for a word of a GPU for so long that they only look now and then */
};

static inline struct gpu_job *
gpu_of(const struct fp_job *job)
{
    return job->backend_state;
}

static inline struct gpu_pe *
gpu_pe_of(const struct fp_pe *pe)
{
    return &gpu_of(pe->job)->pes[pe->rank];
}

static inline bool
gpu_is_heap(const struct fp_job *job, const void *address)
{
    return (uintptr_t)address - (uintptr_t)job->arena < job->arena_bytes;
}

/* devices.c: the GPUs. open: chosen for so many PEs, and peers of each other; 0, or -1 after saying why. enter: the
 * calling thread works for that PE. */
int gpu_devices_open(int npes);
void gpu_devices_close(void);
extern int gpu_ndevices;
extern struct gpu_device *gpu_devices;
void gpu_enter(struct fp_pe *pe);

/* publish.c */
void gpu_publish_open(struct fp_pe *pe);
void gpu_publish_close(struct gpu_pe *pe);

/* memory.c */
extern const shmem_heap_memory_t gpu_memory;
void gpu_memory_close(struct fp_job *job);
/* Whether a load or store of the CPU at the address would fault because it is memory of a GPU: a heap, or what the
 * program got from CUDA itself. */
bool gpu_is_device(const struct fp_job *job, const void *address);

/* ring.c: the host's end of the ring. */
int gpu_ring_open(struct fp_job *job, struct gpu_pe *pe);
void gpu_ring_close(struct gpu_pe *pe);
void gpu_lock(struct gpu_pe *pe);
void gpu_unlock(struct gpu_pe *pe);
/* With the lock held. post: one entry. post_reply: one that is answered; the number goes to gpu_reply, after unlock.
 * kick: after the last entry: the kernel will see them. */
void gpu_post(struct gpu_pe *pe, unsigned kind, const void *address, uint64_t value);
uint64_t gpu_post_reply(struct gpu_pe *pe, unsigned kind, const void *address, uint64_t value);
void gpu_kick(struct gpu_pe *pe);
uint64_t gpu_reply(struct gpu_pe *pe, uint64_t number);
/* With the lock held: room for bytes that the GPU can reach. used: the entries that need it have been posted, and
 * when they are consumed it can be taken again; held: not before gpu_stage_free, which needs no lock. */
struct gpu_stage {
    char *here;
    const char *there;
    unsigned record;
};
struct gpu_stage gpu_stage_take(struct gpu_pe *pe, size_t bytes, bool held);
void gpu_stage_used(struct gpu_pe *pe, struct gpu_stage stage);
void gpu_stage_free(struct gpu_pe *pe, struct gpu_stage stage);

/* order.c. settle: before an operation that does not go through the ring: what a fence put before it is complete.
 * complete: everything is. */
void gpu_fence(shmem_ctx_state_t *ctx, const shmem_call_t *call);
void gpu_quiet(shmem_ctx_state_t *ctx, const shmem_call_t *call);
void gpu_pe_quiet(shmem_ctx_state_t *ctx, const int *pes, size_t npes, const shmem_call_t *call);
void gpu_settle(struct gpu_pe *pe);
/* A QUIET that was the last of so many entries has been answered. */
void gpu_settled(struct gpu_pe *pe, uint64_t entries);
void gpu_complete(struct gpu_pe *pe);
/* The same for what goes through the ring next: what the copy engine has from before a fence. */
void gpu_settle_copies(struct gpu_pe *pe);

/* copy.c: nblocks blocks between two places of which at least one is a GPU's. On return of to_gpu and between with
 * GPU_SOURCE_READ the source may be written again, with GPU_COMPLETE the data is at its destination; with GPU_POSTED
 * neither. from_gpu is always complete. */
struct gpu_copy {
    char *dest;
    const char *source;
    size_t block_bytes, nblocks;
    ptrdiff_t dest_step, source_step;
};
enum gpu_until { GPU_POSTED, GPU_SOURCE_READ, GPU_COMPLETE };
void gpu_copy_to_gpu(struct gpu_pe *pe, const struct gpu_copy *copy, enum gpu_until until);
void gpu_copy_from_gpu(struct gpu_pe *pe, const struct gpu_copy *copy);
void gpu_copy_between(struct gpu_pe *pe, const struct gpu_copy *copy, enum gpu_until until);

/* transfer.c */
void gpu_put(const shmem_op_t *op);
void gpu_get(const shmem_op_t *op);
void gpu_amo(const shmem_op_t *op);
uint64_t gpu_signal_fetch(const uint64_t *sig_addr, const shmem_call_t *call);
long gpu_lock_load(const long *lock);

/* wait.c */
size_t gpu_wait(const shmem_wait_t *wait);
size_t gpu_test(const shmem_wait_t *wait);

#endif
