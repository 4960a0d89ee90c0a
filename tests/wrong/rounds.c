/* rounds.c -- loops that put to one place again and again: what is missing is missing before the next round, and a
 * repair that named one line twice would say nothing.
 *
 * RUN: -n 2 --seeds 1..10
 * EXPECT: race object=box on=1 rule=E060 repair~"shmem_fence before the next round of line" A=shmem_int_p@0 A=shmem_int_p@0
 *
 * VARIANT reader: -DREADER
 * EXPECT: race object=box on=1 rule=E061 message~"the next round writes" repair~"must be over before the next round of line" repair~"PE 1 tells PE 0" B=shmem_int_p@0 C=load@1
 *
 * VARIANT answered: -DREADER -DANSWERED
 * EXPECT: clean
 *
 * VARIANT signalled: -DSIGNALLED
 * EXPECT some: race object=box on=1 rule=E061 message~"the next round writes" repair~"PE 1 tells PE 0" D=shmem_int_put_signal@0 E=load@1
 * EXPECT some: race object=box on=1 rule=E060 repair~"before the next round of line" D=shmem_int_put_signal@0 D=shmem_int_put_signal@0
 * EXPECT maybe: race object=box on=1 rule=E081 repair~"before the next round of line" D=shmem_int_put_signal@0 E=load@1
 *
 * VARIANT upwards: -DUPWARDS
 * EXPECT: race object=box on=1 rule=E060 repair~"and the next round of line" F=shmem_int_p@0 G=shmem_int_p@0
 */
#include <shmem.h>

static int box, flag;
#ifdef ANSWERED
static int answer;
#endif
static uint64_t sig;

int
main(void)
{
    int acc = 0;
    shmem_init();
    int me = shmem_my_pe();
    for (int k = 1; k <= 3; k++) {
#if defined READER
        if (me == 0) {
#ifdef ANSWERED
            shmem_int_wait_until(&answer, SHMEM_CMP_GE, k - 1);
#endif
            shmem_int_p(&box, k, 1); // <- B
            shmem_fence();
            shmem_int_atomic_set(&flag, k, 1);
        } else {
            shmem_int_wait_until(&flag, SHMEM_CMP_GE, k);
            acc += box; // <- C
#ifdef ANSWERED
            shmem_int_atomic_set(&answer, k, 0);
            shmem_fence(); /* the answers keep their order */
#endif
        }
#elif defined SIGNALLED
        if (me == 0) {
            shmem_int_put_signal(&box, &k, 1, &sig, 1, SHMEM_SIGNAL_ADD, 1); // <- D
        } else {
            shmem_signal_wait_until(&sig, SHMEM_CMP_GE, (uint64_t)k);
            acc += box; // <- E
        }
#elif defined UPWARDS
        if (me == 0) {
            shmem_int_p(&box, k, 1); // <- F
            shmem_fence();
            shmem_int_p(&box, -k, 1); // <- G
        }
#else
        if (me == 0)
            shmem_int_p(&box, k, 1); // <- A
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return acc > 100 || flag > 3 || sig > 3;
}
