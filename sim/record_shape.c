/* record_shape.c -- finds the shape of an event, see record_shape.h.
 *
 * The key of a shape is a struct without padding, compared as bytes; a table with open addressing leads from it to the
 * number. Reads, writes, updates and returns of operations have one shape a kind: what they are about says their
 * operation.
 */
#include "sim/record_shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shmem.h"
#include "sim/record_names.h"
#include "sim/sim.h"

struct key {
    uint64_t site;
    const char *name;
    uint32_t elem, flags;
    uint8_t event, op, type, amo, sig_op, coll, reduce, has; /* has: 1 an operation, 2 a collective */
};

struct slot {
    struct key key;
    uint32_t number; /* + 1; 0: free */
};

struct sim_shapes {
    struct fp_trace_writer *writer;
    struct slot *slots;
    uint32_t room, used;
    uint32_t plain[TRACE_EV_COUNT]; /* number + 1 of the shape without a call */
    fp_site_t *sites;
    size_t nsites, sites_cap;
};

static const uint8_t trace_kind[] = {
    [SIM_EV_ISSUE] = TRACE_EV_ISSUE,
    [SIM_EV_READ] = TRACE_EV_READ,
    [SIM_EV_WRITE] = TRACE_EV_WRITE,
    [SIM_EV_RMW] = TRACE_EV_RMW,
    [SIM_EV_RETURN] = TRACE_EV_RETURN,
    [SIM_EV_FENCE] = TRACE_EV_FENCE,
    [SIM_EV_QUIET] = TRACE_EV_QUIET,
    [SIM_EV_PE_QUIET] = TRACE_EV_PE_QUIET,
    [SIM_EV_SYNC_ENTER] = TRACE_EV_SYNC_ENTER,
    [SIM_EV_SYNC_LEAVE] = TRACE_EV_SYNC_LEAVE,
    [SIM_EV_COLL_ENTER] = TRACE_EV_COLL_ENTER,
    [SIM_EV_COLL_LEAVE] = TRACE_EV_COLL_LEAVE,
    [SIM_EV_WAIT] = TRACE_EV_WAIT,
    [SIM_EV_LOCK_SET] = TRACE_EV_LOCK_SET,
    [SIM_EV_LOCK_CLEAR] = TRACE_EV_LOCK_CLEAR,
    [SIM_EV_BORN] = TRACE_EV_BORN,
    [SIM_EV_DIED] = TRACE_EV_DIED,
    [SIM_EV_LOAD] = TRACE_EV_LOAD,
    [SIM_EV_STORE] = TRACE_EV_STORE,
    [SIM_EV_ATOMIC] = TRACE_EV_ATOMIC,
    [SIM_EV_PE_END] = TRACE_EV_END,
};

struct sim_shapes *
sim_shapes_open(struct fp_trace_writer *writer)
{
    struct sim_shapes *shapes = calloc(1, sizeof *shapes);
    if (!shapes || !(shapes->slots = calloc(shapes->room = 64, sizeof *shapes->slots)))
        fp_env_fail("out of memory for the trace");
    shapes->writer = writer;
    return shapes;
}

void
sim_shapes_add_site(struct sim_shapes *shapes, fp_site_t site)
{
    if (!site)
        return;
    if (shapes->nsites == shapes->sites_cap) {
        shapes->sites_cap = shapes->sites_cap ? 2 * shapes->sites_cap : 64;
        shapes->sites = realloc(shapes->sites, shapes->sites_cap * sizeof *shapes->sites);
        if (!shapes->sites)
            fp_env_fail("out of memory for the trace");
    }
    shapes->sites[shapes->nsites++] = site;
}

static void
number_key(struct sim_shapes *shapes, const char *key, const char *format, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, format, value);
    fp_trace_shape_key(shapes->writer, key, text);
}

static void
tell_flags(struct sim_shapes *shapes, uint32_t flags)
{
    static const char *const words[] = {"nbi", "fetch", "signal", "internal", "value", "g"};
    char text[64] = "";
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (flags >> i & 1) {
            strcat(text, *text ? " " : "");
            strcat(text, words[i]);
        }
    fp_trace_shape_key(shapes->writer, "flags", text);
}

static uint32_t
tell(struct sim_shapes *shapes, const struct key *key)
{
    struct fp_trace_writer *writer = shapes->writer;
    uint32_t number = fp_trace_shape(writer, key->event);
    if (key->name)
        fp_trace_shape_key(writer, "call", key->name);
    if (key->site)
        number_key(shapes, "site", "%" PRIx64, key->site);
    sim_shapes_add_site(shapes, key->site);
    if (key->has == 1) {
        fp_trace_shape_key(writer, "op", sim_op_names[key->op]);
        if (key->op == SHMEM_OP_AMO)
            fp_trace_shape_key(writer, "amo", sim_amo_names[key->amo]);
        if (key->sig_op)
            fp_trace_shape_key(writer, "signal", sim_amo_names[key->sig_op]);
    }
    if (key->has) {
        fp_trace_shape_key(writer, "type", sim_type_names[key->type]);
        number_key(shapes, "elem", "%" PRIu64, key->elem);
    }
    if (key->flags)
        tell_flags(shapes, key->flags);
    if (key->has == 2 || key->coll)
        fp_trace_shape_key(writer, "coll", sim_coll_names[key->coll]);
    if (key->has == 2 && key->coll == SHMEM_COLL_REDUCE)
        fp_trace_shape_key(writer, "reduce", sim_reduce_names[key->reduce]);
    return number;
}

