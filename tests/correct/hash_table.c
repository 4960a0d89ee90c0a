/* hash_table.c -- a table over all PEs: a slot is taken by compare-and-swap on its key, counted by add.
 *
 * RUN: -n 1,4 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define SLOTS 16 /* of each PE */
#define WORDS 12

static long key[SLOTS];
static int count[SLOTS];
static int total[2];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), slots = SLOTS * npes;
    for (int i = 0; i < WORDS; i++) {
        long word = 1 + (me + i) % 8;
        for (int probe = (int)(word * 37) % slots;; probe = (probe + 1) % slots) {
            long seen = shmem_long_atomic_compare_swap(&key[probe / npes], 0, word, probe % npes);
            if (seen != 0 && seen != word)
                continue;
            shmem_int_atomic_inc(&count[probe / npes], probe % npes);
            break;
        }
    }
    shmem_barrier_all();
    for (int i = 0; i < SLOTS; i++) {
        total[0] += count[i];
        bad |= (key[i] == 0) != (count[i] == 0);
        int wanted = 0;
        for (int pe = 0; pe < npes; pe++)
            for (int k = 0; k < WORDS; k++)
                wanted += key[i] == 1 + (pe + k) % 8;
        bad |= count[i] != wanted;
    }
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &total[1], &total[0], 1);
    bad |= total[1] != WORDS * npes;
    shmem_finalize();
    return bad;
}
