/* free_wrong.c -- twice, in the middle, of private memory, of a static object, by the wrong allocator.
 *
 * RUN: -n 2 --seeds 1..2
 *
 * VARIANT twice: -DUSE=1
 * EXPECT: lifetime rule=E155 A=shmem_free F=shmem_free:free ...
 *
 * VARIANT interior: -DUSE=2
 * EXPECT: bad-address rule=E154 B=shmem_free ...
 *
 * VARIANT private: -DUSE=3
 * EXPECT: lifetime rule=E157 C=shmem_free ...
 *
 * VARIANT static: -DUSE=4
 * EXPECT: bad-address rule=E154 D=shmem_free ...
 *
 * VARIANT libc: -DUSE=5
 * EXPECT: lifetime rule=E157 E=free ...
 * EXPECT: leak rule=E160
 */
#include <shmem.h>
#include <stdlib.h>

static long object[4];

int
main(void)
{
    shmem_init();
    long *block = shmem_malloc(4 * sizeof *block), *other = shmem_malloc(8);
    void *private = malloc(32);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wfree-nonheap-object"
#pragma GCC diagnostic ignored "-Wmismatched-dealloc"
    switch (USE) {
    case 1:
        shmem_free(other); // <- F
        shmem_free(other); // <- A
        other = NULL;
        break;
    case 2:
        shmem_free(block + 1); // <- B
        break;
    case 3:
        shmem_free(private); // <- C
        break;
    case 4:
        shmem_free(object); // <- D
        break;
    default:
        free(block); // <- E
        block = NULL;
    }
#pragma GCC diagnostic pop
    shmem_free(other);
    shmem_free(block);
    free(private);
    shmem_finalize();
    return 0;
}
