/* nvshmem_device.h -- the device side of nvshmem.h: what a kernel does by itself, without the host. Part of nvshmem.h.
 *
 * All heaps are mapped for every GPU, so an operation is a load, a store or an atomic at the other PE's copy of the
 * object: its address is the caller's plus a multiple of the stride. A group (thread, warp, block) calls together; its
 * threads share the work.
 *
 * Why the order is right, in the words of the PTX memory model:
 *
 *   put, p, get, g   weak accesses by the calling threads. They order nothing.
 *   fence            fence.acq_rel.sys. Stores before it (of this thread, and those of other threads that it has
 *                    observed through a barrier of the block: cumulativity) are seen before stores after it (H7).
 *   quiet            fence.sc.sys: as fence, and it is ordered with all other fence.sc, so that of two PEs that each
 *                    put, quiet and get, one sees the other's put (H8 and H4; store buffering is forbidden).
 *   AMO              relaxed, system scope, performed at the memory itself: single-copy atomic for every GPU and the
 *                    host's proxy kernel (1.12), ordered by nothing but fences.
 *   put_signal       copy; barrier of the group; fence by the thread that then writes the signal: all threads' data has
 *                    been observed by it through the barrier, so its fence and its relaxed write are a release pattern
 *                    that covers them (H6).
 *   wait, test       ld.acquire.sys: with a release pattern at the other side it synchronises, and what was put before
 *                    the word is seen by what follows in this thread; in a group by all after the barrier that ends the
 *                    call (H10).
 *   sync, barrier    each member fences, writes its word at every other member, and waits (acquire) for theirs: release
 *                    and acquire in both directions between every two members (H9). barrier's fence is quiet's.
 */
#ifndef NVSHMEM_DEVICE_H
#define NVSHMEM_DEVICE_H
#ifdef __CUDACC__

#include <cuda_runtime.h>

#include "fencepost_copy.h"
#include "fencepost_gpu.h"
#include "fencepost_ptx.h"

/* The image's own; set by the library (fencepost_gpu.h). */
static __device__ __constant__ struct fencepost_gpu_state fp_nv_state;

/* ---- Announcing it. One object a source; its constructor runs in each PE's image. */
static int
fp_nv_state_set(const struct fencepost_gpu_state *state)
{
    int gpu = -1;
    if (cudaMemcpyToSymbol(fp_nv_state, state, sizeof *state) != cudaSuccess || cudaGetDevice(&gpu) != cudaSuccess)
        return -1;
    return gpu;
}
namespace
{
struct fp_nv_announcer {
    fp_nv_announcer()
    {
        if (fencepost_gpu_module != nullptr)
            fencepost_gpu_module(fp_nv_state_set);
    }
};
fp_nv_announcer fp_nv_announcement __attribute__((used));
} // namespace

#define FP_NV_DEVICE static __device__ __forceinline__
#define FP_NV_LONG static __device__ __noinline__

