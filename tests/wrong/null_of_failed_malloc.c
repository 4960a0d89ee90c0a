/* null_of_failed_malloc.c -- a block larger than the symmetric heap: NULL, unchecked. The crash says where it came
 * from.
 *
 * RUN: -n 2 --seeds 1 --env SHMEM_SYMMETRIC_SIZE=1m --status 139
 * EXPECT: crash message~"shmem_malloc at" message~"asked 16777216 bytes" repair~"SHMEM_SYMMETRIC_SIZE" B ...
 *
 * VARIANT room: -DROOM
 * EXPECT: clean
 * RUN: -n 2 --seeds 1 --env SHMEM_SYMMETRIC_SIZE=1g
 */
#include <shmem.h>

int
main(void)
{
    shmem_init();
    int *block = shmem_malloc((size_t)4 << 22);
    block[3] = 7; // <- B
    shmem_barrier_all();
    shmem_free(block);
    shmem_finalize();
    return 0;
}
