/* lookback_scan.c -- a prefix sum without a collective: the sum so far arrives with a signal and goes on with one.
 *
 * RUN: -n 1,2,7 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ITEMS 5

static long long before;
static uint64_t here;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    long long item[ITEMS], sum = 0;
    for (int i = 0; i < ITEMS; i++)
        sum += item[i] = me * ITEMS + i;
    if (me > 0)
        shmem_signal_wait_until(&here, SHMEM_CMP_NE, 0);
    long long upto = before + sum;
    if (me + 1 < npes)
        shmem_longlong_put_signal(&before, &upto, 1, &here, 1, SHMEM_SIGNAL_SET, me + 1);
    for (int i = 0; i < ITEMS; i++) {
        item[i] += i ? item[i - 1] : before;
        long long n = me * ITEMS + i;
        bad |= item[i] != n * (n + 1) / 2;
    }
    shmem_finalize();
    return bad;
}
