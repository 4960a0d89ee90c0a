/* records.c -- events become records of the trace: shapes and the fields that change. See traces/FORMAT.md.
 *
 * What is the same for many events of one call in the program is its shape: looked up by a small hash, told to the
 * writer once. A record then has the fields that its kind of event uses; the writer leaves out those that have not
 * changed. Nothing here is an address: sites, regions and offsets only, so that the same run gives the same bytes.
 *
 * That a blocking put has read its source is not recorded, since it does so at its issue.
 */
#include "sim/records.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/launch/inputs.h"
#include "reference/team/team.h"
#include "shmem.h"
#include "sim/record_shape.h"
#include "sim/sim.h"
#include "traces/trace.h"

/* What the recorder remembers of a PE. */
struct pe_state {
    uint64_t coll_began; /* of the collective it is in */
    uint32_t ctxs_told;  /* contexts up to this id have been told */
};

struct sim_records {
    struct sim *sim;
    struct fp_trace_writer *writer;
    struct sim_shapes *shapes;
    struct pe_state *pes;
    bool *teams_told;
    int nteams;
    int findings; /* told so far */
    bool statics; /* a static object was touched */
    bool stopped; /* --until has been reached */
    uint64_t count;
    int64_t fields[TRACE_F_COUNT];
};

struct sim_records *
sim_records_open(struct sim *sim, struct fp_trace_writer *writer)
{
    struct sim_records *records = calloc(1, sizeof *records);
    if (!records || !(records->pes = calloc((size_t)sim->npes, sizeof *records->pes)))
        fp_env_fail("out of memory for the trace");
    records->sim = sim;
    records->writer = writer;
    records->shapes = sim_shapes_open(writer);
    for (int i = 0; i < sim->npes; i++)
        records->pes[i].ctxs_told = 1;
    return records;
}

/* ---- Fields
 * ----------------------------------------------------------------------------------------------------------- */

static void
set_place(struct sim_records *records, struct fp_place place)
{
    records->fields[TRACE_F_region] = place.region;
    records->fields[TRACE_F_offset] = place.region == FP_PRIVATE ? 0 : (int64_t)place.offset;
    records->fields[TRACE_F_target] = place.region == FP_PRIVATE ? records->fields[TRACE_F_pe] : place.pe;
    records->statics |= place.region == FP_STATIC;
}

static void
set_local(struct sim_records *records, const void *address)
{
    struct fp_place place = fp_place_of(records->sim->job, address);
    records->fields[TRACE_F_local_region] = place.region;
    records->fields[TRACE_F_local_offset] = place.region == FP_PRIVATE ? 0 : (int64_t)place.offset;
}

static int64_t
took(const struct sim_records *records, const struct sim_event *event)
{
    const struct sim_pe *sp = &records->sim->pes[event->pe];
    if (event->kind == SIM_EV_COLL_LEAVE)
        return (int64_t)(sp->clock - records->pes[event->pe].coll_began);
    return (int64_t)(sp->clock - sp->began);
}

/* ---- Writing, and stopping at a record
 * ---------------------------------------------------------------------------------- */

/* Where a debugger's breakpoint goes: the run stands at the record that was asked for. */
static void
stop_here(struct sim_records *records)
{
    struct sim *sim = records->sim;
    fprintf(stderr, "fencepost: stopped at record %" PRIu64 ", PE %" PRId64 " at %.3f us: see fencepost trace print\n",
            records->count, records->fields[TRACE_F_pe], (double)records->fields[TRACE_F_time] / 1000);
    if (getenv("FENCEPOST_GDB")) {
        raise(SIGTRAP);
        return;
    }
    sim->job->cut_short = "stopped at a record";
    fp_job_abort(sim->job, 0);
}

static void
tell(struct sim_records *records, uint32_t shape, uint64_t given, const int64_t *fields)
{
    fp_trace_record(records->writer, shape, given, fields);
    records->count++;
}

/* The first byte from `at` on that the event touches, or does not: eight at a glance. */
static size_t
next_byte(const struct sim_event *event, size_t at, bool touched)
{
    while (at < event->bytes) {
        unsigned bits = touched ? event->bits[at / 8] : (unsigned char)~event->bits[at / 8];
        bits >>= at % 8;
        if (bits)
            return at + (size_t)__builtin_ctz(bits);
        at = (at / 8 + 1) * 8;
    }
    return event->bytes;
}

