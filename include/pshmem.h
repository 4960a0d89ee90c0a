/* pshmem.h -- the profiling names (10): every routine of shmem.h again as pshmem_..., which a tool that defines
 * shmem_... itself calls to get the work done; names without the prefix get a p too (pstart_pes). shmem_X is a weak
 * alias of pshmem_X in the library. */
#ifndef PSHMEM_H
#define PSHMEM_H
#include "shmem.h"
#define SHMEM_ROUTINE(name) pshmem_##name
#define SHMEM_OLD_ROUTINE(name) p##name
#include "shmem.h"
#undef SHMEM_OLD_ROUTINE
#undef SHMEM_ROUTINE
#endif
