/* sort_odd_even.c -- odd-even transposition sort of blocks: partners exchange by put_signal, each keeps its half.
 *
 * A phase has its own buffer and signal, so nobody waits for a free one.
 *
 * RUN: -n 1,2,5 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

#define KEYS 4
#define PES_MAX 8

static int other[PES_MAX][KEYS];
static uint64_t here[PES_MAX];

static int
ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int
main(void)
{
    int bad = 0, mine[KEYS], both[2 * KEYS];
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < KEYS; i++)
        mine[i] = (me * KEYS + i) * 7919 % 101;
    qsort(mine, KEYS, sizeof mine[0], ascending);
    for (int phase = 0; phase < npes; phase++) {
        int partner = (me + phase) % 2 ? me - 1 : me + 1;
        if (partner < 0 || partner >= npes)
            continue;
        shmem_int_put_signal(other[phase], mine, KEYS, &here[phase], 1, SHMEM_SIGNAL_SET, partner);
        shmem_signal_wait_until(&here[phase], SHMEM_CMP_EQ, 1);
        memcpy(both, mine, sizeof mine);
        memcpy(both + KEYS, other[phase], sizeof mine);
        qsort(both, 2 * KEYS, sizeof both[0], ascending);
        memcpy(mine, partner > me ? both : both + KEYS, sizeof mine);
    }
    static int last, first;
    last = mine[KEYS - 1];
    first = mine[0];
    shmem_barrier_all();
    for (int i = 1; i < KEYS; i++)
        bad |= mine[i - 1] > mine[i];
    if (me > 0)
        bad |= shmem_int_g(&last, me - 1) > first;
    shmem_finalize();
    return bad;
}