/* Accesses to some bytes of a range: a record for each run of them. What lies between was not touched, and a reader
 * that took it for touched would see races that are none. */
static void
tell_runs(struct sim_records *records, const struct sim_event *event, uint32_t shape, uint64_t given)
{
    for (size_t at = 0, to; (at = next_byte(event, at, true)) < event->bytes; at = to) {
        to = next_byte(event, at, false);
        if (event->place.region != FP_PRIVATE)
            records->fields[TRACE_F_offset] = (int64_t)(event->place.offset + at);
        records->fields[TRACE_F_bytes] = (int64_t)(to - at);
        tell(records, shape, given, records->fields);
    }
}

static void
stop_if_asked(struct sim_records *records)
{
    uint64_t until = records->sim->job->config.until;
    bool found = until == UINT64_MAX && records->findings > 0;
    if (records->stopped || (!found && (until == 0 || until == UINT64_MAX || records->count < until)))
        return;
    records->stopped = true;
    stop_here(records);
}

/* ---- What is told before its first use
 * -------------------------------------------------------------------------------- */

static void
tell_team(struct sim_records *records, int index)
{
    const struct fp_team *team = fp_team_get(records->sim->job, index);
    if (!team || (index < records->nteams && records->teams_told[index]))
        return;
    if (index >= records->nteams) {
        int n = 2 * index + 8;
        records->teams_told = realloc(records->teams_told, (size_t)n);
        if (!records->teams_told)
            fp_env_fail("out of memory for the trace");
        memset(records->teams_told + records->nteams, 0, (size_t)(n - records->nteams));
        records->nteams = n;
    }
    records->teams_told[index] = true;
    int64_t *fields = records->fields;
    fields[TRACE_F_team] = index;
    fields[TRACE_F_size] = team->size;
    fields[TRACE_F_start] = team->start;
    fields[TRACE_F_stride] = team->stride;
    tell(records, sim_shape_plain(records->shapes, TRACE_EV_TEAM),
         TRACE_BIT(team) | TRACE_BIT(size) | TRACE_BIT(start) | TRACE_BIT(stride), fields);
}

/* Contexts are numbered in order of creation. */
static void
tell_contexts(struct sim_records *records, const shmem_ctx_state_t *last)
{
    struct pe_state *pe = &records->pes[last->pe->rank];
    int64_t *fields = records->fields;
    for (int i = 0; i < last->pe->nctxs && pe->ctxs_told < last->id; i++) {
        const shmem_ctx_state_t *ctx = last->pe->ctxs[i];
        if (!ctx || ctx->id <= pe->ctxs_told)
            continue;
        tell_team(records, ctx->team);
        fields[TRACE_F_pe] = last->pe->rank;
        fields[TRACE_F_ctx] = ctx->id;
        fields[TRACE_F_team] = ctx->team;
        fields[TRACE_F_flags] = ctx->options;
        tell(records, sim_shape_plain(records->shapes, TRACE_EV_CONTEXT),
             TRACE_BIT(pe) | TRACE_BIT(ctx) | TRACE_BIT(team) | TRACE_BIT(flags), fields);
    }
    if (pe->ctxs_told < last->id)
        pe->ctxs_told = last->id;
}

/* Findings since the last record: that one showed them. */
static void
tell_findings(struct sim_records *records)
{
    const struct fp_report *report = records->sim->job->report;
    for (int count = report ? fp_report_count(report) : 0; records->findings < count; records->findings++) {
        records->fields[TRACE_F_finding] = records->findings;
        tell(records, sim_shape_plain(records->shapes, TRACE_EV_FINDING), TRACE_BIT(finding), records->fields);
    }
}

/* ---- One record for each event
 * ---------------------------------------------------------------------------------------- */

