/* broadcast_tree.c -- a broadcast made of puts with signal down a binomial tree; each PE passes it on.
 *
 * RUN: -n 1,2,6,16 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define BYTES 100

static unsigned char block[BYTES];
static uint64_t here;

int
main(void)
{
    int bad = 0, low;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    if (me == 0) {
        for (int i = 0; i < BYTES; i++)
            block[i] = (unsigned char)(i * 3);
        for (low = 1; low < npes; low *= 2)
            ;
    } else {
        shmem_signal_wait_until(&here, SHMEM_CMP_EQ, 1);
        low = me & -me; /* the parent is this PE without its lowest bit */
    }
    for (int step = low / 2; step > 0; step /= 2)
        if (me + step < npes)
            shmem_putmem_signal_nbi(block, block, BYTES, &here, 1, SHMEM_SIGNAL_SET, me + step);
    for (int i = 0; i < BYTES; i++)
        bad |= block[i] != (unsigned char)(i * 3);
    shmem_finalize();
    return bad;
}
