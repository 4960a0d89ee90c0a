/* maximum_by_swap.c -- a maximum kept by compare-and-swap, and the winner's record fetched from its owner.
 *
 * RUN: -n 2,6 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static long best; /* at PE 0: value * 64 + PE */
static struct {
    long value;
    char name[12];
} record;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    record.value = (me * 5 + 3) % 11;
    record.name[0] = (char)('a' + me);
    shmem_quiet(); /* the stores are there for everybody before the word of them is */
    long mine = record.value * 64 + me, seen = shmem_long_atomic_fetch(&best, 0);
    while (seen < mine) {
        long now = shmem_long_atomic_compare_swap(&best, seen, mine, 0);
        if (now == seen)
            break;
        seen = now;
    }
    seen = shmem_long_atomic_fetch(&best, 0); /* some PE's by now */
    bad |= seen < mine || shmem_char_g(&record.name[0], (int)(seen % 64)) != 'a' + seen % 64;
    bad |= shmem_long_g(&record.value, (int)(seen % 64)) != seen / 64;
    shmem_barrier_all();
    if (me == 0)
        for (int pe = 0; pe < npes; pe++)
            bad |= best / 64 < (pe * 5 + 3) % 11;
    shmem_finalize();
    return bad;
}
