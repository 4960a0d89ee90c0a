/* merge.c -- `fencepost trace merge`: the traces of single PEs, from the recorder, become one. See merge.h.
 *
 * The records are merged by time. Clocks of one machine are one clock; those of several are aligned at each meeting of
 * all PEs, which everybody leaves at about the same time, and in between by straight lines. Time alone does not decide:
 * nobody leaves a meeting before all have come, and a wait comes after an update that satisfies it. For that the value
 * of each small location is followed through puts and atomics in the merged order; a wait says by which it was
 * satisfied. Where no order keeps all that (the program's own stores are not seen), the wait is taken as it comes.
 */
#include "sim/merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "reference/job.h"
#include "reference/report/debug.h"
#include "traces/trace.h"

#define PES_MAX 4096

/* One location of up to 8 bytes, as far as operations have written it. */
struct place {
    struct place *next;
    int64_t pe, region, offset, value;
    uint64_t op;   /* that wrote it last */
    bool consumed; /* a wait has seen this already */
};

struct meeting {
    struct meeting *next;
    int64_t team, seq;
    int arrived;
};

/* One PE's file. */
struct source {
    const char *path;
    struct fp_trace_reader *trace;
    struct fp_trace_entry entry;
    bool there;      /* entry is the next record */
    int64_t *leaves; /* of meetings of all: time by number, 0: none */
    size_t nleaves;
    uint32_t *shapes; /* ours + 1, by theirs */
    uint32_t nshapes;
    int64_t *teams; /* ours, by theirs; 0: not told */
    size_t nteams;
    bool free; /* its wait is taken as it comes */
};

struct merge {
    struct source *sources;
    int npes;
    bool one_clock;
    int64_t origin; /* time of the first record */
    struct fp_trace_writer *writer;
    struct shape {
        const char *keys;
        size_t bytes;
        uint32_t number;
    } * shapes;
    size_t nshapes;
    struct team {
        int64_t start, stride, size;
    } teams[256];
    int nteams;
    struct place *places[4096];
    struct meeting *meetings;
    uint64_t issues;
    uint64_t *sites;
    size_t nsites;
    char error[512];
};

static void *
grown(void *block, size_t bytes)
{
    block = realloc(block, bytes);
    if (!block)
        fp_env_fail("out of memory for the traces");
    return block;
}

/* ---- Clocks
 * ------------------------------------------------------------------------------------------------------------ */

static bool
meets_all(const struct fp_trace_entry *entry, enum fp_trace_event event)
{
    return entry->shape->event == event && entry->fields[TRACE_F_team] == 0;
}

/* A first pass: when each meeting of all was left, and the first time. */
static int
read_clock(struct merge *m, struct source *source, int64_t *first)
{
    struct fp_trace_reader *trace = fp_trace_open(source->path, m->error, sizeof m->error);
    struct fp_trace_entry entry;
    int got = trace ? 1 : -1;
    while (got == 1 && (got = fp_trace_next_record(trace, &entry, m->error, sizeof m->error)) == 1) {
        if (*first == 0 && entry.fields[TRACE_F_time] > 0)
            *first = entry.fields[TRACE_F_time] - entry.fields[TRACE_F_took];
        if (!meets_all(&entry, TRACE_EV_SYNC_LEAVE))
            continue;
        source->leaves = grown(source->leaves, (source->nleaves + 1) * sizeof *source->leaves);
        source->leaves[source->nleaves++] = entry.fields[TRACE_F_time];
    }
    fp_trace_free(trace);
    return got;
}

/* A time of this PE by PE 0's clock. */
static int64_t
aligned(const struct merge *m, const struct source *source, int64_t time)
{
    const struct source *zero = &m->sources[0];
    size_t n = source->nleaves < zero->nleaves ? source->nleaves : zero->nleaves, i = 0;
    if (m->one_clock || source == zero || n == 0)
        return time - m->origin;
    while (i < n && source->leaves[i] <= time)
        i++;
    if (i == 0)
        return time + (zero->leaves[0] - source->leaves[0]) - m->origin;
    int64_t before = zero->leaves[i - 1] - source->leaves[i - 1];
    if (i == n)
        return time + before - m->origin;
    int64_t after = zero->leaves[i] - source->leaves[i];
    double part = (double)(time - source->leaves[i - 1]) / (double)(source->leaves[i] - source->leaves[i - 1] + 1);
    return time + before + (int64_t)((double)(after - before) * part) - m->origin;
}

