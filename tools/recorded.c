/* recorded.c -- see recorded.h. */
#include "tools/recorded.h"

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
