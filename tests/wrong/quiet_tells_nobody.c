/* quiet_tells_nobody.c -- the put is complete, but its target was never told: it may look too early.
 *
 * Which rule is broken is a matter of the program, not of who was faster: only a quiet that it calls counts.
 *
 * RUN: -n 2 --seeds 1..20
 * EXPECT: race object=box on=1 rule=E072 message~"quiet completes" A=shmem_int_p@0 B=load@1
 *
 * VARIANT stored: -DSTORED
 * EXPECT: race object=box on=1 rule=E072 A=shmem_int_p@0 C=store@1
 *
 * VARIANT implied: -DIMPLIED
 * EXPECT: race object=box on=1 rule=E061 A=shmem_int_p@0 B=load@1
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
#ifndef IMPLIED
        shmem_quiet();
#endif
        shmem_int_atomic_set(&flag, 1, 1);
    } else {
#ifdef TOLD
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
#endif
#ifdef STORED
        *(volatile int *)&box = 0; // <- C
#else
        seen = box; // <- B
#endif
    }
    shmem_finalize();
    return seen != 0 && seen != 2;
}
