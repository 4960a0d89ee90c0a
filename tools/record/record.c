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

#include "include/fencepost_recorder.h"

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

/* What is remembered of one PE. */
struct recorder {
    struct recorder *next;
    struct fp_trace_writer *writer;
    pthread_mutex_t lock;
    int pe, npes;
    struct block *blocks;
    size_t nblocks;
    uint64_t next_offset;
    struct shape *shapes;
    size_t nshapes;
    struct context {
        const void *handle, *team; /* NULL: PEs are counted in the world */
    } * ctxs;
    uint32_t nctxs;
    struct team {
        int start, stride, size;
        uint64_t seq;
    } * teams;
    int nteams;
    uint64_t world_seq;
    uintptr_t base, data_lo, data_hi; /* of the program */
    uint64_t operations;
};

/* The PEs of this process: one, or all of them (Fencepost's backends, where each PE is a thread). */
static struct recorder *recorders;
static pthread_mutex_t recorders_lock = PTHREAD_MUTEX_INITIALIZER;

static __thread struct recorder *self;
static __thread int depth;

/* What Fencepost's own backends tell; NULL where there is another implementation. */
static struct {
    __typeof__(fencepost_backend_name) *name;
    __typeof__(fencepost_place) *place;
    __typeof__(fencepost_statics) *statics;
    __typeof__(fencepost_site) *site;
    __typeof__(fencepost_called_from) *called_from;
    __typeof__(fencepost_at_end) *at_end;
} backend;

static void __attribute__((constructor)) find_backend(void)
{
    *(void **)&backend.name = dlsym(RTLD_NEXT, "fencepost_backend_name");
    if (!backend.name)
        return;
    *(void **)&backend.place = dlsym(RTLD_NEXT, "fencepost_place");
    *(void **)&backend.statics = dlsym(RTLD_NEXT, "fencepost_statics");
    *(void **)&backend.site = dlsym(RTLD_NEXT, "fencepost_site");
    *(void **)&backend.called_from = dlsym(RTLD_NEXT, "fencepost_called_from");
    *(void **)&backend.at_end = dlsym(RTLD_NEXT, "fencepost_at_end");
}

/* A thread that a PE started is of that PE; the implementation knows of which. */
static void
find_self(void)
{
    static int (*my_pe)(void);
    if (!my_pe)
        my_pe = (int (*)(void))record_real("shmem_my_pe");
    pthread_mutex_lock(&recorders_lock);
    self = recorders;
    if (backend.name)
        for (int pe = my_pe(); self && self->pe != pe;)
            self = self->next;
    pthread_mutex_unlock(&recorders_lock);
}

bool
record_begin(const void *site)
{
    if (depth++ > 0)
        return false;
    if (backend.called_from)
        backend.called_from(site);
    return true;
}

bool
record_enter(const void *site)
{
    if (!record_begin(site))
        return false;
    if (!self && __atomic_load_n(&recorders, __ATOMIC_ACQUIRE))
        find_self();
    return self && self->writer;
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
    self->base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_W))
            continue;
        self->data_lo = info->dlpi_addr + ph->p_vaddr;
        self->data_hi = self->data_lo + ph->p_memsz;
    }
    return 1;
}

