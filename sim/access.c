/* access.c -- plain loads and stores of the program, as the hooks tell them.
 *
 * Between two scheduling points nothing but the running PE happens, so what it loads and stores there may be told to
 * the observers late, as long as it is before anything else: accesses that one instruction makes to adjacent bytes
 * are gathered into one range (a stream), and so are repeated ones. A loop over an array is then one event a
 * scheduling point, not one an element. Hooks gather by themselves once a stream has grown here (hooks.h).
 *
 * A load and a store of the same bytes keep their order. All loads that are open are told before all stores, and a load
 * does not enter the span of the stores: those are told first. So a loop that updates an array in place is two events.
 * Only where it matters what the bytes were (sim_observer.unwritten), a load of them is told before a store is made.
 * What is no plain load or store (a copy by libc: its load and its store belong together) is told at once. A block in
 * which the PE jumps about becomes an area (area.c).
 *
 * A load may also be a scheduling point: a loop that spins on a plain load would otherwise never see what it waits
 * for. A PE that loads the same bytes by the same instruction again and again, and sees the same value, only looks.
 * One that waits in a larger loop cannot be told from one that computes: so now and then a long stretch of loads is a
 * scheduling point as well, and if it goes on and on the PE counts as one that looks. Loads that walk on through
 * memory are no such stretch.
 */
#include <stdlib.h>
#include <string.h>

#include "reference/check/hooks.h"
#include "sim/sim.h"

/* So many equal loads in a row make a poll. */
#define SPIN_LOADS 32

/* So many stretches of FP_STRETCH_LOADS are not waited for any more. */
#define BUSY_STRETCHES 8

static void
tell(struct sim_pe *sp, const struct fp_stream *stream)
{
    struct sim *sim = sp->sim;
    struct sim_event *event = &sim->access;
    if (!sim->observing)
        return;
    event->kind = !strcmp(stream->name, "atomic") ? SIM_EV_ATOMIC : stream->write ? SIM_EV_STORE : SIM_EV_LOAD;
    event->pe = sp->rank;
    event->address = stream->start;
    event->place = fp_place_of(sim->job, stream->start);
    event->bytes = (size_t)(stream->end - stream->start);
    event->grain = stream->grain;
    event->name = stream->name;
    event->site = fp_site_of(sim->job, sp->rank, stream->site);
    sim_emit_access(sim, event);
}

static void
widen_stores(struct fp_streams *streams, const char *at, const char *end)
{
    if (at < streams->store_lo)
        streams->store_lo = at;
    if (end > streams->store_hi)
        streams->store_hi = end;
}

/* Around what the open streams of stores have. An end without a beginning is far above. */
static void
span_stores(struct sim_pe *sp)
{
    struct fp_streams *streams = sp->streams;
    streams->store_lo = (const char *)UINTPTR_MAX;
    streams->store_hi = NULL;
    for (uint64_t open = sp->open_streams[1]; open; open &= open - 1) {
        const struct fp_stream *stream = &streams->at[__builtin_ctzll(open)];
        if (stream->start < stream->end)
            widen_stores(streams, stream->start, stream->end);
    }
}

/* What the stream has goes to its set. */
static void
put_away(struct sim_pe *sp, struct fp_stream *stream)
{
    if (stream->start == stream->end)
        return;
    fp_set_take_range(stream->set, stream->start, (size_t)(stream->end - stream->start));
    stream->start = stream->end;
    if (stream->write)
        span_stores(sp);
}

/* Closed first: telling must not find it open. */
static void
close_stream(struct sim_pe *sp, struct fp_stream *stream)
{
    stream->key = 0;
    sp->open_streams[stream->write] &= ~(UINT64_C(1) << (stream - sp->streams->at));
    if (stream->set)
        put_away(sp, stream);
    else
        tell(sp, stream);
}

void
sim_access_tell_streams(struct sim_pe *sp)
{
    struct fp_streams *streams = sp->streams;
    if (!(sp->open_streams[0] | sp->open_streams[1]))
        return;
    for (int write = 0; write < 2; write++)
        while (sp->open_streams[write])
            close_stream(sp, &streams->at[__builtin_ctzll(sp->open_streams[write])]);
    span_stores(sp);
}

