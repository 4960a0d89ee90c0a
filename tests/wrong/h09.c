/* h09.c -- one PE asks the allocator for another size than the rest.
 *
 * RUN: -n 4 --seeds 1..5
 * EXPECT: mismatch message~"64" message~"128" A=shmem_malloc@3 A=shmem_malloc@0,1,2 ...
 *
 * VARIANT equal: -DEQUAL
 * EXPECT: clean
 * STDOUT: equal offsets
 */
#include <shmem.h>
#include <stdio.h>

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), odd = me == 3;
#ifdef EQUAL
    odd = 0;
#endif
    long *offset = shmem_calloc((size_t)shmem_n_pes(), sizeof *offset);
    char *block = shmem_malloc(odd ? 128 : 64); // <- A
    shmem_long_p(&offset[me], block - (char *)offset, 0);
    shmem_barrier_all();
    if (me == 0) {
        int same = 1;
        for (int pe = 1; pe < shmem_n_pes(); pe++)
            same &= offset[pe] == offset[0];
        puts(same ? "equal offsets" : "different offsets");
    }
    shmem_free(block);
    shmem_free(offset);
    shmem_finalize();
    return 0;
}
