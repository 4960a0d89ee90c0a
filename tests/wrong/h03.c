/* h03.c -- data, then a flag at the same PE, without a fence: the flag may overtake the data.
 *
 * RUN: -n 3 --seeds 1..10
 * EXPECT: race on=2 allocated=X A=shmem_int_put@0 B=load@2
 *
 * VARIANT fence: -DFENCE
 * RUN: -n 3 --seeds 1..10 --rules common,strict
 * EXPECT: clean
 * STDOUT: sum=50
 */
#include <shmem.h>
#include <stdio.h>

int
main(void)
{
    static const int message[4] = {11, 12, 13, 14};
    shmem_init();
    int me = shmem_my_pe();
    int *data = shmem_calloc(4, sizeof *data); // <- X
    int *flag = shmem_calloc(1, sizeof *flag);
    if (me == 0) {
        shmem_int_put(data, message, 4, 2); // <- A
#ifdef FENCE
        shmem_fence();
#endif
        shmem_int_atomic_set(flag, 1, 2);
    } else if (me == 2) {
        int sum = 0;
        shmem_int_wait_until(flag, SHMEM_CMP_EQ, 1);
        for (int i = 0; i < 4; i++)
            sum += data[i]; // <- B
        printf("sum=%d\n", sum);
    }
    shmem_free(flag);
    shmem_free(data);
    shmem_finalize();
    return 0;
}
