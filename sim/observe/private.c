/* private.c -- private buffers that pending nonblocking operations still use (1.14).
 *
 * Nobody but the PE itself can touch its private memory, and nearly all of its accesses there are of no interest. So
 * there is no shadow for it: only the buffers of put_nbi (read until quiet), get_nbi and nonblocking fetches
 * (written until quiet) are listed, and fp_pe.watch_private tells the hooks to report private accesses while there
 * are any.
 */
#include <stdio.h>
#include <stdlib.h>

#include "reference/check/check.h"
#include "sim/observe/race.h"

struct race_private {
    struct race_private *next;
    const char *from, *to;
    struct race_op *op;
    bool writes, told;
};

void
private_add(struct race *race, struct race_op *op, const struct sim_event *event, bool writes)
{
    if (event->place.region != FP_PRIVATE)
        return;
    struct race_pe *rp = &race->pes[op->origin];
    struct race_private *buffer = race_alloc(sizeof *buffer);
    const char *from = event->address;

    *buffer = (struct race_private){
        .next = rp->privates, .from = from, .to = from + event->bytes, .op = op, .writes = writes};
    op->refs++;
    rp->privates = buffer;
    race->job->pes[op->origin].watch_private = true;
}

void
private_done(struct race *race, int pe)
{
    struct race_pe *rp = &race->pes[pe];

    for (struct race_private **at = &rp->privates; *at;) {
        struct race_private *buffer = *at;
        if (!buffer->op->done) {
            at = &buffer->next;
            continue;
        }
        *at = buffer->next;
        race_op_drop(buffer->op);
        free(buffer);
    }
    if (!rp->privates)
        race->job->pes[pe].watch_private = false;
}

/* What lies below the program's stack pointer belongs to a function that has returned: the operation may still use what
 * others have put there since (E092). */
void
private_gone(struct race *race, const struct sim_event *event)
{
    struct fp_pe *pe = &race->job->pes[event->pe];
    uintptr_t stack = pe->user_stack;

    for (struct race_private *buffer = race->pes[event->pe].privates; buffer && stack; buffer = buffer->next) {
        const struct race_op *op = buffer->op;
        if (buffer->told || (uintptr_t)buffer->from >= stack || !fp_on_own_stack(pe, buffer->from) ||
            !fp_on_own_stack(pe, (const void *)stack))
            continue;
        struct fp_finding f = {.class_ = FP_CLASS_LIFETIME, .rule = "E092, S 4.2", .naccesses = 2};
        buffer->told = true;
        snprintf(f.message, sizeof f.message,
                 "%s by PE %d is pending until %s, and its %s belongs to a function that has returned before", op->name,
                 event->pe, event->name, buffer->writes ? "destination" : "source");
        snprintf(f.repair, sizeof f.repair, "shmem_quiet before the function returns, or a buffer that outlives it");
        snprintf(f.object.name, sizeof f.object.name, "private memory");
        f.object.pe = event->pe;
        f.accesses[0] = (struct fp_access){.pe = event->pe,
                                           .op = op->name,
                                           .kind = buffer->writes ? FP_WRITE : FP_READ,
                                           .site = op->site,
                                           .note = "pending until a quiet on its context"};
        f.accesses[1] = (struct fp_access){.pe = event->pe, .op = event->name, .kind = FP_CALL, .site = event->site};
        fp_report_add(race->job->report, &f);
    }
}

void
private_close(struct race *race)
{
    for (int i = 0; i < race->job->npes; i++)
        for (struct race_private *buffer = race->pes[i].privates, *next; buffer; buffer = next) {
            next = buffer->next;
            race_op_drop(buffer->op);
            free(buffer);
        }
}

static void
compare(struct race *race, const struct sim_event *event, struct race_op *op, bool write,
        const struct race_private *buffer)
{
    int pe = buffer->op->origin;
    struct race_record a = {.op = buffer->op,
                            .name = buffer->op->name,
                            .site = buffer->op->site,
                            .clock = buffer->op->iss,
                            .pe = pe,
                            .kind = buffer->writes ? RACE_DEST : RACE_SOURCE};
    struct race_record b = {.op = op,
                            .name = op ? op->name : event->name,
                            .site = op ? op->site : event->site,
                            .clock = op ? op->iss : race->pes[pe].now,
                            .pe = pe,
                            .kind = op ? (write ? RACE_DEST : RACE_SOURCE) : (write ? RACE_STORE : RACE_LOAD)};
    struct race_view view = op ? race_view_op(race, op) : race_view_pe(race, pe);
    const char *first = event->address;
    struct fp_place place = event->place;

    view.local = true;
    if (!race_conflict(race, &a, &b, false) || race_before(race, &a, &view, &place))
        return;
    place.pe = pe;
    struct race_pair pair = {
        .a = &a, .b = &b, .view = &view, .place = &place, .address = first < buffer->from ? buffer->from : first};
    race_report(race, &pair);
}

void
private_access(struct race *race, const struct sim_event *event, struct race_op *op, bool write)
{
    const char *from = event->address, *to = from + event->bytes;

    if (event->place.region != FP_PRIVATE)
        return;
    for (struct race_private *buffer = race->pes[op ? op->origin : event->pe].privates; buffer; buffer = buffer->next)
        if (from < buffer->to && buffer->from < to)
            compare(race, event, op, write, buffer);
}
