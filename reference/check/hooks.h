/* hooks.h -- how a plain access of the program reaches the backend.
 *
 * fp_touch is what every hook comes down to. It is built for the access that is nobody's business: two comparisons, no
 * call. Only what lies in the arena or in the PE's own static segment, or anything while nonblocking operations use the
 * PE's private buffers (watch_private) or shared memory can be anywhere (watch_all), goes on to fp_touch_shared, which
 * asks whether the bytes are alive and then tells the backend.
 *
 * A backend may have hooks gather what one instruction does to adjacent bytes (struct fp_streams): a loop over an array
 * then does not leave the hook but where it begins.
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

/* Accesses of one instruction to adjacent bytes, [start, end), that the backend has opened and will tell its observers
 * later. A hook lets it grow, up to `limit`: bytes of one live block, or of the static segment. */
struct fp_stream {
    uintptr_t key; /* fp_stream_key, 0: none is open */
    const char *end, *limit, *start;
    size_t grain; /* bytes of each access */
    const void *site;
    const char *name;
    bool write;
};

/* One slot for each place in 512 bytes of code, so that the accesses of a loop do not get in each other's way. */
#define FP_STREAMS 64
struct fp_streams {
    const char *store_lo, *store_hi; /* around the open streams of stores: no stream of loads grows into it */
    struct fp_stream at[FP_STREAMS];
};

static inline uintptr_t
fp_stream_key(const void *site, bool write)
{
    return 2 * (uintptr_t)site + write;
}

static inline struct fp_stream *
fp_stream_of(struct fp_streams *streams, const void *site)
{
    return &streams->at[(uintptr_t)site / 8 % FP_STREAMS];
}

/* Whether the access continues a stream, which has grown by it. */
static inline bool
fp_stream_grows(struct fp_streams *streams, const char *at, size_t bytes, bool write, const void *site)
{
    if (!streams)
        return false;
    struct fp_stream *stream = fp_stream_of(streams, site);
    const char *end = at + bytes;
    if (stream->key != fp_stream_key(site, write) || stream->end != at || end > stream->limit)
        return false;
    if (write)
        streams->store_hi = end > streams->store_hi ? end : streams->store_hi;
    else if (at < streams->store_hi && end > streams->store_lo)
        return false;
    stream->end = end;
    return true;
}

/* How far a stream that touches `address` may grow. touch.c. */
const char *fp_touch_limit(struct fp_pe *pe, const void *address);

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
    if (pe && fp_touch_matters(pe, address) && !fp_stream_grows(pe->streams, address, bytes, write, site))
        fp_touch_shared(pe, address, bytes, write, name, site);
}

#endif
