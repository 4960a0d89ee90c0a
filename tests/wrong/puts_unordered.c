/* puts_unordered.c -- two puts of one PE to the same words: nothing says which lands last.
 *
 * RUN: -n 2 --seeds 1..40 --choosers random
 * EXPECT: race object=box on=1 rule=E060 A=shmem_int_put@0 B=shmem_int_put@0
 * VALUES: box 1,2 distinct=2
 *
 * VARIANT fence: -DFENCE
 * RUN: -n 2 --seeds 1..10
 * EXPECT: clean
 * STDOUT: box=2
 */
#include <shmem.h>
#include <stdio.h>

static int box[2];

int
main(void)
{
    int one[2] = {1, 1}, two[2] = {2, 2};
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_int_put(box, one, 2, 1); // <- A
#ifdef FENCE
        shmem_fence();
#endif
        shmem_int_put(box, two, 2, 1); // <- B
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        printf("box=%d\n", box[0]);
    shmem_finalize();
    return 0;
}
