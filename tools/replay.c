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
#include "tools/recorded.h"
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
    const char *wrong = status ? NULL : recorded_difference(trace, path, argv + at + 1);
    if (!status && !wrong && !recorded_settings(trace))
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