static uint64_t
issue_fields(struct sim_records *records, const struct sim_event *event)
{
    struct fp_job *job = records->sim->job;
    int64_t *fields = records->fields;
    const struct sim_op *op = event->op;
    uint64_t given = TRACE_BIT(target) | TRACE_BIT(took) | TRACE_BIT(bytes) | TRACE_BIT(ctx) | TRACE_BIT(value) |
                     TRACE_BIT(local_region) | TRACE_BIT(local_offset) | TRACE_BIT(blocks);
    if (op->ctx->id > records->pes[event->pe].ctxs_told)
        tell_contexts(records, op->ctx);
    fields[TRACE_F_target] = op->target;
    if (event->remote) {
        set_place(records, fp_place_of(job, event->remote));
        given |= TRACE_BIT(region) | TRACE_BIT(offset);
    }
    fields[TRACE_F_bytes] = (int64_t)op->bytes;
    fields[TRACE_F_ctx] = op->ctx->id;
    fields[TRACE_F_took] = took(records, event);
    fields[TRACE_F_value] = event->shown;
    set_local(records, event->local);
    fields[TRACE_F_blocks] = event->nblocks > 0 ? (int64_t)event->nblocks - 1 : 0;
    if (event->nblocks > 1) {
        fields[TRACE_F_step] = event->remote_step;
        fields[TRACE_F_local_step] = event->local_step;
        given |= TRACE_BIT(step) | TRACE_BIT(local_step);
    }
    if (event->signal_at) {
        struct fp_place place = fp_place_of(job, event->signal_at);
        fields[TRACE_F_signal_region] = place.region;
        fields[TRACE_F_signal_offset] = (int64_t)place.offset;
        fields[TRACE_F_signal_value] = event->signal_shown;
        records->statics |= place.region == FP_STATIC;
        given |= TRACE_BIT(signal_region) | TRACE_BIT(signal_offset) | TRACE_BIT(signal_value);
    }
    return given;
}

static int64_t
age(const struct sim_records *records, uint64_t id)
{
    return (int64_t)(records->sim->op_count - id);
}

static uint64_t
delivery_fields(struct sim_records *records, const struct sim_event *event)
{
    int64_t *fields = records->fields;
    uint64_t given = TRACE_BIT(age) | TRACE_BIT(mark) | TRACE_BIT(took);
    fields[TRACE_F_age] = age(records, event->op->id);
    fields[TRACE_F_mark] = (event->last ? TRACE_MARK_LAST : 0) | (event->failed ? TRACE_MARK_FAILED : 0);
    fields[TRACE_F_took] = event->took;
    if (event->kind == SIM_EV_RMW)
        return given;
    fields[TRACE_F_from] = (int64_t)event->op_offset;
    fields[TRACE_F_bytes] = (int64_t)event->bytes;
    return given | TRACE_BIT(from) | TRACE_BIT(bytes);
}

static uint64_t
wait_fields(struct sim_records *records, const struct sim_event *event)
{
    int64_t *fields = records->fields;
    uint64_t bits;
    unsigned above = event->bytes < 8 ? 64 - 8 * (unsigned)event->bytes : 0;
    memcpy(&bits, event->value, sizeof bits);
    int64_t value = (int64_t)(bits << above) >> above;
    set_place(records, event->place);
    fields[TRACE_F_bytes] = (int64_t)event->bytes;
    fields[TRACE_F_cmp] = event->cmp;
    fields[TRACE_F_value] = value == (int32_t)value ? value : 0;
    fields[TRACE_F_by] = event->by ? 1 + age(records, event->by) : 0;
    fields[TRACE_F_mark] = event->seen_matters ? TRACE_MARK_SEEN : 0;
    fields[TRACE_F_took] = took(records, event);
    return TRACE_BIT(region) | TRACE_BIT(offset) | TRACE_BIT(target) | TRACE_BIT(bytes) | TRACE_BIT(cmp) |
           TRACE_BIT(value) | TRACE_BIT(by) | TRACE_BIT(mark) | TRACE_BIT(took);
}

