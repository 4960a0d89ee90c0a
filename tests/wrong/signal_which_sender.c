/* signal_which_sender.c -- two senders set one signal to the same value: seeing it does not say whose data is there.
 *
 * RUN: -n 3 --seeds 1..20
 * EXPECT some: race object=box on=2 A=shmem_int_put_signal@0 C=load@2
 * EXPECT some: race object=box on=2 A=shmem_int_put_signal@1 D=load@2
 *
 * VARIANT add: -DADD
 * EXPECT: clean
 */
#include <shmem.h>

static int box[2];
static uint64_t sig;

#ifdef ADD
enum { OPERATOR = SHMEM_SIGNAL_ADD, WANTED = 2 };
#else
enum { OPERATOR = SHMEM_SIGNAL_SET, WANTED = 1 };
#endif

int
main(void)
{
    int one = 1, sum = 2;
    shmem_init();
    int me = shmem_my_pe();
    if (me < 2) {
        shmem_int_put_signal(&box[me], &one, 1, &sig, 1, OPERATOR, 2); // <- A
    } else {
        shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, WANTED);
        sum = box[0];  // <- C
        sum += box[1]; // <- D
    }
    shmem_finalize();
#ifdef ADD
    return sum != 2;
#else
    return sum > 2;
#endif
}
