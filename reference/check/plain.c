/* plain.c -- what is said about a plain access to memory of the arena that is no live block.
 *
 * Plain accesses to another PE's heap are fine as long as the block lives: all PEs share one node, so shmem_ptr gives
 * such addresses. What is wrong with the address alone (dead block, red zone, no block) is told here, for hooked
 * accesses before they happen and for others from the handler of SIGSEGV.
 */
#include <stdio.h>

#include "reference/check/check.h"
#include "reference/check/hooks.h"
#include "reference/heap/heap.h"

#define STACK_MAX 16

static struct fp_access
own_access(const struct fp_pe *pe, enum fp_access_kind kind, const char *name, const void *site)
{
    return (struct fp_access){.pe = pe->rank, .op = name, .kind = kind, .site = fp_site_of(pe->job, pe->rank, site)};
}

/* Class, rule and message of an access to [offset, offset + bytes) of a heap. False: there is nothing wrong with it. */
static bool
judge(const struct fp_pe *pe, struct fp_finding *f, const struct fp_block *block, int owner, uint64_t offset,
      size_t bytes, const char *name)
{
    size_t room = sizeof f->message;
    f->class_ = FP_CLASS_BAD_ADDRESS;
    if (pe->job->window_bytes) {
        f->rule = "E200, S 9.1.9";
        snprintf(f->message, room, "%s by the CPU to the device heap", name);
        snprintf(f->repair, sizeof f->repair, "move the data with put, get, p, g or a copy of the device, not with %s",
                 name);
        return true;
    }
    if (!block) {
        f->rule = "E024, S 3.1";
        snprintf(f->message, room, "%s at an address of the symmetric heap where no block ever was", name);
        return true;
    }
    uint64_t at = offset - block->offset;
    unsigned long long size = block->bytes;
    if (block->state != FP_BLOCK_LIVE) { /* past its end too: a block that was to grow is used beyond its old size */
        bool moved = block->state == FP_BLOCK_MOVED;
        f->class_ = FP_CLASS_LIFETIME;
        f->rule = moved ? "E026, S 9.3.3" : "E025, S 9.3.2";
        snprintf(f->message, room, "%s to a block of %llu bytes that %s had %s", name, size, block->died_call.name,
                 moved ? "moved" : "freed");
        snprintf(f->repair, sizeof f->repair, moved ? "use the address that %s returned" : "access the block before %s",
                 block->died_call.name);
    } else if (at >= block->bytes) {
        f->rule = "E023, S 3.1";
        snprintf(f->message, room, "%s %llu bytes behind the end of a block of %llu bytes", name,
                 (unsigned long long)(at - block->bytes), size);
    } else if (bytes > block->bytes - at) {
        f->rule = "E023, S 3.1";
        snprintf(f->message, room, "%s of %zu bytes from byte %llu of a block of %llu bytes reaches behind its end",
                 name, bytes, (unsigned long long)at, size);
    } else if (!fp_check_may_touch(pe, owner)) {
        f->rule = "E045, S 3.1";
        snprintf(f->message, room, "%s through an address of PE %d's heap that shmem_ptr did not give to PE %d", name,
                 owner, pe->rank);
        snprintf(f->repair, sizeof f->repair,
                 "an address means something on its own PE only: send offsets, or ask shmem_ptr for a mapping");
    } else if (pe->finalised) {
        f->class_ = FP_CLASS_LIFETIME;
        f->rule = "E165, S 9.1.4";
        snprintf(f->message, room, "%s to the symmetric heap after the last finalize", name);
    } else {
        return false;
    }
    return true;
}

bool
fp_check_plain(struct fp_job *job, const void *address, size_t bytes, bool write, const char *name, const void *site)
{
    const struct fp_pe *pe = fp_self;
    struct fp_place place = fp_place_of(job, address);
    if (!pe || place.region != FP_HEAP || !job->config.check)
        return false;
    const struct fp_block *block = fp_heap_find(job, place.offset);
    struct fp_finding f = {0};
    if (!judge(pe, &f, block, place.pe, place.offset, bytes, name))
        return false;
    fp_site_t stack[STACK_MAX];
    fp_describe_object(job, &f, address);
    f.accesses[0] = own_access(pe, write ? FP_WRITE : FP_READ, name, site);
    f.accesses[0].stack = stack;
    f.accesses[0].nstack = fp_stack_capture(job, stack, STACK_MAX);
    f.naccesses = 1;
    if (block && block->state != FP_BLOCK_LIVE) {
        f.accesses[1] = (struct fp_access){.pe = block->died_pe,
                                           .op = block->died_call.name,
                                           .kind = block->state == FP_BLOCK_MOVED ? FP_REALLOC : FP_FREE,
                                           .site = fp_site_of(job, block->died_pe, block->died_call.site)};
        f.naccesses = 2;
    }
    fp_report_add(job->report, &f);
    return true;
}

void
fp_check_wrong_free(struct fp_pe *pe, const void *address, bool is_realloc, const char *name, const void *site)
{
    struct fp_job *job = pe->job;
    if (!job->config.check)
        return;
    pe->in_runtime = true;
    struct fp_finding f = {.class_ = FP_CLASS_LIFETIME, .rule = "E157, S 9.3.2", .naccesses = 1};
    snprintf(f.message, sizeof f.message, "%s was given memory of the symmetric heap", name);
    snprintf(f.repair, sizeof f.repair, "use %s", is_realloc ? "shmem_realloc" : "shmem_free");
    fp_describe_object(job, &f, address);
    f.accesses[0] = own_access(pe, is_realloc ? FP_REALLOC : FP_FREE, name, site);
    fp_report_add(job->report, &f);
    pe->in_runtime = false;
}
