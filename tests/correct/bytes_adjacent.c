/* bytes_adjacent.c -- all PEs write into one array at once, each its own bytes: by p, put, iput, atomics and stores.
 *
 * RUN: -n 2,3,8 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ROWS 6

static struct {
    unsigned char byte[ROWS][8];
    int word[8];
} all;

int
main(void)
{
    int bad = 0;
    unsigned char column[ROWS];
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < ROWS; i++)
        column[i] = (unsigned char)(16 * me + i);
    for (int pe = 0; pe < npes; pe++) {
        int to = (me + pe) % npes;
        if (to == me) {
            for (int i = 0; i < ROWS; i++)
                all.byte[i][me] = column[i];
            continue;
        }
        shmem_uchar_p(&all.byte[0][me], column[0], to);
        shmem_uchar_put(&all.byte[1][me], &column[1], 1, to);
        shmem_uchar_iput(&all.byte[2][me], &column[2], 8, 1, ROWS - 2, to);
        shmem_int_atomic_add(&all.word[me], me + 1, to);
    }
    shmem_int_atomic_add(&all.word[me], me + 1, me);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) {
        bad |= all.word[pe] != pe + 1;
        for (int i = 0; i < ROWS; i++)
            bad |= all.byte[i][pe] != 16 * pe + i;
    }
    shmem_finalize();
    return bad;
}
