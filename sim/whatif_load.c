/* whatif_load.c -- reads a trace into the acts of each PE, see whatif.h. Everything in the file is hostile: numbers of
 * PEs, lengths and kinds are looked at before anybody uses them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/record_names.h"
#include "sim/whatif.h"

#define BYTES_MAX (INT64_C(1) << 40)
#define STATIC_MAX (INT64_C(1) << 32)
#define TEAMS_MAX (1 << 20)
#define PES_MAX 65536

static void *
grown(void *block, size_t bytes)
{
    block = realloc(block, bytes);
    if (!block)
        fp_env_fail("out of memory for the trace");
    return block;
}

static const char *
text_of(const struct fp_trace_shape *shape, const char *key)
{
    const char *text = fp_trace_shape_text(shape, key);
    return text ? text : "";
}

static unsigned
read_flags(const char *text)
{
    static const char *const words[] = {"nbi", "fetch", "signal", "internal", "value", "g"};
    unsigned flags = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        for (const char *at = text; (at = strstr(at, words[i])); at += length)
            if ((at == text || at[-1] == ' ') && (!at[length] || at[length] == ' '))
                flags |= 1u << i;
    }
    return flags;
}

/* Whether the call is one of the heap's, whose parts are made anew as a whole. */
static bool
is_heap_call(const char *call)
{
    static const char *const names[] = {"shmem_malloc",  "shmem_malloc_with_hints",
                                        "shmem_calloc",  "shmem_align",
                                        "shmem_realloc", "shmem_free",
                                        "shmalloc",      "shmemalign",
                                        "shrealloc",     "shfree"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(call, names[i]))
            return true;
    return false;
}

/* NULL: what the shape says does not exist. */
static struct whatif_shape *
decode(const struct fp_trace_shape *from)
{
    struct whatif_shape *shape = calloc(1, sizeof *shape);
    if (!shape)
        fp_env_fail("out of memory for the trace");
    int op = sim_name_find(sim_op_names, SIM_OP_NAMES, text_of(from, "op"));
    int type = sim_name_find(sim_type_names, SHMEM_TYPE_COUNT, text_of(from, "type"));
    int amo = sim_name_find(sim_amo_names, SIM_AMO_NAMES, text_of(from, "amo"));
    int signal = sim_name_find(sim_amo_names, SIM_AMO_NAMES, text_of(from, "signal"));
    int coll = sim_name_find(sim_coll_names, SHMEM_COLL_COUNT, text_of(from, "coll"));
    int reduce = sim_name_find(sim_reduce_names, SIM_REDUCE_NAMES, text_of(from, "reduce"));
    bool issue = from->event == TRACE_EV_ISSUE;
    *shape = (struct whatif_shape){.event = from->event,
                                   .call = from->call,
                                   .site = from->site,
                                   .op = op < 0 ? SHMEM_OP_PUT : (shmem_op_kind_t)op,
                                   .type = type < 0 ? SHMEM_TYPE_MEM : (shmem_type_t)type,
                                   .amo = amo < 0 ? SHMEM_AMO_NONE : (shmem_amo_t)amo,
                                   .sig_op = signal < 0 ? SHMEM_AMO_SET : (shmem_amo_t)signal,
                                   .coll = coll < 0 ? SHMEM_COLL_SYNC : (shmem_coll_kind_t)coll,
                                   .reduce = reduce < 0 ? SHMEM_REDUCE_SUM : (shmem_reduce_t)reduce,
                                   .flags = read_flags(text_of(from, "flags")),
                                   .elem = (uint32_t)strtoul(text_of(from, "elem"), NULL, 10),
                                   .has_coll = coll >= 0,
                                   .of_heap = is_heap_call(from->call)};
    bool word = shape->elem == 1 || shape->elem == 2 || shape->elem == 4 || shape->elem == 8;
    bool good = !issue || (op >= 0 && type >= 0 && shape->elem >= 1 && shape->elem <= 64);
    if (issue && op == SHMEM_OP_AMO)
        good = good && amo > 0 && word;
    if (from->event == TRACE_EV_WAIT)
        good = good && type >= 0 && word;
    if (from->event == TRACE_EV_COLL_ENTER && shape->coll >= SHMEM_COLL_BROADCAST &&
        shape->coll <= SHMEM_COLL_ALLTOALLS)
        good = good && type >= 0 && shape->elem >= 1 && shape->elem <= 64;
    if (good)
        return shape;
    free(shape);
    return NULL;
}

