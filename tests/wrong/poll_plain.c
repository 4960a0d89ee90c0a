/* poll_plain.c -- a loop that polls a flag by plain loads: it races, and orders nothing after it.
 *
 * RUN: -n 2 --seeds 1..5
 * EXPECT: race object=flag on=1 rule=E071 A=shmem_int_atomic_set@0 B=load@1
 * EXPECT maybe: race object=box on=1 C=shmem_int_p@0 D=load@1
 *
 * VARIANT fetch: -DFETCH
 * EXPECT: clean
 *
 * VARIANT test: -DTEST
 * EXPECT: clean
 */
#include <shmem.h>

static int box, flag;

int
main(void)
{
    int seen = 9;
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        shmem_int_p(&box, 9, 1); // <- C
        shmem_fence();
        shmem_int_atomic_set(&flag, 1, 1); // <- A
    } else {
#if defined FETCH
        while (shmem_int_atomic_fetch(&flag, me) == 0)
            ;
#elif defined TEST
        while (!shmem_int_test(&flag, SHMEM_CMP_EQ, 1))
            ;
#else
        while (*(volatile int *)&flag == 0) // <- B
            ;
#endif
        seen = box; // <- D
    }
    shmem_finalize();
    return seen != 0 && seen != 9;
}
