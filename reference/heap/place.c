/* place.c -- from an address to (region, PE, offset), and from one PE's copy to another's.
 *
 * Heaps are found by arithmetic: the stride is a power of two. Static segments are found in a table of images sorted by
 * address; the caller's own segment, nearly always the one asked for, is tried first. The table is made when the last
 * image is there; until then (constructors of a program that is being loaded) the PEs are searched one by one.
 */
#include <stdlib.h>

#include "reference/heap/heap.h"
#include "reference/heap/heap_state.h"

static int
by_address(const void *left, const void *right)
{
    const struct fp_static_segment *l = left, *r = right;
    return (l->lo > r->lo) - (l->lo < r->lo);
}

static bool
all_images_loaded(const struct fp_job *job)
{
    for (int i = 0; i < job->npes; i++)
        if (!job->pes[i].static_lo)
            return false;
    return true;
}

/* The number of segments in the table; 0 while images are missing. */
static int
segments_ready(const struct fp_job *job)
{
    struct fp_heap *heap = job->heap;
    int n = __atomic_load_n(&heap->nsegments, __ATOMIC_ACQUIRE);
    if (n)
        return n;
    pthread_mutex_lock(&heap->lock);
    if (heap->nsegments == 0 && all_images_loaded(job)) {
        heap->segments = malloc((size_t)job->npes * sizeof *heap->segments);
        if (!heap->segments)
            fp_env_fail("out of memory");
        for (int i = 0; i < job->npes; i++)
            heap->segments[i] = (struct fp_static_segment){job->pes[i].static_lo, job->pes[i].static_hi, i};
        qsort(heap->segments, (size_t)job->npes, sizeof *heap->segments, by_address);
        __atomic_store_n(&heap->nsegments, job->npes, __ATOMIC_RELEASE);
    }
    n = heap->nsegments;
    pthread_mutex_unlock(&heap->lock);
    return n;
}

static bool
in_static(const struct fp_pe *pe, const char *at)
{
    return (uintptr_t)at - (uintptr_t)pe->static_lo < (uintptr_t)pe->static_hi - (uintptr_t)pe->static_lo;
}

/* The PE whose static segment contains `at`, or -1. */
static int
static_owner(const struct fp_job *job, const char *at)
{
    if (job->config.in_process && !job->given)
        return -1;
    if (fp_self && fp_self->job == job && in_static(fp_self, at))
        return fp_self->rank;
    int n = job->heap ? segments_ready(job) : 0;
    if (n == 0) {
        for (int i = 0; i < job->npes; i++)
            if (in_static(&job->pes[i], at))
                return i;
        return -1;
    }
    const struct fp_static_segment *s = job->heap->segments;
    int lo = 0, hi = n; /* s[lo].lo <= at < s[hi].lo, once lo is known to be so */
    if (at < s[0].lo)
        return -1;
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (s[mid].lo <= at)
            lo = mid;
        else
            hi = mid;
    }
    return at < s[lo].hi ? s[lo].pe : -1;
}

struct fp_place
fp_place_of(const struct fp_job *job, const void *address)
{
    const char *at = address;
    uint64_t from_arena = (uint64_t)((uintptr_t)at - (uintptr_t)job->arena);
    if (from_arena < job->arena_bytes)
        return (struct fp_place){FP_HEAP, (int)(from_arena >> job->stride_shift), from_arena & (job->stride - 1)};
    uint64_t from_window = (uint64_t)((uintptr_t)at - (uintptr_t)job->window);
    if (from_window < job->window_bytes) {
        int slot = (int)(from_window >> job->stride_shift);
        int own = fp_self ? fp_self->rank : 0;
        return (struct fp_place){FP_HEAP, slot ? slot - 1 : own, from_window & (job->stride - 1)};
    }
    int owner = static_owner(job, at);
    if (owner >= 0)
        return (struct fp_place){FP_STATIC, owner, (uint64_t)(at - job->pes[owner].static_lo)};
    return (struct fp_place){FP_PRIVATE, -1, 0};
}

void *
fp_translate(const struct fp_job *job, const void *address, int from, int to)
{
    char *at = (char *)(uintptr_t)address;
    if ((uintptr_t)at - (uintptr_t)job->arena < job->arena_bytes)
        return at + ((ptrdiff_t)to - from) * (ptrdiff_t)job->stride;
    /* Only shmem_ptr comes here with an address in the window: operations have the caller's copy in the arena. */
    uint64_t from_window = (uint64_t)((uintptr_t)at - (uintptr_t)job->window);
    if (from_window < job->window_bytes)
        return to == from ? at
                          : job->window + (((uint64_t)to + 1) << job->stride_shift) + (from_window & (job->stride - 1));
    if ((uintptr_t)at - (uintptr_t)job->internal < job->internal_bytes)
        return at + ((ptrdiff_t)to - from) * (ptrdiff_t)job->internal_stride;
    return job->pes[to].static_lo + (at - job->pes[from].static_lo);
}
