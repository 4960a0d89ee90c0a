/* record_names.c -- what types, atomics and collectives are called in a trace, see record_names.h. */
#include "sim/record_names.h"

#include <string.h>

const char *const sim_type_names[SHMEM_TYPE_COUNT] = {[SHMEM_TYPE_MEM] = "mem",
#define TYPE_NAME(name, ctype) [SHMEM_TYPE_##name] = #name,
                                                      SHMEM_RMA_TYPES(TYPE_NAME) SHMEM_COMPLEX_TYPES(TYPE_NAME)
#undef TYPE_NAME
#define TYPE_NAME(bits) [SHMEM_TYPE_BITS##bits] = "bits" #bits,
                                                          SHMEM_SIZES(TYPE_NAME)
#undef TYPE_NAME
};
const char *const sim_amo_names[SIM_AMO_NAMES] = {"none", "set", "fetch", "add",  "inc",
                                                  "and",  "or",  "xor",   "swap", "cswap"};
const char *const sim_coll_names[SHMEM_COLL_COUNT] = {
    "barrier", "sync",    "malloc",   "calloc",   "align",     "realloc",    "free",         "broadcast", "reduce",
    "scan",    "collect", "fcollect", "alltoall", "alltoalls", "team_split", "team_destroy", "init",      "finalize"};
const char *const sim_reduce_names[SIM_REDUCE_NAMES] = {"and", "or", "xor", "max", "min", "sum", "prod"};
const char *const sim_op_names[SIM_OP_NAMES] = {"put", "get", "amo"};

int
sim_name_find(const char *const *names, int count, const char *name)
{
    for (int i = 0; name && i < count; i++)
        if (names[i] && !strcmp(names[i], name))
            return i;
    return -1;
}
