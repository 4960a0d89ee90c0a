/* trace_stats.c -- `fencepost trace stats`: operations, their sizes, synchronizations, a line a PE. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "tools/story.h"
#include "tools/text.h"
#include "tools/trace.h"
#include "traces/trace.h"

#define SIZES 65 /* powers of two, and none at all */

struct counts {
    uint64_t calls[STORY_KIND_COUNT];
    uint64_t sent, received, blocked, clock;
};

struct stats {
    int npes;
    struct counts *pes;
    uint64_t sizes[SIZES], records, operations, findings;
};

/* One line of the table: which sorts of rows a column counts. */
static const struct {
    const char *title;
    unsigned kinds;
} columns[] = {{"puts", 1u << STORY_PUT | 1u << STORY_SIGNAL},
               {"gets", 1u << STORY_GET},
               {"atomics", 1u << STORY_ATOMIC},
               {"inner", 1u << STORY_INNER},
               {"fences", 1u << STORY_FENCE},
               {"quiets", 1u << STORY_QUIET},
               {"syncs", 1u << STORY_SYNC},
               {"colls", 1u << STORY_COLL | 1u << STORY_HEAP},
               {"waits", 1u << STORY_WAIT},
               {"locks", 1u << STORY_LOCK},
               {"loads", 1u << STORY_LOAD},
               {"stores", 1u << STORY_STORE}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void
count_operation(struct stats *stats, struct counts *pe, const struct fp_trace_entry *entry)
{
    uint64_t bytes = (uint64_t)entry->fields[TRACE_F_bytes];
    int64_t target = entry->fields[TRACE_F_target];
    const char *op = fp_trace_shape_text(entry->shape, "op");
    bool get = op && !strcmp(op, "get");
    stats->operations++;
    stats->sizes[bytes ? 64 - __builtin_clzll(bytes) : 0]++;
    *(get ? &pe->received : &pe->sent) += bytes;
    if (target >= 0 && target < stats->npes)
        *(get ? &stats->pes[target].sent : &stats->pes[target].received) += bytes;
}

static void
count_record(struct stats *stats, const struct fp_trace_entry *entry)
{
    const int64_t *fields = entry->fields;
    enum fp_trace_event event = entry->shape->event;
    stats->records++;
    if (event == TRACE_EV_FINDING)
        stats->findings++;
    if (fields[TRACE_F_pe] < 0 || fields[TRACE_F_pe] >= stats->npes || event == TRACE_EV_READ ||
        event == TRACE_EV_WRITE || event == TRACE_EV_RMW || event > TRACE_EV_ATOMIC)
        return;
    struct counts *pe = &stats->pes[fields[TRACE_F_pe]];
    if ((uint64_t)fields[TRACE_F_time] > pe->clock)
        pe->clock = (uint64_t)fields[TRACE_F_time];
    if (event == TRACE_EV_RETURN || event == TRACE_EV_SYNC_LEAVE || event == TRACE_EV_COLL_LEAVE ||
        event == TRACE_EV_WAIT || event == TRACE_EV_LOCK_SET || event == TRACE_EV_QUIET || event == TRACE_EV_PE_QUIET)
        pe->blocked += (uint64_t)fields[TRACE_F_took];
    bool leave = event == TRACE_EV_SYNC_LEAVE || event == TRACE_EV_COLL_LEAVE,
         block = event == TRACE_EV_BORN || event == TRACE_EV_DIED;
    bool own = (event == TRACE_EV_QUIET || event == TRACE_EV_PE_QUIET) && fields[TRACE_F_ctx] == 1;
    if (event != TRACE_EV_RETURN && !leave && !block && !own && event != TRACE_EV_LOCK_CLEAR)
        pe->calls[story_kind_of(entry->shape)]++;
    if (event == TRACE_EV_ISSUE)
        count_operation(stats, pe, entry);
}

static const char *
bytes_text(uint64_t bytes, char text[32])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    int unit = 0;
    for (; value >= 10000 && unit < 4; unit++)
        value /= 1024;
    snprintf(text, 32, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return text;
}

static void
print_row(const char *name, const struct counts *pe, const bool *shown)
{
    char sent[32], received[32];
    printf("%-6s", name);
    for (int i = 0; i < COLUMNS; i++) {
        uint64_t sum = 0;
        for (int kind = 0; kind < STORY_KIND_COUNT; kind++)
            sum += columns[i].kinds >> kind & 1 ? pe->calls[kind] : 0;
        if (shown[i])
            printf(" %9" PRIu64, sum);
    }
    printf(" %11s %11s", bytes_text(pe->sent, sent), bytes_text(pe->received, received));
    printf(" %12.3f", (double)pe->clock / 1e3);
    printf(pe->clock ? " %6.1f %%\n" : "        -\n",
           pe->clock ? 100.0 * (double)pe->blocked / (double)pe->clock : 0.0);
}

static void
print_table(const struct stats *stats)
{
    struct counts all = {0};
    bool shown[COLUMNS] = {false};
    for (int pe = 0; pe < stats->npes; pe++) {
        const struct counts *counts = &stats->pes[pe];
        for (int kind = 0; kind < STORY_KIND_COUNT; kind++)
            all.calls[kind] += counts->calls[kind];
        all.sent += counts->sent;
        all.received += counts->received;
        all.blocked += counts->blocked;
        all.clock += counts->clock;
    }
    printf("%-6s", "PE");
    for (int i = 0; i < COLUMNS; i++) {
        for (int kind = 0; kind < STORY_KIND_COUNT; kind++)
            shown[i] |= columns[i].kinds >> kind & 1 && all.calls[kind];
        if (shown[i])
            printf(" %9s", columns[i].title);
    }
    printf(" %11s %11s %12s %8s\n", "sent", "received", "clock us", "in calls");
    for (int pe = 0; pe < stats->npes; pe++) {
        char name[16];
        snprintf(name, sizeof name, "%d", pe);
        print_row(name, &stats->pes[pe], shown);
    }
    print_row("all", &all, shown);
}

/* From each power of two to the next. */
static void
print_sizes(const struct stats *stats)
{
    for (int i = 0; i < SIZES; i++) {
        char from[32], to[32], range[72];
        if (!stats->sizes[i])
            continue;
        uint64_t low = i ? UINT64_C(1) << (i - 1) : 0;
        bytes_text(low, from);
        bytes_text(low ? low * 2 - 1 : 0, to);
        snprintf(range, sizeof range, low < 2 ? "%s" : "%s to %s", from, to);
        printf("  %-24s %10" PRIu64 "\n", range, stats->sizes[i]);
    }
}

int
trace_stats(int argc, char **argv)
{
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        puts("usage: fencepost trace stats TRACE\n\n"
             "A line a PE: operations and synchronizations it called, bytes that left and reached its memory, its "
             "clock at the\n"
             "end, and how much of that it spent in calls that wait. `inner` are operations inside collectives.");
        return 0;
    }
    if (argc != 2) {
        fprintf(stderr, "%s: one trace, please; usage: %s TRACE\n", argv[0], argv[0]);
        return EX_USAGE;
    }
    char error[512];
    struct fp_trace_reader *trace = fp_trace_open(argv[1], error, sizeof error);
    const char *npes = trace ? fp_trace_header(trace, "npes", 0) : NULL,
               *program = trace ? fp_trace_header(trace, "program", 0) : NULL;
    struct stats stats = {.npes = npes ? atoi(npes) : 0};
    if (trace && (stats.npes < 1 || stats.npes > 1 << 20)) {
        snprintf(error, sizeof error, "trace %s: it does not say for how many PEs it is", argv[1]);
        fp_trace_free(trace);
        trace = NULL;
    }
    if (!trace) {
        fprintf(stderr, "%s: %s\n", argv[0], error);
        return EX_DATAERR;
    }
    stats.pes = calloc((size_t)stats.npes, sizeof *stats.pes);
    if (!stats.pes)
        exit(EX_OSERR);
    struct fp_trace_entry entry;
    int got;
    while ((got = fp_trace_next_record(trace, &entry, error, sizeof error)) == 1)
        count_record(&stats, &entry);
    text_line(stdout, program && *program ? program : "a test function");
    printf(" on %d PE%s: %" PRIu64 " operations, %" PRIu64 " records, %" PRIu64 " findings\n", stats.npes,
           stats.npes == 1 ? "" : "s", stats.operations, stats.records, stats.findings);
    print_table(&stats);
    if (stats.operations)
        puts("operations by size");
    print_sizes(&stats);
    free(stats.pes);
    fp_trace_free(trace);
    if (got == 0)
        got = fp_trace_verify(argv[1], error, sizeof error);
    if (got == 0)
        puts("cut short: the end is missing");
    if (got >= 0)
        return 0;
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", argv[0], error);
    return EX_DATAERR;
}
