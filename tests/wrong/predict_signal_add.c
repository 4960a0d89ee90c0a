/* Two senders add to one signal, and the receiver takes the first for PE 1's. Right is to wait for both.
 *
 * RUN: -n 3 --seeds 2,3,4 --choosers random
 * RUN: -n 3 --seeds 1,2,3 --choosers pct
 * EXPECT: clean
 *
 * VARIANT predicted:
 * RUN: -n 3 --seeds 2,3,4 --choosers random --options "--predict"
 * RUN: -n 3 --seeds 1,2,3 --choosers pct --options "--predict"
 * EXPECT: race predicted object=a on=0 A=shmem_int_put_signal@1 B=load@0 luck~"shmem_int_put_signal by PE 1"
 * STDERR~ = witness: fencepost replay
 *
 * VARIANT any_seed:
 * RUN: -n 3 --seeds 1..5 --options "--predict" --status 66
 * EXPECT maybe: race predicted object=a on=0 A=shmem_int_put_signal@1 B=load@0
 * EXPECT maybe: race object=a on=0 A=shmem_int_put_signal@1 B=load@0
 *
 * VARIANT right: -DRIGHT
 * RUN: -n 3 --seeds 1..4 --choosers random,pct,adversarial --options "--predict"
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
    if (me > 0)
        shmem_int_put_signal(me == 1 ? &a : &b, &value, 1, &signal, 1, SHMEM_SIGNAL_ADD, 0); // <- A
#ifdef RIGHT
    uint64_t wanted = 2;
#else
    uint64_t wanted = 1;
#endif
    if (me == 0) {
        shmem_signal_wait_until(&signal, SHMEM_CMP_GE, wanted);
        seen = a; // <- B
    }
    shmem_barrier_all();
    shmem_finalize();
    return seen == 99;
}
