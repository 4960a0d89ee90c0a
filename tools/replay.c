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

#include "tools/arguments.h"
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
     OPTION_BIT(watchdog) | OPTION_BIT(timeout) | OPTION_BIT(until))

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
    printf("  %-20s %s\n", "--gdb", "under gdb, each PE a thread; with --until it stops there like at a breakpoint");
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

static int
own_option(void *self, const char *word, const char *next)
{
    if (strcmp(word, "--gdb"))
        return 0;
    *(bool *)self = true;
    return 1;
}

/* Under gdb each PE is a thread of its own, so that `thread apply all backtrace` shows them all; what runs is the same
 * either way. The watchdog would take a stop for a PE that does not answer. */
static int
start_in_gdb(const char *command, const char *path, char **argv)
{
    struct arguments words = {0};
    char program[PATH_MAX];
    static const char *const settings[] = {"set pagination off", "set breakpoint pending on",
                                           "set debuginfod enabled off", "set print thread-events off",
                                           "handle SIG62 SIG63 nostop noprint pass"};
    if (!realpath(path, program)) {
        fprintf(stderr, "%s: %s: %s\n", command, path, strerror(errno));
        return EX_OSERR;
    }
    arguments_add(&words, "gdb");
    arguments_add(&words, "-q");
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        arguments_add(&words, "-iex");
        arguments_add(&words, settings[i]);
    }
    if (!isatty(STDIN_FILENO)) { /* commands come from a file or a pipe */
        arguments_add(&words, "-iex");
        arguments_add(&words, "set confirm off");
    }
    arguments_add(&words, "--args");
    arguments_add(&words, program);
    for (int i = 1; argv[i]; i++)
        arguments_add(&words, argv[i]);
    if (!getenv("FENCEPOST_PE_CONTEXT"))
        options_set(OPTION_pe_context, "thread");
    options_set(OPTION_watchdog, "0");
    options_set(OPTION_timeout, "0");
    setenv("FENCEPOST_GDB", "1", 1);
    execvp("gdb", words.items);
    fprintf(stderr, "%s: cannot start gdb: %s (apt-get install gdb)\n", command, strerror(errno));
    return EX_OSERR;
}

int
command_replay(int argc, char **argv)
{
    static const char *const own_flags[] = {"gdb", NULL};
    bool gdb = false;
    const char *command = argv[0];
    /* What an earlier run was asked for is not asked here. */
    static const char *const variables[] = {"FENCEPOST_NET",   "FENCEPOST_CHOOSER",  "FENCEPOST_SEED",
                                            "FENCEPOST_RULES", "FENCEPOST_NO_CHECK", "FENCEPOST_TIME"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    struct option_request request = {.command = command,
                                     .allowed = REPLAY_OPTIONS | ALONE_OPTIONS,
                                     .own = own_option,
                                     .self = &gdb,
                                     .own_flags = own_flags};
    unsetenv("FENCEPOST_UNTIL");
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
    char input[PATH_MAX + 64];
    if (!status && !wrong && recorded_input_differs(file, input, sizeof input))
        wrong = input;
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
    return gdb ? start_in_gdb(command, path, argv + at) : program_start(command, path, argv + at);
}
