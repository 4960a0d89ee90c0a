/* global_exit.c -- one PE ends the job for all, with a status of its own.
 *
 * RUN: -n 3 --seeds 1..3
 * EXPECT: clean
 * STATUS: 5
 */
#include <shmem.h>

static int never;

int
main(void)
{
    shmem_init();
    if (shmem_my_pe() == 1)
        shmem_global_exit(5);
    shmem_int_wait_until(&never, SHMEM_CMP_EQ, 1);
    shmem_finalize();
    return 0;
}
