/* puts_of_one_line.c -- two PEs put to the same bytes by one line: the repair names the PEs, since the line is one.
 *
 * RUN: -n 3 --seeds 1..2
 * EXPECT: race object=word on=2 A=shmem_int_p@0,1 A=shmem_int_p@0,1 repair~"is done with line"
 *
 * VARIANT learns: -DLEARNS
 * EXPECT: clean
 */
#include <shmem.h>

static int word;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    for (int turn = 0; turn < 2; turn++) {
        if (me == turn)
            shmem_int_p(&word, me, 2); // <- A
#ifdef LEARNS
        shmem_barrier_all();
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
