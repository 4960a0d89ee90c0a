/* libc_access.c -- a memcpy from symmetric memory is seen without hooks too.
 *
 * RUN: -n 2 --seeds 1..3 --hooks yes,no
 * EXPECT: race object=block on=1 A=shmem_putmem@0 B=memcpy@1
 *
 * VARIANT barrier: -DBARRIER
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

static char block[100];

int
main(int argc, char **argv)
{
    size_t bytes = 100 - (size_t)(argc > 50); /* not a constant, so that it stays a call */
    char *copy = calloc(1, bytes);
    shmem_init();
    if (shmem_my_pe() == 0)
        shmem_putmem(block, argv[0], 1, 1); // <- A
#ifdef BARRIER
    shmem_barrier_all();
#endif
    if (shmem_my_pe() == 1)
        memcpy(copy, block, bytes); // <- B
    shmem_finalize();
    int bad = copy[bytes - 1] == 77; /* so that the copy is made at all */
    free(copy);
    return bad;
}
