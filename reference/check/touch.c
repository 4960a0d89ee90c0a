/* touch.c -- the part of a hook that is reached by accesses to shared memory: see hooks.h. */
#include "reference/check/check.h"
#include "reference/check/hooks.h"
#include "reference/heap/heap.h"

#define WORD_MAX 16

static bool
byte_lives(const struct fp_job *job, uint64_t offset)
{
    return (offset & 15) < job->heap_live[offset >> 4];
}

static bool
is_ours(const struct fp_pe *pe, const void *address)
{
    return fp_check_may_touch(pe, (int)((uint64_t)((const char *)address - pe->job->arena) >> pe->job->stride_shift));
}

static bool
in_touched(const struct fp_pe *pe, const void *address, size_t bytes)
{
    uintptr_t at = (uintptr_t)address - pe->touched.lo;
    return at < pe->touched.bytes && bytes <= pe->touched.bytes - at;
}

/* Looks the block up, and remembers it, if it is alive and the PE's to touch. */
static bool
find_touched(struct fp_pe *pe, const void *address)
{
    const struct fp_job *job = pe->job;
    uint64_t offset = (uint64_t)((const char *)address - job->arena) & (job->stride - 1);
    const struct fp_block *block = fp_heap_find(job, offset);
    if (!block || block->state != FP_BLOCK_LIVE || offset - block->offset >= block->bytes || !is_ours(pe, address))
        return false;
    pe->touched = (struct fp_known){(uintptr_t)address - (offset - block->offset), block->bytes};
    return true;
}

/* A quick answer for what a load or store can span; a range is looked up. */
static bool
surely_alive(struct fp_pe *pe, const void *address, size_t bytes)
{
    const struct fp_job *job = pe->job;
    if (pe->finalised)
        return false;
    if (in_touched(pe, address, bytes))
        return true;
    uint64_t offset = (uint64_t)((const char *)address - job->arena) & (job->stride - 1);
    if (bytes > WORD_MAX || !is_ours(pe, address) || !byte_lives(job, offset) || !byte_lives(job, offset + bytes - 1))
        return false;
    if (pe->untouched++ % 16 == 0) /* a program that goes to and fro between blocks is not made to search each time */
        find_touched(pe, address);
    return true;
}

struct fp_known
fp_touch_block(struct fp_pe *pe, const void *address)
{
    const struct fp_job *job = pe->job;
    if (fp_in_arena(pe, address)) {
        uint64_t heap = (uint64_t)((const char *)address - job->arena) >> job->stride_shift << job->stride_shift;
        if (!job->heap_live)
            return (struct fp_known){(uintptr_t)job->arena + heap, job->stride};
        if (!pe->finalised && (in_touched(pe, address, 1) || find_touched(pe, address)))
            return pe->touched;
    } else if ((uintptr_t)address - (uintptr_t)pe->static_lo < (uintptr_t)pe->static_hi - (uintptr_t)pe->static_lo) {
        return (struct fp_known){(uintptr_t)pe->static_lo, (size_t)(pe->static_hi - pe->static_lo)};
    }
    return (struct fp_known){(uintptr_t)address, 0};
}

const char *
fp_touch_limit(struct fp_pe *pe, const void *address)
{
    struct fp_known block = fp_touch_block(pe, address);
    return (const char *)block.lo + block.bytes;
}

/* With watch_all everything comes here: an access to the window of the device heap ends the run, and most of the rest
 * is nobody's business. True: done with it. */
static bool
sorted_out(struct fp_pe *pe, const void *address, size_t bytes, bool write, const char *name, const void *site)
{
    if (fp_in_window(pe, address)) {
        pe->in_runtime = true;
        if (fp_check_plain(pe->job, address, bytes, write, name, site))
            fp_job_abort(pe->job, 66);
        pe->in_runtime = false;
        return true;
    }
    return !pe->watch_private && fp_place_of(pe->job, address).region == FP_PRIVATE;
}

/* Reports an access to what is not alive. True: it was one; its pages are accessible now, so that the program goes
 * on. */
static bool
dead(struct fp_pe *pe, const void *address, size_t bytes, bool write, const char *name, const void *site)
{
    if (!pe->job->heap_live || !fp_in_arena(pe, address) || surely_alive(pe, address, bytes))
        return false;
    pe->in_runtime = true;
    bool faulty = fp_check_plain(pe->job, address, bytes, write, name, site);
    if (faulty)
        fp_heap_expose(pe->job, address, bytes);
    pe->in_runtime = false;
    return faulty;
}

void
fp_touch_alive(struct fp_pe *pe, const void *address, bool write, const char *name, const void *site)
{
    if (!pe->job->watch_all || !sorted_out(pe, address, 1, write, name, site))
        dead(pe, address, 1, write, name, site);
}

void
fp_touch_shared(struct fp_pe *pe, const void *address, size_t bytes, bool write, const char *name, const void *site)
{
    struct fp_job *job = pe->job;
    if (job->watch_all && sorted_out(pe, address, bytes, write, name, site))
        return;
    if (bytes == 0 || dead(pe, address, bytes, write, name, site) || !job->backend->access)
        return;
    pe->in_runtime = true;
    job->backend->access(address, bytes, write, name, site);
    pe->in_runtime = false;
}
