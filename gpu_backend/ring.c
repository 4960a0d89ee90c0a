/* ring.c -- the host's end of a PE's ring: entries, replies, staging, and starting the kernel at the other end. */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#if defined __x86_64__
#include <emmintrin.h>
#endif

#include "gpu_backend/gpu.h"

/* The kernel leaves when it has had nothing to do for so long, and after so long in any case: the program may be
 * waiting for the whole GPU to be idle (cudaDeviceSynchronize, cudaFree). */
#define IDLE_US 40
#define LIFE_US 2000
#define WATCH_US 10
#define LOOKS_BETWEEN_YIELDS 1024
#define LOOKS_BETWEEN_CHECKS 16384

/* One access of 16 bytes: processors with AVX do an aligned one as a whole. */
static inline void
store_whole(struct gpu_entry *entry, uint64_t value, uint64_t word)
{
#if defined __x86_64__
    _mm_store_si128((__m128i *)(void *)entry, _mm_set_epi64x((long long)word, (long long)value));
#else
    /* Where there is no such store: the word, which tells that the entry is there, comes last. */
    __atomic_store_n(&entry->value, value, __ATOMIC_RELAXED);
    __atomic_store_n(&entry->word, word, __ATOMIC_RELEASE);
#endif
}

static inline struct gpu_entry
load_whole(const struct gpu_entry *entry)
{
    struct gpu_entry copy;
#if defined __x86_64__
    const __m128i both = _mm_load_si128((const __m128i *)(const void *)entry);
    atomic_signal_fence(memory_order_acquire);
    memcpy(&copy, &both, sizeof copy);
#else
    copy.word = __atomic_load_n(&entry->word, __ATOMIC_ACQUIRE);
    copy.value = __atomic_load_n(&entry->value, __ATOMIC_RELAXED);
#endif
    return copy;
}

void
gpu_lock(struct gpu_pe *pe)
{
    for (unsigned looks = 0; atomic_flag_test_and_set_explicit(&pe->lock, memory_order_acquire); looks++)
        if (looks % 64 == 63)
            sched_yield();
        else
            direct_pause();
}

void
gpu_unlock(struct gpu_pe *pe)
{
    atomic_flag_clear_explicit(&pe->lock, memory_order_release);
}

static uint64_t
consumed(const struct gpu_pe *pe)
{
    return __atomic_load_n(&pe->shared->consumed, __ATOMIC_ACQUIRE);
}

/* Called again and again while the calling thread waits for the GPU: a kernel that has failed answers nothing more. */
static void
waits(struct gpu_pe *pe, unsigned *looks)
{
    if (++*looks % LOOKS_BETWEEN_YIELDS == 0)
        sched_yield();
    direct_pause();
    if (*looks % LOOKS_BETWEEN_CHECKS != 0)
        return;
    if (fp_self != NULL && direct_ending(fp_self->job))
        fp_pe_abandon();
    const CUresult result = gpu_driver.cuStreamQuery(pe->proxy_stream);
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY)
        gpu_check(result, "reach the GPU");
}

/* ---- The kernel */

static void
launch(struct gpu_pe *pe)
{
    const double cycles = pe->device->cycles_per_us;
    struct gpu_proxy proxy = {
        .shared = (struct gpu_shared *)pe->shared_there,
        .position = (struct gpu_position *)pe->position,
        .launch = ++pe->launches,
        .idle_cycles = (uint64_t)(IDLE_US * cycles),
        .life_cycles = (uint64_t)(LIFE_US * cycles),
        .watch_cycles = (uint64_t)(WATCH_US * cycles),
    };
    void *arguments[] = {&proxy};
    CUcontext before = NULL;

    gpu_driver.cuCtxGetCurrent(&before);
    if (before != pe->device->context)
        gpu_check(gpu_driver.cuCtxSetCurrent(pe->device->context), "use the GPU");
    gpu_check(gpu_driver.cuLaunchKernel(pe->device->proxy, 1, 1, 1, GPU_PROXY_THREADS, 1, 1, 0, pe->proxy_stream,
                                        arguments, NULL),
              "start the proxy kernel");
    if (before != pe->device->context)
        gpu_driver.cuCtxSetCurrent(before);
}

/* The full fence between the entries and the look at `ended`: queue.h says what it is for. */
void
gpu_kick(struct gpu_pe *pe)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (__atomic_load_n(&pe->shared->ended, __ATOMIC_RELAXED) == pe->launches)
        launch(pe);
}

/* ---- Entries and replies */

void
gpu_post(struct gpu_pe *pe, unsigned kind, const void *address, uint64_t value)
{
    unsigned looks = 0;

    FP_ASSERT(((uintptr_t)address & ~GPU_ADDRESS_MASK) == 0);
    if (pe->posted - pe->consumed_seen >= GPU_ENTRIES &&
        pe->posted - (pe->consumed_seen = consumed(pe)) >= GPU_ENTRIES) {
        gpu_kick(pe);
        while (pe->posted - (pe->consumed_seen = consumed(pe)) >= GPU_ENTRIES)
            waits(pe, &looks);
    }
    store_whole(&pe->shared->entries[pe->posted % GPU_ENTRIES], value,
                (uint64_t)kind << GPU_KIND_SHIFT | GPU_TURN(pe->posted) << GPU_ADDRESS_BITS | (uintptr_t)address);
    pe->posted++;
}

