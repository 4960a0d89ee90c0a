/* proxy.cu -- the kernel that carries out what the host has put into a PE's ring (queue.h).
 *
 * One block. Its first warp reads the ring, each lane one entry, and carries out small operations: stores in parallel,
 * the rest by its first lane, in order of entry, so that two atomics of one PE on one word keep their order (H14). The
 * other warps sleep at a barrier until there is something to copy.
 *
 * Order. A FENCE or QUIET entry: __syncwarp has the stores of all lanes observed by each lane, bulk copies end with a
 * barrier of the block, so every lane's fence is cumulative over everything the block did for this PE, at whichever
 * GPU. FENCE is fence.acq_rel.sys (H7). QUIET is fence.sc.sys, since a get that the host posts after it must not be
 * satisfied before (H8, H4); its reply is a relaxed store behind the fence: when the host has seen it, all is visible.
 */
#include <stdint.h>

#include "fencepost_copy.h"
#include "fencepost_ptx.h"
#include "gpu_backend/queue.h"
#include "shmem_backend.h"

enum job_kind { JOB_COPY, JOB_BLOCKS, JOB_ZERO, JOB_LEAVE };

#define LOOKS_BEFORE_FLUSH 6
#define SHORT_BYTES 2048

/* What all warps do together. Written by the first lane between two barriers of the block. */
struct job {
    enum job_kind kind;
    char *dest;
    const char *source;
    uint64_t arguments[GPU_ARGUMENTS];
};

/* The first warp's view of its ring. */
struct state {
    struct gpu_shared *shared;
    uint64_t entries, replies;
};

static __device__ void
zero(char *dest, uint64_t bytes)
{
    for (uint64_t i = threadIdx.x; i < bytes; i += blockDim.x)
        if ((((uintptr_t)dest | bytes) & 15) != 0)
            dest[i] = 0;
        else if (i < bytes / 16)
            fp_ptx_store_wide(dest + i * 16, make_uint4(0, 0, 0, 0));
}

static __device__ void
job_do(const struct job *job)
{
    if (job->kind == JOB_COPY)
        fp_copy(job->dest, job->source, job->arguments[0], threadIdx.x, blockDim.x);
    else if (job->kind == JOB_BLOCKS)
        fp_copy_blocks(job->dest, job->source, job->arguments[0], job->arguments[1], (ptrdiff_t)job->arguments[2],
                       (ptrdiff_t)job->arguments[3], threadIdx.x, blockDim.x);
    else if (job->kind == JOB_ZERO)
        zero(job->dest, job->arguments[0]);
}

/* The first warp and the others meet at different places. */
static __device__ void
block_meets(void)
{
    fp_ptx_barrier(1, GPU_PROXY_THREADS);
}

/* The first warp calls it with the job filled in; the others are in helper_loop. The host wrote what is copied before
 * it wrote the entry, and the entry was read by an acquiring load, which the barrier hands on to the whole block. A
 * short copy is not worth the barriers. */
static __device__ void
job_run(const struct job *job)
{
    if (job->kind == JOB_COPY && job->arguments[0] <= SHORT_BYTES) {
        fp_copy(job->dest, job->source, job->arguments[0], threadIdx.x, 32);
        __syncwarp();
        return;
    }
    block_meets();
    job_do(job);
    block_meets();
}

static __device__ void
helper_loop(const struct job *job)
{
    for (;;) {
        block_meets();
        if (job->kind == JOB_LEAVE)
            return;
        job_do(job);
        block_meets();
    }
}

static __device__ void
reply(struct state *state, uint64_t value)
{
    state->replies++;
    if (threadIdx.x == 0)
        fp_ptx_store_128(&state->shared->replies[state->replies % GPU_REPLIES], value, state->replies);
}

template <typename word> static __device__ word load(const void *at);
template <>
__device__ uint16_t
load(const void *at)
{
    return fp_ptx_load_16(at);
}
template <>
__device__ uint32_t
load(const void *at)
{
    return fp_ptx_load_32(at);
}
template <>
__device__ uint64_t
load(const void *at)
{
    return fp_ptx_load_64(at);
}

template <typename word>
static __device__ uint64_t
watch(const void *at, uint64_t unwanted, uint64_t cycles)
{
    const long long begin = clock64();
    word seen;
    do
        seen = load<word>(at);
    while (seen == (word)unwanted && (uint64_t)(clock64() - begin) < cycles);
    return seen;
}

