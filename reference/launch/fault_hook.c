/* fault_hook.c -- see job.h. */
#include "reference/job.h"

bool (*fp_fault_hook)(void *address, void *pc);
