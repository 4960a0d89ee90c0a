/* causal_chain.c -- a fence to the first receiver is enough when word of the data goes on from there (wait, then AMO).
 *
 * RUN: -n 3,8 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static long box[4], flag;

int
main(void)
{
    int bad = 0;
    long got[4], four[4] = {4, 8, 15, 16};
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    if (me == 0) {
        shmem_long_put(box, four, 4, 1);
        shmem_fence();
        shmem_long_atomic_set(&flag, 1, 1);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        if (me + 1 < npes)
            shmem_long_atomic_set(&flag, 1, me + 1);
        shmem_long_get(got, box, 4, 1);
        for (int i = 0; i < 4; i++)
            bad |= got[i] != four[i];
    }
    shmem_finalize();
    return bad;
}
