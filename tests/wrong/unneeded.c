/* unneeded.c -- fences, quiets and barriers that had nothing to order, told with --unneeded.
 *
 * RUN: -n 2 --seeds 1..2 --options --unneeded
 * EXPECT: note message~"shmem_quiet" A=shmem_quiet@0
 * EXPECT: note message~"shmem_fence" B=shmem_fence@0
 * EXPECT: note message~"no member" C=shmem_barrier_all
 * EXPECT: note message~"on the context" D=shmem_ctx_quiet
 *
 * VARIANT needed: -DNEEDED
 * EXPECT: clean
 */
#include <shmem.h>

static long word, flag;

int
main(void)
{
    shmem_init();
    shmem_ctx_t ctx;
    int me = shmem_my_pe();
    shmem_ctx_create(0, &ctx);
    for (int i = 0; i < 3; i++) {
        if (me == 0) {
            shmem_long_p(&word, i, 1);
            shmem_fence();
#ifndef NEEDED
            shmem_fence(); // <- B
#endif
            shmem_long_atomic_set(&flag, i + 1, 1);
        } else {
            shmem_long_wait_until(&flag, SHMEM_CMP_EQ, i + 1);
        }
        shmem_barrier_all();
#ifndef NEEDED
        if (me == 0)
            shmem_quiet();    // <- A
        shmem_barrier_all();  // <- C
        shmem_ctx_quiet(ctx); // <- D
#endif
    }
    shmem_ctx_long_p(ctx, &word, 7, me);
    shmem_ctx_quiet(ctx);
    word++;
    shmem_quiet();
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return 0;
}