static uint64_t
coll_fields(struct sim_records *records, const struct sim_event *event)
{
    int64_t *fields = records->fields;
    const shmem_coll_t *coll = event->coll;
    uint64_t given = TRACE_BIT(team) | TRACE_BIT(seq);
    tell_team(records, coll->team);
    fields[TRACE_F_pe] = event->pe;
    fields[TRACE_F_team] = coll->team;
    fields[TRACE_F_seq] = (int64_t)coll->seq;
    if (event->kind == SIM_EV_SYNC_LEAVE || event->kind == SIM_EV_COLL_LEAVE) {
        fields[TRACE_F_took] = took(records, event);
        return given | TRACE_BIT(took);
    }
    fields[TRACE_F_took] = took(records, event);
    given |= TRACE_BIT(took);
    if (event->kind == SIM_EV_SYNC_ENTER && (coll->kind < SHMEM_COLL_MALLOC || coll->kind > SHMEM_COLL_FREE))
        return given;
    records->pes[event->pe].coll_began = records->sim->pes[event->pe].began;
    set_local(records, coll->source);
    set_place(records, fp_place_of(records->sim->job, coll->dest));
    fields[TRACE_F_elems] = (int64_t)coll->nelems;
    fields[TRACE_F_root] = event->root;
    fields[TRACE_F_step] = coll->dest_step;
    fields[TRACE_F_local_step] = coll->source_step;
    fields[TRACE_F_flags] = coll->exclusive ? 1 : coll->hints;
    if (coll->kind == SHMEM_COLL_ALIGN)
        fields[TRACE_F_step] = (int64_t)coll->align;
    return given | TRACE_BIT(region) | TRACE_BIT(offset) | TRACE_BIT(local_region) | TRACE_BIT(local_offset) |
           TRACE_BIT(elems) | TRACE_BIT(root) | TRACE_BIT(step) | TRACE_BIT(local_step) | TRACE_BIT(flags);
}

static uint64_t
order_fields(struct sim_records *records, const struct sim_event *event)
{
    int64_t *fields = records->fields;
    if (event->ctx->id > records->pes[event->pe].ctxs_told) {
        tell_contexts(records, event->ctx);
        fields[TRACE_F_pe] = event->pe;
    }
    fields[TRACE_F_ctx] = event->ctx->id;
    fields[TRACE_F_target] = event->target;
    fields[TRACE_F_took] = took(records, event);
    return TRACE_BIT(ctx) | TRACE_BIT(took) | (event->kind == SIM_EV_PE_QUIET ? TRACE_BIT(target) : 0);
}

static uint64_t
place_fields(struct sim_records *records, const struct sim_event *event)
{
    set_place(records, event->place);
    records->fields[TRACE_F_bytes] = (int64_t)event->bytes;
    records->fields[TRACE_F_grain] = (int64_t)event->grain;
    records->fields[TRACE_F_mark] = event->zeroed ? TRACE_MARK_ZEROED : 0;
    records->fields[TRACE_F_took] = took(records, event);
    uint64_t given = TRACE_BIT(region) | TRACE_BIT(offset) | TRACE_BIT(target) | TRACE_BIT(bytes);
    switch (event->kind) {
    case SIM_EV_LOCK_SET:
    case SIM_EV_LOCK_CLEAR:
        return given | TRACE_BIT(took);
    case SIM_EV_BORN:
        return given | TRACE_BIT(mark);
    case SIM_EV_DIED:
        return given;
    default:
        return given | TRACE_BIT(grain);
    }
}

static uint64_t
event_fields(struct sim_records *records, const struct sim_event *event)
{
    switch (event->kind) {
    case SIM_EV_ISSUE:
        return issue_fields(records, event);
    case SIM_EV_READ:
    case SIM_EV_WRITE:
    case SIM_EV_RMW:
        return delivery_fields(records, event);
    case SIM_EV_RETURN:
        records->fields[TRACE_F_age] = age(records, event->op->id);
        records->fields[TRACE_F_took] = took(records, event);
        return TRACE_BIT(age) | TRACE_BIT(took);
    case SIM_EV_FENCE:
    case SIM_EV_QUIET:
    case SIM_EV_PE_QUIET:
        return order_fields(records, event);
    case SIM_EV_SYNC_ENTER:
    case SIM_EV_SYNC_LEAVE:
    case SIM_EV_COLL_ENTER:
    case SIM_EV_COLL_LEAVE:
        return coll_fields(records, event);
    case SIM_EV_WAIT:
        return wait_fields(records, event);
    case SIM_EV_PE_END:
        return 0;
    default:
        return place_fields(records, event);
    }
}

