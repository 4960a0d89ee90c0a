/* leaks.h -- what a program leaves behind: heap blocks, and the library itself. */
#ifndef FP_LEAKS_H
#define FP_LEAKS_H

#include "reference/job.h"

/* One finding for each line that allocated what was never freed (E160). Called once, after the last finalize's
 * barrier. */
void fp_leaks_report(struct fp_job *job);

/* A PE's program has ended. The last one reports PEs that owe a finalize (E003). */
void fp_leaks_pe_end(struct fp_pe *pe);

#endif
