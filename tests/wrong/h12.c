/* h12.c -- a counter that three PEs increment atomically and its owner increments plainly.
 *
 * RUN: -n 4 --seeds 1..10
 * EXPECT: race on=0 allocated=X A=shmem_int_atomic_inc@1,2,3 B@0 times=1..6
 *
 * VARIANT atomic: -DATOMIC
 * RUN: -n 4 --seeds 1..10 --rules common,strict
 * EXPECT: clean
 * STDOUT: x=4
 */
#include <shmem.h>
#include <stdio.h>

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    int *x = shmem_calloc(1, sizeof *x); // <- X
#ifdef ATOMIC
    shmem_int_atomic_inc(x, 0);
#else
    if (me == 0)
        *x = *x + 1; // <- B
    else
        shmem_int_atomic_inc(x, 0); // <- A
#endif
    shmem_barrier_all();
    if (me == 0)
        printf("x=%d\n", *x);
    shmem_free(x);
    shmem_finalize();
    return 0;
}
