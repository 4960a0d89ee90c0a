/* trace_print.c -- `fencepost trace print`: what stands in a trace, one thing a line.
 *
 * Each line begins with its sort (header, choice, result, end), so that grep and diff find their way.
 * tools/read_trace.py prints the same lines from its own reading of FORMAT.md, and a test compares the two.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
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
    struct fp_trace_reader *trace = fp_trace_open(path, error, sizeof error);
    if (!trace) {
        fprintf(stderr, "%s: %s\n", argv[0], error);
        return EX_DATAERR;
    }
    const char *key, *value;
    for (int i = 0; fp_trace_header_at(trace, i, &key, &value); i++)
        print_field("header", key, value);
    struct fp_trace_choice_entry choice;
    uint64_t count = 0;
    int got;
    while ((got = fp_trace_next(trace, &choice, error, sizeof error)) == 1) {
        if (choices)
            print_choice(count, &choice);
        count++;
    }
    printf("choices %" PRIu64 "\n", count);
    for (int i = 0; got == 0 && fp_trace_result_at(trace, i, &key, &value); i++)
        print_field("result", key, value);
    fp_trace_free(trace);
    if (got == 0 && (got = fp_trace_verify(path, error, sizeof error)) >= 0)
        puts(got ? "end" : "cut short: the end is missing");
    if (got >= 0)
        return 0;
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", argv[0], error);
    return EX_DATAERR;
}
