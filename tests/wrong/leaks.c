/* leaks.c -- what is left when the library ends: a block, a context.
 *
 * RUN: -n 2 --seeds 1..2 --rules common,strict
 *
 * VARIANT block: -DBLOCK
 * EXPECT: leak rule=E160 allocated=A ...
 *
 * VARIANT context: -DCONTEXT
 * EXPECT: leak rule=E133 B=shmem_ctx_create@0 B=shmem_ctx_create@1
 *
 * VARIANT nothing:
 * EXPECT: clean
 */
#include <shmem.h>

int
main(void)
{
    shmem_ctx_t ctx;
    shmem_init();
    void *block = shmem_malloc(48);      // <- A
    int bad = shmem_ctx_create(0, &ctx); // <- B
#ifndef BLOCK
    shmem_free(block);
#endif
#ifndef CONTEXT
    shmem_ctx_destroy(ctx);
#endif
    shmem_finalize();
    return bad || block == NULL;
}
