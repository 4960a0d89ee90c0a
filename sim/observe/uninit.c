/* uninit.c -- symmetric memory that is used before anybody has written it (E087, S 9.3.1).
 *
 * Copying is not using: puts, gets between symmetric objects and the copying routines of libc carry the absence of
 * contents along, so that what is reported is the place that looks at a value. A structure may be copied with its
 * padding and with members that are not set yet, so a copy into private memory, where nothing is known, is a use only
 * if nothing at all of it was ever written.
 *
 * Looks at the program only where plain stores are seen (hooks); memory that changed unseen counts as written
 * (validity.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/check/check.h"
#include "sim/event.h"
#include "sim/observe/validity.h"

/* Bits of the data of an operation, or of a copy by libc, that were read where nobody had written. */
struct absent {
    uint64_t bytes;
    struct fp_place first; /* operations: where the first of them was read */
    uint8_t bits[];
};

/* A copy by libc: its load was told, its store is still to come if it goes to symmetric memory. */
struct copy {
    struct absent *absent;
    struct sim_event load;
};

struct uninit {
    struct fp_job *job;
    struct validity *validity;
    struct copy *copies; /* by PE */
};

static struct absent *
absent_new(uint64_t bytes)
{
    struct absent *absent = calloc(1, sizeof *absent + (bytes + 7) / 8);
    if (!absent)
        fp_env_fail("out of memory for the checker of uninitialised memory: run fewer PEs, or with --no-check");
    absent->bytes = bytes;
    return absent;
}

static void *
uninit_open(struct fp_job *job)
{
    struct uninit *uninit = calloc(1, sizeof *uninit);
    if (uninit)
        uninit->copies = calloc((size_t)job->npes, sizeof *uninit->copies);
    if (!uninit || !uninit->copies)
        fp_env_fail("out of memory for the checker of uninitialised memory: run fewer PEs, or with --no-check");
    uninit->job = job;
    uninit->validity = validity_open(job);
    return uninit;
}

static void
report(struct uninit *uninit, const struct sim_event *event, const struct fp_place *place, uint64_t from,
       uint64_t bytes)
{
    struct fp_finding finding = {.class_ = FP_CLASS_UNINIT, .rule = "E087, S 9.3.1", .now = true};
    const char *address = uninit->job->pes[place->pe].heap_base + place->offset + from;
    fp_describe_object(uninit->job, &finding, address);
    snprintf(finding.message, sizeof finding.message, "%s by PE %d uses bytes of a %s on PE %d that nobody has written",
             event->name, event->pe, finding.object.name, place->pe);
    finding.accesses[0] = (struct fp_access){.pe = event->pe, .op = event->name, .kind = FP_READ, .site = event->site};
    finding.naccesses = 1;
    snprintf(finding.repair, sizeof finding.repair,
             "write the memory before it is used (and synchronise), or allocate it with shmem_calloc");
    fp_report_add(uninit->job->report, &finding);
    validity_write(uninit->validity, place->pe, place->offset, bytes); /* told once */
}

static uint64_t
first_bit(const uint8_t *bits, uint64_t count)
{
    uint64_t i = 0;
    while (i < count && !(bits[i / 8] >> i % 8 & 1))
        i++;
    return i;
}

/* Whether a unit of `unit` bytes is absent in a way that is a use: small values as soon as a byte of them is,
 * anything larger only as a whole. `from`: the first byte concerned. */
static bool
is_use(const struct absent *absent, uint64_t unit, uint64_t *from)
{
    *from = first_bit(absent->bits, absent->bytes);
    if (*from == absent->bytes || unit <= sizeof(uint64_t))
        return *from < absent->bytes;
    for (uint64_t at = 0; at + unit <= absent->bytes; at += unit) {
        uint64_t i = 0;
        while (i < unit && absent->bits[(at + i) / 8] >> (at + i) % 8 & 1)
            i++;
        *from = at;
        if (i == unit)
            return true;
    }
    return false;
}

