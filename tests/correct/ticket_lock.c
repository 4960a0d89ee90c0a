/* ticket_lock.c -- a ticket lock of two counters protects a counter that is updated by get and put.
 *
 * RUN: -n 2,5 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define TIMES 4

static long next_ticket, now_serving; /* at PE 0 */
static long total;                    /* at PE 1 */

int
main(void)
{
    int bad = 0;
    shmem_init();
    for (int i = 0; i < TIMES; i++) {
        long mine = shmem_long_atomic_fetch_inc(&next_ticket, 0);
        while (shmem_long_atomic_fetch(&now_serving, 0) != mine)
            ;
        long seen;
        shmem_long_get(&seen, &total, 1, 1);
        seen += shmem_my_pe() + 1;
        shmem_long_put(&total, &seen, 1, 1);
        shmem_quiet();
        shmem_long_atomic_set(&now_serving, mine + 1, 0);
    }
    shmem_barrier_all();
    long npes = shmem_n_pes(), sum = shmem_long_g(&total, 1);
    bad |= sum != TIMES * npes * (npes + 1) / 2;
    shmem_finalize();
    return bad;
}
