/* store_sync_get.c -- a PE writes its own copy plainly; after a sync, or quiet and flag, others get it.
 *
 * RUN: -n 2,4 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static double own[6];
static int told;

int
main(void)
{
    int bad = 0;
    double got[6];
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes;
    for (int i = 0; i < 6; i++)
        own[i] = me + i / 8.0;
    shmem_sync_all();
    for (int pe = 0; pe < npes; pe++) {
        shmem_double_get(got, own, 6, pe);
        for (int i = 0; i < 6; i++)
            bad |= got[i] != pe + i / 8.0;
    }
    shmem_sync_all(); /* everybody has read */
    for (int i = 0; i < 6; i++)
        own[i] = -own[i];
    shmem_quiet();
    shmem_int_atomic_set(&told, 1, (me + npes - 1) % npes);
    shmem_int_wait_until(&told, SHMEM_CMP_EQ, 1);
    shmem_double_get(got, own, 6, next);
    for (int i = 0; i < 6; i++)
        bad |= got[i] != -(next + i / 8.0);
    shmem_finalize();
    return bad;
}
