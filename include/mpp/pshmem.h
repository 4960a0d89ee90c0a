/* mpp/pshmem.h -- the header directory of older programs (deprecated). */
#include "../pshmem.h"