/* Bytes of PE place->pe are looked at as values. */
static void
use(struct uninit *uninit, const struct sim_event *event, uint64_t unit)
{
    if (event->place.region != FP_HEAP ||
        validity_look(uninit->validity, event->place.pe, event->place.offset, event->bytes, NULL) == 0)
        return;
    struct absent *absent = absent_new(event->bytes);
    uint64_t from;
    validity_look(uninit->validity, event->place.pe, event->place.offset, event->bytes, absent->bits);
    if (is_use(absent, unit, &from))
        report(uninit, event, &event->place, from, event->bytes);
    free(absent);
}

/* ---- Operations
 * ----------------------------------------------------------------------------------------------------- */

/* How many bytes of an operation's data are one value. A mem routine moves anything. */
static uint64_t
unit_of(const struct sim_op *op)
{
    return op->type == SHMEM_TYPE_MEM || op->type >= SHMEM_TYPE_BITS8 ? op->bytes : op->elem_bytes;
}

static void
op_reads(struct uninit *uninit, const struct sim_event *event)
{
    struct sim_op *op = event->op;
    if (event->place.region != FP_HEAP ||
        validity_look(uninit->validity, event->place.pe, event->place.offset, event->bytes, NULL) == 0)
        return;
    if (op->kind == SHMEM_OP_GET && op->flags & SHMEM_OPF_G) {
        use(uninit, event, op->elem_bytes);
        return;
    }
    struct absent *here = absent_new(event->bytes), *all = op->note[1];
    validity_look(uninit->validity, event->place.pe, event->place.offset, event->bytes, here->bits);
    if (!all) {
        op->note[1] = all = absent_new(op->bytes);
        all->first = event->place;
        all->first.offset += first_bit(here->bits, here->bytes);
    }
    for (uint64_t i = 0; i < here->bytes; i++)
        if (here->bits[i / 8] >> i % 8 & 1)
            all->bits[(event->op_offset + i) / 8] |= (uint8_t)(1u << (event->op_offset + i) % 8);
    free(here);
}

/* The part of an operation's absent bytes that [op_offset, +bytes) of its data is. */
static struct absent *
absent_part(const struct absent *all, uint64_t from, uint64_t bytes)
{
    struct absent *part = absent_new(bytes);
    for (uint64_t i = 0; i < bytes; i++)
        if (all->bits[(from + i) / 8] >> (from + i) % 8 & 1)
            part->bits[i / 8] |= (uint8_t)(1u << i % 8);
    return part;
}

static void
op_writes(struct uninit *uninit, const struct sim_event *event)
{
    struct sim_op *op = event->op;
    bool heap = event->place.region == FP_HEAP;
    if (!op->note[1]) {
        if (heap)
            validity_write(uninit->validity, event->place.pe, event->place.offset, event->bytes);
        return;
    }
    struct absent *all = op->note[1], *part = absent_part(all, event->op_offset, event->bytes);
    uint64_t from, unit = unit_of(op);
    if (heap)
        validity_copy(uninit->validity, event->place.pe, event->place.offset, event->bytes, part->bits);
    else if (op->kind == SHMEM_OP_GET &&
             is_use(unit > event->bytes ? all : part, unit, &from)) /* it may travel in pieces */
        report(uninit, event, &all->first, 0, event->bytes);
    free(part);
}

static void
atomic(struct uninit *uninit, const struct sim_event *event)
{
    const struct sim_op *op = event->op;
    shmem_amo_t amo = op->kind == SHMEM_OP_PUT ? op->sig_op : op->amo;
    if (event->place.region != FP_HEAP)
        return;
    if (amo != SHMEM_AMO_SET)
        use(uninit, event, event->bytes);
    if (!event->failed && amo != SHMEM_AMO_FETCH)
        validity_write(uninit->validity, event->place.pe, event->place.offset, event->bytes);
}

/* ---- Plain accesses
 * ------------------------------------------------------------------------------------------------- */

