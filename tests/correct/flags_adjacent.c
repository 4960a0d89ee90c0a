/* Flags of several sizes side by side, each written by p and waited for: what one waits for is not hidden by its
 * neighbours.
 *
 * RUN: -n 1,2,3 --seeds 1..5 --hooks yes,no
 * EXPECT: clean
 */
#include <shmem.h>

static struct {
    short a, b;
    int c, d, e;
} flag;

int
main(void)
{
    shmem_init();
    const int to = (shmem_my_pe() + 1) % shmem_n_pes();
    int sum = 0;

    shmem_int_p(&flag.c, 1, to);
    shmem_int_wait_until(&flag.c, SHMEM_CMP_NE, 0);
    sum += flag.c;
    shmem_int_p(&flag.d, 2, to);
    shmem_int_wait_until(&flag.d, SHMEM_CMP_NE, 0);
    sum += flag.d;
    shmem_short_p(&flag.a, 3, to);
    shmem_short_wait_until(&flag.a, SHMEM_CMP_NE, 0);
    shmem_short_p(&flag.b, 4, to);
    shmem_short_wait_until(&flag.b, SHMEM_CMP_NE, 0);
    shmem_int_p(&flag.e, 5, to);
    shmem_int_wait_until(&flag.e, SHMEM_CMP_NE, 0);
    sum += flag.a + flag.b + flag.e;
    shmem_finalize();
    return sum != 15;
}
