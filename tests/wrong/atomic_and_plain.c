/* atomic_and_plain.c -- an atomic update is atomic against atomics of its type only: not against put, get or load.
 *
 * RUN: -n 2 --seeds 1..5
 *
 * VARIANT put: -DPUT
 * EXPECT: race object=word on=1 rule=E073 A=shmem_long_atomic_inc@0 B=shmem_long_p@0
 *
 * VARIANT get: -DGET
 * EXPECT: race object=word on=1 rule=E073 A=shmem_long_atomic_inc@0 C=shmem_long_g@0
 *
 * VARIANT load: -DLOAD
 * EXPECT: race object=word on=1 rule=E074 A=shmem_long_atomic_inc@0 D=load@1
 *
 * VARIANT type: -DTYPE
 * EXPECT: race object=word on=1 rule=E075 A=shmem_long_atomic_inc@0 E=shmem_int_atomic_inc@1
 *
 * VARIANT same_type: -DSAME_TYPE
 * EXPECT: clean
 */
#include <shmem.h>

static long word;

int
main(void)
{
    long seen = 0;
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        shmem_long_atomic_inc(&word, 1); // <- A
#if defined PUT
        shmem_long_p(&word, 0, 1); // <- B
#elif defined GET
        seen = shmem_long_g(&word, 1);         // <- C
#endif
    } else {
#if defined LOAD
        seen = word; // <- D
#elif defined TYPE
        shmem_int_atomic_inc((int *)&word, 1); // <- E
#elif defined SAME_TYPE
        shmem_long_atomic_inc(&word, 1);
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return seen > 1;
}
