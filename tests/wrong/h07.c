/* h07.c -- one PE allocates while the others are in a barrier: reported there, not at finalize.
 *
 * RUN: -n 4 --seeds 1..5
 * EXPECT: mismatch message~"shmem_malloc" message~"32" A=shmem_malloc@3 B=shmem_barrier_all@0,1,2 ...
 *
 * VARIANT all: -DALL
 * EXPECT: clean
 */
#include <shmem.h>

int
main(void)
{
    shmem_init();
    int all = 0;
#ifdef ALL
    all = 1;
#endif
    void *first = shmem_malloc(16), *second = NULL;
    if (shmem_my_pe() == 3 || all)
        second = shmem_malloc(32); // <- A
    shmem_barrier_all();           // <- B
    shmem_free(second);
    shmem_free(first);
    shmem_finalize();
    return 0;
}
