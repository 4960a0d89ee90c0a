/* hooks.h -- how a plain access of the program reaches the backend.
 *
 * fp_touch is what every hook comes down to. It is built for the access that is nobody's business: two comparisons, no
 * call. Only what lies in the arena or in the PE's own static segment, or anything while nonblocking operations use the
 * PE's private buffers (watch_private) or shared memory can be anywhere (watch_all), goes on to fp_touch_shared, which
 * asks whether the bytes are alive and then tells the backend.
 *
 * Accesses are told before they are made, so that a scheduling point lies before a load, not behind it.
 */
#ifndef FP_HOOKS_H
#define FP_HOOKS_H

#include "reference/job.h"

/* Some part of the program was compiled with -fsanitize=shmem. */
extern bool fp_hooks_linked;

void fp_touch_shared(struct fp_pe *pe, const void *address, size_t bytes, bool write, const char *name,
                     const void *site);
/* Only the first part: whether the first byte is alive (a libc routine is about to find out how much it will read). */
void fp_touch_alive(struct fp_pe *pe, const void *address, bool write, const char *name, const void *site);

/* free or realloc of the C library was given memory of the symmetric heap (E157): reports it. plain.c. */
void fp_check_wrong_free(struct fp_pe *pe, const void *address, bool is_realloc, const char *name, const void *site);

static inline bool
fp_in_arena(const struct fp_pe *pe, const void *address)
{
    return (uintptr_t)address - (uintptr_t)pe->job->arena < pe->job->arena_bytes;
}

static inline bool
fp_in_window(const struct fp_pe *pe, const void *address)
{
    return (uintptr_t)address - (uintptr_t)pe->job->window < pe->job->window_bytes;
}

/* The PE whose accesses are looked at now, or NULL: no job, or inside Fencepost. */
static inline struct fp_pe *
fp_touch_pe(void)
{
    struct fp_pe *pe = fp_self;
    return pe && !pe->in_runtime ? pe : NULL;
}

static inline bool
fp_touch_matters(const struct fp_pe *pe, const void *address)
{
    return fp_in_arena(pe, address) ||
           (uintptr_t)address - (uintptr_t)pe->static_lo < (uintptr_t)pe->static_hi - (uintptr_t)pe->static_lo ||
           pe->watch_private || pe->job->watch_all;
}

static inline void
fp_touch(const void *address, size_t bytes, bool write, const char *name, const void *site)
{
    struct fp_pe *pe = fp_touch_pe();
    if (pe && __builtin_expect(fp_touch_matters(pe, address), 0))
        fp_touch_shared(pe, address, bytes, write, name, site);
}

#endif
