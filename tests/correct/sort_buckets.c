/* sort_buckets.c -- keys go to the PE of their bucket: room is reserved by fetch_add, then put there, one barrier.
 *
 * RUN: -n 1,2,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>
#include <string.h>

#define KEYS 24
#define RANGE 96

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), span = RANGE / npes;
    unsigned *bucket = shmem_malloc(sizeof *bucket * (size_t)(KEYS * npes)), key[KEYS], part[KEYS],
             random = 17u + (unsigned)me;
    size_t *filled = shmem_calloc(1, sizeof *filled);
    unsigned long *count = shmem_malloc(2 * sizeof *count);
    for (int i = 0; i < KEYS; i++) {
        random = random * 1103515245u + 12345u;
        key[i] = (random >> 16) % RANGE;
    }
    for (int pe = 0; pe < npes; pe++) {
        size_t n = 0;
        for (int i = 0; i < KEYS; i++)
            if ((int)key[i] / span == pe)
                part[n++] = key[i];
        size_t at = n ? shmem_size_atomic_fetch_add(filled, n, pe) : 0;
        shmem_uint_put(&bucket[at], part, n, pe);
    }
    shmem_barrier_all();
    size_t n = *filled;
    for (size_t i = 0; i < n; i++)
        bad |= (int)bucket[i] / span != me;
    count[0] = n;
    shmem_ulong_sum_reduce(SHMEM_TEAM_WORLD, &count[1], &count[0], 1);
    bad |= count[1] != (unsigned long)(KEYS * npes);
    shmem_free(count);
    shmem_free(filled);
    shmem_free(bucket);
    shmem_finalize();
    return bad;
}
