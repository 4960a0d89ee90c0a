/* elsewhere.c -- for test_record.py: PE 0 sends data and then a flag, PE 1 forwards the data to itself by a get. With
 * an argument a fence stands between the two, and the program is right. */
#include <shmem.h>
#include <stdio.h>

static int data[4], flag, copy[4];

int
main(int argc, char **argv)
{
    shmem_init();
    int *counter = shmem_malloc(sizeof *counter);
    *counter = 0;
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        int words[4] = {11, 12, 13, 14};
        shmem_int_put(data, words, 4, 1);
        if (argc > 1)
            shmem_fence();
        shmem_int_atomic_set(&flag, 1, 1);
    } else if (shmem_my_pe() == 1) {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_int_get(copy, data, 4, 1);
        printf("sum %d\n", copy[0] + copy[1] + copy[2] + copy[3]);
        fflush(stdout);
    }
    shmem_int_atomic_inc(counter, 0);
    shmem_barrier_all();
    shmem_free(counter);
    shmem_finalize();
    return 0;
}
