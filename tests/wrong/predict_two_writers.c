/* Two PEs set one flag, and only one of them has put data before: the wait may end by the other. Right is a flag of
 * its own for each.
 *
 * RUN: -n 3 --seeds 9,11,19 --choosers random
 * RUN: -n 3 --seeds 1,3,9 --choosers pct
 * EXPECT: clean
 *
 * VARIANT predicted:
 * RUN: -n 3 --seeds 9,11,19 --choosers random --options "--predict"
 * RUN: -n 3 --seeds 1,3,9 --choosers pct --options "--predict"
 * EXPECT: race predicted object=data on=0 A=shmem_int_p@1 B=load@0 luck~"shmem_uint_atomic_set by PE 1"
 * STDERR~ = witness: fencepost replay
 *
 * VARIANT any_seed:
 * RUN: -n 3 --seeds 1..5 --options "--predict" --status 66
 * EXPECT maybe: race predicted object=data on=0 A=shmem_int_p@1 B=load@0
 * EXPECT maybe: race object=data on=0 A=shmem_int_p@1 B=load@0
 *
 * VARIANT right: -DRIGHT
 * RUN: -n 3 --seeds 1..4 --choosers random,pct,adversarial --options "--predict"
 * EXPECT: clean
 */
#include <shmem.h>

static unsigned flags[2];
static int data;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), seen = 0;
#ifdef RIGHT
    int mine = 1;
#else
    int mine = 0;
#endif
    if (me == 1) {
        shmem_int_p(&data, 5, 0); // <- A
        shmem_fence();
        shmem_uint_atomic_set(&flags[0], 1, 0);
    }
    if (me == 2)
        shmem_uint_atomic_set(&flags[mine], 1, 0);
    if (me == 0) {
        shmem_uint_wait_until(&flags[0], SHMEM_CMP_EQ, 1);
        seen = data; // <- B
    }
    shmem_barrier_all();
    shmem_finalize();
    return seen == 99;
}