/* ---- Places and meetings
 * ----------------------------------------------------------------------------------------------- */

static struct place *
place_of(struct merge *m, int64_t pe, int64_t region, int64_t offset, bool make)
{
    uint64_t hash = ((uint64_t)pe * 3 + (uint64_t)region + (uint64_t)offset * 8) * UINT64_C(0x9e3779b97f4a7c15) >> 52;
    struct place **bucket = &m->places[hash], *place = *bucket;
    while (place && (place->pe != pe || place->region != region || place->offset != offset))
        place = place->next;
    if (place || !make)
        return place;
    place = grown(NULL, sizeof *place);
    *place = (struct place){.next = *bucket, .pe = pe, .region = region, .offset = offset};
    return *bucket = place;
}

static void
write_place(struct merge *m, const int64_t *f, int64_t region, int64_t offset, const char *amo, int64_t value)
{
    if (region == 0)
        return;
    struct place *place = place_of(m, f[TRACE_F_target], region, offset, true);
    if (!strcmp(amo, "fetch"))
        return;
    if (!strcmp(amo, "add") || !strcmp(amo, "inc"))
        place->value = (int64_t)((uint64_t)place->value + (uint64_t)value);
    else if (!strcmp(amo, "and"))
        place->value &= value;
    else if (!strcmp(amo, "or"))
        place->value |= value;
    else if (!strcmp(amo, "xor"))
        place->value ^= value;
    else
        place->value = value;
    place->op = m->issues;
    place->consumed = false;
}

static const char *
text_of(const struct fp_trace_shape *shape, const char *key)
{
    const char *text = fp_trace_shape_text(shape, key);
    return text ? text : "";
}

static void
follow_issue(struct merge *m, const struct fp_trace_entry *entry)
{
    const int64_t *f = entry->fields;
    const char *op = text_of(entry->shape, "op"), *signal = text_of(entry->shape, "signal");
    if (!strcmp(op, "amo"))
        write_place(m, f, f[TRACE_F_region], f[TRACE_F_offset], text_of(entry->shape, "amo"), f[TRACE_F_value]);
    if (!strcmp(op, "put") && f[TRACE_F_bytes] <= 8)
        write_place(m, f, f[TRACE_F_region], f[TRACE_F_offset], "set", f[TRACE_F_value]);
    if (*signal)
        write_place(m, f, f[TRACE_F_signal_region], f[TRACE_F_signal_offset], signal, f[TRACE_F_signal_value]);
}

static bool
holds(int64_t cmp, int64_t value, int64_t wanted)
{
    switch (cmp) {
    case 1:
        return value == wanted;
    case 2:
        return value != wanted;
    case 3:
        return value > wanted;
    case 4:
        return value >= wanted;
    case 5:
        return value < wanted;
    default:
        return value <= wanted;
    }
}

/* The place of a wait whose condition holds there, by an operation that this PE has not waited for before. */
static struct place *
satisfied(struct merge *m, const struct fp_trace_entry *entry)
{
    const int64_t *f = entry->fields;
    struct place *place = place_of(m, f[TRACE_F_pe], f[TRACE_F_region], f[TRACE_F_offset], false);
    bool good = place && !place->consumed && holds(f[TRACE_F_cmp], place->value, f[TRACE_F_value]);
    return good ? place : NULL;
}

static struct meeting *
meeting_of(struct merge *m, int64_t team, int64_t seq)
{
    for (struct meeting *meeting = m->meetings; meeting; meeting = meeting->next)
        if (meeting->team == team && meeting->seq == seq)
            return meeting;
    struct meeting *meeting = grown(NULL, sizeof *meeting);
    *meeting = (struct meeting){.next = m->meetings, .team = team, .seq = seq};
    return m->meetings = meeting;
}

static int64_t
team_here(const struct source *source, int64_t team)
{
    return team >= 2 && (size_t)team < source->nteams ? source->teams[team] : 0;
}

static int64_t
members(const struct merge *m, int64_t team)
{
    return team >= 2 && team < 2 + m->nteams ? m->teams[team - 2].size : m->npes;
}

