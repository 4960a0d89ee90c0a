/* exit_while_printing.c -- one PE ends the job while the others print: what they have printed comes out, once.
 *
 * RUN: -n 8 --seeds 1 --backends sim,direct
 * STATUS: 3
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdio.h>

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0)
        shmem_global_exit(3);
    for (int i = 0; i < 2000; i++)
        printf("PE %d: line %d of a text that is long enough to fill what is kept before it is written\n", me, i);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
