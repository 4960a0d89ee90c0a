/* sessions.c -- many small operations between session_start and session_stop: hints change nothing.
 *
 * RUN: -n 2,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define WORDS 16

static int table[64][WORDS];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    shmem_ctx_t ctx;
    if (shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx))
        return 1;
    shmem_ctx_session_config_t config = {.total_ops = WORDS * (size_t)npes};
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    for (int i = 0; i < WORDS; i++)
        for (int pe = 0; pe < npes; pe++)
            shmem_ctx_int_p(ctx, &table[me][i], me * WORDS + i, pe);
    shmem_ctx_session_stop(ctx);
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, 0, NULL, 0);
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    shmem_ctx_quiet(ctx); /* what a session stop is not */
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        for (int i = 0; i < WORDS; i++)
            bad |= table[pe][i] != pe * WORDS + i;
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return bad;
}