/* Whether this record must come later. */
static bool
held(struct merge *m, const struct source *source)
{
    const struct fp_trace_entry *entry = &source->entry;
    const int64_t *f = entry->fields;
    if (entry->shape->event == TRACE_EV_WAIT)
        return !source->free && !satisfied(m, entry);
    if (entry->shape->event != TRACE_EV_SYNC_LEAVE)
        return false;
    int64_t team = team_here(source, f[TRACE_F_team]);
    return meeting_of(m, team, f[TRACE_F_seq])->arrived < members(m, team);
}

/* ---- Writing
 * ----------------------------------------------------------------------------------------------------------- */

static uint32_t
shape_here(struct merge *m, struct source *source, const struct fp_trace_shape *shape)
{
    if (shape->number < source->nshapes && source->shapes[shape->number])
        return source->shapes[shape->number] - 1;
    if (shape->number >= source->nshapes) {
        source->shapes = grown(source->shapes, (shape->number + 16) * sizeof *source->shapes);
        memset(source->shapes + source->nshapes, 0, (shape->number + 16 - source->nshapes) * sizeof *source->shapes);
        source->nshapes = shape->number + 16;
    }
    size_t i = 0;
    while (i < m->nshapes &&
           (m->shapes[i].bytes != shape->keys_bytes || memcmp(m->shapes[i].keys, shape->keys, shape->keys_bytes)))
        i++;
    if (i == m->nshapes) {
        m->shapes = grown(m->shapes, (m->nshapes + 1) * sizeof *m->shapes);
        m->shapes[m->nshapes++] =
            (struct shape){shape->keys, shape->keys_bytes, fp_trace_shape(m->writer, shape->event)};
        const char *at = shape->keys, *end = at + shape->keys_bytes;
        while (at < end) {
            const char *value = at + strlen(at) + 1;
            if (strcmp(at, "event"))
                fp_trace_shape_key(m->writer, at, value);
            at = value + strlen(value) + 1;
        }
        m->sites = grown(m->sites, (m->nsites + 1) * sizeof *m->sites);
        m->sites[m->nsites++] = shape->site;
    }
    source->shapes[shape->number] = m->shapes[i].number + 1;
    return m->shapes[i].number;
}

/* A team as a PE numbers it becomes ours. False: it is new, and told. */
static int64_t
learn_team(struct merge *m, struct source *source, const int64_t *f)
{
    size_t theirs = (size_t)f[TRACE_F_team];
    int i = 0;
    while (i < m->nteams && (m->teams[i].start != f[TRACE_F_start] || m->teams[i].stride != f[TRACE_F_stride] ||
                             m->teams[i].size != f[TRACE_F_size]))
        i++;
    if (i == 256 || theirs > 65536)
        return -1;
    if (i == m->nteams)
        m->teams[m->nteams++] = (struct team){f[TRACE_F_start], f[TRACE_F_stride], f[TRACE_F_size]};
    if (theirs >= source->nteams) {
        source->teams = grown(source->teams, (theirs + 8) * sizeof *source->teams);
        memset(source->teams + source->nteams, 0, (theirs + 8 - source->nteams) * sizeof *source->teams);
        source->nteams = theirs + 8;
    }
    source->teams[theirs] = i + 2;
    return i + 2;
}

static bool
emit(struct merge *m, struct source *source)
{
    struct fp_trace_entry *entry = &source->entry;
    int64_t f[TRACE_F_COUNT];
    memcpy(f, entry->fields, sizeof f);
    f[TRACE_F_time] = aligned(m, source, f[TRACE_F_time]);
    if (entry->shape->event == TRACE_EV_TEAM) {
        if ((f[TRACE_F_team] = learn_team(m, source, f)) < 0)
            return false;
    } else {
        f[TRACE_F_team] = team_here(source, f[TRACE_F_team]);
    }
    if (entry->shape->event == TRACE_EV_SYNC_ENTER)
        meeting_of(m, f[TRACE_F_team], f[TRACE_F_seq])->arrived++;
    if (entry->shape->event == TRACE_EV_ISSUE) {
        m->issues++;
        follow_issue(m, entry);
    }
    if (entry->shape->event == TRACE_EV_WAIT) {
        struct place *place = satisfied(m, entry);
        if (!place)
            place = place_of(m, f[TRACE_F_pe], f[TRACE_F_region], f[TRACE_F_offset], false);
        f[TRACE_F_by] = place && place->op ? 1 + (int64_t)(m->issues - place->op) : 0;
        if (place)
            place->consumed = true;
        source->free = false;
    }
    fp_trace_record(m->writer, shape_here(m, source, entry->shape), (UINT64_C(1) << TRACE_F_COUNT) - 1, f);
    return true;
}

