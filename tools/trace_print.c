/* trace_print.c -- `fencepost trace print`: what stands in a trace, one thing a line.
 *
 * Each line begins with its sort (header, shape, record, choice, result, end), so that grep and diff find their way.
 * tools/read_trace.py prints the same lines from its own reading of FORMAT.md, and a test compares the two.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "tools/text.h"
#include "tools/trace.h"
#include "traces/trace.h"

static const char *const choice_kinds[] = {"step", "split", "jitter"};

static void
print_field(const char *sort, const char *key, const char *value)
{
    printf("%s ", sort);
    text_line(stdout, key);
    fputs(": ", stdout);
    text_line(stdout, value);
    putchar('\n');
}

static void
print_choice(uint64_t number, const struct fp_trace_choice_entry *choice)
{
    printf("choice %" PRIu64 ": %s %" PRIu32, number, choice_kinds[choice->kind], choice->answer);
    if (choice->bound)
        printf(" of %" PRIu32, choice->bound);
    putchar('\n');
}

/* A shape is told before its first record. */
static void
print_shape(const struct fp_trace_shape *shape)
{
    printf("shape %" PRIu32 ":", shape->number);
    for (const char *at = shape->keys, *end = at + shape->keys_bytes; at < end;) {
        const char *value = at + strlen(at) + 1;
        putchar(' ');
        text_line(stdout, at);
        putchar('=');
        text_line(stdout, value);
        at = value + strlen(value) + 1;
    }
    putchar('\n');
}

static void
print_record(const struct fp_trace_entry *entry)
{
    static const char *const names[] = {
#define FIELD_NAME(id) #id,
        TRACE_FIELD_ROWS(FIELD_NAME)
#undef FIELD_NAME
    };
    printf("record %" PRIu64 ": ", entry->number);
    text_line(stdout, fp_trace_shape_text(entry->shape, "event"));
    if (*entry->shape->call)
        putchar(' ');
    text_line(stdout, entry->shape->call);
    printf(" pe=%" PRId64 " time=%" PRId64, entry->fields[TRACE_F_pe], entry->fields[TRACE_F_time]);
    if (entry->shape->event <= TRACE_EV_RETURN) {
        uint64_t op = fp_trace_op(entry);
        if (op)
            printf(" op=%" PRIu64, op);
        else
            fputs(" op=?", stdout);
    }
    for (int field = 2; field < TRACE_F_COUNT; field++)
        if (entry->fields[field] && field != TRACE_F_age)
            printf(" %s=%" PRId64, names[field], entry->fields[field]);
    putchar('\n');
}

static int
print_records(struct fp_trace_reader *trace, char *error, size_t error_size)
{
    struct fp_trace_entry entry;
    uint64_t count = 0;
    bool *shown = NULL;
    uint32_t nshown = 0;
    int got;
    while ((got = fp_trace_next_record(trace, &entry, error, error_size)) == 1) {
        uint32_t shape = entry.shape->number;
        if (shape >= nshown) {
            uint32_t more = 2 * shape + 64;
            bool *room = realloc(shown, more * sizeof *room);
            if (!room)
                break;
            memset(room + nshown, 0, (more - nshown) * sizeof *room);
            shown = room;
            nshown = more;
        }
        if (!shown[shape])
            print_shape(entry.shape);
        shown[shape] = true;
        print_record(&entry);
        count++;
    }
    free(shown);
    printf("records %" PRIu64 "\n", count);
    return got;
}

static int
print_choices(const char *path, bool each, char *error, size_t error_size)
{
    struct fp_trace_reader *trace = fp_trace_open(path, error, error_size);
    if (!trace)
        return -1;
    struct fp_trace_choice_entry choice;
    uint64_t count = 0;
    int got;
    while ((got = fp_trace_next(trace, &choice, error, error_size)) == 1) {
        if (each)
            print_choice(count, &choice);
        count++;
        if (!each)
            count += fp_trace_skip(trace, UINT64_MAX);
    }
    printf("choices %" PRIu64 "\n", count);
    fp_trace_free(trace);
    return got;
}

/* All of it. 1, 0 if the end is missing, or -1 with one line in `error`, behind what is good. */
static int
print_all(const char *path, bool choices, char *error, size_t error_size)
{
    struct fp_trace_reader *trace = fp_trace_open(path, error, error_size);
    if (!trace)
        return -1;
    const char *key, *value;
    for (int i = 0; fp_trace_header_at(trace, i, &key, &value); i++)
        print_field("header", key, value);
    int records = print_records(trace, error, error_size);
    char again[512];
    int got = print_choices(path, choices, records < 0 ? again : error, records < 0 ? sizeof again : error_size);
    got = records < 0 || got < 0 ? -1 : fp_trace_verify(path, error, error_size);
    for (int i = 0; got >= 0 && fp_trace_result_at(trace, i, &key, &value); i++)
        print_field("result", key, value);
    fp_trace_free(trace);
    return got;
}

static int
print_help(void)
{
    puts("usage: fencepost trace print [--choices] TRACE\n\n"
         "Writes what stands in the trace, one thing a line.\n\n"
         "  --choices  also each choice: its number, its kind, the answer, out of how many (where that was recorded)");
    return 0;
}

int
trace_print(int argc, char **argv)
{
    bool choices = false;
    const char *path = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return print_help();
        if (!strcmp(argv[i], "--choices")) {
            choices = true;
        } else if (path || (argv[i][0] == '-' && argv[i][1])) {
            fprintf(stderr, "%s: what is '%s'? usage: %s [--choices] TRACE\n", argv[0], argv[i], argv[0]);
            return EX_USAGE;
        } else {
            path = argv[i];
        }
    }
    if (!path) {
        fprintf(stderr, "%s: which trace?\n", argv[0]);
        return EX_USAGE;
    }
    char error[512];
    int got = print_all(path, choices, error, sizeof error);
    if (got >= 0) {
        puts(got ? "end" : "cut short: the end is missing");
        return 0;
    }
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", argv[0], error);
    return EX_DATAERR;
}
