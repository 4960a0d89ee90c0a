/* arena.c -- see arena.h. */
#include "reference/heap/arena.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define RESERVE_MAX (UINT64_C(1) << 45) /* of the 47 bits a process has */
#define QUARANTINE_MIN                                                                                                 \
    (UINT64_C(1) << 32) /* a checked heap has at least this much to go through before it uses space again */
#define ALIGN_MAX (UINT64_C(1) << 30)
#define MAPPINGS_DEFAULT                                                                                               \
    65530                  /* vm.max_map_count where nobody changed it; a larger one is not used, so that runs agree */
#define MAPPINGS_KEPT 2048 /* for libraries, files and what the program maps itself */
#define MAPPINGS_IMAGE 10  /* segments of a private image, its thread's stack and guard */
#define PAGE_BLOCKS_MIN 4

static uint64_t
power_of_two_from(uint64_t n)
{
    return n <= 1 ? 1 : UINT64_C(1) << (64 - __builtin_clzll(n - 1));
}

static uint64_t
mappings_available(const struct fp_job *job)
{
    long long limit = MAPPINGS_DEFAULT;
    FILE *f = fopen("/proc/sys/vm/max_map_count", "r");
    if (f) {
        long long here;
        if (fscanf(f, "%lld", &here) == 1 && here < limit)
            limit = here;
        fclose(f);
    }
    limit -= MAPPINGS_KEPT + (long long)job->npes * (job->config.in_process ? 2 : MAPPINGS_IMAGE);
    return limit > 0 ? (uint64_t)limit : 0;
}

/* How many mappings the heaps may have decides how much can be guarded. Two a PE are spent on its packed zone and its
 * own area. */
static void
decide_protection(struct fp_arena *arena)
{
    struct fp_job *job = arena->job;
    if (job->memory)
        return;
    uint64_t each = mappings_available(job) / (uint64_t)job->npes;
    arena->flat = each < 4;
    arena->page_blocks_max = each > 4 && job->config.check ? (each - 4) / 2 : 0;
    if (arena->page_blocks_max < PAGE_BLOCKS_MIN) {
        arena->page_blocks_max = 0;
        if (job->config.check)
            fp_job_unseen(job, "page protection of freed blocks (too many PEs for it)");
    }
}

