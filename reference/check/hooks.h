/* hooks.h -- how a plain access of the program reaches the backend.
 *
 * fp_touch is what every hook comes down to. It is built for the access that is nobody's business: two comparisons, no
 * call. Only what lies in the arena or in the PE's own static segment, or anything while nonblocking operations use the
 * PE's private buffers (watch_private) or shared memory can be anywhere (watch_all), goes on to fp_touch_shared, which
 * asks whether the bytes are alive and then tells the backend.
 *
 * A backend may have hooks gather what one instruction does to adjacent bytes (struct fp_streams): a loop over an array
 * then does not leave the hook but where it begins. Where instructions jump about in a block it may have a bit for each
 * byte and instruction instead (area.h).
 *
 * Accesses are told before they are made, so that a scheduling point lies before a load, not behind it.
 */
#ifndef FP_HOOKS_H
#define FP_HOOKS_H

#include "reference/check/area.h"
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
    struct fp_set *set; /* or NULL: the stream, which may have no bytes, will go there before it is told */
};

/* One slot for each place in 512 bytes of code, so that the accesses of a loop do not get in each other's way. What
 * loads and stores (loops.c) has two. */
#define FP_STREAMS 64
struct fp_streams {
    const char *store_lo, *store_hi; /* around the open streams of stores: no stream of loads grows into it */
    const char *again;               /* last load of what the same instruction had loaded before */
    unsigned nagain;                 /* how many since the last scheduling point */
    struct fp_stream at[FP_STREAMS];
};

static inline uintptr_t
fp_stream_key(const void *site, bool write)
{
    return 2 * (uintptr_t)site + write;
}

static inline struct fp_stream *
fp_stream_of(struct fp_streams *streams, const void *site, bool write)
{
    return &streams->at[((uintptr_t)site / 8 + (write ? FP_STREAMS / 2 : 0)) % FP_STREAMS];
}

/* Size and kind of the access are constants in each hook: as calls these would take several times as long. */
#define FP_INLINE static inline __attribute__((always_inline))

/* So many loads of nothing new are a stretch, which is for the backend to look at. */
#define FP_STRETCH_LOADS 4096

/* Whether the access, of one granule or of two, has gone to the set of its instruction. What needs thought has not. */
FP_INLINE bool
fp_set_takes(struct fp_streams *streams, struct fp_stream *stream, const char *at, size_t bytes)
{
    struct fp_set *set = stream->set;
    const struct fp_area *area = set->area;
    size_t from = (size_t)(at - area->base), granule = from / FP_AREA_GRANULE, offset = (uintptr_t)at - area->lo;
    unsigned first = from % FP_AREA_GRANULE;
    bool two = bytes == 2 * FP_AREA_GRANULE;
    if (stream->start != stream->end || offset >= area->bytes || bytes > area->bytes - offset)
        return false;
    if (two ? first != 0 : first + bytes > FP_AREA_GRANULE)
        return false;
    unsigned mask = ((1u << bytes) - 1) << first, had = fp_area_bits(set->bits + granule, two);
    if (set->write ? area->late : (had & mask) != mask && fp_area_stored(area, granule, two) & mask)
        return false;
    if ((had & mask) != mask) {
        fp_set_add(set, granule, had | mask, two);
    } else if (!set->write) {
        if (streams->again == at || ++streams->nagain >= FP_STRETCH_LOADS)
            return false;
        streams->again = at;
    }
    stream->start = stream->end = at + bytes;
    return true;
}

/* Whether a store has gone to the set of its instruction. */
FP_INLINE bool
fp_set_takes_store(struct fp_streams *streams, const char *at, size_t bytes, const void *site)
{
    struct fp_stream *stream = streams ? fp_stream_of(streams, site, true) : NULL;
    return stream && stream->key == fp_stream_key(site, true) && stream->set &&
           fp_set_takes(streams, stream, at, bytes);
}

/* Whether the access continues what its instruction did before, and has been gathered. */
FP_INLINE bool
fp_stream_grows(struct fp_streams *streams, const char *at, size_t bytes, bool write, const void *site)
{
    if (!streams)
        return false;
    struct fp_stream *stream = fp_stream_of(streams, site, write);
    const char *end = at + bytes;
    if (stream->key != fp_stream_key(site, write))
        return false;
    if (stream->end != at || end > stream->limit)
        return stream->set && fp_set_takes(streams, stream, at, bytes);
    if (write) {
        streams->store_hi = end > streams->store_hi ? end : streams->store_hi;
        streams->store_lo = stream->start < streams->store_lo ? stream->start : streams->store_lo;
    } else if (at < streams->store_hi && end > streams->store_lo) {
        return false;
    }
    stream->end = end;
    return true;
}

/* The live block (or the static segment) that `address` is in; of no bytes where there is none. touch.c. */
struct fp_known fp_touch_block(struct fp_pe *pe, const void *address);
/* How far a stream that touches `address` may grow. */
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

FP_INLINE void
fp_touch(const void *address, size_t bytes, bool write, const char *name, const void *site)
{
    struct fp_pe *pe = fp_touch_pe();
    if (pe && fp_touch_matters(pe, address) && !fp_stream_grows(pe->streams, address, bytes, write, site))
        fp_touch_shared(pe, address, bytes, write, name, site);
}

#endif
