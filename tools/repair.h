/* repair.h -- `fencepost run --verify-repairs`: the calls that findings suggest are tried. */
#ifndef TOOLS_REPAIR_H
#define TOOLS_REPAIR_H

/* Runs the program, and once more for each finding whose repair is one call, as if that stood where the finding says.
 * The exit status of the first run. */
int verify_repairs(const char *command, const char *path, char **argv);

#endif
