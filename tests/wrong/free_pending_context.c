/* free_pending_context.c -- free completes the default context only: a put on another is still under way.
 *
 * RUN: -n 2 --seeds 1..5
 * EXPECT: lifetime on=1 rule=E083 A=shmem_ctx_int_put@0 F=shmem_free:free
 *
 * VARIANT quiet: -DQUIET
 * EXPECT: clean
 */
#include <shmem.h>

int
main(void)
{
    int four[4] = {1, 2, 3, 4};
    shmem_ctx_t ctx;
    shmem_init();
    int *block = shmem_calloc(4, sizeof *block);
    int bad = shmem_ctx_create(0, &ctx);
    if (shmem_my_pe() == 0) {
        shmem_ctx_int_put(ctx, block, four, 4, 1); // <- A
#ifdef QUIET
        shmem_ctx_quiet(ctx);
#endif
    }
    shmem_free(block); // <- F
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return bad;
}
