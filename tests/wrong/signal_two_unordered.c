/* signal_two_unordered.c -- two signals of one sender are not ordered by themselves: one of two may be either.
 *
 * RUN: -n 2 --seeds 1..20
 * EXPECT some: race object=box on=1 A=shmem_int_put_signal@0 C=load@1
 *
 * VARIANT fence: -DFENCE
 * EXPECT: clean
 */
#include <shmem.h>

static int box[2];
static uint64_t sig;

int
main(void)
{
    int one = 1, seen = 1;
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_int_put_signal(&box[0], &one, 1, &sig, 1, SHMEM_SIGNAL_ADD, 1); // <- A
#ifdef FENCE
        shmem_fence();
#endif
        shmem_int_put_signal(&box[1], &one, 1, &sig, 1, SHMEM_SIGNAL_ADD, 1);
    } else {
        shmem_signal_wait_until(&sig, SHMEM_CMP_GE, 1);
        seen = box[0]; // <- C
    }
    shmem_finalize();
#ifdef FENCE
    return seen != 1;
#else
    return seen > 1;
#endif
}
