/* get_pipeline.c -- the next block is fetched while this one is summed: two contexts, completed one by one.
 *
 * RUN: -n 2,4 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define BLOCKS 5
#define WORDS 8

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), from = (me + 1) % npes;
    long *store = shmem_malloc(BLOCKS * WORDS * sizeof *store), block[2][WORDS], sum = 0, expected = 0;
    shmem_ctx_t ctx[2];
    bad |= shmem_ctx_create(0, &ctx[0]) != 0 || shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx[1]) != 0;
    for (int i = 0; i < BLOCKS * WORDS; i++) {
        store[i] = me * 1000 + i;
        expected += from * 1000 + i;
    }
    shmem_barrier_all();
    shmem_ctx_long_get_nbi(ctx[0], block[0], store, WORDS, from);
    for (int b = 0; b < BLOCKS; b++) {
        int now = b % 2;
        if (b + 1 < BLOCKS)
            shmem_ctx_long_get_nbi(ctx[1 - now], block[1 - now], store + (b + 1) * WORDS, WORDS, from);
        shmem_ctx_quiet(ctx[now]);
        for (int i = 0; i < WORDS; i++)
            sum += block[now][i];
    }
    bad |= sum != expected;
    shmem_ctx_destroy(ctx[0]);
    shmem_ctx_destroy(ctx[1]);
    shmem_free(store);
    shmem_finalize();
    return bad;
}
