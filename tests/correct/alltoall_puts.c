/* alltoall_puts.c -- everybody puts a block to everybody, one barrier for all of it; then back again.
 *
 * RUN: -n 1,4,8 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdlib.h>

#define BLOCK 3

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    size_t words = (size_t)npes * BLOCK;
    short *a = shmem_malloc(words * sizeof *a), *b = shmem_malloc(words * sizeof *b);
    for (size_t i = 0; i < words; i++)
        a[i] = (short)(me * 100 + (int)i);
    for (int pe = 0; pe < npes; pe++)
        shmem_short_put(b + me * BLOCK, a + pe * BLOCK, BLOCK, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) /* and back: block k of b came from PE k */
        shmem_short_put(a + me * BLOCK, b + pe * BLOCK, BLOCK, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        for (int i = 0; i < BLOCK; i++) {
            bad |= b[pe * BLOCK + i] != pe * 100 + me * BLOCK + i;
            bad |= a[pe * BLOCK + i] != me * 100 + pe * BLOCK + i;
        }
    shmem_free(a);
    shmem_free(b);
    shmem_finalize();
    return bad;
}
