/* program.h -- the program that is to be run: is it one that Fencepost can run, and its start. */
#ifndef TOOLS_PROGRAM_H
#define TOOLS_PROGRAM_H

#include <stddef.h>

/* Finds the file (through PATH where `name` has no slash), checks that it is a position-independent executable linked
 * with a Fencepost library, and writes its path. Returns 0, or an exit status after saying what is wrong and what to
 * do. */
int program_check(const char *command, const char *name, char *path, size_t size);
/* The same, and the backend that the program is linked with ("sim", "direct" ...). */
int program_check_backend(const char *command, const char *name, char *path, size_t size, char backend[32]);
/* Becomes the program. Returns an exit status, after saying why, only where that fails. */
int program_start(const char *command, const char *path, char **argv);

#endif
