/* access.c -- plain loads and stores of the program, as the hooks tell them.
 *
 * Between two scheduling points nothing but the running PE happens, so what it loads and stores there may be told to
 * the observers late, as long as it is before anything else: accesses that one instruction makes to adjacent bytes
 * are gathered into one range (a stream), and so are repeated ones. A loop over an array is then one event a
 * scheduling point, not one an element. A load and a store of the same bytes keep their order: what is gathered is
 * told before a load enters the span of the stores, or a store that of the loads.
 *
 * A load may also be a scheduling point: a loop that spins on a plain load would otherwise never see what it waits
 * for. A PE that loads the same bytes by the same instruction again and again, and sees the same value, only looks.
 * One that waits in a larger loop cannot be told from one that computes: so now and then a long stretch of loads is a
 * scheduling point as well, and if it goes on and on the PE counts as one that looks. Loads that walk on through
 * memory are no such stretch.
 */
#include <string.h>

#include "sim/sim.h"

/* So many equal loads in a row make a poll. */
#define SPIN_LOADS 32

/* So many loads without a call are a stretch; so many stretches are not waited for any more. */
#define STRETCH_LOADS 4096
#define BUSY_STRETCHES 8

static void
tell(struct sim_pe *sp, struct sim_stream *stream)
{
    struct sim *sim = sp->sim;
    const char *start = stream->start;
    size_t bytes = (size_t)(stream->end - start);
    stream->start = NULL; /* closed: telling must not find it open */
    if (!sim->observing)
        return;
    sim_emit_(sim, &(struct sim_event){.kind = stream->write ? SIM_EV_STORE : SIM_EV_LOAD,
                                       .pe = sp->rank,
                                       .address = start,
                                       .place = fp_place_of(sim->job, start),
                                       .bytes = bytes,
                                       .grain = stream->grain,
                                       .name = stream->name,
                                       .site = fp_site_of(sim->job, sp->rank, stream->site)});
}

void
sim_access_tell(struct sim_pe *sp)
{
    uint32_t open = sp->open_streams;
    sp->open_streams = 0;
    sp->spans[0] = sp->spans[1] = (struct sim_span){NULL, NULL};
    for (; open; open &= open - 1) {
        struct sim_stream *stream = &sp->streams[__builtin_ctz(open)];
        if (stream->start)
            tell(sp, stream);
    }
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

static struct sim_stream *
stream_of(struct sim_pe *sp, const void *site)
{
    uintptr_t key = (uintptr_t)site;
    return &sp->streams[(key ^ key >> 5) % SIM_STREAMS];
}

/* Whether [at, end) lies clear of what the other kind of access has gathered. */
static bool
clear_of(const struct sim_span *other, const char *at, const char *end)
{
    return end <= other->lo || at >= other->hi;
}

static void
widen(struct sim_span *span, const char *at, const char *end)
{
    if (!span->lo || at < span->lo)
        span->lo = at;
    if (end > span->hi)
        span->hi = end;
}

void
sim_access(const void *address, size_t bytes, bool write, const char *name, const void *site)
{
    struct sim_pe *sp = fp_self->backend;
    struct sim *sim = sp->sim;
    const char *at = address, *end = at + bytes;
    struct sim_stream *stream = stream_of(sp, site);
    if (stream->start && stream->site == site && stream->write == write && clear_of(&sp->spans[!write], at, end)) {
        if (stream->end == at) {
            stream->end = end;
            if (end > sp->spans[write].hi)
                sp->spans[write].hi = end;
            return;
        }
        if (stream->start <= at && end <= stream->end) {
            if (write)
                return;
            if (++sp->stretch_loads < STRETCH_LOADS || sim->search) {
                poll_if_spinning(sp, address, bytes, name, site);
                return;
            }
        }
    }
    if (sim->running != sp || bytes == 0)
        return;
    if (!write && !sim->search && ++sp->stretch_loads >= STRETCH_LOADS)
        end_stretch(sp, name, site);
    if (!clear_of(&sp->spans[!write], at, end))
        sim_access_tell(sp);
    else if (stream->start)
        tell(sp, stream);
    *stream = (struct sim_stream){.start = at, .end = end, .grain = bytes, .site = site, .name = name, .write = write};
    widen(&sp->spans[write], at, end);
    sp->open_streams |= 1u << (stream - sp->streams);
}
