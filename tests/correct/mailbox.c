/* mailbox.c -- letters that are indices into the sender's own table, left in a box by swap, taken out by swap.
 *
 * RUN: -n 2,5 --seeds 1..5 --rules common,strict
 * RUN: -n 2 --seeds 1 --choosers pct --nets ideal,ordered
 * EXPECT: clean
 */
#include <shmem.h>

static long box;        /* at PE 0: 0 is empty, else 1 + sender * 16 + letter */
static long letters[4]; /* at the sender */

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    if (me > 0) {
        for (int i = 0; i < 4; i++) {
            letters[i] = me * 1000 + i;
            shmem_quiet(); /* its own store, for whoever gets it */
            while (shmem_long_atomic_compare_swap(&box, 0, 1 + me * 16 + i, 0) != 0)
                ;
        }
    } else {
        int next[64] = {0};
        for (int left = 4 * (npes - 1); left > 0; left--) {
            long taken;
            shmem_long_wait_until(&box, SHMEM_CMP_NE, 0);
            taken = shmem_long_atomic_swap(&box, 0, 0) - 1;
            int sender = (int)(taken / 16), i = (int)(taken % 16);
            bad |= i != next[sender]++ || shmem_long_g(&letters[i], sender) != sender * 1000 + i;
        }
    }
    shmem_finalize();
    return bad;
}