uint64_t
gpu_post_reply(struct gpu_pe *pe, unsigned kind, const void *address, uint64_t value)
{
    const uint64_t number = pe->replies + 1;
    unsigned looks = 0;

    /* Another thread of this PE has not yet looked at the reply that was there before. */
    while (__atomic_load_n(&pe->reply_busy[number % GPU_REPLIES], __ATOMIC_ACQUIRE))
        waits(pe, &looks);
    pe->reply_busy[number % GPU_REPLIES] = true;
    pe->replies = number;
    gpu_post(pe, kind, address, value);
    return number;
}

uint64_t
gpu_reply(struct gpu_pe *pe, uint64_t number)
{
    const struct gpu_entry *slot = &pe->shared->replies[number % GPU_REPLIES];
    struct gpu_entry reply;
    unsigned looks = 0;

    while (reply = load_whole(slot), reply.word != number)
        waits(pe, &looks);
    __atomic_store_n(&pe->reply_busy[number % GPU_REPLIES], false, __ATOMIC_RELEASE);
    return reply.value;
}

/* ---- Staging */

static void
stage_reclaim(struct gpu_pe *pe)
{
    const uint64_t done = consumed(pe);

    while (pe->record_first != pe->record_next) {
        struct gpu_stage_record *record = &pe->records[pe->record_first % GPU_STAGE_RECORDS];
        if (record->entry > done || __atomic_load_n(&record->held, __ATOMIC_ACQUIRE))
            return;
        pe->stage_first = record->end;
        pe->record_first++;
    }
}

struct gpu_stage
gpu_stage_take(struct gpu_pe *pe, size_t bytes, bool held)
{
    const size_t piece = (bytes + 63) & ~(size_t)63;
    unsigned looks = 0;

    FP_ASSERT(piece <= GPU_STAGE_BYTES / 2);
    /* A piece does not go round the end. */
    uint64_t begin = pe->stage_next;
    if (begin % GPU_STAGE_BYTES + piece > GPU_STAGE_BYTES)
        begin += GPU_STAGE_BYTES - begin % GPU_STAGE_BYTES;
    stage_reclaim(pe);
    if (begin + piece - pe->stage_first > GPU_STAGE_BYTES || pe->record_next - pe->record_first >= GPU_STAGE_RECORDS)
        gpu_kick(pe);
    while (begin + piece - pe->stage_first > GPU_STAGE_BYTES ||
           pe->record_next - pe->record_first >= GPU_STAGE_RECORDS) {
        waits(pe, &looks);
        stage_reclaim(pe);
    }
    const unsigned record = pe->record_next++ % GPU_STAGE_RECORDS;
    pe->records[record] = (struct gpu_stage_record){begin + piece, UINT64_MAX, held};
    pe->stage_next = begin + piece;
    return (struct gpu_stage){pe->stage + begin % GPU_STAGE_BYTES,
                              (const char *)pe->stage_there + begin % GPU_STAGE_BYTES, record};
}

void
gpu_stage_used(struct gpu_pe *pe, struct gpu_stage stage)
{
    pe->records[stage.record].entry = pe->posted;
}

void
gpu_stage_free(struct gpu_pe *pe, struct gpu_stage stage)
{
    __atomic_store_n(&pe->records[stage.record].held, false, __ATOMIC_RELEASE);
}

/* ---- Opening */

static void *
host_memory(size_t bytes, CUdeviceptr *there)
{
    void *here = NULL;

    gpu_check(gpu_driver.cuMemHostAlloc(&here, bytes, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE),
              "get host memory that the GPU can read");
    gpu_check(gpu_driver.cuMemHostGetDevicePointer(there, here, 0), "get host memory that the GPU can read");
    memset(here, 0, bytes);
    return here;
}

int
gpu_ring_open(struct fp_job *job, struct gpu_pe *pe)
{
    int least = 0, greatest = 0;

    atomic_flag_clear(&pe->lock);
    gpu_check(gpu_driver.cuCtxSetCurrent(pe->device->context), "use the GPU");
    pe->shared = host_memory(sizeof *pe->shared, &pe->shared_there);
    pe->stage = host_memory(GPU_STAGE_BYTES, &pe->stage_there);
    gpu_check(gpu_driver.cuMemAlloc(&pe->position, sizeof(struct gpu_position)), "get GPU memory");
    /* The proxy goes in front of the program's kernels. */
    gpu_driver.cuCtxGetStreamPriorityRange(&least, &greatest);
    gpu_check(gpu_driver.cuStreamCreateWithPriority(&pe->proxy_stream, CU_STREAM_NON_BLOCKING, greatest),
              "create a stream");
    gpu_check(gpu_driver.cuStreamCreateWithPriority(&pe->copy_stream, CU_STREAM_NON_BLOCKING, greatest),
              "create a stream");
    gpu_check(gpu_driver.cuMemsetD8Async(pe->position, 0, sizeof(struct gpu_position), pe->copy_stream),
              "clear GPU memory");
    gpu_check(gpu_driver.cuStreamSynchronize(pe->copy_stream), "clear GPU memory");
    return 0;
}

void
gpu_ring_close(struct gpu_pe *pe)
{
    gpu_driver.cuCtxSetCurrent(pe->device->context);
    gpu_driver.cuStreamSynchronize(pe->proxy_stream);
    gpu_driver.cuStreamDestroy(pe->proxy_stream);
    gpu_driver.cuStreamDestroy(pe->copy_stream);
    gpu_driver.cuMemFree(pe->position);
    gpu_driver.cuMemFreeHost(pe->shared);
    gpu_driver.cuMemFreeHost(pe->stage);
}
