/* The same with a wait, and the second sender's data. Right is to wait for both, one after the other.
 *
 * RUN: -n 3 --seeds 1,2,7 --choosers random
 * RUN: -n 3 --seeds 8,11,14 --choosers pct
 * EXPECT: clean
 *
 * VARIANT predicted:
 * RUN: -n 3 --seeds 1,2,7 --choosers random --options "--predict"
 * RUN: -n 3 --seeds 8,11,14 --choosers pct --options "--predict"
 * EXPECT: race predicted object=data on=0 A=shmem_int_put@2 B=load@0 luck~"shmem_int_atomic_set by PE 2"
 * STDERR~ = witness: fencepost replay
 *
 * VARIANT any_seed:
 * RUN: -n 3 --seeds 1..5 --options "--predict" --status 66
 * EXPECT maybe: race predicted object=data on=0 A=shmem_int_put@2 B=load@0
 * EXPECT maybe: race object=data on=0 A=shmem_int_put@2 B=load@0
 *
 * VARIANT right: -DRIGHT
 * RUN: -n 3 --seeds 1..4 --choosers random,pct,adversarial --options "--predict"
 * EXPECT: clean
 */
#include <shmem.h>

static int flags[2], data[2];

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), seen = 0;
    int value = 7;
    if (me > 0) {
        shmem_int_put(&data[me - 1], &value, 1, 0); // <- A
        shmem_fence();
        shmem_int_atomic_set(&flags[me - 1], 1, 0);
    } else {
        int done[2] = {0, 0};
        done[shmem_int_wait_until_any(flags, 2, done, SHMEM_CMP_EQ, 1)] = 1;
#ifdef RIGHT
        done[shmem_int_wait_until_any(flags, 2, done, SHMEM_CMP_EQ, 1)] = 1;
#endif
        seen = data[1]; // <- B
    }
    shmem_barrier_all();
    shmem_finalize();
    return seen == 99;
}