void
sim_records_event(struct sim_records *records, const struct sim_event *event)
{
    if (event->kind == SIM_EV_READ && event->op->kind == SHMEM_OP_PUT && !(event->op->flags & SHMEM_OPF_NBI))
        return;
    int64_t *fields = records->fields;
    const struct fp_report *report = records->sim->job->report;
    if (report && fp_report_count(report) > records->findings)
        tell_findings(records);
    fields[TRACE_F_pe] = event->pe;
    fields[TRACE_F_time] = (int64_t)records->sim->pes[event->pe].clock;
    uint64_t given = event_fields(records, event);
    if (!(given & TRACE_BIT(age)) || event->kind == SIM_EV_RETURN)
        given |= TRACE_BIT(pe) | TRACE_BIT(time);
    uint32_t shape = sim_shape_of(records->shapes, event);
    if (event->bits)
        tell_runs(records, event, shape, given);
    else
        tell(records, shape, given, fields);
    if (records->sim->job->config.until)
        stop_if_asked(records);
}

/* ---- The result
 * ---------------------------------------------------------------------------------------------------------- */

static void
tell_accesses(struct sim_records *records, int index, const struct fp_finding *finding)
{
    char text[256];
    for (int i = 0; i < finding->naccesses; i++) {
        const struct fp_access *access = &finding->accesses[i];
        snprintf(text, sizeof text, "%d\t%d\t%s\t%" PRIx64 "\t%s", index, access->pe, fp_access_name(access->kind),
                 access->site, access->op);
        fp_trace_result(records->writer, "finding-access", text);
        sim_shapes_add_site(records->shapes, access->site);
        char *source = fp_access_source(records->sim->job->report, access);
        snprintf(text, sizeof text, "%d\t%d\t%s", index, i, source ? source : "");
        if (source)
            fp_trace_result(records->writer, "finding-source", text);
        free(source);
    }
}

static void
tell_results(struct sim_records *records)
{
    struct fp_report *report = records->sim->job->report;
    int count = report ? fp_report_count(report) : 0;
    char text[1400];
    for (int i = 0; i < count; i++) {
        uint64_t times;
        const struct fp_finding *finding = fp_report_get(report, i, &times);
        const struct fp_object *object = &finding->object;
        snprintf(text, sizeof text, "%s: %s", fp_class_name(finding->class_), finding->message);
        fp_trace_result(records->writer, "finding", text);
        tell_accesses(records, i, finding);
        snprintf(text, sizeof text, "%d\t%d\t%d\t%" PRIu64 "\t%" PRIu64 "\t%s", i, object->pe,
                 object->allocated ? FP_HEAP : FP_STATIC, object->offset, object->bytes, object->name);
        if (object->bytes)
            fp_trace_result(records->writer, "finding-object", text);
        snprintf(text, sizeof text, "%d\t%s", i, finding->rule ? finding->rule : "");
        if (finding->rule && *finding->rule)
            fp_trace_result(records->writer, "finding-rule", text);
        snprintf(text, sizeof text, "%d\t%s", i, finding->repair);
        if (*finding->repair)
            fp_trace_result(records->writer, "finding-repair", text);
    }
}

static void
tell_object(void *self, uint64_t offset, uint64_t bytes, const char *name)
{
    struct sim_records *records = self;
    char text[512];
    snprintf(text, sizeof text, "%" PRIu64 "\t%" PRIu64 "\t%s", offset, bytes, name);
    fp_trace_result(records->writer, "object", text);
}

static void
tell_input(void *self, const char *path, uint64_t hash, uint64_t bytes)
{
    struct sim_records *records = self;
    char text[4200];
    snprintf(text, sizeof text, "%016" PRIx64 "\t%" PRIu64 "\t%s", hash, bytes, path);
    fp_trace_result(records->writer, "input", text);
}

void
sim_records_close(struct sim_records *records)
{
    struct fp_job *job = records->sim->job;
    tell_findings(records);
    tell_results(records);
    if (job->report && !job->config.in_process) {
        sim_shapes_tell_sites(records->shapes, job->report);
        if (records->statics)
            fp_static_objects(job->report, tell_object, records);
    }
    if (!job->config.in_process)
        fp_inputs_each(tell_input, records);
    for (int i = 0; i < job->nunseen; i++)
        fp_trace_result(records->writer, "unseen", job->unseen[i]);
    sim_shapes_close(records->shapes);
    free(records->teams_told);
    free(records->pes);
    free(records);
}
