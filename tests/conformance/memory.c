/* The heap routines: alignment, zeros, contents kept by realloc, sizes 0, equal places on all PEs.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..2 --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

/* The block is at the same place of every PE's heap: what the next PE writes through it arrives here. */
static void
usable(long *block)
{
    CHECK(block != NULL);
    shmem_long_p(block, 500 + shmem_my_pe(), next_pe());
    shmem_barrier_all();
    CHECK(*block == 500 + previous_pe());
}

int
main(void)
{
    unsigned char *bytes;
    long *block, *grown;

    shmem_init();
    CHECK(shmem_malloc(0) == NULL);
    CHECK(shmem_calloc(0, 8) == NULL && shmem_calloc(8, 0) == NULL);
    CHECK(shmem_malloc_with_hints(0, SHMEM_MALLOC_ATOMICS_REMOTE) == NULL);
    CHECK(shmem_realloc(NULL, 0) == NULL);
    shmem_free(NULL);

    usable(block = shmem_malloc(sizeof *block));
    CHECK((uintptr_t)block % _Alignof(max_align_t) == 0);
    usable(grown = shmem_realloc(block, 1000 * sizeof *grown));
    for (int i = 0; i < 1000; i++)
        grown[i] = i;
    grown = shmem_realloc(grown, 100000 * sizeof *grown);
    for (int i = 0; i < 1000; i++)
        CHECK(grown[i] == i);
    grown = shmem_realloc(grown, 3 * sizeof *grown);
    for (int i = 0; i < 3; i++)
        CHECK(grown[i] == i);
    CHECK(shmem_realloc(grown, 0) == NULL);

    usable(block = shmem_malloc_with_hints(64, SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE));
    shmem_free(block);
    for (size_t alignment = sizeof(void *); alignment <= 4096; alignment *= 2) {
        usable(block = shmem_align(alignment, 24));
        CHECK((uintptr_t)block % alignment == 0);
        shmem_free(block);
    }
    bytes = shmem_calloc(333, 3);
    for (int i = 0; i < 999; i++)
        CHECK(bytes[i] == 0);
    shmem_free(bytes);
    usable(block = shmem_realloc(NULL, sizeof *block));
    shmem_free(block);
    shmem_finalize();
    return 0;
}
