/* Which of two flags a test finds first is luck; reading the first sender's data whichever it was is wrong. Right is to
 * read the data of the one that was found.
 *
 * RUN: -n 3 --seeds 2,3,4 --choosers random
 * RUN: -n 3 --seeds 1,2,3 --choosers pct
 * EXPECT: clean
 *
 * VARIANT predicted:
 * RUN: -n 3 --seeds 2,3,4 --choosers random --options "--predict"
 * RUN: -n 3 --seeds 1,2,3 --choosers pct --options "--predict"
 * EXPECT: race predicted object=data on=0 A=shmem_int_put@1 B=load@0 luck~"shmem_int_atomic_set by PE 1"
 * STDERR~ = witness: fencepost replay
 *
 * VARIANT any_seed:
 * RUN: -n 3 --seeds 1..5 --options "--predict" --status 66
 * EXPECT maybe: race predicted object=data on=0 A=shmem_int_put@1 B=load@0
 * EXPECT maybe: race object=data on=0 A=shmem_int_put@1 B=load@0
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
        size_t found;
        do
            found = shmem_int_test_any(flags, 2, NULL, SHMEM_CMP_EQ, 1);
        while (found == SIZE_MAX);
#ifndef RIGHT
        found = 0;
#endif
        seen = data[found]; // <- B
    }
    shmem_barrier_all();
    shmem_finalize();
    return seen == 99;
}
