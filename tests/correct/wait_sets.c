/* wait_sets.c -- waiting on sets of flags: any, some, all and the vector forms, with entries excluded by status.
 *
 * RUN: -n 2,5 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ROUNDS 4

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    long *flag = shmem_calloc((size_t)ROUNDS * npes, sizeof *flag),
         *box = shmem_calloc((size_t)ROUNDS * npes, sizeof *box);
    if (me > 0) {
        for (int round = 0; round < ROUNDS; round++) {
            shmem_long_p(&box[round * npes + me], 10 * me + round, 0);
            shmem_fence();
            shmem_long_atomic_set(&flag[round * npes + me], me, 0);
        }
    } else {
        int status[64] = {1}; /* entry 0 is PE 0's own: nobody sets it */
        size_t n = (size_t)npes, indices[64];
        long wanted[64];
        for (int left = npes - 1; left > 0; left--) {
            size_t i = shmem_long_wait_until_any(flag, n, status, SHMEM_CMP_NE, 0);
            bad |= i == 0 || i >= n || box[i] != 10 * (long)i;
            status[i] = 1;
        }
        bad |= shmem_long_wait_until_any(flag, n, status, SHMEM_CMP_NE, 0) != SIZE_MAX;
        for (int i = 1; i < npes; i++)
            status[i] = 0;
        for (size_t left = n - 1; left > 0;) {
            size_t count = shmem_long_wait_until_some(flag + n, n, indices, status, SHMEM_CMP_GT, 0);
            bad |= count == 0 || count > left;
            for (size_t k = 0; k < count; k++) {
                bad |= box[n + indices[k]] != 10 * (long)indices[k] + 1;
                status[indices[k]] = 1;
            }
            left -= count;
        }
        for (int i = 0; i < npes; i++)
            wanted[i] = i;
        shmem_long_wait_until_all_vector(flag + 2 * n, n, NULL, SHMEM_CMP_EQ, wanted);
        shmem_long_wait_until_all(flag + 3 * n + 1, n - 1, NULL, SHMEM_CMP_GE, 1);
        for (size_t i = 1; i < n; i++)
            bad |= box[2 * n + i] != 10 * (long)i + 2 || box[3 * n + i] != 10 * (long)i + 3;
    }
    shmem_free(box);
    shmem_free(flag);
    shmem_finalize();
    return bad;
}
