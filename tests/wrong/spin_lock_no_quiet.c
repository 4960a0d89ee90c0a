/* spin_lock_no_quiet.c -- a home-made lock given back without a quiet: the next holder may not find the update.
 *
 * RUN: -n 3 --seeds 1..5
 * EXPECT: race object=count on=0 A=shmem_int_p B=shmem_int_g
 * EXPECT maybe: race object=count on=0 A=shmem_int_p A=shmem_int_p
 *
 * VARIANT quiet: -DQUIET
 * EXPECT: clean
 */
#include <shmem.h>

static long lock; /* at PE 2 */
static int count; /* at PE 0 */

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    while (shmem_long_atomic_compare_swap(&lock, 0, 1, 2) != 0)
        ;
    int seen = shmem_int_g(&count, 0); // <- B
    shmem_int_p(&count, seen + 1, 0);  // <- A
#ifdef QUIET
    shmem_quiet();
#endif
    shmem_long_atomic_set(&lock, 0, 2);
    shmem_barrier_all();
    int bad = me == 0 && (count < 1 || count > 3);
    shmem_finalize();
    return bad;
}
