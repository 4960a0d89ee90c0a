/* atomics.c -- each atomic function once, in an order that one PE fixes; blocking and nonblocking, of several types.
 *
 * RUN: -n 2 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static unsigned int bits;
static long long number;
static float real;
static size_t count;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        unsigned int old = 9;
        long long was[2] = {0, 0};
        float before = 1;
        shmem_uint_atomic_set(&bits, 0xf0, 1);
        shmem_fence();
        bad |= shmem_uint_atomic_fetch_or(&bits, 0x0f, 1) != 0xf0;
        bad |= shmem_uint_atomic_fetch_and(&bits, 0x3c, 1) != 0xff;
        bad |= shmem_uint_atomic_fetch_xor(&bits, 0xff, 1) != 0x3c;
        shmem_uint_atomic_or(&bits, 0x100, 1);
        shmem_quiet();
        shmem_uint_atomic_fetch_nbi(&old, &bits, 1);
        shmem_longlong_atomic_fetch_add_nbi(&was[0], &number, 40, 1);
        shmem_quiet();
        bad |= old != 0x1c3 || was[0] != 0;
        shmem_longlong_atomic_compare_swap_nbi(&was[1], &number, 40, 41, 1);
        shmem_float_atomic_swap_nbi(&before, &real, 2.5f, 1);
        shmem_quiet();
        bad |= was[1] != 40 || before != 0;
        bad |= shmem_longlong_atomic_fetch_inc(&number, 1) != 41;
        bad |= shmem_float_atomic_swap(&real, 3.5f, 1) != 2.5f || shmem_float_atomic_fetch(&real, 1) != 3.5f;
        bad |= shmem_size_atomic_fetch_add(&count, SIZE_MAX, 1) != 0;
        shmem_size_atomic_inc(&count, 1);
    }
    shmem_barrier_all();
    if (me == 1)
        bad |= bits != 0x1c3 || number != 42 || real != 3.5f || count != 0;
    shmem_finalize();
    return bad;
}
