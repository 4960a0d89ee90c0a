/* uninitialised.c -- memory of malloc that nobody has written, got or loaded; the part that realloc added.
 *
 * RUN: -n 2 --seeds 1..2
 *
 * VARIANT get: -DUSE=1
 * EXPECT: uninit on=1 rule=E087 allocated=D A=shmem_int_get@0 ...
 *
 * VARIANT load: -DUSE=2
 * EXPECT: uninit on=0 rule=E087 allocated=D B=load@0 ...
 *
 * VARIANT growth: -DUSE=3
 * EXPECT: uninit on=1 rule=E087 allocated=E C=shmem_int_g@0 ...
 *
 * VARIANT written: -DUSE=4
 * EXPECT: clean
 */
#include <shmem.h>

int
main(void)
{
    int got[4] = {0}, bad = 0;
    shmem_init();
    int me = shmem_my_pe();
    int *block = shmem_malloc(4 * sizeof *block); // <- D
#if USE == 1
    if (me == 0)
        shmem_int_get(got, block, 4, 1); // <- A
#elif USE == 2
    if (me == 0)
        bad = block[2] == 77; // <- B
#else
    for (int i = 0; i < 4; i++)
        block[i] = me;
    block = shmem_realloc(block, 8 * sizeof *block); // <- E
    if (me == 0) {
#if USE == 3
        bad = shmem_int_g(&block[5], 1) == 77; // <- C
#else
        shmem_int_get(got, block, 4, 1);
        bad = got[3] != 1;
#endif
    }
#endif
    shmem_free(block);
    shmem_finalize();
    return bad || got[0] == 77;
}
