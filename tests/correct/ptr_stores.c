/* ptr_stores.c -- stores through shmem_ptr, ordered before a flag by fence, by quiet, and by sync.
 *
 * RUN: -n 2,3 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes, before = (me + npes - 1) % npes;
    long *box = shmem_calloc(3, sizeof *box), *flag = shmem_calloc(2, sizeof *flag);
    long *theirs = shmem_ptr(box, next);
    bad |= theirs == NULL || shmem_ptr(box, me) != box;
    theirs[0] = me + 1;
    shmem_fence();
    shmem_long_atomic_set(&flag[0], 1, next);
    theirs[1] = me + 2;
    shmem_quiet();
    shmem_long_atomic_set(&flag[1], 1, next);
    theirs[2] = me + 3;
    shmem_long_wait_until(&flag[0], SHMEM_CMP_EQ, 1);
    bad |= box[0] != before + 1;
    shmem_long_wait_until(&flag[1], SHMEM_CMP_EQ, 1);
    bad |= box[1] != before + 2;
    shmem_sync_all();
    bad |= box[2] != before + 3;
    shmem_free(flag);
    shmem_free(box);
    shmem_finalize();
    return bad;
}
