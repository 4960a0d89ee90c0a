/* signal_other_message.c -- a signal vouches for the data of its own call, not for an earlier put's.
 *
 * RUN: -n 2 --seeds 1..5
 * EXPECT: race object=first on=1 rule=E081 A=shmem_long_put@0 B=load@1
 *
 * VARIANT fence: -DFENCE
 * EXPECT: clean
 */
#include <shmem.h>

static long first, second;
static uint64_t sig;

int
main(void)
{
    long one = 1, two = 2, sum = 3;
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_long_put(&first, &one, 1, 1); // <- A
#ifdef FENCE
        shmem_fence();
#endif
        shmem_long_put_signal(&second, &two, 1, &sig, 1, SHMEM_SIGNAL_SET, 1);
    } else {
        shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);
        sum = second;
        sum += first; // <- B
    }
    shmem_finalize();
#ifdef FENCE
    return sum != 3;
#else
    return sum < 2;
#endif
}
