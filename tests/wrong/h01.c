/* h01.c -- each PE writes into the other and reads its own copy: ordered by the barrier alone.
 *
 * RUN: -n 2 --seeds 1..10
 *
 * VARIANT barrier: -DBARRIER
 * EXPECT: clean
 * STDOUT: PE 0: x=17
 * STDOUT: PE 1: x=7
 *
 * VARIANT no_barrier:
 * EXPECT: race on=0 allocated=X A=shmem_int_p@1 B=load@0
 * EXPECT: race on=1 allocated=X A=shmem_int_p@0 B=load@1
 */
#include <shmem.h>
#include <stdio.h>

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    int *x = shmem_calloc(1, sizeof *x); // <- X
    shmem_int_p(x, 10 * me + 7, 1 - me); // <- A
#ifdef BARRIER
    shmem_barrier_all();
#endif
    int seen = *x; // <- B
    printf("PE %d: x=%d\n", me, seen);
    shmem_free(x);
    shmem_finalize();
    return 0;
}