void
sim_access_tell_(struct sim_pe *sp)
{
    sim_access_tell_streams(sp);
    if (sp->open_areas)
        sim_areas_tell(sp);
}

void
sim_access_free(struct sim_pe *sp)
{
    sim_areas_free(sp);
    free(sp->streams);
    sp->streams = sp->pe->streams = NULL;
    sp->open_streams[0] = sp->open_streams[1] = 0;
}

static struct fp_streams *
streams_new(struct sim_pe *sp)
{
    sp->streams = calloc(1, sizeof *sp->streams);
    if (!sp->streams)
        fp_env_fail("out of memory for the plain accesses of PE %d: run fewer PEs", sp->rank);
    span_stores(sp);
    return sp->pe->streams = sp->streams;
}

static void
poll_if_spinning(struct sim_pe *sp, const void *address, size_t bytes, const char *name, const void *site)
{
    uint64_t value = 0;
    memcpy(&value, address, bytes < sizeof value ? bytes : sizeof value);
    if (sp->spin_address != address || sp->spin_site != site || sp->spin_value != value) {
        sp->spin_address = address;
        sp->spin_site = site;
        sp->spin_value = value;
        sp->spin_count = 0;
        return;
    }
    if (++sp->spin_count < SPIN_LOADS)
        return;
    sp->spin_count = 0;
    sp->call = (shmem_call_t){name, site};
    sp->clock += sp->sim->net.overhead_ns;
    sim_poll_point(sp);
}

static void
end_stretch(struct sim_pe *sp, const char *name, const void *site)
{
    uint32_t stretches = sp->stretches + 1;
    sp->call = (shmem_call_t){name, site};
    sp->clock += sp->sim->net.overhead_ns;
    sim_stretch_point(sp, stretches > BUSY_STRETCHES);
    sp->stretches = stretches;
}

/* Whether [at, end) and [lo, hi) have bytes in common. */
static bool
meets(const char *at, const char *end, const char *lo, const char *hi)
{
    return at < hi && end > lo;
}

/* Closes a stream whose place is needed. What has been loaded of a store's bytes was loaded before. */
static void
make_room(struct sim_pe *sp, struct fp_stream *stream)
{
    struct fp_stream *at = sp->streams->at;
    for (uint64_t open = stream->write ? sp->open_streams[0] : 0; open; open &= open - 1) {
        struct fp_stream *load = &at[__builtin_ctzll(open)];
        if (meets(load->start, load->end, stream->start, stream->end))
            close_stream(sp, load);
    }
    close_stream(sp, stream);
}

/* Something else than a plain load or store. */
static void
access_now(struct sim_pe *sp, const struct fp_stream *stream)
{
    if (!stream->write)
        poll_if_spinning(sp, stream->start, stream->grain, stream->name, stream->site);
    sim_access_tell(sp);
    tell(sp, stream);
}

bool
sim_unwritten(const struct sim *sim, const char *at, size_t bytes)
{
    for (int i = 0; i < sim->nobservers; i++)
        if (sim->observers[i]->unwritten && sim->observers[i]->unwritten(sim->observer_self[i], at, bytes))
            return true;
    return false;
}

/* A store to [at, end) is about to be made. */
static void
tell_loads_of(struct sim_pe *sp, const char *at, const char *end)
{
    for (uint64_t open = sp->open_streams[0]; open; open &= open - 1) {
        const struct fp_stream *load = &sp->streams->at[__builtin_ctzll(open)];
        if (meets(load->start, load->end, at, end)) {
            sim_access_tell(sp);
            return;
        }
    }
}

static void
grow(struct sim_pe *sp, struct fp_stream *stream, const char *end)
{
    if (stream->limit < end && !(stream->write && sim_unwritten(sp->sim, stream->end, 1))) /* for the first time */
        stream->limit = fp_touch_limit(sp->pe, stream->end);
    if (stream->write)
        widen_stores(sp->streams, stream->end, end);
    stream->end = end;
}

/* The block becomes an area: what streams have gathered there came first. */
static struct fp_area *
open_area(struct sim_pe *sp, const char *at, const char *end)
{
    struct fp_area *area = sim_area_open(sp, at, end);
    const char *lo = area ? (const char *)area->lo : NULL, *hi = area ? lo + area->bytes : NULL;
    for (int write = 0; area && write < 2; write++)
        for (uint64_t open = sp->open_streams[write]; open; open &= open - 1) {
            struct fp_stream *stream = &sp->streams->at[__builtin_ctzll(open)];
            if (meets(stream->start, stream->end, lo, hi))
                close_stream(sp, stream);
        }
    return area;
}