static uint64_t
hash(const struct key *key)
{
    uint64_t h = key->site ^ (uint64_t)key->elem << 40 ^ (uint64_t)key->flags << 56;
    h = (h ^ key->event) * UINT64_C(0x9e3779b97f4a7c15);
    return (h ^ (uintptr_t)key->name) * UINT64_C(0xff51afd7ed558ccd) >> 20;
}

static void
grow(struct sim_shapes *shapes)
{
    struct slot *old = shapes->slots;
    uint32_t room = shapes->room;
    shapes->slots = calloc(shapes->room = 2 * room, sizeof *shapes->slots);
    if (!shapes->slots)
        fp_env_fail("out of memory for the trace");
    for (uint32_t i = 0; i < room; i++) {
        if (!old[i].number)
            continue;
        uint64_t at = hash(&old[i].key);
        while (shapes->slots[at & (shapes->room - 1)].number)
            at++;
        shapes->slots[at & (shapes->room - 1)] = old[i];
    }
    free(old);
}

static uint32_t
find(struct sim_shapes *shapes, const struct key *key)
{
    uint64_t at = hash(key);
    struct slot *slot;
    while ((slot = &shapes->slots[at & (shapes->room - 1)])->number) {
        if (!memcmp(&slot->key, key, sizeof *key))
            return slot->number - 1;
        at++;
    }
    uint32_t number = tell(shapes, key);
    *slot = (struct slot){.key = *key, .number = number + 1};
    if (++shapes->used > shapes->room / 2)
        grow(shapes);
    return number;
}

uint32_t
sim_shape_plain(struct sim_shapes *shapes, enum fp_trace_event event)
{
    if (!shapes->plain[event])
        shapes->plain[event] = fp_trace_shape(shapes->writer, event) + 1;
    return shapes->plain[event] - 1;
}

uint32_t
sim_shape_of(struct sim_shapes *shapes, const struct sim_event *event)
{
    enum fp_trace_event kind = trace_kind[event->kind];
    struct key key = {.event = (uint8_t)kind, .site = event->site, .name = event->name};
    const struct sim_op *op = event->op;
    switch (event->kind) {
    case SIM_EV_READ:
    case SIM_EV_WRITE:
    case SIM_EV_RETURN:
    case SIM_EV_PE_END:
        return sim_shape_plain(shapes, kind);
    case SIM_EV_RMW:
        if (op->kind == SHMEM_OP_AMO)
            return sim_shape_plain(shapes, kind);
        key = (struct key){.event = (uint8_t)kind, .flags = SHMEM_OPF_SIGNAL};
        break;
    case SIM_EV_ISSUE:
        key.has = 1;
        key.op = (uint8_t)op->kind;
        key.type = (uint8_t)op->type;
        key.amo = (uint8_t)op->amo;
        key.elem = (uint32_t)op->elem_bytes;
        key.flags = op->flags;
        key.sig_op = op->kind == SHMEM_OP_PUT && op->flags & SHMEM_OPF_SIGNAL ? (uint8_t)op->sig_op : 0;
        key.coll = op->flags & SHMEM_OPF_INTERNAL ? (uint8_t)op->coll.kind : 0;
        break;
    case SIM_EV_WAIT:
        key.has = 3;
        key.type = (uint8_t)event->type;
        key.elem = (uint32_t)event->bytes;
        key.flags = event->signal ? SHMEM_OPF_SIGNAL : 0;
        break;
    case SIM_EV_SYNC_ENTER:
    case SIM_EV_SYNC_LEAVE:
    case SIM_EV_COLL_ENTER:
    case SIM_EV_COLL_LEAVE:
        key.has = 2;
        key.coll = (uint8_t)event->coll->kind;
        key.type = (uint8_t)event->coll->type;
        key.elem = (uint32_t)event->coll->elem_bytes;
        key.reduce = (uint8_t)event->coll->reduce;
        break;
    default:
        break;
    }
    return find(shapes, &key);
}

static int
by_value(const void *a, const void *b)
{
    fp_site_t x = *(const fp_site_t *)a, y = *(const fp_site_t *)b;
    return (x > y) - (x < y);
}

void
sim_shapes_tell_sites(struct sim_shapes *shapes, struct fp_report *report)
{
    char text[4200];
    if (shapes->nsites)
        qsort(shapes->sites, shapes->nsites, sizeof *shapes->sites, by_value);
    for (size_t i = 0; i < shapes->nsites; i++) {
        if (i > 0 && shapes->sites[i] == shapes->sites[i - 1])
            continue;
        struct fp_line line = fp_site_line(report, shapes->sites[i]);
        snprintf(text, sizeof text, "%" PRIx64 "\t%d\t%s\t%s", shapes->sites[i], line.line, line.function, line.file);
        fp_trace_result(shapes->writer, "site", text);
    }
}

void
sim_shapes_close(struct sim_shapes *shapes)
{
    free(shapes->slots);
    free(shapes->sites);
    free(shapes);
}
