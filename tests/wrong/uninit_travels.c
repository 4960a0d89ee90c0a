/* uninit_travels.c -- what nobody wrote is carried along by copies, and told where a value is made of it.
 *
 * RUN: -n 2 --seeds 1..3
 *
 * VARIANT put: -DVIA=1
 * EXPECT: uninit on=1 rule=E087 allocated=D U=load@1
 *
 * VARIANT copy: -DVIA=2
 * EXPECT: uninit on=1 rule=E087 allocated=D U=load@1
 *
 * VARIANT counter: -DVIA=3
 * EXPECT: uninit on=1 rule=E087 allocated=E C=shmem_long_atomic_fetch_inc@0
 *
 * VARIANT reduce: -DVIA=4
 * EXPECT: uninit rule=E087 allocated=E R=shmem_long_sum_reduce ...
 */
#include <shmem.h>
#include <string.h>

static long sum;

int
main(void)
{
    long used = sum;
    shmem_init();
    int me = shmem_my_pe();
    long *fresh = shmem_malloc(4 * sizeof *fresh);
    long *counter = shmem_malloc(sizeof *counter); // <- E
    long *inbox = shmem_calloc(4, sizeof *inbox); // <- D
    fresh[0] = 1;
    shmem_barrier_all();
#if VIA == 1
    if (me == 0)
        shmem_long_put(inbox, fresh, 4, 1);
#elif VIA == 2
    if (me == 1)
        memcpy(inbox, fresh, sizeof(long) * (size_t)(3 + me));
#elif VIA == 3
    if (me == 0)
        used = shmem_long_atomic_fetch_inc(counter, 1); // <- C
#else
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, counter, 1); // <- R
#endif
    shmem_barrier_all();
    if (me == 1 && VIA < 3)
        used = inbox[2]; // <- U
    shmem_free(inbox);
    shmem_free(counter);
    shmem_free(fresh);
    shmem_finalize();
    return used == 77;
}
