/* leader_election.c -- Chang and Roberts: numbers go round a ring, larger ones swallow smaller ones, the leader's makes
 * another round to tell.
 *
 * RUN: -n 1,2,6 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define BOXES 128

static int box[BOXES];
static uint64_t full[BOXES];

int
main(void)
{
    int bad = 0, sent = 0, leader = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), right = (me + 1) % npes, number = (me * 7 + 2) % 13 + 1;
    int message = number;
    for (int got = 0; !leader;) {
        if (message) {
            shmem_int_put_signal(&box[sent], &message, 1, &full[sent], 1, SHMEM_SIGNAL_SET, right);
            sent++;
        }
        shmem_signal_wait_until(&full[got], SHMEM_CMP_EQ, 1);
        int came = box[got++];
        if (came < 0 || came == number)
            leader = came < 0 ? -came : number; /* told, or mine has come round */
        message = came > number ? came : 0;
    }
    if (leader == number || npes > 1)
        shmem_int_put_signal(&box[sent], &(int){-leader}, 1, &full[sent], 1, SHMEM_SIGNAL_SET, right);
    int most = 0;
    for (int pe = 0; pe < npes; pe++)
        most = (pe * 7 + 2) % 13 + 1 > most ? (pe * 7 + 2) % 13 + 1 : most;
    bad |= leader != most;
    shmem_finalize();
    return bad;
}