/* ---- Groups. */
struct fp_nv_thread {
    FP_NV_DEVICE unsigned
    rank()
    {
        return 0;
    }
    FP_NV_DEVICE unsigned
    size()
    {
        return 1;
    }
    FP_NV_DEVICE void
    sync()
    {
    }
};
struct fp_nv_warp {
    FP_NV_DEVICE unsigned
    rank()
    {
        unsigned lane;
        asm("mov.u32 %0, %%laneid;" : "=r"(lane));
        return lane;
    }
    FP_NV_DEVICE unsigned
    size()
    {
        return 32;
    }
    FP_NV_DEVICE void
    sync()
    {
        __syncwarp();
    }
};
struct fp_nv_warpgroup {
    FP_NV_DEVICE unsigned
    rank()
    {
        return fp_nv_block_rank() % 128;
    }
    FP_NV_DEVICE unsigned
    size()
    {
        return 128;
    }
    FP_NV_DEVICE void
    sync()
    {
        fp_ptx_barrier(1 + fp_nv_block_rank() / 128, 128);
    }
    FP_NV_DEVICE unsigned
    fp_nv_block_rank()
    {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
};
struct fp_nv_block {
    FP_NV_DEVICE unsigned
    rank()
    {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    FP_NV_DEVICE unsigned
    size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    FP_NV_DEVICE void
    sync()
    {
        __syncthreads();
    }
};

/* ---- Places. */
template <typename T>
FP_NV_DEVICE T *
fp_nv_at(T *address, int pe)
{
    return (T *)((uintptr_t)address + (uint64_t)(int64_t)(pe - fp_nv_state.pe) * fp_nv_state.stride);
}
FP_NV_DEVICE bool
fp_nv_in_heap(const void *address)
{
    return (uintptr_t)address - (uintptr_t)fp_nv_state.heap < fp_nv_state.bytes;
}
FP_NV_DEVICE struct fencepost_gpu_team *
fp_nv_team(int team)
{
    return (struct fencepost_gpu_team *)fp_nv_state.heap + team;
}
FP_NV_DEVICE int
fp_nv_team_pe(const struct fencepost_gpu_team *team, int rank)
{
    return team->start + rank * team->stride;
}

/* ---- RMA. */
template <class group>
FP_NV_DEVICE void
fp_nv_put_nbi(void *dest, const void *source, size_t bytes, int pe)
{
    fp_copy(fp_nv_at(dest, pe), source, bytes, group::rank(), group::size());
}
template <class group>
FP_NV_DEVICE void
fp_nv_put(void *dest, const void *source, size_t bytes, int pe)
{
    group::sync();
    fp_nv_put_nbi<group>(dest, source, bytes, pe);
    group::sync();
}
template <class group>
FP_NV_DEVICE void
fp_nv_get(void *dest, const void *source, size_t bytes, int pe)
{
    group::sync();
    fp_copy(dest, fp_nv_at(source, pe), bytes, group::rank(), group::size());
    group::sync();
}
template <class group, typename T>
FP_NV_DEVICE void
fp_nv_iput(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe)
{
    T *there = fp_nv_at(dest, pe);
    group::sync();
    for (size_t i = group::rank(); i < n; i += group::size())
        there[(ptrdiff_t)i * dst] = source[(ptrdiff_t)i * sst];
    group::sync();
}
template <class group, typename T>
FP_NV_DEVICE void
fp_nv_iget(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe)
{
    const T *there = fp_nv_at(source, pe);
    group::sync();
    for (size_t i = group::rank(); i < n; i += group::size())
        dest[(ptrdiff_t)i * dst] = there[(ptrdiff_t)i * sst];
    group::sync();
}
/* One access, so that the other side never sees half of it; relaxed, so that a word may be waited for (A6). */
template <typename T>
FP_NV_DEVICE void
fp_nv_p(T *dest, T value, int pe)
{
    T *there = fp_nv_at(dest, pe);
    if constexpr (sizeof(T) == 8) {
        uint64_t bits;
        memcpy(&bits, &value, 8);
        fp_ptx_store_64(there, bits);
    } else if constexpr (sizeof(T) == 4) {
        uint32_t bits;
        memcpy(&bits, &value, 4);
        fp_ptx_store_32(there, bits);
    } else if constexpr (sizeof(T) == 2) {
        uint16_t bits;
        memcpy(&bits, &value, 2);
        fp_ptx_store_16(there, bits);
    } else {
        uint8_t bits;
        memcpy(&bits, &value, 1);
        fp_ptx_store_8(there, bits);
    }
}
template <typename T>
FP_NV_DEVICE T
fp_nv_load(const T *at, bool acquire)
{
    T value;
    if constexpr (sizeof(T) == 8) {
        const uint64_t bits = acquire ? fp_ptx_load_acquire_64(at) : fp_ptx_load_64(at);
        memcpy(&value, &bits, 8);
    } else if constexpr (sizeof(T) == 4) {
        const uint32_t bits = acquire ? fp_ptx_load_acquire_32(at) : fp_ptx_load_32(at);
        memcpy(&value, &bits, 4);
    } else if constexpr (sizeof(T) == 2) {
        const uint16_t bits = acquire ? fp_ptx_load_acquire_16(at) : fp_ptx_load_16(at);
        memcpy(&value, &bits, 2);
    } else {
        const uint8_t bits = fp_ptx_load_8(at);
        memcpy(&value, &bits, 1);
    }
    return value;
}
template <typename T>
FP_NV_DEVICE T
fp_nv_g(const T *source, int pe)
{
    return fp_nv_load(fp_nv_at(source, pe), false);
}

/* ---- Atomics. T is 4 or 8 bytes wide; arithmetic of two's complement is the same bits for signed and unsigned. */
template <typename T>
FP_NV_DEVICE T
fp_nv_amo(int amo, T *object, T operand, T cond, int pe)
{
    T *there = fp_nv_at(object, pe);
    T old;
    if constexpr (sizeof(T) == 8) {
        uint64_t bits, with;
        memcpy(&bits, &operand, 8);
        memcpy(&with, &cond, 8);
        const uint64_t was = amo == '+'   ? fp_ptx_add_64(there, bits)
                             : amo == '&' ? fp_ptx_and_64(there, bits)
                             : amo == '|' ? fp_ptx_or_64(there, bits)
                             : amo == '^' ? fp_ptx_xor_64(there, bits)
                             : amo == '=' ? fp_ptx_swap_64(there, bits)
                                          : fp_ptx_compare_swap_64(there, with, bits);
        memcpy(&old, &was, 8);
    } else {
        uint32_t bits, with;
        memcpy(&bits, &operand, 4);
        memcpy(&with, &cond, 4);
        const uint32_t was = amo == '+'   ? fp_ptx_add_32(there, bits)
                             : amo == '&' ? fp_ptx_and_32(there, bits)
                             : amo == '|' ? fp_ptx_or_32(there, bits)
                             : amo == '^' ? fp_ptx_xor_32(there, bits)
                             : amo == '=' ? fp_ptx_swap_32(there, bits)
                                          : fp_ptx_compare_swap_32(there, with, bits);
        memcpy(&old, &was, 4);
    }
    return old;
}
/* Nobody waits for what was there before. */
template <typename T>
FP_NV_DEVICE void
fp_nv_add(T *object, T operand, int pe)
{
    if constexpr (sizeof(T) == 8)
        fp_ptx_reduce_add_64(fp_nv_at(object, pe), (uint64_t)operand);
    else
        fp_ptx_reduce_add_32(fp_nv_at(object, pe), (uint32_t)operand);
}

/* ---- Signals. */
FP_NV_DEVICE void
fp_nv_signal(uint64_t *signal, uint64_t value, int op, int pe)
{
    if (op == 10) /* NVSHMEM_SIGNAL_ADD */
        fp_ptx_reduce_add_64(fp_nv_at(signal, pe), value);
    else
        fp_ptx_store_64(fp_nv_at(signal, pe), value);
}
template <class group>
FP_NV_DEVICE void
fp_nv_put_signal(void *dest, const void *source, size_t bytes, uint64_t *signal, uint64_t value, int op, int pe)
{
    group::sync();
    fp_nv_put_nbi<group>(dest, source, bytes, pe);
    group::sync();
    if (group::rank() == 0) {
        fp_ptx_fence();
        fp_nv_signal(signal, value, op, pe);
    }
}

/* ---- Waiting. */
template <typename T>
FP_NV_DEVICE bool
fp_nv_compares(T seen, int cmp, T wanted)
{
    switch (cmp) {
    case 0:
        return seen == wanted;
    case 1:
        return seen != wanted;
    case 2:
        return seen > wanted;
    case 3:
        return seen <= wanted;
    case 4:
        return seen < wanted;
    default:
        return seen >= wanted;
    }
}
template <typename T>
FP_NV_DEVICE bool
fp_nv_test(const T *word, int cmp, T wanted)
{
    return fp_nv_compares(fp_nv_load(word, true), cmp, wanted);
}
template <typename T>
FP_NV_DEVICE T
fp_nv_wait(const T *word, int cmp, T wanted)
{
    T seen;
    do
        seen = fp_nv_load(word, true);
    while (!fp_nv_compares(seen, cmp, wanted));
    return seen;
}
/* Looks once at each word that counts. first: the first that holds, or SIZE_MAX. */
template <typename T>
FP_NV_LONG size_t
fp_nv_test_set(const T *words, size_t n, size_t *indices, const int *status, int cmp, const T *wanted, bool vector,
               size_t *first, size_t *considered)
{
    size_t found = 0;
    *first = SIZE_MAX;
    *considered = 0;
    for (size_t i = 0; i < n; i++) {
        if (status != nullptr && status[i] != 0)
            continue;
        ++*considered;
        if (!fp_nv_test(words + i, cmp, wanted[vector ? i : 0]))
            continue;
        if (found == 0)
            *first = i;
        if (indices != nullptr)
            indices[found] = i;
        found++;
    }
    return found;
}
template <typename T>
FP_NV_DEVICE int
fp_nv_test_all(const T *words, size_t n, const int *status, int cmp, const T *wanted, bool vector)
{
    size_t first, considered;
    return fp_nv_test_set(words, n, nullptr, status, cmp, wanted, vector, &first, &considered) == considered;
}
template <typename T>
FP_NV_DEVICE size_t
fp_nv_test_any(const T *words, size_t n, const int *status, int cmp, const T *wanted, bool vector, bool wait)
{
    size_t first, considered;
    do
        fp_nv_test_set(words, n, nullptr, status, cmp, wanted, vector, &first, &considered);
    while (wait && first == SIZE_MAX && considered > 0);
    return first;
}
template <typename T>
FP_NV_DEVICE size_t
fp_nv_test_some(const T *words, size_t n, size_t *indices, const int *status, int cmp, const T *wanted, bool vector,
                bool wait)
{
    size_t first, considered, found;
    do
        found = fp_nv_test_set(words, n, indices, status, cmp, wanted, vector, &first, &considered);
    while (wait && found == 0 && considered > 0);
    return found;
}
template <typename T>
FP_NV_DEVICE void
fp_nv_wait_all(const T *words, size_t n, const int *status, int cmp, const T *wanted, bool vector)
{
    for (size_t i = 0; i < n; i++)
        if (status == nullptr || status[i] == 0)
            fp_nv_wait(words + i, cmp, wanted[vector ? i : 0]);
}

/* ---- Order. */
FP_NV_DEVICE void
fp_nv_fence()
{
    fp_ptx_fence();
}
FP_NV_DEVICE void
fp_nv_quiet()
{
    fp_ptx_fence_sc();
}

/* ---- Meeting. The number of the meeting only grows, and a member is at most one meeting ahead of another, so one
 * word for each pair is enough. Each thread that writes words fences for itself: the fence and the write are the
 * release pattern, and what the rest of its group did it has observed through the barrier before. */
template <class group>
FP_NV_LONG void
fp_nv_meet(int number, bool complete)
{
    struct fencepost_gpu_team *team = fp_nv_team(number);
    const unsigned rank = group::rank(), step = group::size();
    const int size = team->size, me = team->rank;
    uint64_t *words = (uint64_t *)(fp_nv_state.heap + team->words);
    const uint64_t meeting = *(volatile uint64_t *)&team->meetings + 1;

    group::sync();
    if (rank < (unsigned)size) {
        if (complete)
            fp_nv_quiet();
        else
            fp_nv_fence();
    }
    for (int i = (int)rank; i < size; i += (int)step)
        if (i != me)
            fp_ptx_store_64(fp_nv_at(words + me, fp_nv_team_pe(team, i)), meeting);
    for (int i = (int)rank; i < size; i += (int)step)
        if (i != me)
            while (fp_ptx_load_acquire_64(words + i) < meeting)
                ;
    group::sync();
    if (rank == 0)
        *(volatile uint64_t *)&team->meetings = meeting;
    group::sync();
}

/* ---- Collectives. Every member meets the others at the end, so that nobody leaves before its dest is complete. */
template <class group>
FP_NV_LONG void
fp_nv_broadcast(int number, void *dest, const void *source, size_t bytes, int root)
{
    const struct fencepost_gpu_team *team = fp_nv_team(number);
    group::sync();
    if (team->rank == root)
        for (int i = 0; i < team->size; i++) {
            void *there = fp_nv_at(dest, fp_nv_team_pe(team, i));
            if (there != source)
                fp_copy(there, source, bytes, group::rank(), group::size());
        }
    fp_nv_meet<group>(number, true);
}
template <class group>
FP_NV_LONG void
fp_nv_fcollect(int number, void *dest, const void *source, size_t bytes)
{
    const struct fencepost_gpu_team *team = fp_nv_team(number);
    group::sync();
    for (int k = 0; k < team->size; k++) {
        const int i = (team->rank + k) % team->size; /* not all to one at a time */
        char *there = (char *)fp_nv_at(dest, fp_nv_team_pe(team, i)) + (size_t)team->rank * bytes;
        if (there != source)
            fp_copy(there, source, bytes, group::rank(), group::size());
    }
    fp_nv_meet<group>(number, true);
}
template <class group>
FP_NV_LONG void
fp_nv_alltoall(int number, void *dest, const void *source, size_t bytes)
{
    const struct fencepost_gpu_team *team = fp_nv_team(number);
    group::sync();
    for (int k = 0; k < team->size; k++) {
        const int i = (team->rank + k) % team->size;
        fp_copy((char *)fp_nv_at(dest, fp_nv_team_pe(team, i)) + (size_t)team->rank * bytes,
                (const char *)source + (size_t)i * bytes, bytes, group::rank(), group::size());
    }
    fp_nv_meet<group>(number, true);
}

struct fp_nv_and {
    template <typename T>
    FP_NV_DEVICE T
    of(T a, T b)
    {
        return (T)(a & b);
    }
};
struct fp_nv_or {
    template <typename T>
    FP_NV_DEVICE T
    of(T a, T b)
    {
        return (T)(a | b);
    }
};
struct fp_nv_xor {
    template <typename T>
    FP_NV_DEVICE T
    of(T a, T b)
    {
        return (T)(a ^ b);
    }
};
struct fp_nv_sum {
    template <typename T>
    FP_NV_DEVICE T
    of(T a, T b)
    {
        return (T)(a + b);
    }
};
struct fp_nv_prod {
    template <typename T>
    FP_NV_DEVICE T
    of(T a, T b)
    {
        return (T)(a * b);
    }
};
struct fp_nv_min {
    template <typename T>
    FP_NV_DEVICE T
    of(T a, T b)
    {
        return b < a ? b : a;
    }
};
struct fp_nv_max {
    template <typename T>
    FP_NV_DEVICE T
    of(T a, T b)
    {
        return b > a ? b : a;
    }
};

/* Element i of all sources, in order of rank, so that the result of a floating type is the same everywhere. */
template <class op, typename T>
FP_NV_DEVICE T
fp_nv_combined(const struct fencepost_gpu_team *team, const T *source, size_t i)
{
    T value = fp_nv_at(source, fp_nv_team_pe(team, 0))[i];
    for (int r = 1; r < team->size; r++)
        value = op::of(value, fp_nv_at(source, fp_nv_team_pe(team, r))[i]);
    return value;
}
/* Each member combines a share of the elements and writes them at all members. Nobody else reads or writes that share,
 * so dest may be source. */
template <class group, class op, typename T>
FP_NV_LONG void
fp_nv_reduce(int number, T *dest, const T *source, size_t n)
{
    const struct fencepost_gpu_team *team = fp_nv_team(number);
    const size_t share = (n + (size_t)team->size - 1) / (size_t)team->size, first = share * (size_t)team->rank;
    const size_t end = first + share < n ? first + share : n;
    fp_nv_meet<group>(number, false);
    for (size_t i = first + group::rank(); i < end; i += group::size()) {
        const T value = fp_nv_combined<op>(team, source, i);
        for (int r = 0; r < team->size; r++)
            fp_nv_at(dest, fp_nv_team_pe(team, r))[i] = value;
    }
    fp_nv_meet<group>(number, true);
}
template <class group, class op, typename T>
FP_NV_LONG void
fp_nv_reducescatter(int number, T *dest, const T *source, size_t n)
{
    const struct fencepost_gpu_team *team = fp_nv_team(number);
    fp_nv_meet<group>(number, false);
    for (size_t i = group::rank(); i < n; i += group::size())
        dest[i] = fp_nv_combined<op>(team, source, (size_t)team->rank * n + i);
    fp_nv_meet<group>(number, false);
}

#endif
#endif
