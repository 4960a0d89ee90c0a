/* red_black.c -- red and black cells in turn: each half step reads the neighbours' cells of the other colour by get.
 *
 * RUN: -n 1,2,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define CELLS 6
#define STEPS 6

static long cell[CELLS];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), n = CELLS * npes;
    long whole[4 * CELLS];
    for (int i = 0; i < CELLS; i++)
        cell[i] = (me * CELLS + i) * 64;
    for (int i = 0; i < n; i++)
        whole[i] = i * 64;
    shmem_sync_all();
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < CELLS; i++) {
            int at = me * CELLS + i, left = (at + n - 1) % n, right = (at + 1) % n;
            if (at % 2 != step % 2)
                continue;
            /* single words of a neighbour, while he writes those of the other colour beside them */
            long a = i > 0 ? cell[i - 1] : shmem_long_g(&cell[left % CELLS], left / CELLS);
            long b = i + 1 < CELLS ? cell[i + 1] : shmem_long_g(&cell[right % CELLS], right / CELLS);
            cell[i] = (a + b) / 2 + 1;
        }
        for (int at = step % 2; at < n; at += 2)
            whole[at] = (whole[(at + n - 1) % n] + whole[(at + 1) % n]) / 2 + 1;
        shmem_sync_all();
    }
    for (int i = 0; i < CELLS; i++)
        bad |= cell[i] != whole[me * CELLS + i];
    shmem_finalize();
    return bad;
}
