/* double_buffer_nbi.c -- while one buffer is on its way the next is filled; a quiet before a buffer is used again.
 *
 * RUN: -n 2,3 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define WORDS 32
#define BLOCKS 6

static int received[BLOCKS][WORDS];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes, before = (me + npes - 1) % npes;
    int buffer[2][WORDS];
    for (int block = 0; block < BLOCKS; block++) {
        int *fill = buffer[block % 2];
        if (block >= 2)
            shmem_quiet(); /* also completes the other buffer's put: one buffer is filled at a time */
        for (int i = 0; i < WORDS; i++)
            fill[i] = me * 10000 + block * 100 + i;
        shmem_int_put_nbi(received[block], fill, WORDS, next);
    }
    shmem_barrier_all();
    for (int block = 0; block < BLOCKS; block++)
        for (int i = 0; i < WORDS; i++)
            bad |= received[block][i] != before * 10000 + block * 100 + i;
    shmem_finalize();
    return bad;
}