static int
reserve(struct fp_arena *arena, uint64_t stride)
{
    struct fp_job *job = arena->job;
    uint64_t align = stride < ALIGN_MAX ? stride : ALIGN_MAX, bytes = stride * (uint64_t)job->npes;
    if (job->memory) {
        arena->reserved = job->arena = job->memory->reserve(job, bytes, align);
        arena->reserved_bytes = bytes;
    } else {
        int protection = arena->flat ? PROT_READ | PROT_WRITE : PROT_NONE;
        char *memory = mmap(NULL, bytes + align, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return -1;
        if (arena->flat)
            madvise(memory, bytes + align, MADV_NOHUGEPAGE);
        arena->reserved = memory;
        arena->reserved_bytes = bytes + align;
        job->arena = (char *)(((uintptr_t)memory + align - 1) & ~(uintptr_t)(align - 1));
    }
    job->stride = stride;
    job->arena_bytes = bytes;
    job->stride_shift = (unsigned)__builtin_ctzll(stride);
    return job->arena ? 0 : -1;
}

/* Opens pages; a packed zone or a library's area is sparse, so it must not be backed by huge pages. */
static bool
pages_open(char *from, uint64_t bytes)
{
    return mprotect(from, bytes, PROT_READ | PROT_WRITE) == 0;
}

static void
pages_open_or_fail(char *from, uint64_t bytes, bool sparse)
{
    if (!pages_open(from, bytes))
        fp_env_fail(
            "cannot make %llu bytes of the symmetric heap accessible: %s; raise vm.max_map_count or free memory",
            (unsigned long long)bytes, strerror(errno));
    if (sparse)
        madvise(from, bytes, MADV_NOHUGEPAGE);
}

static bool
internal_open(struct fp_job *job)
{
    job->internal_stride = (fp_heap_internal_bytes(job->npes) + FP_HEAP_PAGE - 1) & ~(FP_HEAP_PAGE - 1);
    job->internal_bytes = job->internal_stride * (size_t)job->npes;
    job->internal = mmap(NULL, job->internal_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return job->internal != MAP_FAILED;
}

int
fp_arena_open(struct fp_arena *arena, struct fp_job *job)
{
    *arena = (struct fp_arena){.job = job};
    decide_protection(arena);
    uint64_t internal = fp_heap_internal_bytes(job->npes), limit = job->config.heap_bytes;
    if (limit > RESERVE_MAX) {
        fprintf(stderr, "fencepost: a symmetric heap of %llu bytes does not fit the address space\n",
                (unsigned long long)limit);
        return -1;
    }
    /* The least: the page zone and the packed zone can each hold the limit and some waste. */
    uint64_t least = power_of_two_from(internal + 4 * FP_HEAP_PAGE + 2 * (limit + limit / 2)), stride = least;
    if (job->config.check && !job->memory) {
        uint64_t most = RESERVE_MAX / power_of_two_from((uint64_t)job->npes);
        stride = power_of_two_from(16 * limit);
        stride = stride > QUARANTINE_MIN ? stride : QUARANTINE_MIN;
        stride = stride < most ? stride : most;
        stride = stride > least ? stride : least;
    }
    while (reserve(arena, stride) != 0) {
        if (job->memory) /* has said why */
            return -1;
        if (stride / 2 < least) {
            fprintf(stderr, "fencepost: cannot reserve %llu bytes of address space for %d heaps: %s\n",
                    (unsigned long long)stride * (unsigned long long)job->npes, job->npes, strerror(errno));
            return -1;
        }
        stride /= 2;
    }
    arena->packed_open = calloc((size_t)job->npes, 1);
    if (!arena->packed_open || (job->memory && !internal_open(job)))
        fp_env_fail("out of memory");
    uint64_t own = (internal + FP_HEAP_PAGE - 1) & ~(FP_HEAP_PAGE - 1);
    for (int i = 0; i < job->npes; i++) {
        job->pes[i].heap_base = job->arena + (uint64_t)i * stride;
        if (!arena->flat && !job->memory)
            pages_open_or_fail(job->pes[i].heap_base, own, true);
    }
    return 0;
}

void
fp_arena_close(struct fp_arena *arena)
{
    if (arena->reserved && arena->job->memory)
        arena->job->memory->release(arena->reserved, arena->reserved_bytes);
    else if (arena->reserved)
        munmap(arena->reserved, arena->reserved_bytes);
    if (arena->job && arena->job->internal_bytes) {
        munmap(arena->job->internal, arena->job->internal_bytes);
        arena->job->internal = NULL;
        arena->job->internal_bytes = 0;
    }
    free(arena->packed_open);
    *arena = (struct fp_arena){0};
}

static void
packed_open(struct fp_arena *arena, struct fp_pe *pe)
{
    if (arena->flat || arena->packed_open[pe->rank])
        return;
    pages_open_or_fail(pe->heap_base + arena->packed_begin, arena->packed_end - arena->packed_begin, true);
    arena->packed_open[pe->rank] = 1;
}

void
fp_arena_set_packed(struct fp_arena *arena, uint64_t begin, uint64_t end)
{
    arena->packed_begin = begin;
    arena->packed_end = end;
    for (int i = 0; !arena->job->config.check && !arena->job->memory && i < arena->job->npes; i++)
        packed_open(arena, &arena->job->pes[i]);
}

static uint64_t
whole_pages(uint64_t bytes)
{
    return (bytes + FP_HEAP_PAGE - 1) & ~(FP_HEAP_PAGE - 1);
}

void
fp_arena_block_open(struct fp_arena *arena, struct fp_pe *pe, const struct fp_block *block, enum fp_zone zone)
{
    if (arena->job->memory) {
        arena->job->memory->grow(pe, block->offset + block->bytes);
        return;
    }
    if (arena->flat)
        return;
    if (zone == FP_ZONE_PACKED)
        packed_open(arena, pe);
    else
        pages_open_or_fail(pe->heap_base + block->offset, whole_pages(block->bytes), false);
}

void
fp_arena_block_close(struct fp_arena *arena, struct fp_pe *pe, const struct fp_block *block, enum fp_zone zone)
{
    if (arena->flat || zone == FP_ZONE_PACKED || arena->job->memory)
        return;
    /* A new mapping instead of mprotect: it frees the memory in the same call, and only a mapping that was never
     * touched is merged with its neighbours by the kernel. */
    void *at = mmap(pe->heap_base + block->offset, whole_pages(block->bytes), PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (at == MAP_FAILED)
        fp_job_unseen(arena->job, "page protection of some freed blocks (the kernel refused it)");
}

bool
fp_arena_expose(struct fp_arena *arena, const struct fp_pe *pe, uint64_t offset, uint64_t bytes)
{
    if (arena->job->memory)
        return false;
    uint64_t from = offset & ~(FP_HEAP_PAGE - 1), to = whole_pages(offset + bytes);
    if (to > arena->job->stride)
        to = arena->job->stride;
    return arena->flat || pages_open(pe->heap_base + from, to - from);
}
