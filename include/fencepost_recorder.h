/* fencepost_recorder.h -- what the recorder (libfencepost_record.so) asks the backend that it runs before.
 *
 * Where the PEs are threads of one process, each with an image of the program of its own, only the backend knows which
 * copy of what an address is. The recorder looks these up by name (dlsym), so it runs before other implementations of
 * OpenSHMEM as well, which have none of them.
 */
#ifndef FENCEPOST_RECORDER_H
#define FENCEPOST_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The backend's name: direct, gpu, sim. */
const char *fencepost_backend_name(void);
/* Region of an address of the calling PE (traces/FORMAT.md: 0 private, 1 heap, 2 static objects) and offset in it. */
int fencepost_place(const void *address, uint64_t *offset);
/* Where static objects lie in the program's file. */
void fencepost_statics(uint64_t *address, uint64_t *bytes);
/* The place in the program of a call that returns to this address, as traces and reports have it. */
uint64_t fencepost_site(const void *return_address);
/* This thread's calls, until it is told otherwise, were made where control returns to this address, and not in the
 * recorder. NULL: they are its own. */
void fencepost_called_from(const void *return_address);
/* To be called once before the process ends, however it does. */
void fencepost_at_end(void (*function)(void));

#ifdef __cplusplus
}
#endif
#endif
