/* looks_for_ever.c -- a loop over a blocking look at what nobody can change any more is a hang, as one over test is.
 *
 * RUN: -n 2 --seeds 1..2 --choosers random,adversarial
 *
 * VARIANT fetch: -DLOOK=1
 * EXPECT: hang L@1 ...
 *
 * VARIANT get: -DLOOK=2
 * EXPECT: hang L@1 ...
 *
 * VARIANT swap: -DLOOK=3
 * EXPECT: hang L@1 ...
 */
#include <shmem.h>

static int flag;

int
main(void)
{
    int seen = 0;
    shmem_init();
    if (shmem_my_pe() == 1) {
        while (!seen) {
#if LOOK == 1
            seen = shmem_int_atomic_fetch(&flag, 0); // <- L
#elif LOOK == 2
            seen = shmem_int_g(&flag, 0); // <- L
#else
            seen = shmem_int_atomic_compare_swap(&flag, 5, 6, 0) == 5; // <- L
#endif
        }
    }
    shmem_finalize();
    return 0;
}
