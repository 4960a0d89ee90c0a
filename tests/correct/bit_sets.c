/* bit_sets.c -- sets of PEs in one word: join by or, leave by and, toggle by xor, with and without the old value.
 *
 * RUN: -n 1,3,8 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static unsigned long members, first_in;
static uint32_t parity;
static int32_t mask = -1;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    unsigned long mine = 1UL << me, all = (1UL << npes) - 1;
    if ((shmem_ulong_atomic_fetch_or(&members, mine, 0) & mine) != 0)
        bad = 1;
    shmem_ulong_atomic_or(&first_in, 1, npes - 1);
    for (int i = 0; i <= me; i++)
        shmem_uint32_atomic_xor(&parity, 1, 0);
    shmem_int32_atomic_and(&mask, ~(1 << me), 0);
    shmem_barrier_all();
    if (me == 0) {
        bad |= members != all || mask != (int32_t)~all;
        bad |= parity != (unsigned)(npes * (npes + 1) / 2) % 2;
    }
    bad |= me == npes - 1 && first_in != 1;
    shmem_barrier_all();
    unsigned long before = shmem_ulong_atomic_fetch_and(&members, ~mine, 0);
    bad |= (before & mine) == 0;
    if (before == mine) /* the last to leave closes the door, by xor with what nobody else touches now */
        bad |= shmem_ulong_atomic_fetch_xor(&members, 1UL << 63, 0) != 0;
    shmem_barrier_all();
    bad |= me == 0 && members != 1UL << 63;
    shmem_finalize();
    return bad;
}
