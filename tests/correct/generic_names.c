/* generic_names.c -- the C11 names without types: the pointer says which routine it is.
 *
 * RUN: -n 1,3 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static int words[4], total;
static double real, scale;
static unsigned long bits;
static long flag;
static uint64_t told;

int
main(void)
{
    int bad = 0, own[4] = {1, 2, 3, 4};
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), right = (me + 1) % npes, left = (me + npes - 1) % npes;
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx))
        return 1;
    shmem_put(ctx, words, own, 4, right);
    shmem_ctx_quiet(ctx);
    shmem_p(&real, 0.5 + me, right);
    shmem_fence();
    shmem_atomic_add(&flag, 1L, right);
    shmem_wait_until(&flag, SHMEM_CMP_EQ, 1);
    bad |= words[3] != 4 || real != 0.5 + left;
    shmem_atomic_or(&bits, 1UL << me, 0);
    bad |= (shmem_atomic_fetch(&bits, 0) | 1UL << me) >> npes != 0;
    shmem_put_signal(&scale, &(double){2.0 * me}, 1, &told, 1, SHMEM_SIGNAL_SET, right);
    shmem_signal_wait_until(&told, SHMEM_CMP_EQ, 1);
    bad |= scale != 2.0 * left;
    shmem_sum_reduce(SHMEM_TEAM_WORLD, &total, &words[1], 1);
    bad |= total != 2 * npes;
    shmem_barrier_all();
    bad |= shmem_g(&real, right) != 0.5 + me;
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return bad;
}
