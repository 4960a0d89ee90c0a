/* memory.c -- the heap routines (9.3). reference/heap does the work; here is only the gate. */
#include "reference/api/define.h"
#include "reference/heap/heap.h"

#define DEFINE(name, params, work)                                                                                     \
    FP_ROUTINE(void *, name, params)                                                                                   \
    {                                                                                                                  \
        const shmem_call_t call = FP_CALL(name);                                                                       \
        struct fp_pe *pe = fp_enter(&call);                                                                            \
        void *block;                                                                                                   \
                                                                                                                       \
        if (pe == NULL)                                                                                                \
            return NULL;                                                                                               \
        block = work;                                                                                                  \
        fp_leave(pe);                                                                                                  \
        return block;                                                                                                  \
    }

DEFINE(malloc, (size_t size), fp_heap_malloc(size, 0, call))
DEFINE(malloc_with_hints, (size_t size, long hints), fp_heap_malloc(size, hints, call))
DEFINE(calloc, (size_t count, size_t size), fp_heap_calloc(count, size, call))
DEFINE(align, (size_t alignment, size_t size), fp_heap_align(alignment, size, call))
DEFINE(realloc, (void *ptr, size_t size), fp_heap_realloc(ptr, size, call))

FP_ROUTINE(void, free, (void *ptr))
{
    const shmem_call_t call = FP_CALL(free);
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    fp_heap_free(ptr, call);
    fp_leave(pe);
}
