/* hangs.c -- runs that cannot go on, each with what every PE is waiting for.
 *
 * RUN: -n 2 --seeds 1..3
 *
 * VARIANT nobody_sets: -DUSE=1
 * EXPECT: hang rule=E096 A=shmem_int_wait_until@0 ...
 *
 * VARIANT barrier_before_flag: -DUSE=2
 * EXPECT: hang B=shmem_barrier_all@0 C=shmem_int_wait_until@1
 *
 * VARIANT set_at_the_wrong_pe: -DUSE=3
 * EXPECT: hang D=shmem_int_wait_until@1 ...
 *
 * VARIANT locks_crosswise: -DUSE=4
 * RUN: -n 2 --seeds 1..20
 * EXPECT some: hang E=shmem_set_lock@0 E=shmem_set_lock@1
 *
 * VARIANT value_passes_unseen: -DUSE=5
 * RUN: -n 2 --seeds 1..20
 * EXPECT some: hang G=shmem_int_wait_until@1 ...
 *
 * VARIANT leaves_without_finalize: -DUSE=6
 * EXPECT: hang H=shmem_barrier_all@0 ...
 *
 * VARIANT tests_for_ever: -DUSE=7
 * EXPECT: hang rule=E095 I=shmem_int_test@0 ...
 *
 * VARIANT tries_for_ever: -DUSE=8
 * EXPECT: hang J=shmem_test_lock@1 ...
 * EXPECT: leak rule=E183 K=shmem_set_lock@0
 */
#include <shmem.h>

int flag;
long lock[2];

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
#if USE == 1
    if (me == 0)
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1); // <- A
#elif USE == 2
    if (me == 0) {
        shmem_barrier_all(); // <- B
        shmem_int_atomic_set(&flag, 1, 1);
    } else {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1); // <- C
        shmem_barrier_all();
    }
#elif USE == 3
    if (me == 0)
        shmem_int_atomic_set(&flag, 1, 0); /* meant for PE 1 */
    else
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1); // <- D
#elif USE == 4
    shmem_set_lock(&lock[me]);
    shmem_set_lock(&lock[1 - me]); // <- E
    shmem_clear_lock(&lock[0]);
    shmem_clear_lock(&lock[1]);
#elif USE == 5
    if (me == 0) {
        shmem_int_atomic_inc(&flag, 1);
        shmem_int_atomic_inc(&flag, 1);
    } else
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1); // <- G
#elif USE == 7
    while (me == 0 && !shmem_int_test(&flag, SHMEM_CMP_NE, 0)) // <- I
        ;
#elif USE == 8
    if (me == 0)
        shmem_set_lock(&lock[0]); // <- K
    shmem_barrier_all();
    while (me == 1 && shmem_test_lock(&lock[0]) != 0) // <- J
        ;
#else
    if (me == 1)
        return 0;
    shmem_barrier_all(); // <- H
#endif
    shmem_finalize();
    return 0;
}
