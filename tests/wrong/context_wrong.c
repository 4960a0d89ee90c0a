/* context_wrong.c -- a put on a context, completed or ordered on another one, or by a barrier.
 *
 * RUN: -n 2 --seeds 1..5
 *
 * VARIANT quiet_default: -DQUIET_DEFAULT
 * EXPECT: race object=box on=1 rule=E067 A=shmem_ctx_long_p@0 B=load@1
 *
 * VARIANT fence_other: -DFENCE_OTHER
 * EXPECT: race object=box on=1 rule=E067 A=shmem_ctx_long_p@0 B=load@1
 *
 * VARIANT barrier: -DBARRIER
 * EXPECT: race object=box on=1 rule=E069 A=shmem_ctx_long_p@0 B=load@1
 *
 * VARIANT right: -DRIGHT
 * EXPECT: clean
 */
#include <shmem.h>

long box, flag;

int
main(void)
{
    long seen = 4;
    shmem_ctx_t ctx;
    shmem_init();
    int me = shmem_my_pe();
    if (shmem_ctx_create(0, &ctx) != 0)
        return 1;
    if (me == 0) {
        shmem_ctx_long_p(ctx, &box, 4, 1); // <- A
#if defined QUIET_DEFAULT
        shmem_quiet();
#elif defined FENCE_OTHER
        shmem_ctx_fence(ctx); /* orders inside ctx; the flag goes on the default context */
#elif defined RIGHT
        shmem_ctx_quiet(ctx);
#endif
    }
#ifdef BARRIER
    shmem_barrier_all();
#else
    if (me == 0)
        shmem_long_atomic_set(&flag, 1, 1);
    else
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
#endif
    if (me == 1)
        seen = box; // <- B
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return seen != 0 && seen != 4;
}
