/* test_poll.c -- useful work between looks at a flag: test, test_any and test_all never block and order as wait does.
 *
 * RUN: -n 2,4 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static int flag[8], box[8];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    unsigned work = 1;
    if (me > 0) {
        shmem_int_p(&box[me], 7 * me, 0);
        shmem_quiet();
        shmem_int_atomic_set(&flag[me], 1, 0);
    } else {
        int status[8] = {0};
        while (!shmem_int_test(&flag[1], SHMEM_CMP_EQ, 1))
            work = work * 5 + 1;
        bad |= box[1] != 7;
        status[1] = 1;
        for (int left = npes - 2; left > 0;) {
            size_t i = shmem_int_test_any(flag + 1, (size_t)npes - 1, status + 1, SHMEM_CMP_EQ, 1);
            if (i == SIZE_MAX) {
                work = work * 5 + 1;
                continue;
            }
            bad |= box[i + 1] != 7 * ((int)i + 1);
            status[i + 1] = 1;
            left--;
        }
        bad |= shmem_int_test_all(flag + 1, (size_t)npes - 1, NULL, SHMEM_CMP_EQ, 1) != 1;
        bad |= work == 0;
    }
    shmem_finalize();
    return bad;
}
