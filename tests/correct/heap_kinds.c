/* heap_kinds.c -- malloc, calloc, align, malloc_with_hints and realloc, large and small, freed in another order; a
 * block from malloc is written by its PE, by others, or by a collective before it is read.
 *
 * RUN: -n 1,2,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdint.h>
#include <string.h>

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), right = (me + 1) % npes, left = (me + npes - 1) % npes;
    long *a = shmem_malloc(sizeof *a), *b = shmem_align(256, 40 * sizeof *b);
    uint64_t *c = shmem_malloc_with_hints(sizeof *c, SHMEM_MALLOC_SIGNAL_REMOTE);
    int *d = shmem_malloc_with_hints(sizeof *d, SHMEM_MALLOC_ATOMICS_REMOTE), *e = shmem_calloc(3, sizeof *e);
    char *big = shmem_malloc(100000);
    bad |= (uintptr_t)b % 256 != 0 || !big || e[0] != 0 || e[2] != 0;
    *c = 0;
    *d = me;
    shmem_barrier_all();
    memset(big, me, 1000);
    shmem_long_put_signal(b, (long[]){me, me + 1}, 2, c, 5, SHMEM_SIGNAL_SET, right);
    shmem_int_atomic_add(d, 10, right);
    shmem_signal_wait_until(c, SHMEM_CMP_EQ, 5);
    bad |= b[0] != left || b[1] != left + 1;
    b[2] = me; /* the source of the reduction into a block that nobody has written */
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a, b + 2, 1);
    bad |= *a != (long)npes * (npes - 1) / 2;
    big = shmem_realloc(big, 200000);
    bad |= big[999] != (char)me;
    big[150000] = 1;
    b = shmem_realloc(b, 8 * sizeof *b);
    bad |= b[0] != left || *d != me + 10;
    shmem_free(e);
    shmem_free(a);
    shmem_free(big);
    shmem_free(d);
    shmem_free(b);
    shmem_free(c);
    bad |= shmem_malloc(0) != NULL || shmem_realloc(NULL, 0) != NULL;
    shmem_free(NULL);
    shmem_finalize();
    return bad;
}
