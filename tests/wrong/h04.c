/* h04.c -- data to one PE, flag to another, a fence between: a fence orders for each target PE by itself.
 *
 * RUN: -n 3 --seeds 1..10
 * EXPECT: race on=1 allocated=X A=shmem_int_p@0 B=shmem_int_g@2 message~"fence"
 *
 * VARIANT quiet: -DQUIET
 * RUN: -n 3 --seeds 1..10 --rules common,strict
 * EXPECT: clean
 * STDOUT: x=5
 */
#include <shmem.h>
#include <stdio.h>

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    int *x = shmem_calloc(1, sizeof *x); // <- X
    int *flag = shmem_calloc(1, sizeof *flag);
    if (me == 0) {
        shmem_int_p(x, 5, 1); // <- A
#ifdef QUIET
        shmem_quiet();
#else
        shmem_fence();
#endif
        shmem_int_atomic_set(flag, 1, 2);
    } else if (me == 2) {
        shmem_int_wait_until(flag, SHMEM_CMP_EQ, 1);
        printf("x=%d\n", shmem_int_g(x, 1)); // <- B
    }
    shmem_free(flag);
    shmem_free(x);
    shmem_finalize();
    return 0;
}
