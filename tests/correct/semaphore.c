/* semaphore.c -- at most two PEs at a time in a room: places are taken by compare-and-swap and given back by add; each
 * place has a desk that whoever holds it may use.
 *
 * RUN: -n 2,5 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define TIMES 3

static int desk_taken[2]; /* at PE 0 */
static long desk[2];      /* at the last PE */

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), last = npes - 1;
    for (int i = 0; i < TIMES; i++) {
        int which = me % 2;
        while (shmem_int_atomic_compare_swap(&desk_taken[which], 0, 1, 0) != 0)
            which = 1 - which;
        shmem_long_p(&desk[which], shmem_long_g(&desk[which], last) + 1, last);
        shmem_quiet();
        shmem_int_atomic_set(&desk_taken[which], 0, 0);
        shmem_quiet(); /* before this PE takes it again */
    }
    shmem_barrier_all();
    bad |= me == last && desk[0] + desk[1] != TIMES * npes;
    shmem_finalize();
    return bad;
}
