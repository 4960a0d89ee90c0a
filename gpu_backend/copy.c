/* copy.c -- blocks of bytes from the host to a GPU, back, and between GPUs: each by the way that is fastest.
 *
 * A word is an entry of the ring. Up to GPU_STAGE_MAX bytes of the host go through the staging ring, up to
 * GPU_COPY_MAX bytes between GPUs are copied by the proxy kernel, and the rest is the copy engine's. Strided transfers
 * are the kernel's, whatever their size; those of the host are packed in pieces of the staging ring. */
#include <string.h>

#include "gpu_backend/gpu.h"

static bool
is_one_block(const struct gpu_copy *copy)
{
    return copy->nblocks == 1 ||
           (copy->dest_step == (ptrdiff_t)copy->block_bytes && copy->source_step == (ptrdiff_t)copy->block_bytes);
}

static size_t
bytes_of(const struct gpu_copy *copy)
{
    return copy->block_bytes * copy->nblocks;
}

/* 0: no word; else the kind for a word of so many bytes, given the kind for one byte. */
static unsigned
word_kind(unsigned kind8, const void *place, size_t bytes)
{
    if (((uintptr_t)place & (bytes - 1)) != 0)
        return 0;
    switch (bytes) {
    case 1:
        return kind8;
    case 2:
        return kind8 + 1;
    case 4:
        return kind8 + 2;
    case 8:
        return kind8 + 3;
    default:
        return 0;
    }
}

/* With the lock held: the copy as entries of the ring; both sides are the GPU's to reach. */
static void
post_copy(struct gpu_pe *pe, const struct gpu_copy *copy)
{
    if (is_one_block(copy)) {
        gpu_post(pe, GPU_ARGUMENT, (void *)0, bytes_of(copy));
        gpu_post(pe, GPU_COPY, copy->dest, (uintptr_t)copy->source);
        return;
    }
    gpu_post(pe, GPU_ARGUMENT, (void *)0, copy->block_bytes);
    gpu_post(pe, GPU_ARGUMENT, (void *)1, copy->nblocks);
    gpu_post(pe, GPU_ARGUMENT, (void *)2, (uint64_t)copy->dest_step);
    gpu_post(pe, GPU_ARGUMENT, (void *)3, (uint64_t)copy->source_step);
    gpu_post(pe, GPU_BLOCKS, copy->dest, (uintptr_t)copy->source);
}

/* A side that is packed has its blocks next to each other. */
static struct gpu_copy
part_of(const struct gpu_copy *copy, size_t first, size_t nblocks)
{
    struct gpu_copy part = *copy;

    part.dest += (ptrdiff_t)first * copy->dest_step;
    part.source += (ptrdiff_t)first * copy->source_step;
    part.nblocks = nblocks;
    return part;
}

static void
pack(char *dest, const struct gpu_copy *copy)
{
    for (size_t i = 0; i < copy->nblocks; i++)
        memcpy(dest + i * copy->block_bytes, copy->source + (ptrdiff_t)i * copy->source_step, copy->block_bytes);
}

static void
unpack(const struct gpu_copy *copy, const char *source)
{
    for (size_t i = 0; i < copy->nblocks; i++)
        memcpy(copy->dest + (ptrdiff_t)i * copy->dest_step, source + i * copy->block_bytes, copy->block_bytes);
}

/* ---- The copy engine */

static void
engine(struct gpu_pe *pe, char *dest, const char *source, size_t bytes, enum gpu_until until)
{
    gpu_settle(pe);
    gpu_check(gpu_driver.cuMemcpyAsync((CUdeviceptr)dest, (CUdeviceptr)source, bytes, pe->copy_stream),
              "copy GPU memory");
    if (until == GPU_POSTED) {
        pe->copying = true;
        return;
    }
    gpu_check(gpu_driver.cuStreamSynchronize(pe->copy_stream), "copy GPU memory");
    pe->copying = pe->copying_fenced = false;
}

/* By way of the staging memory what fits there, `staged` doing a part of it; by the copy engine whatever is larger. */
static void
by_size(struct gpu_pe *pe, const struct gpu_copy *copy, void (*staged)(struct gpu_pe *, const struct gpu_copy *))
{
    if (bytes_of(copy) <= GPU_STAGE_MAX)
        staged(pe, copy);
    else if (is_one_block(copy))
        engine(pe, copy->dest, copy->source, bytes_of(copy), GPU_COMPLETE);
    else if (copy->block_bytes > GPU_STAGE_MAX)
        for (size_t i = 0; i < copy->nblocks; i++) {
            const struct gpu_copy block = part_of(copy, i, 1);
            engine(pe, block.dest, block.source, block.block_bytes, GPU_COMPLETE);
        }
    else
        for (size_t i = 0, n = GPU_STAGE_MAX / copy->block_bytes; i < copy->nblocks; i += n) {
            const struct gpu_copy part = part_of(copy, i, copy->nblocks - i < n ? copy->nblocks - i : n);
            staged(pe, &part);
        }
}

