/* h05.c -- the source of a nonblocking put is overwritten before the quiet that releases it.
 *
 * RUN: -n 2 --seeds 1..40 --choosers random
 * EXPECT: race object=src on=0 A=shmem_int_put_nbi@0 B=store@0
 * VALUES: d 1,2 distinct=2
 *
 * VARIANT adversarial:
 * RUN: -n 2 --seeds 1..10 --choosers adversarial
 * EXPECT: race object=src on=0 A=shmem_int_put_nbi@0 B=store@0
 *
 * VARIANT quiet_first: -DQUIET_FIRST
 * RUN: -n 2 --seeds 1..10
 * EXPECT: clean
 * STDOUT: d=1
 *
 * VARIANT read_only: -DREAD_ONLY
 * RUN: -n 2 --seeds 1..10
 * EXPECT: clean
 * STDOUT: d=1
 */
#include <shmem.h>
#include <stdio.h>

static int src;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), bad = 0;
    int *d = shmem_calloc(1, sizeof *d);
    if (me == 0) {
        src = 1;
        shmem_int_put_nbi(d, &src, 1, 1); // <- A
#ifdef QUIET_FIRST
        shmem_quiet();
#endif
#ifdef READ_ONLY
        bad = src != 1;
#else
        src = 2; // <- B
#endif
        shmem_quiet();
    }
    shmem_barrier_all();
    if (me == 1)
        printf("d=%d\n", *d);
    shmem_free(d);
    shmem_finalize();
    return bad;
}
