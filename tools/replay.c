/* replay.c -- `fencepost replay`: the same run again, every choice read from the trace. */
#include <stdio.h>
#include <sysexits.h>

#include "tools/fencepost.h"

int
command_replay(int argc, char **argv)
{
    (void)argc;
    fprintf(stderr, "%s: not available in this version\n", argv[0]);
    return EX_USAGE;
}
