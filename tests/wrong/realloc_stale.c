/* realloc_stale.c -- the pointer from before a realloc, used within the old size or beyond it.
 *
 * RUN: -n 2 --seeds 1..2
 *
 * VARIANT put: -DUSE=1
 * EXPECT: lifetime on=0 rule=E026 A=shmem_int_p@1 R=shmem_realloc:realloc
 *
 * VARIANT get: -DUSE=2
 * EXPECT: lifetime on=0 B=shmem_int_g@1 R=shmem_realloc:realloc
 *
 * VARIANT atomic: -DUSE=3
 * EXPECT: lifetime on=0 C=shmem_int_atomic_inc@1 R=shmem_realloc:realloc
 *
 * VARIANT load: -DUSE=4
 * RUN: -n 2 --seeds 1..2 --hooks yes,no
 * EXPECT: lifetime on=1 D=load@1 R=shmem_realloc:realloc
 *
 * VARIANT store: -DUSE=5
 * RUN: -n 2 --seeds 1..2 --hooks yes,no
 * EXPECT: lifetime on=1 E=store@1 R=shmem_realloc:realloc
 *
 * VARIANT beyond: -DUSE=7
 * EXPECT: lifetime on=0 G=shmem_int_put@1 R=shmem_realloc:realloc
 *
 * VARIANT beyond_load: -DUSE=8
 * EXPECT: lifetime on=1 H=load@1 R=shmem_realloc:realloc
 *
 * VARIANT new_pointer: -DUSE=6
 * EXPECT: clean
 */
#include <shmem.h>

int
main(void)
{
    int bad = 0;
    shmem_init();
    int *old = shmem_calloc(10, sizeof *old);
    int *new = shmem_realloc(old, 1000 * sizeof *old); // <- R
    if (shmem_my_pe() == 1) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wuse-after-free"
        switch (USE) {
        case 1:
            shmem_int_p(&old[3], 1, 0); // <- A
            break;
        case 2:
            bad = shmem_int_g(&old[3], 0) > 1; // <- B
            break;
        case 3:
            shmem_int_atomic_inc(&old[3], 0); // <- C
            break;
        case 4:
            bad = *(volatile int *)&old[3] == 77; // <- D
            break;
        case 5:
            *(volatile int *)&old[3] = 1; // <- E
            break;
        case 7:                                 /* what the growth added, through the old pointer */
            shmem_int_put(&old[10], new, 1, 0); // <- G
            break;
        case 8:
            bad = *(volatile int *)&old[12] == 77; // <- H
            break;
        default:
            shmem_int_p(&new[3], 1, 0);
        }
#pragma GCC diagnostic pop
    }
    shmem_free(new);
    shmem_finalize();
    return bad;
}
