/* seqlock.c -- a reader that never blocks the writer: all words by atomics, odd while they change, fences between.
 *
 * RUN: -n 2,4 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define VERSIONS 5

static long version, word[3]; /* at PE 0; PE 1 writes */

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe();
    if (me == 1) {
        for (long v = 1; v <= VERSIONS; v++) {
            shmem_long_atomic_set(&version, 2 * v - 1, 0);
            shmem_fence();
            for (int i = 0; i < 3; i++)
                shmem_long_atomic_set(&word[i], v * 10 + i, 0);
            shmem_fence();
            shmem_long_atomic_set(&version, 2 * v, 0);
            shmem_fence();
        }
    } else {
        long before, after, seen[3];
        do {
            before = shmem_long_atomic_fetch(&version, 0);
            for (int i = 0; i < 3; i++)
                seen[i] = shmem_long_atomic_fetch(&word[i], 0);
            after = shmem_long_atomic_fetch(&version, 0);
            for (int i = 0; before == after && before % 2 == 0 && i < 3; i++)
                bad |= seen[i] != (before ? before / 2 * 10 + i : 0);
        } while (after < 2 * VERSIONS);
    }
    shmem_finalize();
    return bad;
}
