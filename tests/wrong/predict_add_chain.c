/* Two messages of one sender without a fence between them add to one signal (litmus test L120): the second may be
 * there first. Right is the fence.
 *
 * RUN: -n 2 --seeds 1,2,3 --choosers random
 * RUN: -n 2 --seeds 2,3,7 --choosers pct
 * EXPECT: clean
 *
 * VARIANT predicted:
 * RUN: -n 2 --seeds 1,2,3 --choosers random --options "--predict"
 * RUN: -n 2 --seeds 2,3,7 --choosers pct --options "--predict"
 * EXPECT: race predicted object=a on=1 A=shmem_int_put_signal@0 B=load@1 luck~"shmem_int_put_signal by PE 0"
 * STDERR~ = witness: fencepost replay
 *
 * VARIANT any_seed:
 * RUN: -n 2 --seeds 1..5 --options "--predict" --status 66
 * EXPECT maybe: race predicted object=a on=1 A=shmem_int_put_signal@0 B=load@1
 * EXPECT maybe: race object=a on=1 A=shmem_int_put_signal@0 B=load@1
 *
 * VARIANT right: -DRIGHT
 * RUN: -n 2 --seeds 1..4 --choosers random,pct,adversarial --options "--predict"
 * EXPECT: clean
 */
#include <shmem.h>

static uint64_t signal;
static int a, b;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), seen = 0;
    int value = 7;
    if (me == 0) {
        shmem_int_put_signal(&a, &value, 1, &signal, 1, SHMEM_SIGNAL_ADD, 1); // <- A
#ifdef RIGHT
        shmem_fence();
#endif
        shmem_int_put_signal(&b, &value, 1, &signal, 1, SHMEM_SIGNAL_ADD, 1);
    } else {
        shmem_signal_wait_until(&signal, SHMEM_CMP_GE, 1);
        seen = a; // <- B
    }
    shmem_barrier_all();
    shmem_finalize();
    return seen == 99;
}
