/* signals_counted.c -- everybody adds to one signal of PE 0; when all have come, each one's data is there. Reset
 * between rounds by the owner, behind a barrier.
 *
 * RUN: -n 2,5 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ROUNDS 3

static double part[64];
static uint64_t arrived;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int round = 0; round < ROUNDS; round++) {
        double mine = me * 0.5 + round;
        shmem_double_put_signal(&part[me], &mine, 1, &arrived, 1, SHMEM_SIGNAL_ADD, 0);
        if (me == 0) {
            shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, (uint64_t)npes);
            for (int pe = 0; pe < npes; pe++)
                bad |= part[pe] != pe * 0.5 + round;
            shmem_signal_set(&arrived, 0, 0);
        }
        shmem_barrier_all();
    }
    shmem_finalize();
    return bad;
}
