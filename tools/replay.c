/* replay.c -- `fencepost replay`: the same run again, every choice read from the trace.
 *
 * The settings of the run stand in the trace's header and become the variables that `fencepost run` would have set; the
 * library then takes its choices from the file. The program and its arguments must be those of the recording, or the
 * choices would answer questions that nobody asks; the header has the arguments and a hash of the program's file.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "tools/fencepost.h"
#include "tools/options.h"
#include "tools/program.h"
#include "traces/trace.h"

/* What does not change the run. */
#define REPLAY_OPTIONS                                                                                                 \
    (OPTION_BIT(report) | OPTION_BIT(trace) | OPTION_BIT(pe_context) | OPTION_BIT(label) | OPTION_BIT(quiet_footer) |  \
     OPTION_BIT(watchdog))

static int
print_help(const char *command)
{
    printf("usage: %s [options] TRACE -- ./prog args\n\n"
           "Runs the program as it was recorded (fencepost run --trace TRACE): same settings, same choices, same "
           "findings.\n\n",
           command);
    options_print_help(REPLAY_OPTIONS);
    printf("\nThe program's file and its arguments have to be those of the recording.\n"
           "exit status: as fencepost run; 65 where the trace is damaged or the run differs from it\n");
    return 0;
}

static int
usage_error(const char *command, const char *text)
{
    fprintf(stderr, "%s: %s; usage: %s [options] TRACE -- ./prog args\n", command, text, command);
    return EX_USAGE;
}

/* Sets what the recorded run was configured with. False where the header has not got it. */
static bool
set_configuration(const struct fp_trace_reader *trace)
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
    if (heap_bytes)
        setenv("SHMEM_SYMMETRIC_SIZE", heap_bytes, 1);
    return true;
}

/* Why the program at `path` with these arguments is not the recorded one, or NULL. */
static const char *
difference(const struct fp_trace_reader *trace, const char *path, char **arguments)
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

int
command_replay(int argc, char **argv)
{
    const char *command = argv[0];
    struct option_request request = {.command = command, .allowed = REPLAY_OPTIONS};
    int at = options_read(&request, argc, argv, 1);
    if (at < 0)
        return EX_USAGE;
    if (request.asked_help)
        return print_help(command);
    if (at == argc)
        return usage_error(command, "which trace?");
    char *file = argv[at];
    /* Options may also stand behind the trace. */
    at = options_read(&request, argc, argv, at + 1);
    if (at < 0)
        return EX_USAGE;
    if (!request.stopped_at_dashes || at == argc)
        return usage_error(
            command, "the program is missing (replaying without one is not available in this version): -- ./prog");

    char path[PATH_MAX], error[512];
    struct fp_trace_reader *trace = fp_trace_open(file, error, sizeof error);
    if (!trace) {
        fprintf(stderr, "%s: %s\n", command, error);
        return EX_DATAERR;
    }
    int status = program_check(command, argv[at], path, sizeof path);
    const char *wrong = status ? NULL : difference(trace, path, argv + at + 1);
    if (!status && !wrong && !set_configuration(trace))
        wrong = "it does not say how the run was configured";
    if (wrong) {
        fprintf(stderr, "%s: trace %s: %s\n", command, file, wrong);
        status = EX_USAGE;
    }
    fp_trace_free(trace);
    if (status)
        return status;
    options_set(OPTION_replay, file);
    return program_start(command, path, argv + at);
}
