/* loops.c -- what the compiler's plugin (tools/hooks) calls: the accesses of a whole loop, told in front of it.
 *
 * __fencepost_loop is called once for each access of the loop's body, in its order, `more` with all but the last: n
 * times `bytes` bytes, the first at `at`, each `step` behind the one before. Nothing happens between the calls, nor
 * between them and the loop.
 *
 * In the loop the accesses take turns. That matters where a load and a store meet: the store is to come behind a load
 * that the loop makes before, and before one that it makes behind. The addresses are known here, so that is arithmetic.
 * Loads that no store of the loop comes before are told first, then the stores, then loads that come behind every store
 * that they meet. Where a load is of neither kind, the whole loop is told as the program would make it, access by
 * access.
 */
#include "reference/check/hooks.h"

#define EXPORT __attribute__((visibility("default")))
#define SITE __builtin_return_address(0)

/* Callers are made by the compiler: there is no header. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define LOOP_BYTES 0xffu
#define LOOP_WRITE (1u << 8)
#define LOOP_MORE (1u << 9)
#define LOOP_TWIN_SHIFT 16 /* above: of which access of the loop, from 1, this one has the place in the program; or 0 */
#define LOOP_ACCESSES 16

struct walk {
    const char *at;
    size_t n;
    ptrdiff_t step;
    size_t bytes;
    const void *site;
    bool write, late;
    const char *lo, *hi;
};

/* Accesses of one loop while the calls for it come in. */
static __thread struct loop {
    unsigned n, seen;
    const void *sites[LOOP_ACCESSES];
    struct walk walks[LOOP_ACCESSES];
} loop __attribute__((tls_model("initial-exec")));

/* ---- One access ------------------------------------------------------------------------------------------------- */

static void
touch(const struct walk *walk, const char *at)
{
    fp_touch(at, walk->bytes, walk->write, walk->write ? "store" : "load", walk->site);
}

/* What was loaded before may be loaded again and again by a loop that waits: the backend looks at that now and then,
 * and at once where the loop has but one element. */
static bool
may_repeat(struct fp_streams *streams, const struct walk *walk)
{
    return walk->write || (walk->n > 1 && ++streams->nagain < FP_STRETCH_LOADS);
}

/* Whether [at, end) has been gathered as a whole: by a stream that it continues, or that has it already. */
static bool
gathered(const struct fp_pe *pe, const struct walk *walk, const char *at, const char *end)
{
    struct fp_streams *streams = pe->streams;
    if (fp_stream_grows(streams, at, (size_t)(end - at), walk->write, walk->site))
        return true;
    if (!streams)
        return false;
    const struct fp_stream *stream = fp_stream_of(streams, walk->site, walk->write);
    return !stream->set && stream->key == fp_stream_key(walk->site, walk->write) && stream->start <= at &&
           end <= stream->end && may_repeat(streams, walk);
}

/* Whether the set of the instruction has taken all of it. */
static bool
taken(const struct fp_pe *pe, const struct walk *walk)
{
    struct fp_streams *streams = pe->streams;
    const struct fp_stream *stream = streams ? fp_stream_of(streams, walk->site, walk->write) : NULL;
    if (!stream || stream->key != fp_stream_key(walk->site, walk->write) || !stream->set)
        return false;
    const struct fp_area *area = stream->set->area;
    if ((uintptr_t)walk->lo < area->lo || (uintptr_t)walk->hi > area->lo + area->bytes)
        return false;
    if (!walk->write && walk->lo < streams->store_hi && walk->hi > streams->store_lo)
        return false;
    return fp_set_take_range(stream->set, walk->lo, (size_t)(walk->hi - walk->lo)) || may_repeat(streams, walk);
}

static bool
is_dense(const struct walk *walk)
{
    return (size_t)(walk->step < 0 ? -walk->step : walk->step) == walk->bytes;
}

static void
tell(const struct fp_pe *pe, const struct walk *walk)
{
    if (!is_dense(walk)) {
        const char *at = walk->at;
        for (size_t i = 0; i < (walk->step ? walk->n : 1); i++, at += walk->step)
            touch(walk, at);
        return;
    }
    if (taken(pe, walk))
        return;
    /* An element or two, and the stream takes the rest. */
    for (const char *at = walk->lo; at < walk->hi && !gathered(pe, walk, at, walk->hi); at += walk->bytes)
        touch(walk, at);
}

/* ---- All of a loop ---------------------------------------------------------------------------------------------- */

enum order { APART, LOAD_FIRST, STORE_FIRST, MIXED };

/* How the load (number i of the body) and the store (number j) of the same bytes follow each other. */
static enum order
order_of(const struct walk *load, const struct walk *store, bool load_before)
{
    if (load->hi <= store->lo || store->hi <= load->lo)
        return APART;
    if (load->step != store->step || load->step == 0)
        return MIXED;
    ptrdiff_t step = load->step < 0 ? -load->step : load->step;
    ptrdiff_t l = (ptrdiff_t)load->bytes, s = (ptrdiff_t)store->bytes;
    if (step < l || step < s)
        return MIXED;
    /* How far ahead of the store the load is; members of structures may never meet. */
    ptrdiff_t ahead = load->step < 0 ? (store->at + s) - (load->at + l) : load->at - store->at;
    ptrdiff_t in = ((ahead % step) + step) % step;
    if (in >= s && in + l <= step)
        return APART;
    if (load_before ? ahead >= 0 : ahead >= s)
        return LOAD_FIRST;
    if (load_before ? ahead <= -l : ahead <= step - l)
        return STORE_FIRST;
    return MIXED;
}

