/* The standard's environment variables: SHMEM_SYMMETRIC_SIZE with its suffixes, what SHMEM_VERSION, SHMEM_INFO and
 * SHMEM_DEBUG print, and the older names, which count where the new one is not set. The program's output is its own.
 *
 * RUN: -n 2 --seeds 1 --choosers random --backends sim,direct --env SHMEM_VERSION=1
 * EXPECT: clean
 * STDERR~ Fencepost
 * STDERR~ OpenSHMEM 1.6
 * STDERR!~ fencepost: debug
 * STDOUT: 2
 *
 * VARIANT old_version:
 * RUN: -n 2 --seeds 1 --choosers random --env SMA_VERSION=
 * EXPECT: clean
 * STDERR~ OpenSHMEM 1.6
 *
 * VARIANT info:
 * RUN: -n 2 --seeds 1 --choosers random --env SHMEM_INFO=yes
 * EXPECT: clean
 * STDERR~ SHMEM_SYMMETRIC_SIZE
 * STDERR~ FENCEPOST_SEED
 * STDOUT: 2
 *
 * VARIANT debug:
 * RUN: -n 2 --seeds 1 --choosers random --env SHMEM_DEBUG=1
 * EXPECT: clean
 * STDERR~ fencepost: debug: backend sim, 2 PEs
 *
 * VARIANT old_debug:
 * RUN: -n 2 --seeds 1 --choosers random --env SMA_DEBUG=1
 * EXPECT: clean
 * STDERR~ fencepost: debug
 *
 * VARIANT size: -DROOM=3250586
 * RUN: -n 2 --seeds 1 --choosers random --env SHMEM_SYMMETRIC_SIZE=3.1M
 * EXPECT: clean
 *
 * VARIANT small_size: -DROOM=524288
 * RUN: -n 2 --seeds 1 --choosers random --env SHMEM_SYMMETRIC_SIZE=.5m --env SMA_SYMMETRIC_SIZE=9m
 * EXPECT: clean
 *
 * VARIANT old_size: -DROOM=20480
 * RUN: -n 2 --seeds 1 --choosers random --env SMA_SYMMETRIC_SIZE=20kk
 * EXPECT: clean
 */
#include "conformance.h"

int
main(void)
{
    shmem_init();
#ifdef ROOM
    void *all = shmem_malloc(ROOM), *more = shmem_malloc(16);
    CHECK(all != NULL && more == NULL);
    shmem_free(all);
#endif
    if (shmem_my_pe() == 0)
        printf("%d\n", shmem_n_pes());
    shmem_finalize();
    return 0;
}
