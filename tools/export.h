/* export.h -- the formats of `fencepost trace export`. Each writes a pure function of the trace. */
#ifndef TOOLS_EXPORT_H
#define TOOLS_EXPORT_H

#include <stdio.h>

#include "tools/story.h"

void export_html(const struct story *story, FILE *out);
/* Trace-event JSON, for ui.perfetto.dev and chrome://tracing. */
void export_perfetto(const struct story *story, FILE *out);
/* Everything in the trace as JSON, for scripts: 0, or -1 with one line in `error` and the text complete up to there. */
int export_json(const char *path, FILE *out, char *error, size_t error_size);

#endif
