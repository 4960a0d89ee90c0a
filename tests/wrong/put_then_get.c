/* put_then_get.c -- a PE gets what it has just put: the put's target is in use until a quiet.
 *
 * RUN: -n 2 --seeds 1..5 --rules common,strict
 * EXPECT: race object=box on=1 A=shmem_int_p@0 B=shmem_int_g@0
 *
 * VARIANT quiet: -DQUIET
 * EXPECT: clean
 *
 * VARIANT fence_common: -DFENCE
 * RUN: -n 2 --seeds 1..5 --rules common
 * EXPECT: clean
 *
 * VARIANT fence_strict: -DFENCE
 * RUN: -n 2 --seeds 1..5 --rules strict
 * EXPECT: race object=box on=1 rule=E066 A=shmem_int_p@0 B=shmem_int_g@0
 */
#include <shmem.h>

static int box;

int
main(void)
{
    int seen = 0;
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_int_p(&box, 6, 1); // <- A
#if defined QUIET
        shmem_quiet();
#elif defined FENCE
        shmem_fence();
#endif
        seen = shmem_int_g(&box, 1); // <- B
    }
    shmem_finalize();
    return seen != 0 && seen != 6;
}