void
record_place(const void *address, int64_t *region, int64_t *offset)
{
    uintptr_t at = (uintptr_t)address;
    *region = *offset = 0;
    if (backend.place) {
        uint64_t where;
        *region = backend.place(address, &where);
        *offset = (int64_t)where;
        return;
    }
    for (size_t i = self->nblocks; i-- > 0;) {
        const struct block *block = &self->blocks[i];
        if (at - (uintptr_t)block->at < block->bytes) {
            *region = 1;
            *offset = (int64_t)(block->offset + (at - (uintptr_t)block->at));
            return;
        }
    }
    if (at - self->data_lo < self->data_hi - self->data_lo) {
        *region = 2;
        *offset = (int64_t)(at - self->data_lo);
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
        fp_trace_shape_key(self->writer, name, value);
}

static uint32_t
shape_of(const struct record_call *call)
{
    for (size_t i = 0; i < self->nshapes; i++)
        if (same_call(&self->shapes[i].call, call))
            return self->shapes[i].number;
    struct shape *shapes = realloc(self->shapes, (self->nshapes + 1) * sizeof *shapes);
    char text[32];
    uint32_t number = fp_trace_shape(self->writer, call->event);
    if (shapes) {
        self->shapes = shapes;
        shapes[self->nshapes++] = (struct shape){*call, number};
    }
    key("call", call->name);
    if (call->site) { /* of the call, not of what comes after it */
        uint64_t site = backend.site ? backend.site(call->site) : (uint64_t)((uintptr_t)call->site - 1 - self->base);
        snprintf(text, sizeof text, "%" PRIx64, site);
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
    pthread_mutex_lock(&self->lock);
    if (!self->writer) { /* the process is ending */
        pthread_mutex_unlock(&self->lock);
        return;
    }
    RECORD_SET(fields, pe, self->pe);
    if (!(fields->given & TRACE_BIT(target)))
        RECORD_SET(fields, target, self->pe); /* its own copy */
    RECORD_SET(fields, time, now);
    RECORD_SET(fields, took, began ? now - began : 0);
    self->operations += call->event == TRACE_EV_ISSUE;
    fp_trace_record(self->writer, shape_of(call), fields->given, fields->at);
    pthread_mutex_unlock(&self->lock);
}

/* ---- What calls leave behind
 * ------------------------------------------------------------------------------------------- */

void
record_born(const struct record_call *call, void *block, size_t bytes, bool zeroed)
{
    struct block *blocks = realloc(self->blocks, (self->nblocks + 1) * sizeof *blocks);
    if (!blocks || !block)
        return;
    self->blocks = blocks;
    int64_t region = 1, offset = (int64_t)self->next_offset;
    if (backend.place)
        record_place(block, &region, &offset);
    blocks[self->nblocks++] = (struct block){block, bytes, (uint64_t)offset, true};
    struct record_call born = {.event = TRACE_EV_BORN, .name = call->name, .site = call->site};
    struct record_fields fields = {0};
    RECORD_SET(&fields, target, self->pe);
    RECORD_SET(&fields, region, region);
    RECORD_SET(&fields, offset, offset);
    RECORD_SET(&fields, bytes, bytes);
    RECORD_SET(&fields, mark, zeroed ? TRACE_MARK_ZEROED : 0);
    record_write(&born, &fields, 0);
    self->next_offset += (bytes + 4095) & ~(size_t)4095;
}

void
record_died(const struct record_call *call, void *at)
{
    for (size_t i = self->nblocks; i-- > 0;) {
        struct block *block = &self->blocks[i];
        if (block->at != at || !block->live)
            continue;
        struct record_call died = {.event = TRACE_EV_DIED, .name = call->name, .site = call->site};
        struct record_fields fields = {0};
        RECORD_SET(&fields, target, self->pe);
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
    for (uint32_t i = self->nctxs; ctx && i-- > 0;)
        if (self->ctxs[i].handle == ctx)
            return i + 2;
    return 0;
}

void
record_ctx_made(const struct record_call *call, const void *ctx, const void *team, long options)
{
    struct context *ctxs = realloc(self->ctxs, (self->nctxs + 1) * sizeof *ctxs);
    struct record_call made = {.event = TRACE_EV_CONTEXT};
    struct record_fields fields = {0};
    if (!ctxs)
        return;
    self->ctxs = ctxs;
    ctxs[self->nctxs++] = (struct context){ctx, team};
    RECORD_SET(&fields, ctx, self->nctxs + 1);
    RECORD_SET(&fields, flags, options);
    record_write(&made, &fields, 0);
}

int
record_team(int start, int stride, int size)
{
    if (start == 0 && stride == 1 && size == self->npes)
        return 0;
    for (int i = 0; i < self->nteams; i++)
        if (self->teams[i].start == start && self->teams[i].stride == stride && self->teams[i].size == size)
            return i + 2;
    struct team *teams = realloc(self->teams, (size_t)(self->nteams + 1) * sizeof *teams);
    struct record_call told = {.event = TRACE_EV_TEAM};
    struct record_fields fields = {0};
    if (!teams)
        return 0;
    self->teams = teams;
    teams[self->nteams++] = (struct team){start, stride, size, 0};
    RECORD_SET(&fields, team, self->nteams + 1);
    RECORD_SET(&fields, start, start);
    RECORD_SET(&fields, stride, stride);
    RECORD_SET(&fields, size, size);
    record_write(&told, &fields, 0);
    return self->nteams + 1;
}

/* Both of Fencepost's own backends: elsewhere handles are not known. */
#define TEAM_WORLD ((const void *)1)

static int
world_pe(const void *team, int pe)
{
    static int (*translate)(const void *, int, const void *);
    if (!translate)
        *(void **)&translate = record_real("shmem_team_translate_pe");
    return translate(team, pe, TEAM_WORLD);
}

int
record_team_of(const void *team)
{
    static int (*team_n_pes)(const void *);
    if (!backend.name || !team)
        return -1;
    if (team == TEAM_WORLD)
        return 0;
    if (!team_n_pes)
        *(void **)&team_n_pes = record_real("shmem_team_n_pes");
    int size = team_n_pes(team), start = size > 0 ? world_pe(team, 0) : -1;
    return size < 1 ? -1 : record_team(start, size > 1 ? world_pe(team, 1) - start : 1, size);
}

int
record_team_pe(const void *team, int pe)
{
    return !backend.name || team == TEAM_WORLD ? pe : world_pe(team, pe);
}

int
record_ctx_pe(const void *ctx, int pe)
{
    uint32_t number = record_ctx(ctx);
    const void *team = number ? self->ctxs[number - 2].team : NULL;
    return team ? record_team_pe(team, pe) : pe;
}

uint64_t
record_team_seq(int team)
{
    return team < 2 ? self->world_seq++ : self->teams[team - 2].seq++;
}

/* ---- The file
 * ---------------------------------------------------------------------------------------------------------- */

static void
number_field(const char *name, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    fp_trace_field(self->writer, name, text);
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
    fp_trace_field(self->writer, "machine", text);
}

static void
header(int pe, int npes)
{
    char program[PATH_BYTES] = "", hash[17] = "";
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    fp_trace_file_hash(program, hash);
    fp_trace_field(self->writer, "recorder", backend.name ? backend.name() : "pshmem");
    fp_trace_field(self->writer, "clock", "real");
    fp_trace_field(self->writer, "program", program);
    fp_trace_field(self->writer, "program-hash", hash);
    number_field("npes", (uint64_t)npes);
    number_field("pe", (uint64_t)pe);
    uint64_t address = self->data_lo - self->base, bytes = self->data_hi - self->data_lo;
    if (backend.statics)
        backend.statics(&address, &bytes);
    number_field("static-address", address);
    number_field("static-bytes", bytes);
    fp_trace_field(self->writer, "rules", "common");
    fp_trace_field(self->writer, "hooks", "0");
    machine_field();
}

static void
close_one(struct recorder *recorder)
{
    char text[32];
    self = recorder;
    if (!self->writer)
        return;
    struct record_call end = {.event = TRACE_EV_END};
    struct record_fields fields = {0};
    record_write(&end, &fields, 0);
    snprintf(text, sizeof text, "%" PRIu64, self->operations);
    pthread_mutex_lock(&self->lock); /* another PE may stand in a call while the process ends */
    fp_trace_result(self->writer, "operations", text);
    fp_trace_close(self->writer);
    self->writer = NULL;
    pthread_mutex_unlock(&self->lock);
}

void
record_close(void)
{
    if (self)
        close_one(self);
}

/* A program that leaves without shmem_finalize has its trace all the same. */
static void __attribute__((destructor)) at_exit(void)
{
    for (struct recorder *recorder = __atomic_load_n(&recorders, __ATOMIC_ACQUIRE); recorder; recorder = recorder->next)
        close_one(recorder);
}

void
record_open(int pe, int npes)
{
    char path[PATH_BYTES];
    const char *prefix = getenv("FENCEPOST_RECORD");
    struct recorder *opened = self ? NULL : calloc(1, sizeof *opened);
    if (!opened)
        return;
    pthread_mutex_init(&opened->lock, NULL);
    opened->next_offset = 65536;
    opened->pe = pe;
    opened->npes = npes;
    self = opened;
    dl_iterate_phdr(program_object, NULL);
    snprintf(path, sizeof path, "%s.%d.fptrace", prefix && *prefix ? prefix : "fencepost", pe);
    opened->writer = fp_trace_create(path);
    if (!opened->writer)
        return; /* said why; the program goes on */
    header(pe, npes);
    if (backend.at_end)
        backend.at_end(at_exit);
    pthread_mutex_lock(&recorders_lock);
    opened->next = recorders;
    __atomic_store_n(&recorders, opened, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&recorders_lock);
}