static bool
copies_bytes(const char *name)
{
    static const char *const names[] = {"memcpy", "memmove", "mempcpy", "bcopy", "shmem_realloc"};
    if (name[0] == 'l')
        return false; /* "load", nearly always */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* The store of a pending copy did not follow: it went to private memory. */
static void
copy_ends(struct uninit *uninit, int pe)
{
    struct copy *copy = &uninit->copies[pe];
    uint64_t from;
    if (!copy->absent)
        return;
    if (strcmp(copy->load.name, "shmem_realloc") && is_use(copy->absent, copy->absent->bytes, &from))
        report(uninit, &copy->load, &copy->load.place, from, copy->load.bytes);
    free(copy->absent);
    copy->absent = NULL;
}

static void
load(struct uninit *uninit, const struct sim_event *event)
{
    struct copy *copy = &uninit->copies[event->pe];
    /* Of places here and there loads are told only where all had been written. */
    if (event->place.region != FP_HEAP || event->bits)
        return;
    if (!copies_bytes(event->name)) {
        use(uninit, event, event->grain ? event->grain : event->bytes);
        return;
    }
    if (validity_look(uninit->validity, event->place.pe, event->place.offset, event->bytes, NULL) == 0)
        return;
    copy->absent = absent_new(event->bytes);
    copy->load = *event;
    validity_look(uninit->validity, event->place.pe, event->place.offset, event->bytes, copy->absent->bits);
}

static void
store(struct uninit *uninit, const struct sim_event *event)
{
    struct copy *copy = &uninit->copies[event->pe];
    if (event->place.region != FP_HEAP)
        return;
    if (copy->absent && copy->load.site == event->site && copy->absent->bytes == event->bytes) {
        validity_copy(uninit->validity, event->place.pe, event->place.offset, event->bytes, copy->absent->bits);
        free(copy->absent);
        copy->absent = NULL;
        return;
    }
    for (uint64_t at = 0, to; event->bits && at < event->bytes && validity_any(uninit->validity); at = to) {
        for (to = at + 1; to < event->bytes && sim_event_has(event, to) == sim_event_has(event, at);)
            to++;
        if (sim_event_has(event, at))
            validity_write(uninit->validity, event->place.pe, event->place.offset + at, to - at);
    }
    if (!event->bits)
        validity_write(uninit->validity, event->place.pe, event->place.offset, event->bytes);
}

/* ---- Events
 * --------------------------------------------------------------------------------------------------------- */

static void
uninit_event(void *self, const struct sim_event *event)
{
    struct uninit *uninit = self;
    struct copy *copy = &uninit->copies[event->pe];
    if (copy->absent && !(event->kind == SIM_EV_STORE && copy->load.site == event->site))
        copy_ends(uninit, event->pe);
    switch (event->kind) {
    case SIM_EV_BORN:
        if (!event->zeroed)
            validity_born(uninit->validity, event->place.pe, event->place.offset, event->bytes);
        break;
    case SIM_EV_DIED:
        validity_died(uninit->validity, event->place.pe, event->place.offset);
        break;
    case SIM_EV_READ:
        op_reads(uninit, event);
        break;
    case SIM_EV_WRITE:
        op_writes(uninit, event);
        break;
    case SIM_EV_RMW:
        atomic(uninit, event);
        break;
    case SIM_EV_WAIT:
        use(uninit, event, event->bytes);
        break;
    case SIM_EV_LOAD:
        load(uninit, event);
        break;
    case SIM_EV_STORE:
        store(uninit, event);
        break;
    case SIM_EV_ATOMIC:
        if (event->place.region == FP_HEAP)
            validity_write(uninit->validity, event->place.pe, event->place.offset, event->bytes);
        break;
    default:
        break;
    }
}

static void
uninit_forget(void *self, struct sim_op *op)
{
    free(op->note[1]);
    op->note[1] = NULL;
}

static void
uninit_close(void *self)
{
    struct uninit *uninit = self;
    for (int pe = 0; pe < uninit->job->npes; pe++)
        copy_ends(uninit, pe);
    validity_close(uninit->validity);
    free(uninit->copies);
    free(uninit);
}

/* What looks fresh was not written; so loads come here before the bytes change. */
static bool
uninit_unwritten(void *self, const void *address, size_t bytes)
{
    struct uninit *uninit = self;
    if (!validity_any(uninit->validity))
        return false;
    struct fp_place place = fp_place_of(uninit->job, address);
    return place.region == FP_HEAP && validity_knows(uninit->validity, place.pe, place.offset);
}

const struct sim_observer sim_observer_uninit = {
    .name = "uninit",
    .open = uninit_open,
    .event = uninit_event,
    .forget = uninit_forget,
    .close = uninit_close,
    .unwritten = uninit_unwritten,
};
