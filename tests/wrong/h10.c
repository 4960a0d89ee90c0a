/* h10.c -- an allocation that cannot be had, and its NULL used for a put.
 *
 * RUN: -n 2 --seeds 1..3 --env SHMEM_SYMMETRIC_SIZE=1M
 * EXPECT: bad-address message~"2097152" message~"1048576" A=shmem_int_p B=shmem_malloc ...
 *
 * VARIANT tested: -DTESTED
 * RUN: -n 2 --seeds 1..3 --env SHMEM_SYMMETRIC_SIZE=1M --status 7
 * EXPECT: clean
 */
#include <shmem.h>

int
main(void)
{
    shmem_init();
    int *b = shmem_malloc(2 * 1024 * 1024); // <- B
#ifdef TESTED
    if (b == NULL) {
        shmem_finalize();
        return 7;
    }
#endif
    shmem_int_p(b, 1, 1 - shmem_my_pe()); // <- A
    shmem_finalize();
    return 0;
}
