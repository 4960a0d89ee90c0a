/* trace.c -- `fencepost trace`: finds the subcommand and hands over to it. */
#include "tools/trace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "tools/fencepost.h"
#include "tools/nearest.h"

static const struct {
    const char *name, *usage, *help, *shown;
    int (*main)(int argc, char **argv);
} commands[] = {
#define COMMAND_ROW(name, usage, help) {#name, usage, help, "fencepost trace " #name, trace_##name},
    TRACE_COMMANDS(COMMAND_ROW)
#undef COMMAND_ROW
};
enum { command_count = sizeof commands / sizeof commands[0] };

static void
print_help(FILE *out)
{
    fprintf(out, "usage: fencepost trace COMMAND ...\n\n"
                 "Shows what a trace holds (fencepost run --trace TRACE).\n\ncommands:\n");
    for (int i = 0; i < command_count; i++)
        fprintf(out, "  %-8s %-34s %s\n", commands[i].name, commands[i].usage, commands[i].help);
    fprintf(out, "\nexit status: 0, 64 wrong usage, 65 where the trace is damaged; what stands before the damage is "
                 "shown\n");
}

/* What was printed has to have arrived: a full disk is no success. */
static int
printed(const char *command, int status)
{
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    fprintf(stderr, "%s: cannot write to standard output: %s\n", command, strerror(errno));
    return status ? status : EX_IOERR;
}

int
command_trace(int argc, char **argv)
{
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))) {
        print_help(stdout);
        return 0;
    }
    if (argc < 2) {
        print_help(stderr);
        return EX_USAGE;
    }
    const char *names[command_count];
    for (int i = 0; i < command_count; i++) {
        names[i] = commands[i].name;
        if (!strcmp(argv[1], names[i])) {
            argv[1] = (char *)commands[i].shown;
            return printed(commands[i].shown, commands[i].main(argc - 1, argv + 1));
        }
    }
    const char *near = nearest_word(argv[1], names, command_count);
    fprintf(stderr, "fencepost trace: there is no command '%s'%s%s%s; see fencepost trace --help\n", argv[1],
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return EX_USAGE;
}
