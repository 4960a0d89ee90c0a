/* verify.h -- `fencepost run --verify-determinism`: is the program a function of its input and the choices? */
#ifndef TOOLS_VERIFY_H
#define TOOLS_VERIFY_H

/* Runs the program twice with the settings in the variables and compares. 0, or an exit status after saying where
 * the runs part and why that is likely to be. */
int verify_determinism(const char *command, const char *path, char **argv);

#endif
