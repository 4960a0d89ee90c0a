/* alloc_loops.c -- blocks come and go: calloc is zero each time, align aligns, free completes what is under way.
 *
 * RUN: -n 2,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>
#include <string.h>

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes;
    for (int round = 1; round <= 8; round++) {
        size_t words = (size_t)(round * 37 % 50) + 1;
        long *zero = shmem_calloc(words, sizeof *zero);
        char *aligned = shmem_align((size_t)64 << round % 4, 100);
        char *hinted = shmem_malloc_with_hints(24, SHMEM_MALLOC_SIGNAL_REMOTE | SHMEM_MALLOC_ATOMICS_REMOTE);
        for (size_t i = 0; i < words; i++)
            bad |= zero[i] != 0;
        bad |= (uintptr_t)aligned % ((size_t)64 << round % 4) != 0;
        memset(aligned, round, 100);
        memset(hinted, me, 24);
        shmem_barrier_all();
        for (size_t i = 0; i < words; i++)
            shmem_long_p(&zero[i], round, next); /* still on its way when it is freed */
        char theirs[24];
        shmem_getmem(theirs, hinted, 24, next);
        bad |= theirs[0] != next || theirs[23] != next || aligned[99] != round;
        shmem_free(zero);
        shmem_free(NULL);
        shmem_free(hinted);
        shmem_free(aligned);
    }
    bad |= shmem_malloc(0) != NULL;
    shmem_finalize();
    return bad;
}
