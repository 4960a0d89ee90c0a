/* fencepost_options.h -- the one table of options of a run.
 *
 * Each row is X(id, flag, variable, kind, default, argument, help). tools/fencepost turns `--flag value` into the
 * environment variable; the launcher (reference/launch) reads the variable when the program starts, so that `./prog`
 * alone can be configured in a unit test. kind is TEXT, NUMBER or SWITCH (a switch is on when the variable is set to
 * anything but 0 or nothing). `-n N` and `-np N` are further spellings of --npes.
 */
#ifndef FENCEPOST_OPTIONS_H
#define FENCEPOST_OPTIONS_H

#define FENCEPOST_OPTIONS(X)                                                                                           \
    X(npes, "npes", "FENCEPOST_NPES", NUMBER, "1", "N", "number of PEs")                                               \
    X(seed, "seed", "FENCEPOST_SEED", NUMBER, "1", "S", "seed of every choice")                                        \
    X(net, "net", "FENCEPOST_NET", TEXT, "reorder", "NAME|FILE", "network: ideal, ordered, reorder, or a file")        \
    X(chooser, "chooser", "FENCEPOST_CHOOSER", TEXT, "adversarial", "NAME",                                            \
      "adversarial, random, uniform, timed, pct, swarm")                                                               \
    X(depth, "depth", "FENCEPOST_DEPTH", NUMBER, "3", "D", "chooser pct: ordering constraints that a fault may need")  \
    X(steps, "steps", "FENCEPOST_STEPS", NUMBER, "0", "K", "chooser pct: choices that a run makes (0: not known)")     \
    X(heap, "heap", "FENCEPOST_HEAP", TEXT, "direct", "KIND", "direct, or device (the CPU may not touch it)")          \
    X(rules, "rules", "FENCEPOST_RULES", TEXT, "common", "NAME", "memory-model profile: strict, common, nv")           \
    X(pe_context, "pe-context", "FENCEPOST_PE_CONTEXT", TEXT, "fiber", "KIND", "fiber, thread")                        \
    X(report, "report", "FENCEPOST_REPORT", TEXT, "", "FILE", "write the report (JSON) to FILE")                       \
    X(trace, "trace", "FENCEPOST_TRACE", TEXT, "", "FILE", "write the trace to FILE")                                  \
    X(replay, "replay", "FENCEPOST_REPLAY", TEXT, "", "FILE", "take every choice from a trace (fencepost replay)")     \
    X(guided, "guided", "FENCEPOST_GUIDED", SWITCH, "0", "", "the trace is a list of choices that need not fit")       \
    X(no_check, "no-check", "FENCEPOST_NO_CHECK", SWITCH, "0", "", "run without checks")                               \
    X(label, "label", "FENCEPOST_LABEL", SWITCH, "0", "", "prefix each line of output with its PE")                    \
    X(real_time, "real-time", "FENCEPOST_REAL_TIME", SWITCH, "0", "", "clocks are the machine's, not the simulated")   \
    X(quiet_footer, "no-footer", "FENCEPOST_NO_FOOTER", SWITCH, "0", "", "no footer after a clean run")                \
    X(watchdog, "watchdog", "FENCEPOST_WATCHDOG", NUMBER, "10", "SECONDS",                                             \
      "report a PE that computes this long without a call (0: never)")                                                 \
    X(timeout, "timeout", "FENCEPOST_TIMEOUT", NUMBER, "3600", "SECONDS", "end a run that takes longer (0: never)")    \
    X(suppress, "suppress", "FENCEPOST_SUPPRESS", TEXT, "", "FILE", "findings that FILE names are only counted")       \
    X(stop_at_first, "stop-at-first", "FENCEPOST_STOP_AT_FIRST", SWITCH, "0", "", "the first finding ends the run")    \
    X(insert, "insert", "FENCEPOST_INSERT", TEXT, "", "CALL@FILE:LINE",                                                \
      "run as if CALL stood before the line: shmem_fence, shmem_quiet, shmem_barrier_all ...")                         \
    X(notes, "notes", "FENCEPOST_NOTES", SWITCH, "0", "",                                                              \
      "tell what is legal too, but pointless or not portable (class note; not a finding)")                             \
    X(unneeded, "unneeded", "FENCEPOST_UNNEEDED", SWITCH, "0", "",                                                     \
      "list fences, quiets and barriers that ordered nothing in this run")                                             \
    X(predict, "predict", "FENCEPOST_PREDICT", SWITCH, "0", "",                                                        \
      "after a clean run, look for races that its order hid (runs the program again)")                                 \
    X(fail_alloc, "fail-alloc", "FENCEPOST_FAIL_ALLOC", NUMBER, "0", "N", "allocation call N of the run fails")        \
    X(stop_pe, "stop-pe", "FENCEPOST_STOP_PE", TEXT, "", "K:N", "PE K stops for ever at its call N of the library")    \
    X(time, "time", "FENCEPOST_TIME", SWITCH, "0", "",                                                                 \
      "tell how long it would take on the network, and why (chooser timed, unless another is asked for)")              \
    X(until, "until", "FENCEPOST_UNTIL", TEXT, "", "RECORD",                                                           \
      "stop at this record of the trace (its number in fencepost trace print), or at the first `finding`")             \
    X(stall, "stall", "FENCEPOST_STALL", TEXT, "", "FROM:TO",                                                          \
      "operations of PE FROM to PE TO (or *) arrive only when nothing else can move")

#endif
