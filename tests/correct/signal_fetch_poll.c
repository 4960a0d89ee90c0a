/* signal_fetch_poll.c -- polling a signal with signal_fetch, and counting several senders of one signal.
 *
 * RUN: -n 2,5 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static short box[64];
static uint64_t counted, single;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    short mine = (short)(me * 3);
    if (me > 0) {
        shmem_short_put_signal(&box[me], &mine, 1, &counted, 1, SHMEM_SIGNAL_ADD, 0);
        if (me == 1) {
            shmem_fence();
            shmem_signal_add(&single, 5, 0);
        }
    } else {
        while (shmem_signal_fetch(&single) != 5)
            ;
        bad |= box[1] != 3;
        while (shmem_signal_fetch(&counted) != (uint64_t)npes - 1)
            ;
        for (int pe = 1; pe < npes; pe++)
            bad |= box[pe] != 3 * pe;
    }
    shmem_finalize();
    return bad;
}
