/* reduce_in_place.c -- source is filled and reduced or scanned in place at once: the result is made of every source, so
 * it is written after every member has entered.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..5 --rules strict,common
 * EXPECT: clean
 */
#include <shmem.h>

static long a[4];
static double b[4];

int
main(void)
{
    int bad = 0;

    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++) {
            a[i] = me + i;
            b[i] = 1;
        }
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a, a, 4);
        shmem_double_sum_inscan(SHMEM_TEAM_WORLD, b, b, 4);
        for (int i = 0; i < 4; i++)
            bad |= a[i] != (long)n * (n - 1) / 2 + (long)n * i || b[i] != me + 1;
        shmem_sync_all();
    }
    shmem_finalize();
    return bad;
}