#define AMO(bits)                                                                                                      \
    static __device__ uint##bits##_t amo##bits(int amo, void *at, uint##bits##_t operand, uint##bits##_t cond)         \
    {                                                                                                                  \
        switch (amo) {                                                                                                 \
        case SHMEM_AMO_FETCH:                                                                                          \
            return fp_ptx_load_##bits(at);                                                                             \
        case SHMEM_AMO_SET:                                                                                            \
        case SHMEM_AMO_SWAP:                                                                                           \
            return fp_ptx_swap_##bits(at, operand);                                                                    \
        case SHMEM_AMO_ADD:                                                                                            \
        case SHMEM_AMO_INC:                                                                                            \
            return fp_ptx_add_##bits(at, operand);                                                                     \
        case SHMEM_AMO_AND:                                                                                            \
            return fp_ptx_and_##bits(at, operand);                                                                     \
        case SHMEM_AMO_OR:                                                                                             \
            return fp_ptx_or_##bits(at, operand);                                                                      \
        case SHMEM_AMO_XOR:                                                                                            \
            return fp_ptx_xor_##bits(at, operand);                                                                     \
        default:                                                                                                       \
            return fp_ptx_compare_swap_##bits(at, cond, operand);                                                      \
        }                                                                                                              \
    }
AMO(32)
AMO(64)

/* The first lane alone. A set or an add that nobody waits for is sent off without waiting for its result. */
static __device__ uint64_t
atomic(unsigned kind, void *at, uint64_t operand, uint64_t cond)
{
    if (kind == GPU_AMO64 + SHMEM_AMO_ADD || kind == GPU_AMO64 + SHMEM_AMO_INC)
        fp_ptx_reduce_add_64(at, operand);
    else if (kind == GPU_AMO32 + SHMEM_AMO_ADD || kind == GPU_AMO32 + SHMEM_AMO_INC)
        fp_ptx_reduce_add_32(at, (uint32_t)operand);
    else if (kind == GPU_AMO64 + SHMEM_AMO_SET)
        fp_ptx_store_64(at, operand);
    else if (kind == GPU_AMO32 + SHMEM_AMO_SET)
        fp_ptx_store_32(at, (uint32_t)operand);
    else if (kind >= GPU_FETCH64)
        return amo64((int)(kind - GPU_FETCH64), at, operand, cond);
    else if (kind >= GPU_FETCH32)
        return amo32((int)(kind - GPU_FETCH32), at, (uint32_t)operand, (uint32_t)cond);
    else if (kind >= GPU_AMO64)
        amo64((int)(kind - GPU_AMO64), at, operand, cond);
    else
        amo32((int)(kind - GPU_AMO32), at, (uint32_t)operand, (uint32_t)cond);
    return 0;
}

static __device__ void
store(unsigned kind, void *at, uint64_t value)
{
    if (kind == GPU_PUT64)
        fp_ptx_store_64(at, value);
    else if (kind == GPU_PUT32)
        fp_ptx_store_32(at, (uint32_t)value);
    else if (kind == GPU_PUT16)
        fp_ptx_store_16(at, (uint16_t)value);
    else
        fp_ptx_store_8(at, (uint8_t)value);
}

static __device__ uint64_t
fetch(unsigned kind, const void *at)
{
    switch (kind) {
    case GPU_GET64:
        return fp_ptx_load_64(at);
    case GPU_GET32:
        return fp_ptx_load_32(at);
    case GPU_GET16:
        return fp_ptx_load_16(at);
    default:
        return fp_ptx_load_8(at);
    }
}

/* One entry that is no store, by the whole first warp with equal arguments. */
static __device__ void
entry_do(struct state *state, struct job *job, unsigned kind, uint64_t at, uint64_t value, uint64_t watch_cycles)
{
    const bool first = threadIdx.x == 0;
    void *address = (void *)at;
    uint64_t result = 0;

    switch (kind) {
    case GPU_ARGUMENT:
        if (first)
            job->arguments[at % GPU_ARGUMENTS] = value;
        __syncwarp();
        return;
    case GPU_COPY:
    case GPU_BLOCKS:
    case GPU_ZERO:
        if (first) {
            job->kind = kind == GPU_COPY ? JOB_COPY : kind == GPU_BLOCKS ? JOB_BLOCKS : JOB_ZERO;
            job->dest = (char *)at;
            job->source = (const char *)value;
        }
        __syncwarp();
        job_run(job);
        return;
    case GPU_FENCE:
    case GPU_QUIET:
        __syncwarp();
        if (kind == GPU_QUIET)
            fp_ptx_fence_sc();
        else
            fp_ptx_fence();
        __syncwarp();
        if (kind == GPU_QUIET)
            reply(state, 0);
        return;
    case GPU_GET8:
    case GPU_GET16:
    case GPU_GET32:
    case GPU_GET64:
        if (first)
            result = fetch(kind, address);
        reply(state, result);
        return;
    case GPU_WATCH16:
    case GPU_WATCH32:
    case GPU_WATCH64:
        if (first)
            result = kind == GPU_WATCH64   ? watch<uint64_t>(address, value, watch_cycles)
                     : kind == GPU_WATCH32 ? watch<uint32_t>(address, value, watch_cycles)
                                           : watch<uint16_t>(address, value, watch_cycles);
        /* What the word announced is there for the host's and our own next reads: a relaxed load and a fence. */
        fp_ptx_fence();
        reply(state, result);
        return;
    default:
        if (first)
            result = atomic(kind, address, value, job->arguments[0]);
        if (kind >= GPU_FETCH32)
            reply(state, result);
        else
            __syncwarp();
    }
}

