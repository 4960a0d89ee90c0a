/* fake_job.h -- what a module under test expects from reference/launch, for tests that stand alone. */
#ifndef FAKE_JOB_H
#define FAKE_JOB_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "reference/job.h"

__thread struct fp_pe *fp_self __attribute__((tls_model("initial-exec")));

void
fp_internal_bug(const char *file, int line, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "internal bug: %s:%d: ", file, line);
    vfprintf(stderr, fmt, args);
    va_end(args);
    abort();
}

void
fp_pe_main(struct fp_pe *pe)
{
    abort();
}

#endif
