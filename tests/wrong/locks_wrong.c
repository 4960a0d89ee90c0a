/* locks_wrong.c -- what a lock does not protect: writes on another context, and data under another lock.
 *
 * RUN: -n 2 --seeds 1..5
 *
 * VARIANT context: -DCONTEXT
 * EXPECT: race object=count on=0 rule=E085 A=shmem_ctx_int_p A=shmem_ctx_int_p
 * EXPECT maybe: race object=count on=0 rule=E085 A=shmem_ctx_int_p B=shmem_int_g
 *
 * VARIANT two_locks: -DTWO_LOCKS
 * EXPECT: race object=count on=0 B=shmem_int_g C=shmem_int_p
 * EXPECT: race object=count on=0 C=shmem_int_p C=shmem_int_p
 *
 * VARIANT right:
 * EXPECT: clean
 */
#include <shmem.h>

static long lock[2];
static int count;

int
main(void)
{
    shmem_ctx_t ctx;
    shmem_init();
    int me = shmem_my_pe(), which = 0;
    if (shmem_ctx_create(0, &ctx) != 0)
        return 1;
#ifdef TWO_LOCKS
    which = me;
#endif
    shmem_set_lock(&lock[which]);
    int seen = shmem_int_g(&count, 0); // <- B
#ifdef CONTEXT
    shmem_ctx_int_p(ctx, &count, seen + 1, 0); // <- A
#else
    shmem_int_p(&count, seen + 1, 0); // <- C
#endif
    shmem_clear_lock(&lock[which]);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    int bad = me == 0 && (count < 1 || count > 2);
    shmem_finalize();
    return bad;
}