/* The entries that the ring has, up to 32; how many. */
static __device__ unsigned
look(struct state *state, const struct gpu_proxy *proxy, struct job *job)
{
    const unsigned all = 0xffffffffu, lane = threadIdx.x;
    const uint64_t position = state->entries + lane;
    const struct fp_ptx_pair entry = fp_ptx_load_acquire_128(&state->shared->entries[position % GPU_ENTRIES]);
    const bool there = ((entry.high >> GPU_ADDRESS_BITS) & GPU_TURN_MASK) == GPU_TURN(position);
    const unsigned there_mask = __ballot_sync(all, there);
    const unsigned n = there_mask == all ? 32 : (unsigned)__ffs((int)~there_mask) - 1;
    if (n == 0)
        return 0;

    const unsigned kind = lane < n ? (unsigned)(entry.high >> GPU_KIND_SHIFT) : GPU_NONE;
    const uint64_t address = entry.high & GPU_ADDRESS_MASK;
    const bool is_store = kind >= GPU_PUT8 && kind <= GPU_PUT64;
    unsigned rest = __ballot_sync(all, kind > GPU_PUT64), from = 0;
    for (;;) {
        const unsigned next = rest ? (unsigned)__ffs((int)rest) - 1 : 32;
        if (is_store && lane >= from && lane < next)
            store(kind, (void *)address, entry.low);
        if (next == 32)
            break;
        entry_do(state, job, __shfl_sync(all, kind, next), __shfl_sync(all, address, next),
                 __shfl_sync(all, entry.low, next), proxy->watch_cycles);
        rest &= rest - 1;
        from = next + 1;
    }
    __syncwarp();
    state->entries += n;
    if (lane == 0)
        fp_ptx_store_64(&state->shared->consumed, state->entries);
    return n;
}

static __device__ void
serve(struct state *state, const struct gpu_proxy *proxy, struct job *job)
{
    const long long begin = clock64();
    long long busy = begin;
    unsigned looks_idle = 0;
    unsigned looks_left = 0; /* after `ended` was written; 0: it was not */

    for (;;) {
        const unsigned n = look(state, proxy, job);
        const long long now = __shfl_sync(0xffffffffu, clock64(), 0);
        if (looks_left > 0) {
            if (n == 0 || --looks_left == 0)
                return;
            continue;
        }
        if (n > 0) {
            busy = now;
            looks_idle = 0;
        } else if (++looks_idle == LOOKS_BEFORE_FLUSH) {
            /* The last store of a thread may wait for company. This one is `consumed`, and somebody may need it. */
            fp_ptx_fence();
        }
        if ((uint64_t)(now - begin) < proxy->life_cycles && (uint64_t)(now - busy) < proxy->idle_cycles)
            continue;
        if (threadIdx.x == 0)
            fp_ptx_store_64(&state->shared->ended, proxy->launch);
        fp_ptx_fence_sc();
        /* Whatever the host put in before it could see that is found now: at most a whole ring. */
        looks_left = GPU_ENTRIES / 32 + 2;
    }
}

extern "C" __global__ void
__launch_bounds__(GPU_PROXY_THREADS, 1) fencepost_proxy(struct gpu_proxy proxy)
{
    __shared__ struct job job;

    if (threadIdx.x >= 32) {
        helper_loop(&job);
        return;
    }
    struct state state = {proxy.shared, proxy.position->entries, proxy.position->replies};
    if (threadIdx.x < GPU_ARGUMENTS)
        job.arguments[threadIdx.x] = proxy.position->arguments[threadIdx.x];
    if (threadIdx.x == 0)
        fp_ptx_store_64(&proxy.shared->started, proxy.launch);
    __syncwarp();
    serve(&state, &proxy, &job);
    __syncwarp();
    if (threadIdx.x == 0) {
        proxy.position->entries = state.entries;
        proxy.position->replies = state.replies;
        job.kind = JOB_LEAVE;
    }
    if (threadIdx.x < GPU_ARGUMENTS)
        proxy.position->arguments[threadIdx.x] = job.arguments[threadIdx.x];
    block_meets();
}
