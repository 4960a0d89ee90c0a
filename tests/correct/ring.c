/* ring.c -- a token with a growing payload goes round a ring; each hop is one put with signal.
 *
 * RUN: -n 1,2,5,8 --seeds 1..3 --rules common,strict --contexts fiber,thread
 * EXPECT: clean
 */
#include <shmem.h>

#define LAPS 3
#define ROOM 64

static int token[ROOM];
static uint64_t arrived;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes, copy[ROOM] = {0};
    for (int lap = 0; lap < LAPS; lap++) {
        int hops = lap * npes + me;
        if (hops > 0) {
            /* One put per lap comes to this PE, and it comes only after this PE's put of the lap before. */
            uint64_t seen = shmem_signal_wait_until(&arrived, SHMEM_CMP_GE, (uint64_t)(me == 0 ? lap : lap + 1));
            bad |= seen != (uint64_t)(me == 0 ? lap : lap + 1);
            for (int i = 0; i < hops; i++) {
                bad |= token[i] != i % npes;
                copy[i] = token[i];
            }
        }
        copy[hops] = me;
        if (lap + 1 < LAPS || me + 1 < npes)
            shmem_int_put_signal(token, copy, (size_t)hops + 1, &arrived, 1, SHMEM_SIGNAL_ADD, next);
    }
    shmem_finalize();
    return bad;
}
