/* h13.c -- a producer that does not wait until its data has been taken overwrites it.
 *
 * RUN: -n 2 --seeds 1..40
 * EXPECT: race on=1 allocated=X A=shmem_int_put@0 B=load@1
 * VALUES: acc 6..9 distinct=2
 *
 * VARIANT answered: -DANSWERED
 * RUN: -n 2 --seeds 1..10 --rules common,strict
 * EXPECT: clean
 * STDOUT: acc=6
 */
#include <shmem.h>
#include <stdio.h>

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), acc = 0;
    int *data = shmem_calloc(1, sizeof *data); // <- X
    int *flag = shmem_calloc(1, sizeof *flag);
    int *ack = shmem_calloc(1, sizeof *ack);
    for (int k = 1; k <= 3; k++) {
        if (me == 0) {
            shmem_int_put(data, &k, 1, 1); // <- A
            shmem_fence();
            shmem_int_atomic_set(flag, k, 1);
#ifdef ANSWERED
            shmem_int_wait_until(ack, SHMEM_CMP_GE, k);
#endif
        } else {
            shmem_int_wait_until(flag, SHMEM_CMP_GE, k);
            acc += *data; // <- B
#ifdef ANSWERED
            shmem_int_atomic_set(ack, k, 0);
#endif
        }
    }
    if (me == 1)
        printf("acc=%d\n", acc);
    shmem_free(ack);
    shmem_free(flag);
    shmem_free(data);
    shmem_finalize();
    return 0;
}
