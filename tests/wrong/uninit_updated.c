/* uninit_updated.c -- an array that nobody has written is updated in place: each element is used,
 * and written right behind.
 *
 * RUN: -n 2
 * VARIANT fresh:
 * EXPECT: uninit on=0 rule=E087 allocated=B A=load@0
 *
 * VARIANT written: -DWRITTEN
 * EXPECT: clean
 */
#include <shmem.h>

#define WORDS 600

int
main(void)
{
    shmem_init();
    long *counts = shmem_malloc(WORDS * sizeof *counts); // <- B
    if (shmem_my_pe() == 0) {
#ifdef WRITTEN
        for (int i = 0; i < WORDS; i++)
            counts[i] = i;
#endif
        for (int i = 0; i < WORDS; i++)
            counts[i] += i; // <- A
    }
    shmem_free(counts);
    shmem_finalize();
    return 0;
}
