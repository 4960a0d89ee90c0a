/* libc_accesses.c -- memcpy, memset, qsort and snprintf on symmetric memory, on the right side of a barrier.
 *
 * RUN: -n 2,3 --seeds 1..3 --rules common,strict --hooks yes,no
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
descending(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

int
main(void)
{
    int bad = 0, back[20];
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes;
    int *numbers = shmem_malloc(20 * sizeof *numbers);
    char *text = shmem_malloc(64);
    for (int i = 0; i < 20; i++)
        numbers[i] = (i * 13 + me) % 20;
    qsort(numbers, 20, sizeof *numbers, descending);
    memset(text, 'x', 64);
    snprintf(text, 64, "PE %d of %d", me, npes);
    shmem_barrier_all();
    shmem_int_get(back, numbers, 20, next);
    for (int i = 0; i < 20; i++)
        bad |= back[i] != 19 - i;
    char theirs[64], expected[64];
    shmem_getmem(theirs, text, 64, next);
    memset(expected, 'x', 64);
    snprintf(expected, 64, "PE %d of %d", next, npes);
    bad |= memcmp(theirs, expected, 64) != 0;
    shmem_barrier_all();
    memcpy(numbers, back, sizeof back);
    bad |= numbers[0] != 19;
    shmem_free(text);
    shmem_free(numbers);
    shmem_finalize();
    return bad;
}