/* False: the accesses have to be told one by one. */
static bool
sort(struct loop *l)
{
    for (unsigned i = 0; i < l->n; i++) {
        enum order all = APART;
        struct walk *load = &l->walks[i];
        for (unsigned j = 0; j < l->n && !load->write; j++) {
            if (!l->walks[j].write)
                continue;
            enum order one = order_of(load, &l->walks[j], i < j);
            if (one == MIXED || (one != APART && all != APART && one != all))
                return false;
            all = one == APART ? all : one;
        }
        load->late = all == STORE_FIRST;
    }
    return true;
}

static void
one_by_one(const struct loop *l)
{
    size_t most = 0;
    for (unsigned i = 0; i < l->n; i++)
        most = l->walks[i].n > most ? l->walks[i].n : most;
    for (size_t k = 0; k < most; k++)
        for (unsigned i = 0; i < l->n; i++)
            if (k < l->walks[i].n)
                touch(&l->walks[i], l->walks[i].at + (ptrdiff_t)k * l->walks[i].step);
}

/* What one line loads as neighbours, a[i - 1] + a[i + 1], is told as one. */
static void
join(struct loop *l, struct walk *walk)
{
    for (struct walk *w = walk + 1; is_dense(walk) && w < l->walks + l->n; w++)
        if (w->site == walk->site && !w->write && w->late == walk->late && w->step == walk->step && is_dense(w) &&
            w->lo <= walk->hi && walk->lo <= w->hi && ((uintptr_t)w->lo - (uintptr_t)walk->lo) % w->bytes == 0) {
            walk->lo = w->lo < walk->lo ? w->lo : walk->lo;
            walk->hi = w->hi > walk->hi ? w->hi : walk->hi;
            w->n = 0;
        }
}

static void
tell_loop(const struct fp_pe *pe, struct loop *l)
{
    if (!sort(l)) {
        one_by_one(l);
        return;
    }
    for (unsigned i = 0; i < l->n; i++)
        if (!l->walks[i].write && !l->walks[i].late && l->walks[i].n) {
            join(l, &l->walks[i]);
            tell(pe, &l->walks[i]);
        }
    for (unsigned i = 0; i < l->n; i++)
        if (l->walks[i].write)
            tell(pe, &l->walks[i]);
    for (unsigned i = 0; i < l->n; i++)
        if (l->walks[i].late)
            tell(pe, &l->walks[i]);
}

EXPORT void
__fencepost_loop(const void *at, size_t n, ptrdiff_t step, unsigned what)
{
    struct fp_pe *pe = fp_touch_pe();
    if (!pe)
        return;
    struct loop *l = &loop;
    unsigned twin = what >> LOOP_TWIN_SHIFT;
    const void *site = twin ? l->sites[twin - 1] : SITE;
    size_t bytes = what & LOOP_BYTES;
    l->sites[l->seen++] = site;
    if (n > 0) {
        const char *last = (const char *)at + (ptrdiff_t)(n - 1) * step, *lo = step < 0 ? last : at;
        const char *hi = (step < 0 ? (const char *)at : last) + bytes;
        if (fp_touch_matters(pe, lo) || fp_touch_matters(pe, hi - 1)) {
            struct walk *walk = &l->walks[l->n++];
            walk->at = at;
            walk->n = n;
            walk->step = step;
            walk->bytes = bytes;
            walk->site = site;
            walk->write = what & LOOP_WRITE;
            walk->late = false;
            walk->lo = lo;
            walk->hi = hi;
        }
    }
    if (what & LOOP_MORE)
        return;
    if (l->n == 1)
        tell(pe, &l->walks[0]);
    else if (l->n)
        tell_loop(pe, l);
    l->n = l->seen = 0;
}

/* ---- A load and a store of one place ---------------------------------------------------------------------------- */

static __attribute__((noinline)) void
load_and_store(const void *at, size_t bytes, const void *site)
{
    fp_touch(at, bytes, false, "load", site);
    fp_touch(at, bytes, true, "store", site);
}

/* Where the store goes to a set nobody asks for the load: it could tell nothing that the store does not. */
#define DEFINE_UPDATE(bytes)                                                                                           \
    EXPORT void __fencepost_update##bytes(const void *at)                                                              \
    {                                                                                                                  \
        struct fp_pe *pe = fp_touch_pe();                                                                              \
        if (!pe || !fp_touch_matters(pe, at) || fp_set_takes_store(pe->streams, at, bytes, SITE))                      \
            return;                                                                                                    \
        load_and_store(at, bytes, SITE);                                                                               \
    }
DEFINE_UPDATE(1)
DEFINE_UPDATE(2)
DEFINE_UPDATE(4)
DEFINE_UPDATE(8)
DEFINE_UPDATE(16)
