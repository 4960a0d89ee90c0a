/* unneeded.c -- fences, quiets, barriers and syncs that had nothing to order in this run (--unneeded).
 *
 * A fence or quiet had something to order if its PE has issued an operation on the context, or stored to symmetric
 * memory, since the last one. A barrier or sync had, if any member has done anything that another PE can notice since
 * it left the last one. A place in the code is told when none of its calls had. That is weaker than "could go": a call
 * that had something to order may still be more than the program needs. And it holds for this run alone; a barrier may
 * also stand there for the order of output, or for a clock. Stores are seen only with -fsanitize=shmem.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/check/check.h"
#include "sim/event.h"

struct place {
    struct place *next; /* in order of first call */
    fp_site_t site;
    const char *name;
    int pe; /* of the first call */
    uint64_t calls, needed;
};

struct context {
    struct context *next;
    uint32_t id;
    uint64_t fenced, quieted; /* value of the PE's `shared` at the last one */
    uint64_t issued;          /* value of it at the last issue on the context */
};

struct unneeded_pe {
    struct context *contexts;
    uint64_t shared; /* operations and stores to symmetric memory so far */
    uint64_t stored; /* value of `shared` at the last store */
    bool noticeable; /* it has done something since it left the last meeting */
    struct meeting *meeting;
};

/* A barrier or sync that not all have left. */
struct meeting {
    struct meeting *next;
    int team, inside;
    uint64_t seq;
    bool needed, closed;
};

struct unneeded {
    struct fp_job *job;
    struct unneeded_pe *pes;
    struct meeting *meetings;
    struct place *places, **last;
};

static void *
must(void *memory)
{
    if (!memory)
        fp_env_fail("out of memory: run without --unneeded");
    return memory;
}

static void *
unneeded_open(struct fp_job *job)
{
    struct unneeded *u = must(calloc(1, sizeof *u));
    u->job = job;
    u->last = &u->places;
    u->pes = must(calloc((size_t)job->npes, sizeof *u->pes));
    if (!job->hooked)
        fp_job_unseen(job, "whether fences order plain stores (--unneeded)");
    return u;
}

static void
count(struct unneeded *u, const struct sim_event *event, bool needed)
{
    struct place *place = u->places;
    while (place && (place->site != event->site || strcmp(place->name, event->name) != 0))
        place = place->next;
    if (!place) {
        place = must(calloc(1, sizeof *place));
        place->site = event->site;
        place->name = event->name;
        place->pe = event->pe;
        *u->last = place;
        u->last = &place->next;
    }
    place->calls++;
    place->needed += needed;
}

static struct context *
context_of(struct unneeded_pe *up, uint32_t id)
{
    struct context *context = up->contexts;
    while (context && context->id != id)
        context = context->next;
    if (!context) {
        context = must(calloc(1, sizeof *context));
        context->id = id;
        context->next = up->contexts;
        up->contexts = context;
    }
    return context;
}

static void
on_order(struct unneeded *u, const struct sim_event *event)
{
    struct unneeded_pe *up = &u->pes[event->pe];
    struct context *context = context_of(up, event->ctx->id);
    bool fence = event->kind == SIM_EV_FENCE;
    uint64_t since = fence ? context->fenced : context->quieted;
    bool asked = strstr(event->name, "quiet") || strstr(event->name, "fence"); /* else part of another call */

    if (asked)
        count(u, event, context->issued > since || up->stored > since);
    context->fenced = up->shared;
    if (!fence)
        context->quieted = up->shared;
}

static void
on_enter(struct unneeded *u, const struct sim_event *event)
{
    struct unneeded_pe *up = &u->pes[event->pe];
    struct meeting *meeting = u->meetings;
    while (meeting && (meeting->team != event->coll->team || meeting->seq != event->coll->seq || meeting->closed))
        meeting = meeting->next;
    if (!meeting) {
        meeting = must(calloc(1, sizeof *meeting));
        meeting->team = event->coll->team;
        meeting->seq = event->coll->seq;
        meeting->next = u->meetings;
        u->meetings = meeting;
    }
    meeting->inside++;
    meeting->needed |= up->noticeable;
    up->meeting = meeting;
}

