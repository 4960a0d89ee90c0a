/* h02.c -- a signal object reset by a plain store that nothing orders before the sender's signal: it may wipe it out.
 *
 * RUN: -n 2 --seeds 1..40
 * EXPECT: race on=1 allocated=X A=store@1 B=shmem_signal_set@0
 * EXPECT some: hang message~"signal_wait_until"
 *
 * VARIANT barrier: -DBARRIER
 * RUN: -n 2 --seeds 1..10
 * EXPECT: clean
 * STDOUT: signal=1
 *
 * VARIANT calloc: -DCALLOC
 * RUN: -n 2 --seeds 1..10
 * EXPECT: clean
 * STDOUT: signal=1
 */
#include <shmem.h>
#include <stdio.h>

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
#ifdef CALLOC
    uint64_t *sig = shmem_calloc(1, sizeof *sig);
#else
    uint64_t *sig = shmem_malloc(sizeof *sig); // <- X
    *sig = 0;                                  // <- A
#endif
#ifdef BARRIER
    shmem_barrier_all();
#endif
    if (me == 0)
        shmem_signal_set(sig, 1, 1); // <- B
    else
        printf("signal=%d\n", (int)shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 1));
    shmem_free(sig);
    shmem_finalize();
    return 0;
}
