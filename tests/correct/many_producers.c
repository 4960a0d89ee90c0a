/* many_producers.c -- one consumer takes from whichever producer has something (wait_until_some on signals) and
 * answers.
 *
 * RUN: -n 2,5 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ITEMS 4

static int box[64];
static uint64_t full[64], empty;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    if (me > 0) {
        for (int i = 1; i <= ITEMS; i++) {
            if (i > 1)
                shmem_signal_wait_until(&empty, SHMEM_CMP_GE, (uint64_t)i - 1);
            shmem_int_put_signal(&box[me], &(int){100 * me + i}, 1, &full[me], (uint64_t)i, SHMEM_SIGNAL_SET, 0);
        }
    } else {
        int taken[64] = {0}, status[64] = {1}, left = npes - 1;
        uint64_t wanted[64] = {0};
        size_t which[64], n = (size_t)npes;
        for (int pe = 1; pe < npes; pe++)
            wanted[pe] = 1;
        while (left > 0) {
            size_t count = shmem_uint64_wait_until_some_vector(full, n, which, status, SHMEM_CMP_EQ, wanted);
            for (size_t k = 0; k < count; k++) {
                size_t pe = which[k];
                bad |= box[pe] != 100 * (int)pe + ++taken[pe];
                wanted[pe]++;
                if (taken[pe] == ITEMS) {
                    status[pe] = 1;
                    left--;
                }
                shmem_signal_add(&empty, 1, (int)pe);
            }
        }
    }
    shmem_barrier_all();
    shmem_finalize();
    return bad;
}
