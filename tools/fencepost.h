/* fencepost.h -- the subcommands of the tool `fencepost`, one file each.
 *
 * Each row of the table is X(name, usage, help).
 */
#ifndef TOOLS_FENCEPOST_H
#define TOOLS_FENCEPOST_H

#define COMMANDS(X)                                                                                                    \
    X(run, "-n N [options] ./prog [args]", "run a program on N PEs and check it (oshrun is the same)")                 \
    X(explore, "-n N [options] ./prog [args]", "many runs of a program, or all of them")                               \
    X(replay, "[options] TRACE -- ./prog args", "the run that a trace recorded, choice by choice")                     \
    X(shrink, "[options] TRACE -- ./prog args", "the fewest choices that still show what a trace shows")               \
    X(trace, "print|stats|diff|export TRACE", "what a trace holds: as text, figures, a page to look at")               \
    X(litmus, "[options] FILE|FOLDER...", "check litmus tests against the memory model")

/* argv[0] is the command as the user wrote it ("fencepost run", "oshrun"). Returns an exit status. */
#define COMMAND_ROW(name, usage, help) int command_##name(int argc, char **argv);
COMMANDS(COMMAND_ROW)
#undef COMMAND_ROW

#endif
