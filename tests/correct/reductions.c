/* reductions.c -- reductions in place and in a loop into one destination, a sync before it is reused.
 *
 * RUN: -n 1,3,8 --seeds 1..2 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    long *in = shmem_malloc(4 * sizeof *in), *out = shmem_malloc(4 * sizeof *out);
    unsigned char *bits = shmem_calloc(2, 1);
    for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < 4; i++)
            in[i] = (me + 1) * round + i;
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, out, in, 4);
        for (int i = 0; i < 4; i++)
            bad |= out[i] != (long)npes * (npes + 1) / 2 * round + (long)i * npes;
        shmem_sync_all(); /* out has been read everywhere */
    }
    shmem_long_min_reduce(SHMEM_TEAM_WORLD, in, in, 4); /* in place */
    for (int i = 0; i < 4; i++)
        bad |= in[i] != 3 + i;
    bits[0] = (unsigned char)(1u << me % 8);
    shmem_uchar_or_reduce(SHMEM_TEAM_WORLD, bits + 1, bits, 1);
    bad |= bits[1] != (unsigned char)((1u << (npes < 8 ? npes : 8)) - 1);
    shmem_free(bits);
    shmem_free(out);
    shmem_free(in);
    shmem_finalize();
    return bad;
}
