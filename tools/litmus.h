/* litmus.h -- inside of `fencepost litmus`: what litmus.c (options, files, the oracle) and litmus_run.c (a backend)
 * share. */
#ifndef TOOLS_LITMUS_H
#define TOOLS_LITMUS_H

#include "fencepost_litmus.h"

struct litmus_request {
    const char *command;
    unsigned rules; /* bit 0 strict, 1 common, 2 nv; 0: those the test states */
    const char *backend;
    int runs;
    bool show, print_expect;
    long generate;
    uint64_t seed;
    const char *out;
};

extern const char *const litmus_profiles[3];

/* Compiles and runs the test in the profiles of the set, and compares. Returns an exit status where that is
 * impossible. */
int litmus_run(const struct litmus_request *request, const struct fp_litmus *test, const char *path, unsigned rules,
               int *checks, int *wrong);

#endif
