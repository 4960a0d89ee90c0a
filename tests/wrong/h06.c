/* h06.c -- the destination of a nonblocking get is read after a fence: only a quiet brings the value.
 *
 * RUN: -n 2 --seeds 1..10
 * EXPECT: race on=0 A=shmem_int_get_nbi@0 B=load@0
 *
 * VARIANT quiet: -DQUIET
 * EXPECT: clean
 * STDOUT: t=42
 */
#include <shmem.h>
#include <stdio.h>

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), t = 0;
    int *v = shmem_calloc(1, sizeof *v);
    if (me == 1)
        *v = 42;
    shmem_barrier_all();
    if (me == 0) {
        shmem_int_get_nbi(&t, v, 1, 1); // <- A
#ifdef QUIET
        shmem_quiet();
#else
        shmem_fence();
#endif
        int seen = t; // <- B
        shmem_quiet();
        printf("t=%d\n", seen);
    }
    shmem_free(v);
    shmem_finalize();
    return 0;
}
