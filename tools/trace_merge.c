/* trace_merge.c -- `fencepost trace merge`: becomes the program beside the libraries that does it (sim/merge.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "tools/home.h"
#include "tools/trace.h"

int
trace_merge(int argc, char **argv)
{
    if (argc < 3 || argv[1][0] == '-') {
        bool help = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
        fprintf(help ? stdout : stderr,
                "usage: fencepost trace merge OUT TRACE...\n\n"
                "Makes one trace of those that libfencepost_record.so wrote, one a PE, under another OpenSHMEM.\n");
        return help ? 0 : EX_USAGE;
    }
    struct home home;
    char path[HOME_PATH_MAX + 32];
    char **words = calloc((size_t)argc + 2, sizeof *words);
    if (!words)
        return EX_OSERR;
    words[0] = "fencepost";
    words[1] = "--merge";
    memcpy(words + 2, argv + 1, (size_t)(argc - 1) * sizeof *words);
    home_find(&home);
    snprintf(path, sizeof path, "%s/fencepost/whatif", home.lib);
    execv(path, words);
    fprintf(stderr, "%s: cannot start %s: %s\n", argv[0], path, strerror(errno));
    return EX_OSERR;
}
