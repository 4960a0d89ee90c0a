/* notes.c -- what is legal and still worth a word (--notes): no finding, no exit status.
 *
 *   E094  two atomics of one PE on one location whose order counts, with no fence in between (A3: portable programs
 *         do not rely on it)
 *   E082  a signal is set to the value that it has, and nobody has looked at it in between: a waiter that counts
 *         misses one
 *   E184  two locks are taken in one order here and in the other there: some schedule may block for ever
 *   E190, E191  shmem_global_exit while operations of the PE are pending
 *
 * Unlike the verdicts on races these depend on what happened in this run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/check/check.h"
#include "sim/event.h"

#define RECENT 16
#define HELD_MAX 8

/* The last atomics of a PE. */
struct recent {
    struct fp_place place; /* bytes 0: free */
    uint32_t ctx;
    shmem_amo_t amo;
    bool fetching;
    fp_site_t site;
    const char *name;
    size_t bytes;
};

struct held {
    enum fp_region region;
    uint64_t offset;
    fp_site_t site;
};

/* Operations that no quiet has completed, by context. */
struct pending {
    struct pending *next;
    uint32_t ctx;
    uint64_t count;
    bool nbi;
    fp_site_t site; /* of the last one */
    const char *name;
};

struct notes_pe {
    struct recent recent[RECENT];
    unsigned next;
    struct held held[HELD_MAX];
    int nheld;
    struct pending *pending;
};

/* A signal object: has somebody looked since it was set? */
struct signal {
    struct signal *next;
    struct fp_place place;
    bool looked;
    unsigned char value[8];
    fp_site_t site;
    const char *name;
    int pe;
};

/* Lock `second` was taken while `first` was held. */
struct lock_order {
    struct lock_order *next;
    struct held first, second;
    int pe;
};

struct notes {
    struct fp_job *job;
    struct notes_pe *pes;
    struct signal *signals;
    struct lock_order *orders;
};

static void *
must(void *memory)
{
    if (!memory)
        fp_env_fail("out of memory for notes: run without --notes");
    return memory;
}

static void *
notes_open(struct fp_job *job)
{
    struct notes *notes = must(calloc(1, sizeof *notes));
    notes->job = job;
    notes->pes = must(calloc((size_t)job->npes, sizeof *notes->pes));
    return notes;
}

static struct fp_finding
note_of(const char *rule)
{
    return (struct fp_finding){.class_ = FP_CLASS_NOTE, .rule = rule};
}

static void
add_access(struct fp_finding *f, int pe, const char *op, enum fp_access_kind kind, fp_site_t site)
{
    f->accesses[f->naccesses++] = (struct fp_access){.pe = pe, .op = op, .kind = kind, .site = site};
}

static bool
same_place(const struct fp_place *a, const struct fp_place *b)
{
    return a->region == b->region && a->pe == b->pe && a->offset == b->offset;
}

/* ---- Order of atomics ------------------------------------------------------------------------------------------- */

/* Two updates that give the same in either order, or a pair that nobody reads, are no reason for a note. */
static bool
order_counts(const struct recent *first, const struct recent *second)
{
    bool first_sets = first->amo == SHMEM_AMO_SET || first->amo == SHMEM_AMO_CSWAP || first->amo == SHMEM_AMO_SWAP;
    bool second_sets = second->amo == SHMEM_AMO_SET;
    return second->fetching || first_sets || second_sets || first->amo != second->amo;
}

static void
on_atomic(struct notes *notes, const struct sim_event *event)
{
    const struct sim_op *op = event->op;
    struct notes_pe *np = &notes->pes[op->origin];
    struct recent now = {.place = fp_place_of(notes->job, event->remote),
                         .ctx = op->ctx->id,
                         .amo = op->amo,
                         .fetching = op->flags & SHMEM_OPF_FETCH,
                         .site = op->site,
                         .name = op->call.name,
                         .bytes = op->elem_bytes};
    for (int i = 0; i < RECENT; i++) {
        const struct recent *before = &np->recent[i];
        if (!before->bytes || before->ctx != now.ctx || !same_place(&before->place, &now.place) || before->fetching ||
            !order_counts(before, &now))
            continue;
        struct fp_finding f = note_of("E094, S 3.2");
        snprintf(f.message, sizeof f.message,
                 "%s and then %s on the same location without a fence in between: OpenSHMEM does not say that they are "
                 "carried out in this order",
                 before->name, now.name);
        snprintf(f.repair, sizeof f.repair, "shmem_fence between the two");
        fp_describe_object(notes->job, &f, event->remote);
        add_access(&f, op->origin, before->name, FP_ATOMIC, before->site);
        add_access(&f, op->origin, now.name, FP_ATOMIC, now.site);
        fp_report_add(notes->job->report, &f);
        break;
    }
    np->recent[np->next++ % RECENT] = now;
}

