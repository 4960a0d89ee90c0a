/* Two producers add to one counter, and the consumer takes the first arrival for PE 1's. Right is to wait for both.
 *
 * RUN: -n 3 --seeds 3,4,8 --choosers random
 * RUN: -n 3 --seeds 1,3,9 --choosers pct
 * EXPECT: clean
 *
 * VARIANT predicted:
 * RUN: -n 3 --seeds 3,4,8 --choosers random --options "--predict"
 * RUN: -n 3 --seeds 1,3,9 --choosers pct --options "--predict"
 * EXPECT: race predicted object=a on=0 A=shmem_int_p@1 B=load@0 luck~"shmem_uint64_atomic_inc by PE 1"
 * STDERR~ = witness: fencepost replay
 *
 * VARIANT any_seed:
 * RUN: -n 3 --seeds 1..5 --options "--predict" --status 66
 * EXPECT maybe: race predicted object=a on=0 A=shmem_int_p@1 B=load@0
 * EXPECT maybe: race object=a on=0 A=shmem_int_p@1 B=load@0
 *
 * VARIANT right: -DRIGHT
 * RUN: -n 3 --seeds 1..4 --choosers random,pct,adversarial --options "--predict"
 * EXPECT: clean
 */
#include <shmem.h>

static uint64_t arrived;
static int a, b;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), seen = 0;
    if (me == 1)
        shmem_int_p(&a, 5, 0); // <- A
    if (me == 2)
        shmem_int_p(&b, 6, 0);
    shmem_fence();
    if (me > 0)
        shmem_uint64_atomic_inc(&arrived, 0);
#ifdef RIGHT
    uint64_t wanted = 2;
#else
    uint64_t wanted = 1;
#endif
    if (me == 0) {
        shmem_uint64_wait_until(&arrived, SHMEM_CMP_GE, wanted);
        seen = a; // <- B
    }
    shmem_barrier_all();
    shmem_finalize();
    return seen == 99;
}
