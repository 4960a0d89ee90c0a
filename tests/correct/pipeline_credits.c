/* pipeline_credits.c -- a chain of stages with two places between neighbours: data goes forward with its signal,
 * credits come back when a place is free.
 *
 * RUN: -n 2,3,6 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define PLACES 2
#define ITEMS 7
#define WORDS 3

static long in[PLACES][WORDS];
static uint64_t filled[PLACES], credit;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (uint64_t item = 0; item < ITEMS; item++) {
        uint64_t place = item % PLACES;
        long word[WORDS];
        for (int i = 0; i < WORDS; i++)
            word[i] = (long)item + i;
        if (me > 0) {
            shmem_signal_wait_until(&filled[place], SHMEM_CMP_EQ, item + 1);
            for (int i = 0; i < WORDS; i++)
                word[i] = in[place][i] + me;
            shmem_signal_add(&credit, 1, me - 1);
        }
        if (me + 1 < npes) {
            if (item >= PLACES)
                shmem_signal_wait_until(&credit, SHMEM_CMP_GE, item - PLACES + 1);
            shmem_long_put_signal(in[place], word, WORDS, &filled[place], item + 1, SHMEM_SIGNAL_SET, me + 1);
        } else {
            for (int i = 0; i < WORDS; i++)
                bad |= word[i] != (long)item + i + npes * (npes - 1) / 2;
        }
    }
    shmem_finalize();
    return bad;
}
