/* context_nostore.c -- a fence on a context with SHMEM_CTX_NOSTORE does not order plain stores.
 *
 * RUN: -n 2 --seeds 1..5
 * EXPECT: race on=1 rule=E068 A=store@0 B=load@1
 *
 * VARIANT stores: -DSTORES
 * EXPECT: clean
 */
#include <shmem.h>

static int flag;

int
main(void)
{
    int seen = 8;
    shmem_ctx_t ctx;
    shmem_init();
    int *box = shmem_calloc(1, sizeof *box);
#ifdef STORES
    int bad = shmem_ctx_create(0, &ctx);
#else
    int bad = shmem_ctx_create(SHMEM_CTX_NOSTORE, &ctx);
#endif
    if (shmem_my_pe() == 0) {
        int *theirs = shmem_ptr(box, 1);
        *theirs = 8; // <- A
        shmem_ctx_fence(ctx);
        shmem_ctx_int_atomic_set(ctx, &flag, 1, 1);
    } else {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        seen = *box; // <- B
    }
    shmem_ctx_destroy(ctx);
    shmem_free(box);
    shmem_finalize();
    return bad || (seen != 0 && seen != 8);
}