static void
ordered(struct notes *notes, const struct sim_event *event)
{
    struct recent *recent = notes->pes[event->pe].recent;
    for (int i = 0; i < RECENT; i++)
        if (recent[i].ctx == event->ctx->id)
            recent[i].bytes = 0;
}

/* ---- Signals ---------------------------------------------------------------------------------------------------- */

static struct signal *
signal_at(struct notes *notes, const struct fp_place *place)
{
    struct signal *signal = notes->signals;
    while (signal && !same_place(&signal->place, place))
        signal = signal->next;
    return signal;
}

static void
on_rmw(struct notes *notes, const struct sim_event *event)
{
    const struct sim_op *op = event->op;
    shmem_amo_t amo = op->kind == SHMEM_OP_PUT ? op->sig_op : op->amo;
    struct signal *signal = signal_at(notes, &event->place);
    if (!event->signal || amo != SHMEM_AMO_SET) {
        if (signal)
            signal->looked = true;
        return;
    }
    if (signal && !signal->looked && memcmp(event->value, signal->value, sizeof signal->value) == 0) {
        struct fp_finding f = note_of("E082, S 9.8");
        snprintf(f.message, sizeof f.message,
                 "a signal was set again before anybody looked at it: one that waits twice misses a message");
        snprintf(f.repair, sizeof f.repair, "use SHMEM_SIGNAL_ADD and wait for the count, or a signal a message");
        fp_describe_object(notes->job, &f, event->address);
        add_access(&f, signal->pe, signal->name, FP_ATOMIC, signal->site);
        add_access(&f, op->origin, op->call.name, FP_ATOMIC, op->site);
        fp_report_add(notes->job->report, &f);
    }
    if (!signal) {
        signal = must(calloc(1, sizeof *signal));
        signal->place = event->place;
        signal->next = notes->signals;
        notes->signals = signal;
    }
    signal->looked = false;
    memcpy(signal->value, event->value, sizeof signal->value);
    signal->site = op->site;
    signal->name = op->call.name;
    signal->pe = op->origin;
}

static void
on_look(struct notes *notes, const struct sim_event *event)
{
    for (struct signal *signal = notes->signals; signal; signal = signal->next)
        if (signal->place.region == event->place.region && signal->place.pe == event->place.pe &&
            sim_event_has(event, signal->place.offset - event->place.offset))
            signal->looked = true;
}

/* ---- Locks ------------------------------------------------------------------------------------------------------ */

static bool
same_lock(const struct held *a, const struct held *b)
{
    return a->region == b->region && a->offset == b->offset;
}

static void
order_add(struct notes *notes, const struct held *first, const struct held *second, int pe)
{
    for (const struct lock_order *o = notes->orders; o; o = o->next) {
        if (o->pe == pe && same_lock(&o->first, first) && same_lock(&o->second, second))
            return;
        if (o->pe == pe || !same_lock(&o->first, second) || !same_lock(&o->second, first))
            continue;
        struct fp_finding f = note_of("E184, S 9.13");
        snprintf(f.message, sizeof f.message,
                 "PE %d takes two locks in one order, PE %d in the other: each may wait for the other's", o->pe, pe);
        snprintf(f.repair, sizeof f.repair, "take them in the same order on every PE");
        add_access(&f, o->pe, "shmem_set_lock", FP_CALL, o->second.site);
        add_access(&f, pe, "shmem_set_lock", FP_CALL, second->site);
        fp_report_add(notes->job->report, &f);
    }
    struct lock_order *order = must(calloc(1, sizeof *order));
    *order = (struct lock_order){.next = notes->orders, .first = *first, .second = *second, .pe = pe};
    notes->orders = order;
}

static void
on_lock(struct notes *notes, const struct sim_event *event)
{
    struct notes_pe *np = &notes->pes[event->pe];
    struct held lock = {event->place.region, event->place.offset, event->site};
    for (int i = 0; i < np->nheld; i++) {
        if (event->kind == SIM_EV_LOCK_SET) {
            order_add(notes, &np->held[i], &lock, event->pe);
        } else if (same_lock(&np->held[i], &lock)) {
            np->held[i] = np->held[--np->nheld];
            return;
        }
    }
    if (event->kind == SIM_EV_LOCK_SET && np->nheld < HELD_MAX)
        np->held[np->nheld++] = lock;
}