static void
on_leave(struct unneeded *u, const struct sim_event *event)
{
    struct unneeded_pe *up = &u->pes[event->pe];
    struct meeting *meeting = up->meeting, **at = &u->meetings;
    if (!meeting)
        return;
    if (strstr(event->name, "barrier") || strstr(event->name, "sync"))
        count(u, event, meeting->needed);
    up->noticeable = false;
    up->meeting = NULL;
    meeting->closed = true;
    if (--meeting->inside > 0)
        return;
    while (*at != meeting)
        at = &(*at)->next;
    *at = meeting->next;
    free(meeting);
}

static void
unneeded_event(void *self, const struct sim_event *event)
{
    struct unneeded *u = self;
    struct unneeded_pe *up = &u->pes[event->pe];

    switch (event->kind) {
    case SIM_EV_ISSUE:
        up->noticeable = true;
        if (!(event->op->flags & SHMEM_OPF_INTERNAL))
            context_of(up, event->op->ctx->id)->issued = ++up->shared;
        break;
    case SIM_EV_STORE:
        if (event->place.region == FP_PRIVATE)
            break;
        up->stored = ++up->shared;
        up->noticeable = true;
        break;
    case SIM_EV_LOAD:
        up->noticeable |= event->place.region != FP_PRIVATE;
        break;
    case SIM_EV_FENCE:
    case SIM_EV_QUIET:
    case SIM_EV_PE_QUIET:
        on_order(u, event);
        break;
    case SIM_EV_SYNC_ENTER:
        on_enter(u, event);
        break;
    case SIM_EV_SYNC_LEAVE:
        on_leave(u, event);
        break;
    case SIM_EV_WAIT:
    case SIM_EV_LOCK_SET:
    case SIM_EV_LOCK_CLEAR:
    case SIM_EV_COLL_ENTER:
        up->noticeable = true;
        break;
    default:
        break;
    }
}

static void
tell(struct unneeded *u, const struct place *place)
{
    struct fp_finding f = {.class_ = FP_CLASS_NOTE, .rule = "S 9.12", .naccesses = 1};
    bool meets = strstr(place->name, "barrier") || strstr(place->name, "sync");
    snprintf(f.message, sizeof f.message, "%s had nothing to order in %s%llu call%s of this run: %s", place->name,
             place->calls == 1 ? "the " : "any of the ", (unsigned long long)place->calls, place->calls == 1 ? "" : "s",
             meets ? "since the last barrier or sync no member had done anything that another can notice"
                   : "no operation on the context and no store to symmetric memory came before it");
    snprintf(f.repair, sizeof f.repair, "%s",
             meets ? "leave it out, if it is not there for the order of output or for a clock" : "leave it out");
    f.accesses[0] = (struct fp_access){.pe = place->pe, .op = place->name, .kind = FP_CALL, .site = place->site};
    fp_report_add(u->job->report, &f);
}

static void
unneeded_forget(void *self, struct sim_op *op)
{
    (void)self, (void)op;
}

static void
unneeded_close(void *self)
{
    struct unneeded *u = self;
    for (struct place *place = u->places, *next; place; place = next) {
        next = place->next;
        if (place->needed == 0)
            tell(u, place);
        free(place);
    }
    for (int pe = 0; pe < u->job->npes; pe++)
        for (struct context *context = u->pes[pe].contexts, *next; context; context = next) {
            next = context->next;
            free(context);
        }
    for (struct meeting *meeting = u->meetings, *next; meeting; meeting = next) {
        next = meeting->next;
        free(meeting);
    }
    free(u->pes);
    free(u);
}

const struct sim_observer sim_observer_unneeded = {.name = "unneeded",
                                                   .open = unneeded_open,
                                                   .event = unneeded_event,
                                                   .forget = unneeded_forget,
                                                   .close = unneeded_close};
