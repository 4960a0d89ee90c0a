/* run.c -- `fencepost run`, which is also oshrun: options become variables, and the process becomes the program. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "tools/fencepost.h"
#include "tools/options.h"
#include "tools/program.h"
#include "tools/repair.h"
#include "tools/run_recorded.h"
#include "tools/verify.h"

/* A replay takes its other settings from the trace, so it is a command of its own. */
#define RUN_OPTIONS (((1u << OPTION_COUNT) - 1) & ~OPTION_BIT(replay) & ~OPTION_BIT(guided))

static int
print_help(const char *command)
{
    printf("usage: %s -n N [options] ./prog [args]\n\n", command);
    options_print_help(RUN_OPTIONS);
    printf("  %-20s %s\n", "--verify-determinism",
           "run twice, and say where the runs part (status 65) and why that is likely");
    printf("  %-20s %s\n", "--verify-repairs", "try each call that a finding suggests, by a run as if it stood there");
    printf("\nEach option can also be given as a variable: FENCEPOST_SEED=7 ./prog. SHMEM_SYMMETRIC_SIZE sets the heap "
           "of a PE.\n"
           "exit status: 0 clean, 66 findings, 64 wrong usage, 70 fault of Fencepost, 71 of the environment; else the "
           "program's\n");
    return 0;
}

/* The options that are the command's and not the run's. */
struct own {
    bool determinism, repairs;
};

static int
own_option(void *self, const char *word, const char *next)
{
    struct own *own = self;
    bool *which = !strcmp(word, "--verify-determinism") ? &own->determinism
                  : !strcmp(word, "--verify-repairs")   ? &own->repairs
                                                        : NULL;
    if (which)
        *which = true;
    return which != NULL;
}

int
command_run(int argc, char **argv)
{
    static const char *const own_flags[] = {"verify-determinism", "verify-repairs", NULL};
    struct own own = {false, false};
    struct option_request request = {.command = argv[0],
                                     .allowed = RUN_OPTIONS,
                                     .launcher_words = true,
                                     .own = own_option,
                                     .self = &own,
                                     .own_flags = own_flags};
    /* Also where -n is not given: a program that is a unit test when started by hand is now started as a job. */
    if (!getenv("FENCEPOST_NPES"))
        options_set(OPTION_npes, "1");
    unsetenv("FENCEPOST_REPLAY");
    int first = options_read(&request, argc, argv, 1);
    if (first < 0)
        return EX_USAGE;
    if (request.asked_help)
        return print_help(argv[0]);
    if (request.asked_version) {
        puts("fencepost " FENCEPOST_VERSION);
        return 0;
    }
    if (first == argc) {
        fprintf(stderr, "%s: which program? usage: %s -n N [options] ./prog [args]\n", argv[0], argv[0]);
        return EX_USAGE;
    }
    char path[PATH_MAX], backend[32];
    const char *trace = getenv("FENCEPOST_TRACE");
    int status = program_check_backend(argv[0], argv[first], path, sizeof path, backend);
    if (!status && own.determinism)
        return verify_determinism(argv[0], path, argv + first);
    if (!status && own.repairs)
        return verify_repairs(argv[0], path, argv + first);
    if (!status && trace && *trace && strcmp(backend, "sim"))
        return run_recorded(argv[0], path, argv + first, trace);
    return status ? status : program_start(argv[0], path, argv + first);
}
