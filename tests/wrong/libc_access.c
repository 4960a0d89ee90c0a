/* libc_access.c -- a memcpy from symmetric memory is an access: each one with hooks, those that are calls without.
 *
 * RUN: -n 2 --seeds 1..3 --hooks yes,no
 * EXPECT: race object=block on=1 A=shmem_putmem@0 B=memcpy@1
 *
 * VARIANT of_any_size: -DCOPY=memcpy
 * RUN: -n 2 --seeds 1..3 --hooks yes
 * EXPECT: race object=block on=1 A=shmem_putmem@0 B=memcpy@1
 *
 * VARIANT of_any_size_fast: -DCOPY=memcpy -O3
 * RUN: -n 2 --seeds 1..3 --hooks yes
 * EXPECT: race object=block on=1 A=shmem_putmem@0 B=memcpy@1
 *
 * VARIANT of_40: -DCOPY=memcpy -DBYTES=40 -O2
 * RUN: -n 2 --seeds 1..3 --hooks yes
 * EXPECT: race object=block on=1 A=shmem_putmem@0 B@1
 *
 * VARIANT barrier: -DBARRIER
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

#ifndef COPY
static void *(*volatile copy_of)(void *, const void *, size_t) = memcpy; /* surely a call */
#define COPY copy_of
#endif

static char block[100];

int
main(int argc, char **argv)
{
#ifdef BYTES
    size_t bytes = BYTES + 0 * (size_t)argc;
#else
    size_t bytes = 100 - (size_t)(argc > 50);
#endif
    char *copy = calloc(1, bytes);
    shmem_init();
    if (shmem_my_pe() == 0)
        shmem_putmem(block, argv[0], 1, 1); // <- A
#ifdef BARRIER
    shmem_barrier_all();
#endif
    if (shmem_my_pe() == 1)
        COPY(copy, block, bytes); // <- B
    shmem_finalize();
    int bad = copy[bytes - 1] == 77; /* so that the copy is made at all */
    free(copy);
    return bad;
}
