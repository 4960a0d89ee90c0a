/* Locks: a counter that only the holder may touch loses no update; test_lock tells; locks of an array are independent.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..3 --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

enum { ROUNDS = 10 };

int
main(void)
{
    long *locks, *counters;
    int n;

    shmem_init();
    n = shmem_n_pes();
    locks = shmem_calloc(2, sizeof *locks);
    counters = shmem_calloc(2, sizeof *counters);
    for (int i = 0; i < ROUNDS; i++) {
        const int which = i % 2;
        if (i % 3 == 0)
            while (shmem_test_lock(&locks[which]) != 0)
                ;
        else
            shmem_set_lock(&locks[which]);
        shmem_long_p(&counters[which], shmem_long_g(&counters[which], n - 1) + 1, n - 1);
        shmem_clear_lock(&locks[which]);
    }
    shmem_barrier_all();
    CHECK(shmem_long_g(&counters[0], n - 1) == (long)n * ROUNDS / 2);
    CHECK(shmem_long_g(&counters[1], n - 1) == (long)n * ROUNDS / 2);
    shmem_free(counters);
    shmem_free(locks);
    shmem_finalize();
    return 0;
}
