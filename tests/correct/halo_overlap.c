/* halo_overlap.c -- borders travel by put_signal_nbi while the inside is computed; a quiet frees them, a signal for
 * each side says that the neighbour's are there.
 *
 * RUN: -n 1,2,5 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define CELLS 5
#define STEPS 4

static int halo[2][2], out[2][2]; /* [step % 2][side] */
static uint64_t came[2];

int
main(void)
{
    int bad = 0, cell[CELLS + 2], next[CELLS + 2], sum;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), left = (me + npes - 1) % npes, right = (me + 1) % npes;
    long total = 0;
    for (int i = 1; i <= CELLS; i++)
        cell[i] = me * CELLS + i;
    for (int step = 0; step < STEPS; step++) {
        int now = step % 2;
        out[now][0] = cell[1];
        out[now][1] = cell[CELLS];
        shmem_int_put_signal_nbi(&halo[now][1], &out[now][0], 1, &came[1], 1, SHMEM_SIGNAL_ADD, left);
        shmem_int_put_signal_nbi(&halo[now][0], &out[now][1], 1, &came[0], 1, SHMEM_SIGNAL_ADD, right);
        for (int i = 2; i < CELLS; i++)
            next[i] = cell[i - 1] + cell[i] + cell[i + 1];
        shmem_quiet();
        shmem_signal_wait_until(&came[0], SHMEM_CMP_GE, (uint64_t)step + 1);
        shmem_signal_wait_until(&came[1], SHMEM_CMP_GE, (uint64_t)step + 1);
        next[1] = halo[now][0] + cell[1] + cell[2];
        next[CELLS] = cell[CELLS - 1] + cell[CELLS] + halo[now][1];
        for (int i = 1; i <= CELLS; i++)
            cell[i] = next[i];
    }
    static int mine, all;
    sum = 0;
    for (int i = 1; i <= CELLS; i++)
        sum += cell[i];
    mine = sum;
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
    for (int i = 1; i <= CELLS * npes; i++)
        total += i;
    bad |= all != total * 81; /* each step triples the sum */
    shmem_finalize();
    return bad;
}
