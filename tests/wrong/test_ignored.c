/* test_ignored.c -- the result of a test is not looked at: on the default schedule the test sees nothing and orders
 * nothing.
 *
 * RUN: -n 2 --seeds 1..8 --choosers adversarial
 * EXPECT: race object=data on=1 A=shmem_int_p@0 B=load@1
 *
 * VARIANT looked_at: -DLOOKED_AT
 * EXPECT: clean
 */
#include <shmem.h>

static int data, flag;

int
main(void)
{
    int seen = 0;
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_int_p(&data, 5, 1); // <- A
        shmem_fence();
        shmem_int_atomic_set(&flag, 1, 1);
    } else {
#ifdef LOOKED_AT
        while (!shmem_int_test(&flag, SHMEM_CMP_EQ, 1))
            ;
#else
        shmem_int_test(&flag, SHMEM_CMP_EQ, 1);
#endif
        seen = data; // <- B
    }
    shmem_finalize();
    return seen == 77;
}
