/* recorded.c -- see recorded.h. */
#include "tools/recorded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/options.h"

bool
recorded_settings(const struct fp_trace_reader *trace)
{
    static const struct {
        const char *key;
        enum option_id option;
    } fields[] = {{"npes", OPTION_npes},       {"seed", OPTION_seed},   {"net", OPTION_net},
                  {"chooser", OPTION_chooser}, {"rules", OPTION_rules}, {"heap", OPTION_heap}};
    static const struct {
        const char *key;
        enum option_id option;
        const char *none;
    } faults[] = {{"fail-alloc", OPTION_fail_alloc, "0"},
                  {"stop-pe", OPTION_stop_pe, ""},
                  {"stall", OPTION_stall, ""},
                  {"insert", OPTION_insert, ""}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const char *value = fp_trace_header(trace, fields[i].key, 0);
        if (!value)
            return false;
        options_set(fields[i].option, value);
    }
    const char *check = fp_trace_header(trace, "check", 0), *heap_bytes = fp_trace_header(trace, "heap-bytes", 0);
    options_set(OPTION_no_check, check && !strcmp(check, "0") ? "1" : "0");
    options_set(OPTION_real_time, "0");
    options_set(OPTION_guided, "0");
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) { /* in the header only where they were asked for */
        const char *value = fp_trace_header(trace, faults[i].key, 0);
        options_set(faults[i].option, value ? value : faults[i].none);
    }
    if (heap_bytes)
        setenv("SHMEM_SYMMETRIC_SIZE", heap_bytes, 1);
    return true;
}

const char *
recorded_difference(const struct fp_trace_reader *trace, const char *path, char **arguments)
{
    int i = 0;
    for (; arguments[i]; i++) {
        const char *recorded = fp_trace_header(trace, "arg", i);
        if (!recorded || strcmp(recorded, arguments[i]))
            return "the program's arguments are not those of the recording";
    }
    if (fp_trace_header(trace, "arg", i))
        return "the recording had more arguments for the program";
    char hash[17];
    const char *recorded = fp_trace_header(trace, "program-hash", 0);
    if (fp_trace_file_hash(path, hash) || !recorded || strcmp(hash, recorded))
        return "the program is not the one that was recorded; compile that version again, or record a new trace";
    return NULL;
}

static bool
differs(const char *recorded, char *text, size_t size)
{
    char hash[17];
    const char *path = strchr(recorded, '\t');
    path = path ? strchr(path + 1, '\t') : NULL;
    if (!path)
        return false;
    path++;
    if (fp_trace_file_hash(path, hash)) {
        snprintf(text, size, "its input %s cannot be read: %s", path, strerror(errno));
        return true;
    }
    if (!strncmp(hash, recorded, 16))
        return false;
    snprintf(text, size, "its input %s has changed since it was recorded; put the old one back, or record a new trace",
             path);
    return true;
}

/* The result stands at the end: everything before is stepped over. A trace that was cut short has none. */
bool
recorded_input_differs(const char *path, char *text, size_t size)
{
    char error[512];
    struct fp_trace_choice_entry choice;
    struct fp_trace_reader *trace = fp_trace_open(path, error, sizeof error);
    bool found = false;
    int got;
    while (trace && (got = fp_trace_next(trace, &choice, error, sizeof error)) == 1)
        ;
    const char *input;
    for (int i = 0; trace && got == 0 && !found && (input = fp_trace_result_field(trace, "input", i)); i++)
        found = differs(input, text, size);
    fp_trace_free(trace);
    return found;
}
