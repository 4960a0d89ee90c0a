/* A fetching atomic orders what its PE does behind it after whoever drew a ticket before. Right is to look at the
 * ticket.
 *
 * RUN: -n 3 --seeds 9,11,19 --choosers random
 * RUN: -n 3 --seeds 1,3,9 --choosers pct
 * EXPECT: clean
 *
 * VARIANT predicted:
 * RUN: -n 3 --seeds 9,11,19 --choosers random --options "--predict"
 * RUN: -n 3 --seeds 1,3,9 --choosers pct --options "--predict"
 * EXPECT: race predicted object=data on=2 A=shmem_int_p@1 B=load@2 luck~"shmem_long_atomic_fetch_inc by PE 1"
 * STDERR~ = witness: fencepost replay
 *
 * VARIANT any_seed:
 * RUN: -n 3 --seeds 1..5 --options "--predict" --status 66
 * EXPECT maybe: race predicted object=data on=2 A=shmem_int_p@1 B=load@2
 * EXPECT maybe: race object=data on=2 A=shmem_int_p@1 B=load@2
 *
 * VARIANT right: -DRIGHT
 * RUN: -n 3 --seeds 1..4 --choosers random,pct,adversarial --options "--predict"
 * EXPECT: clean
 */
#include <shmem.h>

static long ticket;
static int data;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), seen = 0;
    if (me == 1) {
        shmem_int_p(&data, 5, 2); // <- A
        shmem_quiet();
        shmem_long_atomic_fetch_inc(&ticket, 0);
    }
    if (me == 2) {
        long mine = shmem_long_atomic_fetch_inc(&ticket, 0);
#ifndef RIGHT
        mine = 1;
#endif
        if (mine == 1)
            seen = data; // <- B
    }
    shmem_barrier_all();
    shmem_finalize();
    return seen == 99;
}
