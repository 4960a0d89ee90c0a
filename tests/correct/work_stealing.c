/* work_stealing.c -- each PE owns a range of work; owner and thieves take from it by compare-and-swap.
 *
 * RUN: -n 1,2,5 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ITEMS 9

static uint64_t range;       /* first << 32 | end, of this PE's items that are left */
static int done[64 * ITEMS]; /* at PE 0: how often each item was done */

static void
take(int pe, int from_end)
{
    for (;;) {
        uint64_t seen = shmem_uint64_atomic_fetch(&range, pe);
        uint32_t first = (uint32_t)(seen >> 32), end = (uint32_t)seen;
        if (first == end)
            return;
        uint64_t left = from_end ? (uint64_t)first << 32 | (end - 1) : (uint64_t)(first + 1) << 32 | end;
        if (shmem_uint64_atomic_compare_swap(&range, seen, left, pe) == seen)
            shmem_int_atomic_inc(&done[from_end ? end - 1 : first], 0);
    }
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    range = (uint64_t)(me * ITEMS) << 32 | (uint64_t)((me + 1) * ITEMS);
    shmem_barrier_all();
    for (int i = 0; i < npes; i++)
        take((me + i) % npes, i > 0);
    shmem_barrier_all();
    for (int i = 0; me == 0 && i < npes * ITEMS; i++)
        bad |= done[i] != 1;
    shmem_finalize();
    return bad;
}
