/* quiet_third.c -- what a quiet has completed is there for everybody: a third PE that hears of it reads it.
 *
 * PE 0 puts to PE 1 and tells PE 2, which tells PE 3: both get the data from PE 1.
 *
 * RUN: -n 4 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static int data[8], flag;

int
main(void)
{
    int bad = 0, got[8];
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        int source[8];
        for (int i = 0; i < 8; i++)
            source[i] = 3 * i + 1;
        shmem_int_put(data, source, 8, 1);
        shmem_quiet();
        shmem_int_atomic_set(&flag, 1, 2);
    } else if (me >= 2) {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        if (me == 2)
            shmem_int_atomic_set(&flag, 1, 3);
        shmem_int_get(got, data, 8, 1);
        for (int i = 0; i < 8; i++)
            bad |= got[i] != 3 * i + 1;
    }
    shmem_finalize();
    return bad;
}