static int
step(struct merge *m, struct source *source)
{
    int got = fp_trace_next_record(source->trace, &source->entry, m->error, sizeof m->error);
    source->there = got == 1;
    return got < 0 ? -1 : 0;
}

/* The PE whose record comes next; NULL: there is none. */
static struct source *
next_source(struct merge *m)
{
    struct source *best = NULL, *stuck = NULL;
    int64_t best_time = 0, stuck_time = 0;
    for (int i = 0; i < m->npes; i++) {
        struct source *source = &m->sources[i];
        if (!source->there)
            continue;
        int64_t time = aligned(m, source, source->entry.fields[TRACE_F_time]);
        bool waits = held(m, source);
        struct source **slot = waits ? &stuck : &best;
        int64_t *least = waits ? &stuck_time : &best_time;
        if (!*slot || time < *least) {
            *slot = source;
            *least = time;
        }
    }
    if (best || !stuck)
        return best;
    /* Nobody can go on by the rules: a wait is taken as it comes, before somebody leaves a meeting early. */
    for (int i = 0; i < m->npes; i++)
        if (m->sources[i].there && m->sources[i].entry.shape->event == TRACE_EV_WAIT)
            return &m->sources[i];
    return stuck;
}

/* ---- What the result says
 * ---------------------------------------------------------------------------------------------- */

static int
by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void
tell_names(struct merge *m)
{
    const struct fp_trace_reader *trace = m->sources[0].trace;
    const char *program = fp_trace_header(trace, "program", 0), *recorded = fp_trace_header(trace, "program-hash", 0);
    const char *address = fp_trace_header(trace, "static-address", 0),
               *bytes = fp_trace_header(trace, "static-bytes", 0);
    char hash[17], text[4400];
    if (!program || !recorded || fp_trace_file_hash(program, hash) || strcmp(hash, recorded)) {
        fprintf(stderr, "fencepost: %s is not the program that was recorded: there will be no lines and names\n",
                program ? program : "(no program)");
        return;
    }
    struct fp_debug debug;
    if (m->nsites)
        qsort(m->sites, m->nsites, sizeof *m->sites, by_value);
    fp_debug_open(&debug, program, ".");
    for (size_t i = 0; i < m->nsites; i++) {
        const struct fp_debug_line *lines;
        if (!m->sites[i] || (i > 0 && m->sites[i] == m->sites[i - 1]) ||
            fp_debug_frames(&debug, m->sites[i], &lines) < 1)
            continue;
        snprintf(text, sizeof text, "%" PRIx64 "\t%d\t%s\t%s", m->sites[i], lines->line,
                 lines->function ? lines->function : "?", lines->file ? lines->file : "?");
        fp_trace_result(m->writer, "site", text);
    }
    const struct fp_debug_object *objects;
    size_t count = fp_debug_objects(&debug, &objects);
    uint64_t from = address ? strtoull(address, NULL, 10) : 0, size = bytes ? strtoull(bytes, NULL, 10) : 0;
    for (size_t i = 0; i < count; i++) {
        if (objects[i].address - from >= size)
            continue;
        snprintf(text, sizeof text, "%" PRIu64 "\t%" PRIu64 "\t%s", objects[i].address - from, objects[i].bytes,
                 objects[i].name);
        fp_trace_result(m->writer, "object", text);
    }
    fp_debug_close(&debug);
}

static void
tell_result(struct merge *m)
{
    static const char *const unseen[] = {
        "plain loads and stores: a race with one is found only where an operation is at both ends",
        "when operations arrived: each counts as arriving where it was issued",
        "calls that the recorder does not wrap: prefix sums, nonblocking atomics, signal_fetch, and of other "
        "implementations those of teams"};
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, m->issues);
    fp_trace_result(m->writer, "operations", text);
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        fp_trace_result(m->writer, "unseen", unseen[i]);
    const char *recorder = fp_trace_header(m->sources[0].trace, "recorder", 0);
    if (recorder && !strcmp(recorder, "gpu"))
        fp_trace_result(m->writer, "unseen", "what GPU kernels call");
    tell_names(m);
}

