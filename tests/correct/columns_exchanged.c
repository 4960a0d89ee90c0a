/* columns_exchanged.c -- alltoalls: elements go from a column of one matrix to a column of another.
 *
 * RUN: -n 1,3,5 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ROWS 3
#define PES_MAX 8

static long from[PES_MAX * ROWS * 2], to[PES_MAX * ROWS * 3];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < PES_MAX * ROWS * 2; i++)
        from[i] = me * 1000 + i;
    for (int i = 0; i < PES_MAX * ROWS * 3; i++)
        to[i] = -1;
    shmem_sync_all(); /* dest is free everywhere */
    shmem_long_alltoalls(SHMEM_TEAM_WORLD, to, from, 3, 2, ROWS);
    for (int i = 0; i < npes * ROWS * 3; i++) {
        long wanted = i % 3 ? -1 : i / 3 / ROWS * 1000 + 2 * (me * ROWS + i / 3 % ROWS);
        bad |= to[i] != wanted;
    }
    shmem_finalize();
    return bad;
}
