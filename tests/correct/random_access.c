/* random_access.c -- the random-access benchmark: words of a table all over the PEs are xor-ed by atomics, twice, so
 * that nothing is left.
 *
 * RUN: -n 1,2,8 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define WORDS 32
#define UPDATES 100

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    uint64_t *table = shmem_malloc(WORDS * sizeof *table);
    for (int i = 0; i < WORDS; i++)
        table[i] = (uint64_t)(me * WORDS + i);
    shmem_barrier_all();
    for (int pass = 0; pass < 2; pass++) {
        uint64_t random = UINT64_C(88172645463325252) + (uint64_t)me;
        for (int i = 0; i < UPDATES; i++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            shmem_uint64_atomic_xor(&table[random % WORDS], random, (int)(random / WORDS % (uint64_t)npes));
        }
    }
    shmem_barrier_all();
    for (int i = 0; i < WORDS; i++)
        bad |= table[i] != (uint64_t)(me * WORDS + i);
    shmem_free(table);
    shmem_finalize();
    return bad;
}
