/* zero_from_the_start.c -- static objects are zero without a store of anybody's (C11 6.7.9p10): loads, gets, atomics,
 * reductions, waits, libc and copies of them are no reads of uninitialised memory.
 *
 * RUN: -n 2,3 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

static int word, many[8], sum[2], in_source[4] = {1, 2};
static uint64_t signal_word;
static struct {
    char name[5];
    double weight;
} record;

int
main(void)
{
    int bad = 0, copy[8];
    static long inside;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), right = (me + 1) % npes;
    bad |= shmem_int_g(&word, right) != 0 || shmem_long_g(&inside, right) != 0;
    shmem_int_get(copy, many, 8, right);
    for (int i = 0; i < 8; i++)
        bad |= copy[i] != 0;
    bad |= shmem_double_g(&record.weight, right) != 0 || strlen(record.name) != 0;
    bad |= shmem_int_atomic_fetch(&many[3], right) != 0 || shmem_int_atomic_fetch_add(&many[4], 1, right) != 0;
    bad |= !shmem_uint64_test(&signal_word, SHMEM_CMP_EQ, 0) || shmem_signal_fetch(&signal_word) != 0;
    shmem_uint64_wait_until(&signal_word, SHMEM_CMP_EQ, 0);
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum[0], &word, 1);
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum[1], &in_source[3], 1);
    bad |= sum[0] != 0 || sum[1] != 0;
    int *heap = shmem_malloc(sizeof many), *own = malloc(sizeof many);
    if (!own)
        return 1;
    shmem_int_put(heap, many, 3, right); /* zeros travel as well as anything */
    shmem_barrier_all();
    memcpy(own, heap, 3 * sizeof *own);
    bad |= own[0] | own[1] | own[2];
    free(own);
    shmem_free(heap);
    shmem_finalize();
    return bad;
}
