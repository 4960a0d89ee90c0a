/* locks_of_buckets.c -- an array of locks, one for each bucket; transfers take two in the order of their numbers, with
 * test_lock and a step back where it is taken.
 *
 * RUN: -n 2,4 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define BUCKETS 3

static long lock[BUCKETS];
static int money[BUCKETS]; /* bucket b at PE b % npes */

static void
add(int bucket, int amount)
{
    int pe = bucket % shmem_n_pes();
    shmem_int_p(&money[bucket], shmem_int_g(&money[bucket], pe) + amount, pe);
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < 4; i++) {
        int a = (me + i) % BUCKETS, b = (a + 1) % BUCKETS, low = a < b ? a : b, high = a < b ? b : a;
        for (;;) {
            shmem_set_lock(&lock[low]);
            if (shmem_test_lock(&lock[high]) == 0)
                break;
            shmem_clear_lock(&lock[low]);
        }
        add(a, -(i + 1));
        add(b, i + 1);
        shmem_clear_lock(&lock[high]);
        shmem_clear_lock(&lock[low]);
    }
    shmem_barrier_all();
    int sum = 0;
    for (int b = 0; b < BUCKETS; b++)
        sum += shmem_int_g(&money[b], b % npes);
    bad |= sum != 0;
    shmem_finalize();
    return bad;
}
