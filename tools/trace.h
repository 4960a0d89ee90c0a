/* trace.h -- what `fencepost trace` does with a trace, one file each.
 *
 * Each row is X(name, usage, help). A subcommand gets argv[0] as the user wrote it ("fencepost trace print") and
 * returns an exit status: 0, 64 for wrong usage, 65 (EX_DATAERR) where the trace is damaged. What stands before the
 * damage is shown all the same.
 */
#ifndef TOOLS_TRACE_H
#define TOOLS_TRACE_H

#define TRACE_COMMANDS(X)                                                                                              \
    X(print, "[--choices] TRACE", "every field and entry, one a line")                                                 \
    X(stats, "TRACE", "operations, bytes, sizes and synchronizations of each PE")                                      \
    X(diff, "TRACE TRACE", "where two runs part, and why")                                                             \
    X(export, "--format=FORMAT [-o FILE] TRACE", "html: a page to look at; perfetto, json: for other tools")    \
    X(merge, "OUT TRACE...", "one trace of those that the recorder wrote, one a PE, elsewhere")

#define TRACE_COMMAND_ROW(name, usage, help) int trace_##name(int argc, char **argv);
TRACE_COMMANDS(TRACE_COMMAND_ROW)
#undef TRACE_COMMAND_ROW

#endif
