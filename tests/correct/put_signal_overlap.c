/* put_signal_overlap.c -- two nonblocking messages with signals in flight to each of all others, sources used again
 * after a quiet, or a pe_quiet to just that one.
 *
 * RUN: -n 2,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ROUNDS 3
#define WORDS 4

static int in[2][ROUNDS][64][WORDS], out[2][64][WORDS];
static uint64_t got[2][64];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int round = 0; round < ROUNDS; round++) {
        for (int pe = 0; pe < npes; pe++)
            for (int half = 0; half < 2; half++) {
                for (int i = 0; i < WORDS; i++)
                    out[half][pe][i] = 1000 * round + 100 * me + 10 * pe + i + half;
                shmem_int_put_signal_nbi(in[half][round][me], out[half][pe], WORDS, &got[half][me], (uint64_t)round + 1,
                                         SHMEM_SIGNAL_SET, pe);
            }
        if (round % 2)
            shmem_quiet();
        for (int pe = 0; round % 2 == 0 && pe < npes; pe++)
            shmem_pe_quiet(&pe, 1);
        for (int pe = 0; pe < npes; pe++)
            for (int half = 0; half < 2; half++) {
                shmem_signal_wait_until(&got[half][pe], SHMEM_CMP_GE, (uint64_t)round + 1);
                for (int i = 0; i < WORDS; i++)
                    bad |= in[half][round][pe][i] != 1000 * round + 100 * pe + 10 * me + i + half;
            }
    }
    shmem_finalize();
    return bad;
}