static const struct whatif_shape *
shape_of(struct whatif *w, const struct fp_trace_entry *entry)
{
    uint32_t number = entry->shape->number;
    if (number >= w->nshapes) {
        uint32_t count = number + 64;
        w->shapes = grown(w->shapes, count * sizeof *w->shapes);
        memset(w->shapes + w->nshapes, 0, (count - w->nshapes) * sizeof *w->shapes);
        w->nshapes = count;
    }
    if (!w->shapes[number])
        w->shapes[number] = decode(entry->shape);
    return w->shapes[number];
}

static bool
within(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
}

static bool
fields_good(const struct whatif *w, const struct fp_trace_entry *entry, bool of_heap)
{
    const int64_t *f = entry->fields;
    /* A program may ask for more memory than there is, and be told so: here it asks again. */
    bool elems = of_heap || within(f[TRACE_F_elems], 0, BYTES_MAX);
    return within(f[TRACE_F_pe], 0, w->npes - 1) && within(f[TRACE_F_target], 0, w->npes - 1) &&
           within(f[TRACE_F_region], 0, 2) && within(f[TRACE_F_local_region], 0, 2) &&
           within(f[TRACE_F_signal_region], 0, 2) && within(f[TRACE_F_offset], 0, BYTES_MAX) &&
           within(f[TRACE_F_local_offset], 0, BYTES_MAX) && within(f[TRACE_F_signal_offset], 0, BYTES_MAX) &&
           within(f[TRACE_F_bytes], 0, BYTES_MAX) && within(f[TRACE_F_blocks], 0, INT32_MAX - 1) &&
           within(f[TRACE_F_step], -BYTES_MAX, BYTES_MAX) && within(f[TRACE_F_local_step], -BYTES_MAX, BYTES_MAX) &&
           within(f[TRACE_F_ctx], 0, 1 << 20) && within(f[TRACE_F_team], 0, TEAMS_MAX) && elems &&
           within(f[TRACE_F_root], 0, w->npes - 1);
}

static void
static_reaches(struct whatif *w, int region, int64_t offset, int64_t bytes)
{
    if (region == FP_STATIC && offset + bytes > w->static_bytes)
        w->static_bytes = offset + bytes;
}

/* The bytes from the first to the last of all blocks. */
static int64_t
extent(int64_t bytes, int64_t blocks, int64_t step)
{
    int64_t reach;
    if (__builtin_mul_overflow(blocks, step > 0 ? step : 0, &reach) || reach > BYTES_MAX)
        return BYTES_MAX;
    return reach + bytes;
}

static void
add_act(struct whatif *w, const struct fp_trace_entry *entry, const struct whatif_shape *shape, uint64_t gap)
{
    const int64_t *f = entry->fields;
    struct whatif_script *script = &w->scripts[f[TRACE_F_pe]];
    if (script->count == script->cap) {
        script->cap = script->cap ? 2 * script->cap : 256;
        script->acts = grown(script->acts, script->cap * sizeof *script->acts);
    }
    script->acts[script->count++] = (struct whatif_act){
        .shape = shape,
        .op = entry->issues,
        .gap = gap,
        .offset = f[TRACE_F_offset],
        .local_offset = f[TRACE_F_local_offset],
        .signal_offset = f[TRACE_F_signal_offset],
        .bytes = f[TRACE_F_bytes],
        .step = f[TRACE_F_step],
        .local_step = f[TRACE_F_local_step],
        .elems = shape->event == TRACE_EV_LOAD || shape->event == TRACE_EV_STORE ? f[TRACE_F_grain] : f[TRACE_F_elems],
        .target = (int32_t)f[TRACE_F_target],
        .blocks = (int32_t)f[TRACE_F_blocks],
        .ctx = (int32_t)f[TRACE_F_ctx],
        .team = (int32_t)f[TRACE_F_team],
        .root = (int32_t)f[TRACE_F_root],
        .flags = (int32_t)f[TRACE_F_flags],
        .region = (uint8_t)f[TRACE_F_region],
        .local_region = (uint8_t)f[TRACE_F_local_region],
        .signal_region = (uint8_t)f[TRACE_F_signal_region]};
    static_reaches(w, (int)f[TRACE_F_region], f[TRACE_F_offset],
                   extent(f[TRACE_F_bytes], f[TRACE_F_blocks], f[TRACE_F_step]));
    static_reaches(w, (int)f[TRACE_F_local_region], f[TRACE_F_local_offset],
                   extent(f[TRACE_F_bytes], f[TRACE_F_blocks], f[TRACE_F_local_step]));
    static_reaches(w, (int)f[TRACE_F_signal_region], f[TRACE_F_signal_offset], 8);
    if (shape->event == TRACE_EV_COLL_ENTER) {
        int64_t bytes = f[TRACE_F_elems] * (int64_t)shape->elem * w->npes;
        static_reaches(w, (int)f[TRACE_F_region], f[TRACE_F_offset], bytes < BYTES_MAX ? bytes : BYTES_MAX);
        static_reaches(w, (int)f[TRACE_F_local_region], f[TRACE_F_local_offset], bytes < BYTES_MAX ? bytes : BYTES_MAX);
    }
}

