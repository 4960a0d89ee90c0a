/* fencepost_ptx.h -- the instructions of the GPU on which everything between PEs rests, one function each.
 *
 * Every PTX string of Fencepost is here. The words are those of the PTX memory model: a `relaxed` access is a strong
 * one, seen whole and in a coherence order per location; `.sys` makes that hold for threads of every GPU and of the
 * host. A plain (weak) access may be split, delayed and repeated by compiler and hardware until a fence.
 *
 *   fence.acq_rel.sys  what this thread did or has observed before it is seen by whoever observes what follows it.
 *                      Cumulative: what other threads of the block did before a barrier that they shared with this
 *                      thread has been observed by it. So one thread's fence after a block barrier covers the block.
 *   fence.sc.sys       the same, and the fences themselves have one order that all threads agree on: two threads that
 *                      each write, fence and read the other's word cannot both miss the other's write.
 *
 * For device code only (nvcc, sm_70 and later; the bulk copies sm_90).
 */
#ifndef FENCEPOST_PTX_H
#define FENCEPOST_PTX_H
#ifdef __CUDACC__

#include <stdint.h>

#define FP_PTX static __device__ __forceinline__

/* ---- Strong loads and stores of one word. */
#define FP_PTX_ACCESS(bits, type, letter, ctype)                                                                       \
    FP_PTX ctype fp_ptx_load_##bits(const void *at)                                                                    \
    {                                                                                                                  \
        ctype value;                                                                                                   \
        asm volatile("ld.relaxed.sys.global." type " %0, [%1];" : "=" letter(value) : "l"(at) : "memory");             \
        return value;                                                                                                  \
    }                                                                                                                  \
    FP_PTX ctype fp_ptx_load_acquire_##bits(const void *at)                                                            \
    {                                                                                                                  \
        ctype value;                                                                                                   \
        asm volatile("ld.acquire.sys.global." type " %0, [%1];" : "=" letter(value) : "l"(at) : "memory");             \
        return value;                                                                                                  \
    }                                                                                                                  \
    FP_PTX void fp_ptx_store_##bits(void *at, ctype value)                                                             \
    {                                                                                                                  \
        asm volatile("st.relaxed.sys.global." type " [%0], %1;" ::"l"(at), letter(value) : "memory");                  \
    }                                                                                                                  \
    FP_PTX void fp_ptx_store_release_##bits(void *at, ctype value)                                                     \
    {                                                                                                                  \
        asm volatile("st.release.sys.global." type " [%0], %1;" ::"l"(at), letter(value) : "memory");                  \
    }
FP_PTX_ACCESS(16, "u16", "h", uint16_t)
FP_PTX_ACCESS(32, "u32", "r", uint32_t)
FP_PTX_ACCESS(64, "u64", "l", uint64_t)
#undef FP_PTX_ACCESS

/* There is no 8-bit register: a byte travels in 16 bits. */
FP_PTX uint8_t
fp_ptx_load_8(const void *at)
{
    uint16_t value;
    asm volatile("ld.relaxed.sys.global.u8 %0, [%1];" : "=h"(value) : "l"(at) : "memory");
    return (uint8_t)value;
}
FP_PTX void
fp_ptx_store_8(void *at, uint8_t value)
{
    asm volatile("st.relaxed.sys.global.u8 [%0], %1;" ::"l"(at), "h"((uint16_t)value) : "memory");
}

/* 16 bytes in one access (single-copy atomic), aligned to 16. */
struct fp_ptx_pair {
    uint64_t low, high;
};
FP_PTX struct fp_ptx_pair
fp_ptx_load_128(const void *at)
{
    struct fp_ptx_pair value;
    asm volatile("{ .reg .b128 t; ld.relaxed.sys.global.b128 t, [%2]; mov.b128 {%0, %1}, t; }"
                 : "=l"(value.low), "=l"(value.high)
                 : "l"(at)
                 : "memory");
    return value;
}
FP_PTX struct fp_ptx_pair
fp_ptx_load_acquire_128(const void *at)
{
    struct fp_ptx_pair value;
    asm volatile("{ .reg .b128 t; ld.acquire.sys.global.b128 t, [%2]; mov.b128 {%0, %1}, t; }"
                 : "=l"(value.low), "=l"(value.high)
                 : "l"(at)
                 : "memory");
    return value;
}
FP_PTX void
fp_ptx_store_128(void *at, uint64_t low, uint64_t high)
{
    asm volatile("{ .reg .b128 t; mov.b128 t, {%1, %2}; st.relaxed.sys.global.b128 [%0], t; }" ::"l"(at), "l"(low),
                 "l"(high)
                 : "memory");
}

/* ---- Atomics: relaxed, since order comes from fences alone, as in the specification. */
#define FP_PTX_ATOMIC(name, op, bits, type, letter, ctype)                                                             \
    FP_PTX ctype fp_ptx_##name##_##bits(void *at, ctype operand)                                                       \
    {                                                                                                                  \
        ctype old;                                                                                                     \
        asm volatile("atom.relaxed.sys.global." op "." type " %0, [%1], %2;"                                           \
                     : "=" letter(old)                                                                                 \
                     : "l"(at), letter(operand)                                                                        \
                     : "memory");                                                                                      \
        return old;                                                                                                    \
    }
