/* fencepost.c -- the tool `fencepost`: finds the subcommand and hands over to it; under the name oshrun it is
 * `fencepost run`. */
#include "tools/fencepost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "tools/nearest.h"

static const struct command {
    const char *name, *usage, *help, *shown;
    int (*main)(int argc, char **argv);
} commands[] = {
#define COMMAND_ROW(name, usage, help) {#name, usage, help, "fencepost " #name, command_##name},
    COMMANDS(COMMAND_ROW)
#undef COMMAND_ROW
};
enum { command_count = sizeof commands / sizeof commands[0] };

static int
print_help(void)
{
    printf("usage: fencepost COMMAND ...\n"
           "\n"
           "Runs OpenSHMEM programs on a simulated network inside one process, checks the order and the lifetime of "
           "their\n"
           "memory accesses, and shows each run again from its seed.\n"
           "\n"
           "commands:\n");
    for (int i = 0; i < command_count; i++)
        printf("  %-8s %-32s %s\n", commands[i].name, commands[i].usage, commands[i].help);
    printf("\n"
           "`fencepost COMMAND --help` lists the options. Programs are compiled with oshcc and oshc++.\n"
           "exit status: 0 clean, 66 findings, 64 wrong usage, 70 fault of Fencepost, 71 of the environment; else the "
           "program's\n");
    return 0;
}

static int
unknown_command(const char *name)
{
    const char *names[command_count];
    for (int i = 0; i < command_count; i++)
        names[i] = commands[i].name;
    const char *near = nearest_word(name, names, command_count);
    fprintf(stderr, "fencepost: there is no command '%s'%s%s%s; see fencepost --help\n", name,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return EX_USAGE;
}

int
main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
    if (!strcmp(name, "oshrun")) {
        argv[0] = "oshrun";
        return command_run(argc, argv);
    }
    if (argc < 2) {
        fprintf(stderr, "fencepost: which command? see fencepost --help\n");
        return EX_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
        return print_help();
    if (!strcmp(argv[1], "--version")) {
        puts("fencepost " FENCEPOST_VERSION);
        return 0;
    }
    for (int i = 0; i < command_count; i++)
        if (!strcmp(argv[1], commands[i].name)) {
            argv[1] = (char *)commands[i].shown;
            return commands[i].main(argc - 1, argv + 1);
        }
    return unknown_command(argv[1]);
}
