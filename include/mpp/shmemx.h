/* mpp/shmemx.h -- the header directory of older programs (deprecated). */
#include "../shmemx.h"
