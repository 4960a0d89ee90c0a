/* use_after_free.c -- a freed block used by put, get, atomic, signal, load or store.
 *
 * RUN: -n 2 --seeds 1..2
 *
 * VARIANT put: -DUSE=1
 * EXPECT: lifetime on=0 rule=E025 A=shmem_long_put@1 F=shmem_free:free
 *
 * VARIANT get: -DUSE=2
 * EXPECT: lifetime on=0 rule=E025 B=shmem_long_get@1 F=shmem_free:free
 *
 * VARIANT atomic: -DUSE=3
 * EXPECT: lifetime on=0 rule=E025 C=shmem_long_atomic_fetch_add@1 F=shmem_free:free
 *
 * VARIANT signal: -DUSE=4
 * EXPECT: lifetime on=0 rule=E025 S=shmem_signal_add@1 F=shmem_free:free
 *
 * VARIANT load: -DUSE=5
 * RUN: -n 2 --seeds 1..2 --hooks yes,no
 * EXPECT: lifetime on=1 rule=E025 D=load@1 F=shmem_free:free
 *
 * VARIANT store: -DUSE=6
 * RUN: -n 2 --seeds 1..2 --hooks yes,no
 * EXPECT: lifetime on=1 rule=E025 E=store@1 F=shmem_free:free
 *
 * VARIANT local: -DUSE=7
 * EXPECT: lifetime on=1 rule=E025 G=shmem_long_put@1 F=shmem_free:free
 */
#include <shmem.h>

int
main(void)
{
    static long live[3];
    long word = 1, bad = 0;
    shmem_init();
    long *block = shmem_calloc(10, sizeof *block), *other = shmem_calloc(10, sizeof *other);
    shmem_free(block); // <- F
    if (shmem_my_pe() == 1)
        switch (USE) {
        case 1:
            shmem_long_put(&block[2], &word, 1, 0); // <- A
            break;
        case 2:
            shmem_long_get(&word, &block[2], 1, 0); // <- B
            break;
        case 3:
            bad = shmem_long_atomic_fetch_add(block, 1, 0) != 0; // <- C
            break;
        case 4:
            shmem_signal_add((uint64_t *)block, 1, 0); // <- S
            break;
        case 5:
            bad = *(volatile long *)&block[9] == 77; // <- D
            break;
        case 6:
            *(volatile long *)&block[9] = 1; // <- E
            break;
        default:
            shmem_long_put(live, block, 3, 0); // <- G
        }
    shmem_free(other);
    shmem_finalize();
    return bad != 0;
}
