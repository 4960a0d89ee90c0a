/* record.c -- the state and the file of the recorder, see record.h. */
#include "tools/record/record.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATH_BYTES 4096

struct block {
    char *at;
    size_t bytes;
    uint64_t offset; /* as recorded */
    bool live;
};

struct shape {
    struct record_call call;
    uint32_t number;
};

static struct {
    struct fp_trace_writer *writer;
    pthread_mutex_t lock;
    int pe, npes;
    struct block *blocks;
    size_t nblocks;
    uint64_t next_offset;
    struct shape *shapes;
    size_t nshapes;
    const void **ctxs;
    uint32_t nctxs;
    struct team {
        int start, log_stride, size;
        uint64_t seq;
    } * teams;
    int nteams;
    uintptr_t base, data_lo, data_hi; /* of the program */
    uint64_t operations;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .next_offset = 65536};

static __thread int depth;

bool
record_enter(void)
{
    return depth++ == 0 && state.writer;
}

void
record_leave(void)
{
    depth--;
}

uint64_t
record_now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

void *
record_real(const char *name)
{
    char profiling[160];
    snprintf(profiling, sizeof profiling, "p%s", name);
    void *routine = dlsym(RTLD_NEXT, profiling);
    if (!routine)
        routine = dlsym(RTLD_NEXT, name);
    if (routine)
        return routine;
    fprintf(stderr, "fencepost: this OpenSHMEM has neither %s nor %s\n", profiling, name);
    _exit(71);
}

/* ---- Places
 * ------------------------------------------------------------------------------------------------------------ */

static int
program_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    state.base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_W))
            continue;
        state.data_lo = info->dlpi_addr + ph->p_vaddr;
        state.data_hi = state.data_lo + ph->p_memsz;
    }
    return 1;
}

void
record_place(const void *address, int64_t *region, int64_t *offset)
{
    uintptr_t at = (uintptr_t)address;
    *region = *offset = 0;
    for (size_t i = state.nblocks; i-- > 0;) {
        const struct block *block = &state.blocks[i];
        if (at - (uintptr_t)block->at < block->bytes) {
            *region = 1;
            *offset = (int64_t)(block->offset + (at - (uintptr_t)block->at));
            return;
        }
    }
    if (at - state.data_lo < state.data_hi - state.data_lo) {
        *region = 2;
        *offset = (int64_t)(at - state.data_lo);
    }
}

/* ---- Records
 * ----------------------------------------------------------------------------------------------------------- */

static bool
same_call(const struct record_call *a, const struct record_call *b)
{
    return a->event == b->event && a->site == b->site && !strcmp(a->name, b->name) && a->elem == b->elem &&
           a->flags == b->flags;
}

static void
key(const char *name, const char *value)
{
    if (value && *value)
        fp_trace_shape_key(state.writer, name, value);
}

static uint32_t
shape_of(const struct record_call *call)
{
    for (size_t i = 0; i < state.nshapes; i++)
        if (same_call(&state.shapes[i].call, call))
            return state.shapes[i].number;
    struct shape *shapes = realloc(state.shapes, (state.nshapes + 1) * sizeof *shapes);
    char text[32];
    uint32_t number = fp_trace_shape(state.writer, call->event);
    if (shapes) {
        state.shapes = shapes;
        shapes[state.nshapes++] = (struct shape){*call, number};
    }
    key("call", call->name);
    if (call->site) { /* of the call, not of what comes after it */
        snprintf(text, sizeof text, "%" PRIx64, (uint64_t)((uintptr_t)call->site - 1 - state.base));
        key("site", text);
    }
    key("op", call->op);
    key("type", call->type);
    snprintf(text, sizeof text, "%zu", call->elem);
    if (call->elem)
        key("elem", text);
    key("amo", call->amo);
    key("signal", call->signal);
    key("flags", call->flags);
    key("coll", call->coll);
    key("reduce", call->reduce);
    return number;
}

void
record_write(const struct record_call *call, struct record_fields *fields, uint64_t began)
{
    uint64_t now = record_now();
    pthread_mutex_lock(&state.lock);
    RECORD_SET(fields, pe, state.pe);
    if (!(fields->given & TRACE_BIT(target)))
        RECORD_SET(fields, target, state.pe); /* its own copy */
    RECORD_SET(fields, time, now);
    RECORD_SET(fields, took, began ? now - began : 0);
    state.operations += call->event == TRACE_EV_ISSUE;
    fp_trace_record(state.writer, shape_of(call), fields->given, fields->at);
    pthread_mutex_unlock(&state.lock);
}

/* ---- What calls leave behind
 * ------------------------------------------------------------------------------------------- */

void
record_born(const struct record_call *call, void *block, size_t bytes, bool zeroed)
{
    struct block *blocks = realloc(state.blocks, (state.nblocks + 1) * sizeof *blocks);
    if (!blocks || !block)
        return;
    state.blocks = blocks;
    blocks[state.nblocks++] = (struct block){block, bytes, state.next_offset, true};
    struct record_call born = {.event = TRACE_EV_BORN, .name = call->name, .site = call->site};
    struct record_fields fields = {0};
    RECORD_SET(&fields, target, state.pe);
    RECORD_SET(&fields, region, 1);
    RECORD_SET(&fields, offset, state.next_offset);
    RECORD_SET(&fields, bytes, bytes);
    RECORD_SET(&fields, mark, zeroed ? TRACE_MARK_ZEROED : 0);
    record_write(&born, &fields, 0);
    state.next_offset += (bytes + 4095) & ~(size_t)4095;
}

