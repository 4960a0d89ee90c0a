/* inputs.h -- the files that the program has opened for reading, for the trace. */
#ifndef FP_INPUTS_H
#define FP_INPUTS_H

#include <stdint.h>

/* Each file once, in order of its first opening, as it was then. */
void fp_inputs_each(void (*each)(void *self, const char *path, uint64_t hash, uint64_t bytes), void *self);

#endif