static void
tell_header(struct merge *m)
{
    static const char *const keys[] = {"recorder", "clock", "program", "program-hash", "npes", "rules", "hooks"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *value = fp_trace_header(m->sources[0].trace, keys[i], 0);
        if (value)
            fp_trace_field(m->writer, keys[i], value);
    }
}

/* ---- The whole
 * --------------------------------------------------------------------------------------------------------- */

static bool
same_header(struct merge *m, const struct fp_trace_reader *trace, const char *key)
{
    const char *a = fp_trace_header(m->sources[0].trace, key, 0), *b = fp_trace_header(trace, key, 0);
    return a && b && !strcmp(a, b);
}

/* Opens each file as the source of the PE that it names. */
static bool
open_sources(struct merge *m, char **paths)
{
    for (int i = 0; i < m->npes; i++) {
        struct fp_trace_reader *trace = fp_trace_open(paths[i], m->error, sizeof m->error);
        const char *pe = trace ? fp_trace_header(trace, "pe", 0) : NULL;
        int number = pe ? atoi(pe) : -1;
        if (!trace)
            return false;
        if (number < 0 || number >= m->npes || m->sources[number].trace) {
            snprintf(m->error, sizeof m->error,
                     "trace %s: it is not that of one of %d PEs, or there are two of that PE; name the file of each PE "
                     "once",
                     paths[i], m->npes);
            fp_trace_free(trace);
            return false;
        }
        m->sources[number].trace = trace;
        m->sources[number].path = paths[i];
    }
    m->one_clock = true;
    for (int i = 0; i < m->npes; i++) {
        const char *npes = fp_trace_header(m->sources[i].trace, "npes", 0);
        if (!npes || atoi(npes) != m->npes || !same_header(m, m->sources[i].trace, "program-hash")) {
            snprintf(m->error, sizeof m->error,
                     "trace %s: it is of another run: of %s PEs, not %d, or of another program", m->sources[i].path,
                     npes ? npes : "?", m->npes);
            return false;
        }
        m->one_clock = m->one_clock && same_header(m, m->sources[i].trace, "machine");
    }
    return true;
}

static bool
merge(struct merge *m)
{
    for (int i = 0; i < m->npes; i++) {
        int64_t first = 0;
        if (read_clock(m, &m->sources[i], &first) < 0 || step(m, &m->sources[i]) < 0)
            return false;
        if (i == 0 || (m->one_clock && first < m->origin))
            m->origin = first;
    }
    for (struct source *source; (source = next_source(m));) {
        if (!emit(m, source)) {
            snprintf(m->error, sizeof m->error, "trace %s: it has more than 256 different teams", source->path);
            return false;
        }
        if (step(m, source) < 0)
            return false;
    }
    return true;
}

static void
merge_free(struct merge *m)
{
    for (int i = 0; i < m->npes; i++) {
        fp_trace_free(m->sources[i].trace);
        free(m->sources[i].leaves);
        free(m->sources[i].shapes);
        free(m->sources[i].teams);
    }
    for (size_t i = 0; i < sizeof m->places / sizeof *m->places; i++)
        for (struct place *place = m->places[i], *next; place; place = next) {
            next = place->next;
            free(place);
        }
    for (struct meeting *meeting = m->meetings, *next; meeting; meeting = next) {
        next = meeting->next;
        free(meeting);
    }
    free(m->sources);
    free(m->shapes);
    free(m->sites);
    free(m);
}

int
merge_main(int argc, char **argv)
{
    if (argc < 3 || argc - 2 > PES_MAX) {
        fprintf(stderr, "fencepost trace merge: which traces? usage: fencepost trace merge OUT TRACE...\n");
        return EX_USAGE;
    }
    struct merge *m = calloc(1, sizeof *m);
    int status = EX_DATAERR;
    if (!m || !(m->sources = calloc((size_t)argc - 2, sizeof *m->sources)))
        fp_env_fail("out of memory for the traces");
    m->npes = argc - 2;
    if (open_sources(m, argv + 2) && (m->writer = fp_trace_create(argv[1]))) {
        tell_header(m);
        bool good = merge(m);
        if (good)
            tell_result(m);
        status = fp_trace_close(m->writer) ? EX_OSERR : good ? 0 : EX_DATAERR;
    }
    if (status && m->writer)
        unlink(argv[1]);
    if (status && *m->error)
        fprintf(stderr, "fencepost: %s\n", m->error);
    merge_free(m);
    return status;
}
