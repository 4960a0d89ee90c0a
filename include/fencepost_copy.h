/* fencepost_copy.h -- bulk copies by a thread, a warp or a block: the loads and stores behind put and get.
 *
 * `size` threads call with the same arguments and each with its `rank`; together they copy every byte once. Nothing is
 * synchronised here. Accesses are as wide as the alignment that dest and source share allows, and never narrower than
 * an element of up to 8 bytes that is aligned at both ends, so that such an element is never seen torn.
 *
 * For device code only (nvcc).
 */
#ifndef FENCEPOST_COPY_H
#define FENCEPOST_COPY_H
#ifdef __CUDACC__

#include <stddef.h>
#include <stdint.h>

#include "fencepost_ptx.h"

/* Fewer than 16 bytes, by one thread: pieces as large as the place allows. */
FP_PTX void
fp_copy_piece(char *dest, const char *source, size_t bytes)
{
    const uintptr_t crooked = (uintptr_t)dest ^ (uintptr_t)source;
    while (bytes > 0) {
        const uintptr_t at = (uintptr_t)dest | (crooked & 7);
        size_t step = 1;
        if ((at & 7) == 0 && bytes >= 8) {
            *(volatile uint64_t *)dest = *(const volatile uint64_t *)source;
            step = 8;
        } else if ((at & 3) == 0 && bytes >= 4) {
            *(volatile uint32_t *)dest = *(const volatile uint32_t *)source;
            step = 4;
        } else if ((at & 1) == 0 && bytes >= 2) {
            *(volatile uint16_t *)dest = *(const volatile uint16_t *)source;
            step = 2;
        } else {
            *(volatile uint8_t *)dest = *(const volatile uint8_t *)source;
        }
        dest += step;
        source += step;
        bytes -= step;
    }
}

/* n words of 16 bytes, aligned; several loads are under way before the first store. One loop for whole and for broken
 * rounds: short code is fetched sooner, which is most of what a short copy costs. */
FP_PTX void
fp_copy_wide(char *dest, const char *source, size_t n, unsigned rank, unsigned size)
{
    enum { UNROLL = 8 };
    for (size_t i = rank; i < n; i += (size_t)UNROLL * size) {
        uint4 word[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            if (i + (size_t)k * size < n)
                word[k] = fp_ptx_load_wide(source + (i + (size_t)k * size) * 16);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            if (i + (size_t)k * size < n)
                fp_ptx_store_wide(dest + (i + (size_t)k * size) * 16, word[k]);
    }
}

template <typename word>
FP_PTX void
fp_copy_words(char *dest, const char *source, size_t n, unsigned rank, unsigned size)
{
#pragma unroll 4
    for (size_t i = rank; i < n; i += size)
        ((volatile word *)dest)[i] = ((const volatile word *)source)[i];
}

/* What is not a whole number of aligned wide words. Not inlined, to keep it out of the way of what is. */
static __device__ __noinline__ void
fp_copy_crooked(char *dest, const char *source, size_t bytes, unsigned rank, unsigned size)
{
    const uintptr_t crooked = (uintptr_t)dest ^ (uintptr_t)source;
    const size_t width = (crooked & 15) == 0  ? 16
                         : (crooked & 7) == 0 ? 8
                         : (crooked & 3) == 0 ? 4
                         : crooked & 1        ? 1
                                              : 2;
    size_t head = (0 - (uintptr_t)dest) & (width - 1);

    if (head > bytes)
        head = bytes;
    const size_t n = (bytes - head) / width, tail = bytes - head - n * width;
    if (rank == 0)
        fp_copy_piece(dest, source, head);
    if (rank == size - 1)
        fp_copy_piece(dest + head + n * width, source + head + n * width, tail);
    dest += head;
    source += head;
    if (width == 16)
        fp_copy_wide(dest, source, n, rank, size);
    else if (width == 8)
        fp_copy_words<uint64_t>(dest, source, n, rank, size);
    else if (width == 4)
        fp_copy_words<uint32_t>(dest, source, n, rank, size);
    else if (width == 2)
        fp_copy_words<uint16_t>(dest, source, n, rank, size);
    else
        fp_copy_words<uint8_t>(dest, source, n, rank, size);
}

FP_PTX void
fp_copy(void *dest, const void *source, size_t bytes, unsigned rank, unsigned size)
{
    if ((((uintptr_t)dest | (uintptr_t)source | bytes) & 15) == 0)
        fp_copy_wide((char *)dest, (const char *)source, bytes / 16, rank, size);
    else
        fp_copy_crooked((char *)dest, (const char *)source, bytes, rank, size);
}

/* nblocks blocks of block_bytes, steps in bytes. Small blocks: one thread each. */
FP_PTX void
fp_copy_blocks(char *dest, const char *source, size_t block_bytes, size_t nblocks, ptrdiff_t dest_step,
               ptrdiff_t source_step, unsigned rank, unsigned size)
{
    if (block_bytes <= 64) {
        for (size_t i = rank; i < nblocks; i += size)
            fp_copy(dest + (ptrdiff_t)i * dest_step, source + (ptrdiff_t)i * source_step, block_bytes, 0, 1);
        return;
    }
    for (size_t i = 0; i < nblocks; i++)
        fp_copy(dest + (ptrdiff_t)i * dest_step, source + (ptrdiff_t)i * source_step, block_bytes, rank, size);
}

#endif
#endif
