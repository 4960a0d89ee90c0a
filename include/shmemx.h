/* shmemx.h -- extensions. Fencepost has none in OpenSHMEM 1.6 programs; the header exists because S 6 asks for it. */
#ifndef SHMEMX_H
#define SHMEMX_H
#include "shmem.h"
#endif
