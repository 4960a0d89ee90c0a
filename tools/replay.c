/* replay.c -- `fencepost replay`: the same run again, every choice read from the trace.
 *
 * The settings of the run stand in the trace's header and become the variables that `fencepost run` would have set; the
 * library then takes its choices from the file. The program and its arguments must be those of the recording, or the
 * choices would answer questions that nobody asks; the header has the arguments and a hash of the program's file.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "tools/fencepost.h"
#include "tools/home.h"
#include "tools/options.h"
#include "tools/program.h"
#include "tools/recorded.h"
#include "traces/trace.h"

/* What makes another run, without the program. */
#define ALONE_OPTIONS                                                                                                  \
    (OPTION_BIT(net) | OPTION_BIT(chooser) | OPTION_BIT(seed) | OPTION_BIT(rules) | OPTION_BIT(no_check) |             \
     OPTION_BIT(depth) | OPTION_BIT(time) | OPTION_BIT(suppress))
/* What does not change the run. */
#define REPLAY_OPTIONS                                                                                                 \
    (OPTION_BIT(report) | OPTION_BIT(trace) | OPTION_BIT(pe_context) | OPTION_BIT(label) | OPTION_BIT(quiet_footer) |  \
     OPTION_BIT(watchdog))

static int
print_help(const char *command)
{
    printf("usage: %s [options] TRACE -- ./prog args\n"
           "       %s [options] TRACE\n\n"
           "With the program: runs it as it was recorded (fencepost run --trace TRACE): same settings, same choices, "
           "same findings.\n"
           "Without: issues the recorded operations again, on another network or by another chooser, judges the new "
           "order,\nand tells the predicted time beside the recorded one.\n\n",
           command, command);
    options_print_help(REPLAY_OPTIONS);
    printf("\nwithout the program:\n");
    options_print_help(ALONE_OPTIONS);
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

/* Whether an option was given that makes another run. */
static bool
other_run(void)
{
    return getenv("FENCEPOST_NET") || getenv("FENCEPOST_CHOOSER") || getenv("FENCEPOST_SEED") ||
           getenv("FENCEPOST_RULES") || getenv("FENCEPOST_NO_CHECK");
}

/* The recorded operations on the network that was asked for: another program, which stands beside the libraries. */
static int
replay_alone(const char *command, char *file)
{
    struct home home;
    char path[HOME_PATH_MAX + 32];
    home_find(&home);
    snprintf(path, sizeof path, "%s/fencepost/whatif", home.lib);
    execv(path, (char *[]){"fencepost", file, NULL});
    fprintf(stderr, "%s: cannot start %s: %s\n", command, path, strerror(errno));
    return EX_OSERR;
}

int
command_replay(int argc, char **argv)
{
    const char *command = argv[0];
    /* What an earlier run was asked for is not asked here. */
    static const char *const variables[] = {"FENCEPOST_NET",   "FENCEPOST_CHOOSER",  "FENCEPOST_SEED",
                                            "FENCEPOST_RULES", "FENCEPOST_NO_CHECK", "FENCEPOST_TIME"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    struct option_request request = {.command = command, .allowed = REPLAY_OPTIONS | ALONE_OPTIONS};
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
    if (!request.stopped_at_dashes && at == argc)
        return replay_alone(command, file);
    if (!request.stopped_at_dashes || at == argc)
        return usage_error(command, "the program is missing");
    if (other_run())
        return usage_error(command, "with the program it is the recorded run: --net, --chooser, --seed, --rules and "
                                    "--no-check are for a replay without it");

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
