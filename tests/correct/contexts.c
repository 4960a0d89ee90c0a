/* contexts.c -- three streams of operations, each completed by what belongs to it: quiet, fence with a flag, destroy.
 *
 * RUN: -n 2,4 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static long a[4], b[4], c[4], flag_a, flag_b;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes, before = (me + npes - 1) % npes;
    long four[4] = {me, me + 10, me + 20, me + 30};
    shmem_ctx_t first = SHMEM_CTX_INVALID, second = SHMEM_CTX_INVALID, third = SHMEM_CTX_INVALID;
    bad |= shmem_ctx_create(0, &first) || shmem_ctx_create(SHMEM_CTX_SERIALIZED, &second) ||
           shmem_ctx_create(SHMEM_CTX_NOSTORE, &third);
    shmem_ctx_long_put(first, a, four, 4, next);
    shmem_ctx_long_put_nbi(second, b, four, 4, next);
    shmem_ctx_long_put(third, c, four, 4, next);
    shmem_ctx_quiet(first);
    shmem_long_atomic_set(&flag_a, 1, next); /* on the default context: a is complete */
    shmem_ctx_fence(second);
    shmem_ctx_long_atomic_set(second, &flag_b, 1, next); /* on the same context: b goes before it */
    shmem_long_wait_until(&flag_a, SHMEM_CMP_EQ, 1);
    shmem_long_wait_until(&flag_b, SHMEM_CMP_EQ, 1);
    for (int i = 0; i < 4; i++)
        bad |= a[i] != before + 10 * i || b[i] != before + 10 * i;
    shmem_ctx_destroy(first);
    shmem_ctx_destroy(second);
    shmem_ctx_destroy(third); /* completes c */
    shmem_barrier_all();
    for (int i = 0; i < 4; i++)
        bad |= c[i] != before + 10 * i;
    shmem_finalize();
    return bad;
}
