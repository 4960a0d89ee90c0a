/* lock.h -- the locks a PE holds. */
#ifndef FP_LOCK_H
#define FP_LOCK_H

#include "reference/job.h"

/* At the last finalize: reports the locks that the PE still holds (E183). */
void fp_locks_close(struct fp_pe *pe);

#endif
