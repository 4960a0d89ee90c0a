/* message_passing.c -- data and then word of it, in each way that orders the two at one receiver.
 *
 * RUN: -n 2 --seeds 1..5 --rules common,strict --nets ideal,ordered,reorder
 * EXPECT: clean
 */
#include <shmem.h>

#define WORDS 16

static long data[WORDS], flag, turn;
static uint64_t signal_word;

enum way { PUT_FENCE, PUT_QUIET, PUT_NBI_FENCE, PUT_SIGNAL, PUT_SIGNAL_NBI, FENCE_SIGNAL_SET, WAYS };

static void
send(enum way way, const long *source, int pe)
{
    if (way == PUT_SIGNAL)
        shmem_long_put_signal(data, source, WORDS, &signal_word, way + 1, SHMEM_SIGNAL_SET, pe);
    else if (way == PUT_SIGNAL_NBI)
        shmem_long_put_signal_nbi(data, source, WORDS, &signal_word, way + 1, SHMEM_SIGNAL_SET, pe);
    else if (way == PUT_NBI_FENCE)
        shmem_long_put_nbi(data, source, WORDS, pe);
    else
        shmem_long_put(data, source, WORDS, pe);
    if (way == PUT_QUIET)
        shmem_quiet();
    else
        shmem_fence();
    if (way == FENCE_SIGNAL_SET)
        shmem_signal_set(&signal_word, way + 1, pe);
    else if (way != PUT_SIGNAL && way != PUT_SIGNAL_NBI)
        shmem_long_atomic_set(&flag, way + 1, pe);
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    if (shmem_my_pe() == 0) {
        static long source[WAYS][WORDS];
        for (int way = 0; way < WAYS; way++) {
            for (int i = 0; i < WORDS; i++)
                source[way][i] = 100 * way + i;
            shmem_long_wait_until(&turn, SHMEM_CMP_GE, way); /* the receiver has read the message before */
            send(way, source[way], 1);
        }
        shmem_quiet();
    } else {
        for (int way = 0; way < WAYS; way++) {
            if (way == PUT_SIGNAL || way == PUT_SIGNAL_NBI || way == FENCE_SIGNAL_SET)
                shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, way + 1);
            else
                shmem_long_wait_until(&flag, SHMEM_CMP_EQ, way + 1);
            for (int i = 0; i < WORDS; i++)
                bad |= data[i] != 100 * way + i;
            shmem_long_atomic_set(&turn, way + 1, 0);
        }
    }
    shmem_finalize();
    return bad;
}
