/* A store of a PE to its own memory, made visible by the release of a lock that has nothing to do with it. Right is to
 * have both accesses under the lock.
 *
 * RUN: -n 2 --seeds 2,3,4 --choosers random
 * RUN: -n 2 --seeds 8,9,11 --choosers pct
 * EXPECT: clean
 *
 * VARIANT predicted:
 * RUN: -n 2 --seeds 2,3,4 --choosers random --options "--predict"
 * RUN: -n 2 --seeds 8,9,11 --choosers pct --options "--predict"
 * EXPECT: race predicted object=x on=0 A=store@0 B=shmem_int_g@1 luck~"shmem_set_lock by PE 0"
 * STDERR~ = witness: fencepost replay
 *
 * VARIANT any_seed:
 * RUN: -n 2 --seeds 1..5 --options "--predict" --status 66
 * EXPECT maybe: race predicted object=x on=0 A=store@0 B=shmem_int_g@1
 * EXPECT maybe: race object=x on=0 A=store@0 B=shmem_int_g@1
 *
 * VARIANT right: -DRIGHT
 * RUN: -n 2 --seeds 1..4 --choosers random,pct,adversarial --options "--predict"
 * EXPECT: clean
 */
#include <shmem.h>

static long lock;
static int x;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), seen = 0;
    if (me == 0) {
#ifdef RIGHT
        shmem_set_lock(&lock);
        x = 5;
#else
        x = 5; // <- A
        shmem_set_lock(&lock);
#endif
        shmem_clear_lock(&lock);
    } else {
        shmem_set_lock(&lock);
#ifdef RIGHT
        seen = shmem_int_g(&x, 0);
        shmem_clear_lock(&lock);
#else
        shmem_clear_lock(&lock);
        seen = shmem_int_g(&x, 0); // <- B
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return seen == 99;
}