#define FP_PTX_ATOMICS(bits, letter, ctype)                                                                            \
    FP_PTX_ATOMIC(add, "add", bits, "u" #bits, letter, ctype)                                                          \
    FP_PTX_ATOMIC(and, "and", bits, "b" #bits, letter, ctype)                                                          \
    FP_PTX_ATOMIC(or, "or", bits, "b" #bits, letter, ctype)                                                            \
    FP_PTX_ATOMIC(xor, "xor", bits, "b" #bits, letter, ctype)                                                          \
    FP_PTX_ATOMIC(swap, "exch", bits, "b" #bits, letter, ctype)                                                        \
    FP_PTX void fp_ptx_reduce_add_##bits(void *at, ctype operand)                                                      \
    {                                                                                                                  \
        asm volatile("red.relaxed.sys.global.add.u" #bits " [%0], %1;" ::"l"(at), letter(operand) : "memory");         \
    }                                                                                                                  \
    FP_PTX ctype fp_ptx_compare_swap_##bits(void *at, ctype expected, ctype desired)                                   \
    {                                                                                                                  \
        ctype old;                                                                                                     \
        asm volatile("atom.relaxed.sys.global.cas.b" #bits " %0, [%1], %2, %3;"                                        \
                     : "=" letter(old)                                                                                 \
                     : "l"(at), letter(expected), letter(desired)                                                      \
                     : "memory");                                                                                      \
        return old;                                                                                                    \
    }
FP_PTX_ATOMICS(32, "r", uint32_t)
FP_PTX_ATOMICS(64, "l", uint64_t)
#undef FP_PTX_ATOMICS
#undef FP_PTX_ATOMIC

/* ---- Fences. */
FP_PTX void
fp_ptx_fence(void)
{
    asm volatile("fence.acq_rel.sys;" ::: "memory");
}
FP_PTX void
fp_ptx_fence_sc(void)
{
    asm volatile("fence.sc.sys;" ::: "memory");
}

/* ---- A barrier of `threads` threads of a block, by number (0 is __syncthreads'), which warps may reach at different
 * places of the code. Orders memory among them as __syncthreads does. */
FP_PTX void
fp_ptx_barrier(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/* ---- Plain wide accesses for bulk data: weak, 16 bytes, aligned. Loads do not keep the line in L1, which is not kept
 * coherent with what other GPUs write. */
FP_PTX uint4
fp_ptx_load_wide(const void *at)
{
    uint4 v;
    asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(at)
                 : "memory");
    return v;
}
FP_PTX void
fp_ptx_store_wide(void *at, uint4 v)
{
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
                 : "memory");
}

/* ---- The bulk copy engine (sm_90): one thread starts copies of up to the block's shared memory, which run without it.
 * Its accesses are of the async proxy. An mbarrier tells when bytes have arrived in shared memory; a bulk group tells
 * when those that leave it have been read (the memory may be used again) or written. */
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
#define FP_PTX_BULK 1
FP_PTX uint32_t
fp_ptx_shared(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}
FP_PTX void
fp_ptx_mbarrier_init(uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(fp_ptx_shared(barrier)) : "memory");
}
FP_PTX void
fp_ptx_mbarrier_drop(uint64_t *barrier)
{
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(fp_ptx_shared(barrier)) : "memory");
}
FP_PTX void
fp_ptx_mbarrier_wait(uint64_t *barrier, uint32_t parity)
{
    asm volatile("{ .reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again; }" ::"r"(fp_ptx_shared(barrier)),
                 "r"(parity)
                 : "memory");
}
/* Global to shared; the barrier's phase ends when the bytes are there. */
FP_PTX void
fp_ptx_bulk_load(void *shared, const void *from, uint32_t bytes, uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(fp_ptx_shared(barrier)),
                 "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     fp_ptx_shared(shared)),
                 "l"(from), "r"(bytes), "r"(fp_ptx_shared(barrier))
                 : "memory");
}
/* Shared to global, as one bulk group. */
FP_PTX void
fp_ptx_bulk_store(void *to, const void *shared, uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                 "cp.async.bulk.commit_group;" ::"l"(to),
                 "r"(fp_ptx_shared(shared)), "r"(bytes)
                 : "memory");
}
/* All but the youngest `left` groups have been read from shared memory. */
template <int left>
FP_PTX void
fp_ptx_bulk_read(void)
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(left) : "memory");
}
/* All groups are complete, their writes made visible to the executing thread. */
FP_PTX void
fp_ptx_bulk_written(void)
{
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
/* What generic accesses did before is seen by the bulk copies that follow, and the other way round. */
FP_PTX void
fp_ptx_fence_async(void)
{
    asm volatile("fence.proxy.async;" ::: "memory");
}
#endif

#endif
#endif