static void
note_op(struct whatif *w, const struct fp_trace_entry *entry, bool act)
{
    if (entry->issues >= w->ops_cap) {
        w->ops_cap = w->ops_cap ? 2 * w->ops_cap : 1024;
        w->ops = grown(w->ops, w->ops_cap * sizeof *w->ops);
    }
    int pe = (int)entry->fields[TRACE_F_pe];
    w->ops[entry->issues] = (struct whatif_ref){act ? pe : -1, w->scripts[pe].count};
    w->nops = entry->issues;
}

static void
note_block(struct whatif *w, const int64_t *f)
{
    if (f[TRACE_F_pe] != 0)
        return;
    if (w->nblocks == w->blocks_cap) {
        w->blocks_cap = w->blocks_cap ? 2 * w->blocks_cap : 64;
        w->blocks = grown(w->blocks, w->blocks_cap * sizeof *w->blocks);
    }
    w->blocks[w->nblocks++] = (struct whatif_block){f[TRACE_F_offset], f[TRACE_F_bytes], -1};
}

static bool
note_team(struct whatif *w, const int64_t *f)
{
    int64_t size = f[TRACE_F_size], start = f[TRACE_F_start], stride = f[TRACE_F_stride], last;
    int index = (int)f[TRACE_F_team];
    if (!within(size, 1, w->npes) || !within(start, 0, w->npes - 1) || !within(stride, -w->npes, w->npes))
        return false;
    last = start + (size - 1) * stride;
    if (!within(last, 0, w->npes - 1) || (size > 1 && stride == 0))
        return false;
    if (index >= w->nteams) {
        w->teams = grown(w->teams, (size_t)(index + 8) * sizeof *w->teams);
        memset(w->teams + w->nteams, 0, (size_t)(index + 8 - w->nteams) * sizeof *w->teams);
        w->nteams = index + 8;
    }
    w->teams[index] = (struct whatif_team){(int)start, (int)stride, (int)size};
    return true;
}

/* What of a heap call is not made by the call itself. */
static bool
is_part_of_heap_call(const struct whatif_shape *shape)
{
    return shape->of_heap && !(shape->event == TRACE_EV_SYNC_ENTER && shape->has_coll);
}

static bool
is_act(const struct whatif_shape *shape, const int64_t *f)
{
    switch (shape->event) {
    case TRACE_EV_ISSUE:
        return !(shape->flags & SHMEM_OPF_INTERNAL);
    case TRACE_EV_FENCE:
    case TRACE_EV_QUIET:
    case TRACE_EV_PE_QUIET:
        return f[TRACE_F_ctx] != 1;
    case TRACE_EV_SYNC_ENTER:
    case TRACE_EV_COLL_ENTER:
    case TRACE_EV_WAIT:
    case TRACE_EV_LOCK_SET:
    case TRACE_EV_LOCK_CLEAR:
    case TRACE_EV_LOAD:
    case TRACE_EV_STORE:
    case TRACE_EV_ATOMIC:
    case TRACE_EV_CONTEXT:
        return true;
    default:
        return false;
    }
}

/* Computation before this record of the PE. A test that saw what it looked for looked before, too: that is no
 * computation. */
