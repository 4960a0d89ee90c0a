/* own_pe.c -- a PE is a target like any other for itself; lengths of zero move nothing, whatever the pointers.
 *
 * RUN: -n 1,2 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static int here[4], copy[4], flag;
static uint64_t sig;

int
main(void)
{
    int bad = 0, four[4] = {2, 3, 5, 7};
    shmem_init();
    int me = shmem_my_pe();
    shmem_int_put(here, four, 4, me);
    shmem_fence();
    shmem_int_atomic_set(&flag, 1, me);
    shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
    bad |= here[0] != 2 || here[3] != 7;
    shmem_int_put(copy, here, 4, me);
    shmem_quiet();
    bad |= copy[1] != 3;
    shmem_int_get(four, copy + 2, 2, me);
    bad |= four[0] != 5 || four[1] != 7;
    shmem_putmem(NULL, NULL, 0, me);
    shmem_int_get(NULL, NULL, 0, me);
    shmem_int_put_signal(copy, here, 0, &sig, 4, SHMEM_SIGNAL_SET, me); /* the signal is sent all the same */
    bad |= shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 4) != 4;
    shmem_finalize();
    return bad;
}