/* ---- From the host */

static void
put_word(struct gpu_pe *pe, const struct gpu_copy *copy, unsigned kind)
{
    uint64_t value = 0;

    memcpy(&value, copy->source, copy->block_bytes);
    gpu_settle_copies(pe);
    gpu_lock(pe);
    gpu_post(pe, kind, copy->dest, value);
    gpu_kick(pe);
    gpu_unlock(pe);
}

static void
put_staged(struct gpu_pe *pe, const struct gpu_copy *copy)
{
    struct gpu_copy there = *copy;

    gpu_settle_copies(pe);
    gpu_lock(pe);
    struct gpu_stage stage = gpu_stage_take(pe, bytes_of(copy), false);
    pack(stage.here, copy);
    there.source = stage.there;
    there.source_step = (ptrdiff_t)copy->block_bytes;
    post_copy(pe, &there);
    gpu_stage_used(pe, stage);
    gpu_kick(pe);
    gpu_unlock(pe);
}

void
gpu_copy_to_gpu(struct gpu_pe *pe, const struct gpu_copy *copy, enum gpu_until until)
{
    const unsigned kind = copy->nblocks == 1 ? word_kind(GPU_PUT8, copy->dest, copy->block_bytes) : 0;

    if (kind != 0)
        put_word(pe, copy, kind);
    else
        by_size(pe, copy, put_staged);
    if (until == GPU_COMPLETE)
        gpu_complete(pe);
}

/* ---- To the host */

static void
get_word(struct gpu_pe *pe, const struct gpu_copy *copy, unsigned kind)
{
    gpu_settle_copies(pe);
    gpu_lock(pe);
    const uint64_t reply = gpu_post_reply(pe, kind, copy->source, 0);
    gpu_kick(pe);
    gpu_unlock(pe);
    const uint64_t value = gpu_reply(pe, reply);
    memcpy(copy->dest, &value, copy->block_bytes);
}

static void
get_staged(struct gpu_pe *pe, const struct gpu_copy *copy)
{
    struct gpu_copy there = *copy;

    gpu_settle_copies(pe);
    gpu_lock(pe);
    struct gpu_stage stage = gpu_stage_take(pe, bytes_of(copy), true);
    there.dest = (char *)(uintptr_t)stage.there;
    there.dest_step = (ptrdiff_t)copy->block_bytes;
    post_copy(pe, &there);
    gpu_stage_used(pe, stage);
    const uint64_t reply = gpu_post_reply(pe, GPU_QUIET, NULL, 0);
    gpu_kick(pe);
    gpu_unlock(pe);
    gpu_reply(pe, reply);
    unpack(copy, stage.here);
    gpu_stage_free(pe, stage);
}

void
gpu_copy_from_gpu(struct gpu_pe *pe, const struct gpu_copy *copy)
{
    const unsigned kind = copy->nblocks == 1 ? word_kind(GPU_GET8, copy->source, copy->block_bytes) : 0;

    if (kind != 0)
        get_word(pe, copy, kind);
    else
        by_size(pe, copy, get_staged);
}

/* ---- Between GPUs */

void
gpu_copy_between(struct gpu_pe *pe, const struct gpu_copy *copy, enum gpu_until until)
{
    uint64_t reply = 0;

    if (is_one_block(copy) && bytes_of(copy) > GPU_COPY_MAX) {
        engine(pe, copy->dest, copy->source, bytes_of(copy), until);
        return;
    }
    gpu_settle_copies(pe);
    gpu_lock(pe);
    post_copy(pe, copy);
    /* Where the caller has to wait anyway, it waits until all is complete: the quiet that most likely follows then
     * costs nothing. */
    if (until != GPU_POSTED)
        reply = gpu_post_reply(pe, GPU_QUIET, NULL, 0);
    const uint64_t entries = pe->posted;
    gpu_kick(pe);
    gpu_unlock(pe);
    if (until == GPU_POSTED)
        return;
    gpu_reply(pe, reply);
    gpu_settled(pe, entries);
}
