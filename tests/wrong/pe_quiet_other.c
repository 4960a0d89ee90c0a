/* pe_quiet_other.c -- a pe_quiet completes what went to the PEs in its list, and nothing else.
 *
 * RUN: -n 3 --seeds 1..5
 * EXPECT: race object=box on=2 A=shmem_long_p@0 B=load@2
 *
 * VARIANT both: -DBOTH
 * EXPECT: clean
 */
#include <shmem.h>

static long box, flag;

int
main(void)
{
    long seen = 6;
    shmem_init();
    if (shmem_my_pe() == 0) {
        int list[2] = {1, 2};
        shmem_long_p(&box, 6, 1);
        shmem_long_p(&box, 6, 2); // <- A
#ifdef BOTH
        shmem_pe_quiet(list, 2);
#else
        shmem_pe_quiet(list, 1);
#endif
        shmem_long_atomic_set(&flag, 1, 1);
        shmem_long_atomic_set(&flag, 1, 2);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        seen = box; // <- B
    }
    shmem_finalize();
    return seen != 0 && seen != 6;
}
