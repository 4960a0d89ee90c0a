/* h11.c -- the pointer that shmem_ptr gave is good for loads and stores, not as a symmetric address.
 *
 * RUN: -n 2 --seeds 1..3
 * EXPECT: bad-address rule=E022 message~"mapped pointer" A=shmem_int_p@0
 * STDOUT: d=0
 *
 * VARIANT symmetric: -DSYMMETRIC
 * EXPECT: clean
 * STDOUT: d=9
 *
 * VARIANT store: -DSTORE
 * EXPECT: clean
 * STDOUT: d=9
 */
#include <shmem.h>
#include <stdio.h>

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    int *d = shmem_calloc(1, sizeof *d);
    if (me == 0) {
        int *q = shmem_ptr(d, 1);
#if defined SYMMETRIC
        shmem_int_p(d, 9, 1);
        (void)q;
#elif defined STORE
        *q = 9;
#else
        shmem_int_p(q, 9, 1); // <- A
#endif
    }
    shmem_barrier_all();
    if (me == 1)
        printf("d=%d\n", *d);
    shmem_free(d);
    shmem_finalize();
    return 0;
}
