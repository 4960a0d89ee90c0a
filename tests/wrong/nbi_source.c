/* nbi_source.c -- the source of a nonblocking put is in use until quiet: no store after a fence, no incoming put.
 *
 * RUN: -n 3 --seeds 1..5
 *
 * VARIANT fence:
 * EXPECT: race object=source on=0 rule=E063 A=shmem_long_put_nbi@0 B=store@0
 *
 * VARIANT incoming: -DINCOMING
 * EXPECT: race object=source on=0 rule=E063 A=shmem_long_put_nbi@0 C=shmem_long_p@2
 *
 * VARIANT released: -DRELEASED
 * EXPECT: clean
 */
#include <shmem.h>

static long source = 5, box;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        shmem_long_put_nbi(&box, &source, 1, 1); // <- A
#if defined RELEASED
        shmem_quiet();
        source = 6;
#elif !defined INCOMING
        shmem_fence();
        source = 6; // <- B
#endif
    }
#ifdef INCOMING
    if (me == 2)
        shmem_long_p(&source, 6, 0); // <- C
#endif
    shmem_barrier_all();
    int bad = me == 1 && box != 5 && box != 6;
    shmem_finalize();
    return bad;
}