/* ---- What is pending -------------------------------------------------------------------------------------------- */

static void
on_issue(struct notes *notes, const struct sim_event *event)
{
    const struct sim_op *op = event->op;
    struct pending *pending = notes->pes[op->origin].pending;
    if (op->flags & SHMEM_OPF_INTERNAL)
        return;
    if (op->kind == SHMEM_OP_AMO && !(op->flags & SHMEM_OPF_SIGNAL))
        on_atomic(notes, event);
    if (!(op->flags & SHMEM_OPF_NBI) &&
        (op->kind == SHMEM_OP_GET || (op->kind == SHMEM_OP_AMO && op->flags & SHMEM_OPF_FETCH)))
        return;
    while (pending && pending->ctx != op->ctx->id)
        pending = pending->next;
    if (!pending) {
        pending = must(calloc(1, sizeof *pending));
        pending->ctx = op->ctx->id;
        pending->next = notes->pes[op->origin].pending;
        notes->pes[op->origin].pending = pending;
    }
    pending->count++;
    pending->nbi |= (op->flags & SHMEM_OPF_NBI) != 0;
    pending->site = op->site;
    pending->name = op->call.name;
}

static void
on_quiet(struct notes *notes, const struct sim_event *event)
{
    for (struct pending *p = notes->pes[event->pe].pending; p; p = p->next)
        if (p->ctx == event->ctx->id) {
            p->count = 0;
            p->nbi = false;
        }
}

static void
note_pending(struct notes *notes)
{
    struct fp_job *job = notes->job;
    if (!job->exit_call.name)
        return;
    for (const struct pending *p = notes->pes[job->exit_pe].pending; p; p = p->next) {
        if (p->count == 0)
            continue;
        struct fp_finding f = note_of(p->nbi ? "E191, S 9.1.6" : "E190, S 9.1.6");
        snprintf(f.message, sizeof f.message,
                 "shmem_global_exit while %llu operation%s of PE %d may not have been carried out yet",
                 (unsigned long long)p->count, p->count == 1 ? "" : "s", job->exit_pe);
        snprintf(f.repair, sizeof f.repair, "shmem_quiet before shmem_global_exit, if anybody is to see them");
        add_access(&f, job->exit_pe, p->name, FP_WRITE, p->site);
        add_access(&f, job->exit_pe, job->exit_call.name, FP_CALL, fp_site_of(job, job->exit_pe, job->exit_call.site));
        fp_report_add(job->report, &f);
    }
}

/* ---- Events ----------------------------------------------------------------------------------------------------- */

static void
notes_event(void *self, const struct sim_event *event)
{
    struct notes *notes = self;
    switch (event->kind) {
    case SIM_EV_ISSUE:
        on_issue(notes, event);
        break;
    case SIM_EV_RMW:
        on_rmw(notes, event);
        break;
    case SIM_EV_FENCE:
        ordered(notes, event);
        break;
    case SIM_EV_QUIET:
        ordered(notes, event);
        on_quiet(notes, event);
        break;
    case SIM_EV_WAIT:
    case SIM_EV_LOAD:
        on_look(notes, event);
        break;
    case SIM_EV_LOCK_SET:
    case SIM_EV_LOCK_CLEAR:
        on_lock(notes, event);
        break;
    default:
        break;
    }
}

static void
notes_forget(void *self, struct sim_op *op)
{
    (void)self, (void)op;
}

static void
notes_close(void *self)
{
    struct notes *notes = self;
    note_pending(notes);
    for (int pe = 0; pe < notes->job->npes; pe++)
        for (struct pending *p = notes->pes[pe].pending, *next; p; p = next) {
            next = p->next;
            free(p);
        }
    for (struct signal *s = notes->signals, *next; s; s = next) {
        next = s->next;
        free(s);
    }
    for (struct lock_order *o = notes->orders, *next; o; o = next) {
        next = o->next;
        free(o);
    }
    free(notes->pes);
    free(notes);
}

const struct sim_observer sim_observer_notes = {
    .name = "notes", .open = notes_open, .event = notes_event, .forget = notes_forget, .close = notes_close};
