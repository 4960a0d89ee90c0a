/* A put in front of a critical section is read behind another PE's: whoever gets the lock first decides whether
 * anything orders the two. Right is to look, under the lock, whether the other has been there.
 *
 * RUN: -n 2 --seeds 9,11,12 --choosers random
 * RUN: -n 2 --seeds 9,11,13 --choosers pct
 * EXPECT: clean
 *
 * VARIANT predicted:
 * RUN: -n 2 --seeds 9,11,12 --choosers random --options "--predict"
 * RUN: -n 2 --seeds 9,11,13 --choosers pct --options "--predict"
 * EXPECT: race predicted object=x on=1 A=shmem_int_p@0 B=load@1 luck~"shmem_set_lock by PE 0"
 * STDERR~ = witness: fencepost replay
 *
 * VARIANT any_seed:
 * RUN: -n 2 --seeds 1..5 --options "--predict" --status 66
 * EXPECT maybe: race predicted object=x on=1 A=shmem_int_p@0 B=load@1
 * EXPECT maybe: race object=x on=1 A=shmem_int_p@0 B=load@1
 *
 * VARIANT right: -DRIGHT
 * RUN: -n 2 --seeds 1..4 --choosers random,pct,adversarial --options "--predict"
 * EXPECT: clean
 */
#include <shmem.h>

static long lock, count;
static int x;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), seen = 0;
    if (me == 0) {
        shmem_int_p(&x, 5, 1); // <- A
        shmem_quiet();
        shmem_set_lock(&lock);
        shmem_long_atomic_inc(&count, 0);
        shmem_clear_lock(&lock);
    } else {
        long n;
        do {
            shmem_set_lock(&lock);
            n = shmem_long_atomic_fetch(&count, 0);
            shmem_clear_lock(&lock);
#ifndef RIGHT
            n = 1;
#endif
        } while (n == 0);
        seen = x; // <- B
    }
    shmem_barrier_all();
    shmem_finalize();
    return seen == 99;
}
