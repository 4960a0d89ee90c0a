/* tree_reduction.c -- partial sums go up a binary tree; a parent waits for as many signals (ADD) as it has children.
 *
 * RUN: -n 1,2,7,16 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static long partial[2][3]; /* from each child */
static uint64_t arrived;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), children = 0;
    long sum[3] = {me, 2 * me, (long)me * me}, square = 0;
    for (int child = 2 * me + 1; child <= 2 * me + 2; child++)
        children += child < npes;
    if (children > 0) /* all of them at once: the value says how many, not which */
        shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, (uint64_t)children);
    for (int child = 0; child < children; child++)
        for (int i = 0; i < 3; i++)
            sum[i] += partial[child][i];
    if (me > 0)
        shmem_long_put_signal(partial[(me - 1) % 2], sum, 3, &arrived, 1, SHMEM_SIGNAL_ADD, (me - 1) / 2);
    else {
        for (int pe = 0; pe < npes; pe++)
            square += (long)pe * pe;
        long n = (long)npes * (npes - 1) / 2;
        bad |= sum[0] != n || sum[1] != 2 * n || sum[2] != square;
    }
    shmem_finalize();
    return bad;
}