static uint64_t
gap_before(struct whatif *w, const struct whatif_shape *shape, const int64_t *f)
{
    struct whatif_script *script = &w->scripts[f[TRACE_F_pe]];
    int64_t time = f[TRACE_F_time], begin = time - f[TRACE_F_took];
    uint64_t gap = time > 0 && begin > (int64_t)script->last_time ? (uint64_t)begin - script->last_time : 0;
    if (time > (int64_t)script->last_time)
        script->last_time = (uint64_t)time;
    if (script->last_time > w->recorded_ns)
        w->recorded_ns = script->last_time;
    return strstr(shape->call, "_test") ? 0 : gap;
}

static bool
take(struct whatif *w, const struct fp_trace_entry *entry)
{
    const struct whatif_shape *shape = shape_of(w, entry);
    const int64_t *f = entry->fields;
    if (!shape || !fields_good(w, entry, shape->of_heap && shape->event == TRACE_EV_SYNC_ENTER))
        return false;
    switch (shape->event) {
    case TRACE_EV_TEAM:
        return note_team(w, f);
    case TRACE_EV_BORN:
        note_block(w, f);
        break;
    case TRACE_EV_READ:
    case TRACE_EV_WRITE:
    case TRACE_EV_RMW:
        w->delivers = true;
        return true;
    case TRACE_EV_FINDING:
    case TRACE_EV_UNKNOWN:
        return true;
    default:
        break;
    }
    if (shape->event == TRACE_EV_ISSUE && f[TRACE_F_bytes] % (f[TRACE_F_blocks] + 1))
        return false;
    bool timed = shape->event != TRACE_EV_CONTEXT;
    uint64_t gap = timed ? gap_before(w, shape, f) : 0;
    bool act = is_act(shape, f) && !is_part_of_heap_call(shape);
    if (shape->event == TRACE_EV_ISSUE)
        note_op(w, entry, act);
    if (act)
        add_act(w, entry, shape, gap);
    return w->static_bytes <= STATIC_MAX;
}

static bool
read_header(struct whatif *w)
{
    const char *npes = fp_trace_header(w->trace, "npes", 0), *clock = fp_trace_header(w->trace, "clock", 0);
    w->npes = npes ? atoi(npes) : 0;
    w->real_clock = clock && !strcmp(clock, "real");
    if (!clock)
        snprintf(w->error, sizeof w->error, "trace %s: it is of version 1 and holds choices alone, not what was done",
                 w->path);
    else if (w->npes < 1 || w->npes > PES_MAX)
        snprintf(w->error, sizeof w->error, "trace %s: it does not say how many PEs there were", w->path);
    else
        return true;
    return false;
}

static bool
read_records(struct whatif *w)
{
    struct fp_trace_entry entry;
    int got;
    while ((got = fp_trace_next_record(w->trace, &entry, w->error, sizeof w->error)) == 1)
        if (!take(w, &entry)) {
            snprintf(w->error, sizeof w->error, "trace %s: record %" PRIu64 " makes no sense (%s)", w->path,
                     entry.number, entry.shape->call[0] ? entry.shape->call : "no call");
            return false;
        }
    return got == 0 && whatif_gates_read(w) == 0;
}

struct whatif *
whatif_load(const char *path)
{
    struct whatif *w = calloc(1, sizeof *w);
    if (!w)
        fp_env_fail("out of memory for the trace");
    w->path = path;
    w->same_heap = true;
    w->trace = fp_trace_open(path, w->error, sizeof w->error);
    if (w->trace && read_header(w)) {
        w->scripts = calloc((size_t)w->npes, sizeof *w->scripts);
        if (!w->scripts)
            fp_env_fail("out of memory for the trace");
        if (read_records(w))
            return w;
    }
    fprintf(stderr, "fencepost: %s\n", w->error);
    whatif_free(w);
    return NULL;
}

void
whatif_free(struct whatif *w)
{
    if (!w)
        return;
    whatif_play_free(w);
    for (uint32_t i = 0; i < w->nshapes; i++)
        free(w->shapes[i]);
    for (int i = 0; w->scripts && i < w->npes; i++)
        free(w->scripts[i].acts);
    for (size_t i = 0; i < w->nlocs; i++)
        free(w->locs[i].updates);
    free(w->shapes);
    free(w->scripts);
    free(w->ops);
    free(w->locs);
    free(w->locks);
    free(w->blocks);
    free(w->teams);
    fp_trace_free(w->trace);
    free(w);
}
