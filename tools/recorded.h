/* recorded.h -- the run that a trace recorded: its settings, and whether a program is the one of the recording. */
#ifndef TOOLS_RECORDED_H
#define TOOLS_RECORDED_H

#include <stdbool.h>

#include "traces/trace.h"

/* Sets what the recorded run was configured with. False where the header has not got it. */
bool recorded_settings(const struct fp_trace_reader *trace);
/* Why the program at `path` with these arguments is not the recorded one, or NULL. */
const char *recorded_difference(const struct fp_trace_reader *trace, const char *path, char **arguments);
/* Whether a file that the recorded run read is another one now: which, and how, in `text`. */
bool recorded_input_differs(const char *trace, char *text, size_t size);

#endif
