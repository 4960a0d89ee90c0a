/* halo.c -- a 1-D stencil: each step sends the borders into the neighbours' halo cells with put and signal.
 *
 * Halo cells are double: step k uses cell k % 2. A neighbour may be one step ahead, never two, for it needs this PE's
 * border of the step between. Compared with the same stencil on one array.
 *
 * RUN: -n 1,3,8 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>
#include <string.h>

#define CELLS 6
#define STEPS 7
#define PES_MAX 16

static long halo[2][2]; /* [step % 2][from the left, from the right] */
static uint64_t ready[2];

static long
step_of(long left, long middle, long right)
{
    return (3 * left + 5 * middle + 7 * right + 1) % 1009;
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), all = npes * CELLS;
    long own[CELLS], world[PES_MAX * CELLS], old[PES_MAX * CELLS];
    for (int i = 0; i < CELLS; i++)
        own[i] = (me * CELLS + i) * 17;
    for (int i = 0; i < all; i++)
        world[i] = i * 17;
    for (int step = 0; step < STEPS; step++) {
        int left = (me + npes - 1) % npes, right = (me + 1) % npes, now = step % 2;
        long before[CELLS];
        shmem_fence(); /* the signal of one step may not overtake that of the step before */
        shmem_long_put_signal(&halo[now][1], &own[0], 1, &ready[1], 1, SHMEM_SIGNAL_ADD, left);
        shmem_long_put_signal(&halo[now][0], &own[CELLS - 1], 1, &ready[0], 1, SHMEM_SIGNAL_ADD, right);
        shmem_signal_wait_until(&ready[0], SHMEM_CMP_GE, (uint64_t)step + 1);
        shmem_signal_wait_until(&ready[1], SHMEM_CMP_GE, (uint64_t)step + 1);
        memcpy(before, own, sizeof own);
        for (int i = 0; i < CELLS; i++)
            own[i] =
                step_of(i > 0 ? before[i - 1] : halo[now][0], before[i], i < CELLS - 1 ? before[i + 1] : halo[now][1]);
        memcpy(old, world, sizeof world);
        for (int i = 0; i < all; i++)
            world[i] = step_of(old[(i + all - 1) % all], old[i], old[(i + 1) % all]);
    }
    for (int i = 0; i < CELLS; i++)
        bad |= own[i] != world[me * CELLS + i];
    shmem_finalize();
    return bad;
}
