/* mpp/shmem.h -- the header directory of older programs (deprecated since OpenSHMEM 1.1). */
#include "../shmem.h"
