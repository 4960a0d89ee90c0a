/* read_then_written.c -- a PE writes what another may still be reading: the reader has to be done first, and no quiet
 * of the writer helps.
 *
 * RUN: -n 2 --seeds 1..10
 * EXPECT: race object=box on=1 rule=E062 message~"the read is over" repair~"must be over before the write at line" repair~"PE 0 tells PE 1" A=shmem_int_g@0 B=store@1
 *
 * VARIANT answered: -DANSWERED
 * EXPECT: clean
 */
#include <shmem.h>

static int box = 1, flag;

int
main(void)
{
    int seen = 0;
    shmem_init();
    if (shmem_my_pe() == 0) {
        seen = shmem_int_g(&box, 1); // <- A
        shmem_int_atomic_set(&flag, 1, 1);
    } else {
#ifdef ANSWERED
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
#endif
        *(volatile int *)&box = 2; // <- B
    }
    shmem_finalize();
    return seen > 2;
}
