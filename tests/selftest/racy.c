/* racy.c -- data and a flag without a fence between them: a finding on every seed, for the tests of reports and replay.
 */
#include <shmem.h>
#include <stdio.h>

static int data[4], flag;

int
main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0) {
        int words[4] = {11, 12, 13, 14};
        shmem_int_put(data, words, 4, 1);
        shmem_int_atomic_set(&flag, 1, 1);
    } else if (shmem_my_pe() == 1) {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        printf("%d\n", data[0] + data[1] + data[2] + data[3]);
    }
    shmem_finalize();
    return 0;
}
