/* waits_of_all_kinds.c -- each comparison and each type of flag, set by atomics in the order of their numbers; a wait
 * for less, for other than, for a negative value.
 *
 * RUN: -n 2 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static int a, data;
static long b = 10;
static unsigned c;
static size_t d = 4;
static int64_t e;
static ptrdiff_t f;
static unsigned long long g;

int
main(void)
{
    int bad = 0;
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_int_p(&data, 1, 1);
        shmem_fence();
        shmem_int_atomic_set(&a, -3, 1);
        shmem_long_atomic_add(&b, -6, 1);
        shmem_uint_atomic_or(&c, 8, 1);
        shmem_size_atomic_set(&d, 3, 1);
        shmem_int64_atomic_inc(&e, 1);
        shmem_ptrdiff_atomic_swap(&f, -1, 1);
        shmem_ulonglong_atomic_fetch_add(&g, 1ULL << 40, 1);
    } else {
        shmem_int_wait_until(&a, SHMEM_CMP_LT, 0);
        bad |= data != 1 || a != -3;
        shmem_long_wait_until(&b, SHMEM_CMP_LE, 4);
        shmem_uint_wait_until(&c, SHMEM_CMP_NE, 0);
        shmem_size_wait_until(&d, SHMEM_CMP_NE, 4);
        shmem_int64_wait_until(&e, SHMEM_CMP_GE, 1);
        shmem_ptrdiff_wait_until(&f, SHMEM_CMP_EQ, -1);
        shmem_ulonglong_wait_until(&g, SHMEM_CMP_GT, 1ULL << 39);
        bad |= b != 4 || c != 8 || d != 3 || e != 1 || f != -1 || g != 1ULL << 40;
    }
    shmem_finalize();
    return bad;
}
