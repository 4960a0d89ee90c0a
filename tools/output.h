/* output.h -- files that the commands write: whole or not at all.
 *
 * What is written stands beside the file until it is complete, and is then renamed, so that nobody finds half of it. A
 * device, a pipe or a terminal is written in place: to rename over it would take it away.
 */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
    const char *path; /* the caller's */
    char *beside;     /* NULL: written in place */
    FILE *file;
};

/* NULL with errno set where it cannot be written. Either way to be closed. */
FILE *output_open(struct output *output, const char *path);
/* Puts the file in its place; the old one stays where that fails: false with errno set. */
bool output_close(struct output *output);

/* A text as a file, for readers of JSON and XML: bytes that may not stand there become '?'. 0, or EX_OSERR after saying
 * why, with `command` in front. */
int file_write(const char *command, const char *path, const char *text);

#endif
