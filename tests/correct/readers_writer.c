/* readers_writer.c -- a lock that many readers or one writer may hold, made of one counter: readers add 1, the writer
 * adds a large number.
 *
 * RUN: -n 2,4 --seeds 1..4 --rules common,strict
 * RUN: -n 2,8 --seeds 1..40 --choosers swarm --rules strict
 * RUN: -n 2,4 --seeds 3,4,12 --choosers swarm --rules strict --timeout 20
 * EXPECT: clean
 */
#include <shmem.h>

#define WRITER (1L << 20)
#define TIMES 3

static long gate;    /* at PE 0 */
static long pair[2]; /* at the last PE: equal whenever no writer is inside */

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), last = shmem_n_pes() - 1;
    for (int i = 0; i < TIMES; i++) {
        while (shmem_long_atomic_fetch_inc(&gate, 0) >= WRITER)
            shmem_long_atomic_add(&gate, -1, 0);
        bad |= shmem_long_g(&pair[0], last) != shmem_long_g(&pair[1], last);
        shmem_long_atomic_add(&gate, -1, 0);

        while (shmem_long_atomic_compare_swap(&gate, 0, WRITER, 0) != 0)
            ;
        long seen[2];
        shmem_long_get(seen, pair, 2, last);
        seen[0] += me + 1;
        seen[1] += me + 1;
        shmem_long_put(pair, seen, 2, last);
        shmem_quiet();
        shmem_long_atomic_add(&gate, -WRITER, 0);
    }
    shmem_barrier_all();
    if (me == last)
        bad |= pair[0] != (long)TIMES * (last + 1) * (last + 2) / 2 || pair[1] != pair[0];
    shmem_finalize();
    return bad;
}
