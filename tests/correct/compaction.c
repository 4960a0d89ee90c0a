/* compaction.c -- survivors of a filter move to the front of one distributed array: the offset is an exclusive scan.
 *
 * RUN: -n 1,3,5 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ITEMS 6

static int item[ITEMS], packed[ITEMS];
static long kept, before, total;

int
main(void)
{
    int bad = 0, keep[ITEMS];
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < ITEMS; i++) {
        item[i] = me * ITEMS + i;
        if (item[i] % 3 != 1)
            keep[kept++] = item[i];
    }
    shmem_long_sum_exscan(SHMEM_TEAM_WORLD, &before, &kept, 1);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &total, &kept, 1);
    for (long i = 0; i < kept; i++)
        shmem_int_p(&packed[(before + i) % ITEMS], keep[i], (int)((before + i) / ITEMS));
    shmem_barrier_all();
    long at = 0;
    for (int v = 0; v < npes * ITEMS; v++)
        if (v % 3 != 1) {
            bad |= at / ITEMS == me && packed[at % ITEMS] != v;
            at++;
        }
    bad |= at != total;
    shmem_finalize();
    return bad;
}
