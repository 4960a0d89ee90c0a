/* PE 1 happened to get the lock after PE 0, and so handed on to PE 2 what it did not know it knew. Right is to tell
 * PE 1, too.
 *
 * RUN: -n 3 --seeds 22,23,28 --choosers random
 * RUN: -n 3 --seeds 8,11,13 --choosers pct
 * EXPECT: clean
 *
 * VARIANT predicted:
 * RUN: -n 3 --seeds 22,23,28 --choosers random --options "--predict"
 * RUN: -n 3 --seeds 8,11,13 --choosers pct --options "--predict"
 * EXPECT: race predicted object=data on=2 A=shmem_int_p@0 B=load@2 luck~"shmem_set_lock by PE 0"
 * STDERR~ = witness: fencepost replay
 *
 * VARIANT any_seed:
 * RUN: -n 3 --seeds 1..5 --options "--predict" --status 66
 * EXPECT maybe: race predicted object=data on=2 A=shmem_int_p@0 B=load@2
 * EXPECT maybe: race object=data on=2 A=shmem_int_p@0 B=load@2
 *
 * VARIANT right: -DRIGHT
 * RUN: -n 3 --seeds 1..4 --choosers random,pct,adversarial --options "--predict"
 * EXPECT: clean
 */
#include <shmem.h>

static long lock;
static int data, ready, go;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), seen = 0;
    if (me == 0) {
        shmem_int_p(&data, 1, 2); // <- A
        shmem_quiet();
        shmem_int_atomic_set(&ready, 1, 1);
        shmem_set_lock(&lock);
        shmem_clear_lock(&lock);
    }
    if (me == 1) {
#ifdef RIGHT
        shmem_int_wait_until(&ready, SHMEM_CMP_EQ, 1);
#endif
        shmem_set_lock(&lock);
        shmem_clear_lock(&lock);
        shmem_int_atomic_set(&go, 1, 2);
    }
    if (me == 2) {
        shmem_int_wait_until(&go, SHMEM_CMP_EQ, 1);
        seen = data; // <- B
    }
    shmem_barrier_all();
    shmem_finalize();
    return seen == 99;
}
