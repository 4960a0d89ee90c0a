/* quiet_tells_nobody.c -- the put is complete, but its target was never told: it may look too early.
 *
 * RUN: -n 2 --seeds 1..5
 * EXPECT: race object=box on=1 A=shmem_int_p@0 B=load@1
 *
 * VARIANT told: -DTOLD
 * EXPECT: clean
 */
#include <shmem.h>

static int box, flag;

int
main(void)
{
    int seen = 2;
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_int_p(&box, 2, 1); // <- A
        shmem_quiet();
        shmem_int_atomic_set(&flag, 1, 1);
    } else {
#ifdef TOLD
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
#endif
        seen = box; // <- B
    }
    shmem_finalize();
    return seen != 0 && seen != 2;
}
