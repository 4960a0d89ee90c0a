/* atomic_fetch_is_no_fence.c -- a fetching atomic has happened on return, but orders no earlier put.
 *
 * RUN: -n 2 --seeds 1..5
 * EXPECT: race object=box on=1 rule=E065 A=shmem_long_p@0 B=load@1
 *
 * VARIANT fence: -DFENCE
 * EXPECT: clean
 */
#include <shmem.h>

static long box, flag;

int
main(void)
{
    long seen = 3;
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_long_p(&box, 3, 1); // <- A
#ifdef FENCE
        shmem_fence();
#endif
        seen += shmem_long_atomic_fetch_add(&flag, 1, 1);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        seen = box; // <- B
    }
    shmem_finalize();
    return seen != 0 && seen != 3;
}