void
record_died(const struct record_call *call, void *at)
{
    for (size_t i = state.nblocks; i-- > 0;) {
        struct block *block = &state.blocks[i];
        if (block->at != at || !block->live)
            continue;
        struct record_call died = {.event = TRACE_EV_DIED, .name = call->name, .site = call->site};
        struct record_fields fields = {0};
        RECORD_SET(&fields, target, state.pe);
        RECORD_SET(&fields, region, 1);
        RECORD_SET(&fields, offset, block->offset);
        RECORD_SET(&fields, bytes, block->bytes);
        record_write(&died, &fields, 0);
        block->live = false;
        block->bytes = 0;
        return;
    }
}

uint32_t
record_ctx(const void *ctx)
{
    for (uint32_t i = state.nctxs; ctx && i-- > 0;)
        if (state.ctxs[i] == ctx)
            return i + 2;
    return 0;
}

void
record_ctx_made(const struct record_call *call, const void *ctx, long options)
{
    const void **ctxs = realloc(state.ctxs, (state.nctxs + 1) * sizeof *ctxs);
    struct record_call made = {.event = TRACE_EV_CONTEXT};
    struct record_fields fields = {0};
    if (!ctxs)
        return;
    state.ctxs = ctxs;
    ctxs[state.nctxs++] = ctx;
    RECORD_SET(&fields, ctx, state.nctxs + 1);
    RECORD_SET(&fields, flags, options);
    record_write(&made, &fields, 0);
}

int
record_team(int start, int log_stride, int size)
{
    if (start == 0 && log_stride == 0 && size == state.npes)
        return 0;
    for (int i = 0; i < state.nteams; i++)
        if (state.teams[i].start == start && state.teams[i].log_stride == log_stride && state.teams[i].size == size)
            return i + 2;
    struct team *teams = realloc(state.teams, (size_t)(state.nteams + 1) * sizeof *teams);
    struct record_call told = {.event = TRACE_EV_TEAM};
    struct record_fields fields = {0};
    if (!teams)
        return 0;
    state.teams = teams;
    teams[state.nteams++] = (struct team){start, log_stride, size, 0};
    RECORD_SET(&fields, team, state.nteams + 1);
    RECORD_SET(&fields, start, start);
    RECORD_SET(&fields, stride, (int64_t)1 << log_stride);
    RECORD_SET(&fields, size, size);
    record_write(&told, &fields, 0);
    return state.nteams + 1;
}

uint64_t
record_team_seq(int team)
{
    static uint64_t world;
    return team < 2 ? world++ : state.teams[team - 2].seq++;
}

/* ---- The file
 * ---------------------------------------------------------------------------------------------------------- */

static void
number_field(const char *name, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    fp_trace_field(state.writer, name, text);
}

/* What tells machines apart: on one, all PEs have the same clock. */
static void
machine_field(void)
{
    char text[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file && fgets(text, sizeof text, file))
        text[strcspn(text, "\n")] = '\0';
    if (file)
        fclose(file);
    fp_trace_field(state.writer, "machine", text);
}

void
record_open(int pe, int npes)
{
    char path[PATH_BYTES], program[PATH_BYTES] = "", hash[17] = "";
    const char *prefix = getenv("FENCEPOST_RECORD");
    if (state.writer)
        return;
    dl_iterate_phdr(program_object, NULL);
    snprintf(path, sizeof path, "%s.%d.fptrace", prefix && *prefix ? prefix : "fencepost", pe);
    state.pe = pe;
    state.npes = npes;
    state.writer = fp_trace_create(path);
    if (!state.writer)
        return; /* said why; the program goes on */
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    fp_trace_file_hash(program, hash);
    fp_trace_field(state.writer, "recorder", "pshmem");
    fp_trace_field(state.writer, "clock", "real");
    fp_trace_field(state.writer, "program", program);
    fp_trace_field(state.writer, "program-hash", hash);
    number_field("npes", (uint64_t)npes);
    number_field("pe", (uint64_t)pe);
    number_field("static-address", state.data_lo - state.base);
    number_field("static-bytes", state.data_hi - state.data_lo);
    fp_trace_field(state.writer, "rules", "common");
    fp_trace_field(state.writer, "hooks", "0");
    machine_field();
}

void
record_close(void)
{
    char text[32];
    if (!state.writer)
        return;
    struct record_call end = {.event = TRACE_EV_END};
    struct record_fields fields = {0};
    record_write(&end, &fields, 0);
    snprintf(text, sizeof text, "%" PRIu64, state.operations);
    fp_trace_result(state.writer, "operations", text);
    fp_trace_close(state.writer);
    state.writer = NULL;
}

/* A program that leaves without shmem_finalize has its trace all the same. */
static void __attribute__((destructor)) at_exit(void)
{
    record_close();
}
