/* large_transfers.c -- transfers of many pages travel in pieces; the flag behind a fence, or the return, covers all of
 * them.
 *
 * RUN: -n 2 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define WORDS 30000

static int flag;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), other = 1 - me;
    int *to = shmem_malloc(WORDS * sizeof *to), *from = shmem_malloc(WORDS * sizeof *from);
    for (int i = 0; i < WORDS; i++)
        from[i] = me * WORDS + i;
    shmem_int_put_nbi(to, from, WORDS, other);
    shmem_fence();
    shmem_int_atomic_set(&flag, 1, other);
    shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
    for (int i = 0; i < WORDS; i++)
        bad |= to[i] != other * WORDS + i;
    shmem_barrier_all();
    for (int i = 0; i < WORDS; i++)
        from[i]++;
    shmem_sync_all();
    shmem_int_get(to, from, WORDS, other);
    bad |= to[0] != other * WORDS + 1 || to[WORDS - 1] != other * WORDS + WORDS;
    shmem_barrier_all();
    shmem_free(from);
    shmem_free(to);
    shmem_finalize();
    return bad;
}
