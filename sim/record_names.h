/* record_names.h -- what types, atomics and collectives are called in a trace: by the values of shmem_backend.h. */
#ifndef SIM_RECORD_NAMES_H
#define SIM_RECORD_NAMES_H

#include "shmem_backend.h"

enum { SIM_OP_NAMES = 3, SIM_AMO_NAMES = 10, SIM_REDUCE_NAMES = 7 };
extern const char *const sim_type_names[SHMEM_TYPE_COUNT];
extern const char *const sim_op_names[SIM_OP_NAMES];
extern const char *const sim_amo_names[SIM_AMO_NAMES];
extern const char *const sim_coll_names[SHMEM_COLL_COUNT];
extern const char *const sim_reduce_names[SIM_REDUCE_NAMES];

/* The value of a name; -1 where there is none. */
int sim_name_find(const char *const *names, int count, const char *name);

#endif
