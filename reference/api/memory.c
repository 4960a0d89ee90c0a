/* memory.c -- the heap routines (9.3). reference/heap does the work; here is only the gate. */
#include "reference/api/define.h"
#include "reference/heap/heap.h"

static void *
left_with(struct fp_pe *pe, void *block)
{
    fp_leave(pe);
    return block;
}

static void
release(void *block, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    fp_heap_free(block, call);
    fp_leave(pe);
}

#define GATED(work)                                                                                                    \
    struct fp_pe *pe = fp_enter(&call);                                                                                \
    return pe == NULL ? NULL : left_with(pe, work)

FP_ROUTINE_IS(void *, malloc, (size_t size), GATED(fp_heap_malloc(size, 0, call)))
FP_ROUTINE_IS(void *, malloc_with_hints, (size_t size, long hints), GATED(fp_heap_malloc(size, hints, call)))
FP_ROUTINE_IS(void *, calloc, (size_t count, size_t size), GATED(fp_heap_calloc(count, size, call)))
FP_ROUTINE_IS(void *, align, (size_t alignment, size_t size), GATED(fp_heap_align(alignment, size, call)))
FP_ROUTINE_IS(void *, realloc, (void *ptr, size_t size), GATED(fp_heap_realloc(ptr, size, call)))
FP_ROUTINE_IS(void, free, (void *ptr), release(ptr, call))

/* Older names (Annex E). */
FP_OLD_ROUTINE_IS(void *, shmalloc, (size_t size), GATED(fp_heap_malloc(size, 0, call)))
FP_OLD_ROUTINE_IS(void *, shmemalign, (size_t alignment, size_t size), GATED(fp_heap_align(alignment, size, call)))
FP_OLD_ROUTINE_IS(void *, shrealloc, (void *ptr, size_t size), GATED(fp_heap_realloc(ptr, size, call)))
FP_OLD_ROUTINE_IS(void, shfree, (void *ptr), release(ptr, call))
