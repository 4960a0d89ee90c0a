/* termination_ring.c -- work that makes more work, and Safra's token that finds out when none is left.
 *
 * A PE counts what it sent less what it received; the token gathers the counts, and is black if somebody received since
 * it was there last. Work lies in boxes, one for each sender and item.
 *
 * RUN: -n 2,5 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ITEMS 40
#define DEPTH 3

static int box[8][ITEMS];             /* [sender][number]: depth of the work that is left, plus one */
static uint64_t arrived[8];           /* [sender]: how many */
static long token[2];                 /* sum of counts, black */
static uint64_t token_here, finished; /* round of the token */
static long done, total;
static int next_pe;

static void
send(int depth, int *sent, long *count)
{
    int me = shmem_my_pe(), npes = shmem_n_pes(), to = (me + ++next_pe) % npes;
    if (to == me)
        to = (to + 1) % npes;
    int value = depth + 1;
    shmem_fence(); /* or the second signal might say that the first item is there */
    shmem_int_put_signal(&box[me][sent[to]++], &value, 1, &arrived[me], 1, SHMEM_SIGNAL_ADD, to);
    ++*count;
}

int
main(void)
{
    int bad = 0, sent[8] = {0};
    uint64_t taken[8] = {0}, round = 0;
    long count = 0, black = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    send(DEPTH, sent, &count);
    while (!shmem_signal_fetch(&finished)) {
        int idle = 1;
        for (int pe = 0; pe < npes; pe++)
            if (pe != me && shmem_signal_fetch(&arrived[pe]) > taken[pe]) {
                int depth = box[pe][taken[pe]++] - 1;
                for (int i = 0; depth > 0 && i < 2; i++)
                    send(depth - 1, sent, &count);
                done++;
                count--;
                black = 1;
                idle = 0;
            }
        if (!idle)
            continue;
        int mine =
            me > 0 ? shmem_signal_fetch(&token_here) > round : round == 0 || shmem_signal_fetch(&token_here) == round;
        if (!mine)
            continue;
        if (me == 0 && round > 0 && token[0] + count == 0 && !token[1] && !black) {
            for (int pe = 0; pe < npes; pe++)
                shmem_signal_set(&finished, 1, pe);
            shmem_signal_wait_until(&finished, SHMEM_CMP_EQ, 1);
            break;
        }
        long pass[2] = {me ? token[0] + count : 0, me ? token[1] | black : 0};
        round++;
        black = 0;
        shmem_long_put_signal(token, pass, 2, &token_here, round, SHMEM_SIGNAL_SET, (me + 1) % npes);
    }
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &total, &done, 1);
    bad |= total != (long)npes * ((1 << (DEPTH + 1)) - 1);
    shmem_finalize();
    return bad;
}