/* A load that told nothing new: spins, or is one of a long stretch. True: everything has been told. */
static bool
loaded_again(struct sim_pe *sp, const struct fp_stream *access)
{
    struct fp_streams *streams = sp->streams;
    if (++streams->nagain >= FP_STRETCH_LOADS) {
        end_stretch(sp, access->name, access->site);
        return true;
    }
    if (streams->again == access->start)
        poll_if_spinning(sp, access->start, access->grain, access->name, access->site);
    streams->again = access->start;
    return false;
}

/* The access goes to the set of its instruction; what continues it will be a stream there. False: it does not. */
static bool
area_access(struct sim_pe *sp, struct fp_area *area, const struct fp_stream *access)
{
    uintptr_t key = fp_stream_key(access->site, access->write);
    struct fp_stream *stream = fp_stream_of(sp->streams, access->site, access->write);
    if (stream->key == key && stream->set && stream->set->area == area) {
        put_away(sp, stream);
    } else {
        struct fp_set *set = fp_area_set(area, key, access->grain, access->write, access->name, access->site);
        if (!set) { /* too many instructions: the area begins anew when the PE jumps again */
            sim_access_tell(sp);
            return false;
        }
        if (stream->key)
            make_room(sp, stream);
        *stream = *access;
        stream->key = key;
        stream->set = set;
        stream->limit = (const char *)area->lo + area->bytes;
        sp->open_streams[access->write] |= UINT64_C(1) << (stream - sp->streams->at);
    }
    bool new = fp_set_take_range(stream->set, access->start, access->grain);
    stream->start = stream->end = access->end;
    if (!new && !access->write)
        loaded_again(sp, access);
    return true;
}

void
sim_access(const void *address, size_t bytes, bool write, const char *name, const void *site)
{
    struct sim_pe *sp = fp_self->backend;
    struct sim *sim = sp->sim;
    if (sim->running != sp || bytes == 0)
        return;
    struct fp_streams *streams = sp->streams ? sp->streams : streams_new(sp);
    struct fp_stream *stream = fp_stream_of(streams, site, write);
    const char *at = address, *end = at + bytes;
    bool plain = strcmp(name, write ? "store" : "load") == 0;
    if (write && sp->open_streams[0] && sim_unwritten(sim, at, bytes))
        tell_loads_of(sp, at, end);
    struct fp_stream new = {
        .start = at, .end = end, .limit = end, .grain = bytes, .site = site, .name = name, .write = write};
    struct fp_area *area = plain ? sim_area_of(sp, at, end) : NULL;
    if (area && !write && meets(at, end, streams->store_lo, streams->store_hi))
        sim_access_tell_streams(sp);
    if (area && area_access(sp, area, &new))
        return;
    bool known = plain && stream->key == fp_stream_key(site, write), same = known && !stream->set;
    bool stored = !write && meets(at, end, streams->store_lo, streams->store_hi);
    if (same && !stored && stream->end == at) {
        grow(sp, stream, end);
        return;
    }
    bool inside = same && !stored && stream->start <= at && end <= stream->end;
    if ((known || stored) && !inside && (area = open_area(sp, at, end)) && area_access(sp, area, &new))
        return;
    if (!write && !sim->search && (++sp->stretch_loads >= FP_STRETCH_LOADS || streams->nagain >= FP_STRETCH_LOADS)) {
        end_stretch(sp, name, site); /* everything has been told */
    } else if (inside) {
        if (!write)
            poll_if_spinning(sp, address, bytes, name, site);
        return;
    }
    if (!plain) {
        if (!write)
            poll_if_spinning(sp, address, bytes, name, site);
        access_now(sp, &new);
        return;
    }
    if (stored)
        sim_access_tell(sp);
    else if (stream->key)
        make_room(sp, stream);
    new.key = fp_stream_key(site, write);
    *stream = new;
    sp->open_streams[write] |= UINT64_C(1) << (stream - streams->at);
    if (write)
        widen_stores(streams, at, end);
}
