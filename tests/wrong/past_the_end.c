/* past_the_end.c -- a transfer that leaves its block or static object: one element, a stride, or before the start.
 *
 * RUN: -n 2 --seeds 1..2
 *
 * VARIANT block: -DUSE=1
 * EXPECT: bad-address rule=E023 A=shmem_int_put@0
 *
 * VARIANT static: -DUSE=2
 * EXPECT: bad-address rule=E023 object=array B=shmem_int_get@0
 *
 * VARIANT stride: -DUSE=3
 * EXPECT: bad-address rule=E023 C=shmem_int_iput@0
 *
 * VARIANT before: -DUSE=4
 * EXPECT: bad-address D=shmem_int_p@0
 *
 * VARIANT load: -DUSE=5
 * RUN: -n 2 --seeds 1..2 --hooks yes
 * EXPECT: bad-address E=load@0
 *
 * VARIANT inside: -DUSE=6
 * EXPECT: clean
 */
#include <shmem.h>

static int before_array[3], array[5], after_array[3];

int
main(void)
{
    int ten[10] = {0}, bad = 0;
    shmem_init();
    int *block = shmem_calloc(5, sizeof *block);
    if (shmem_my_pe() == 0)
        switch (USE) {
        case 1:
            shmem_int_put(block + 1, ten, 5, 1); // <- A
            break;
        case 2:
            shmem_int_get(ten, array + 2, 4, 1); // <- B
            break;
        case 3:
            shmem_int_iput(block, ten, 2, 1, 4, 1); // <- C
            break;
        case 4:
            shmem_int_p(block - 1, 1, 1); // <- D
            break;
        case 5:
            bad = ((volatile int *)block)[5] == 77; // <- E
            break;
        default:
            shmem_int_put(block + 1, ten, 4, 1);
            shmem_int_get(ten, array + 2, 3, 1);
            shmem_quiet();
            shmem_int_iput(block, ten, 2, 1, 3, 1);
            shmem_int_p(&before_array[2], 1, 1);
            shmem_int_p(&after_array[0], 1, 1);
        }
    shmem_free(block);
    shmem_finalize();
    return bad;
}
