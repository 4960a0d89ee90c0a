/* leaks.h -- heap blocks that are live when the library ends. */
#ifndef FP_LEAKS_H
#define FP_LEAKS_H

#include "reference/job.h"

/* One finding for each line that allocated what was never freed (E160). Called once, after the last finalize's
 * barrier. */
void fp_leaks_report(struct fp_job *job);

#endif
