/* null_mapping.c -- shmem_ptr has no address for what is not symmetric, and the program uses it all the same; a
 * collective's source that a member overwrites while others are inside; a lock that test_lock did not give.
 *
 * RUN: -n 2 --seeds 1..4
 *
 * VARIANT null: -DUSE=1
 * EXPECT: crash message~"address 0x0" A@0 ...
 * STATUS: 139
 *
 * VARIANT source_written: -DUSE=2
 * EXPECT some: race object=words on=0 rule=E089 A=shmem_long_p@1 B=shmem_long_broadcast@0,1 ...
 * EXPECT maybe: race object=words on=0 A=shmem_long_p@1 B=shmem_long_broadcast@0,1
 *
 * VARIANT misread: -DUSE=3
 * EXPECT: usage rule=E181 L=shmem_clear_lock@1
 *
 * VARIANT tested: -DUSE=4
 * EXPECT: clean
 */
#include <shmem.h>

long words[4], others[4], lock;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
#if USE == 1
    long stack = me, *pointer = shmem_ptr(&stack, 1 - me);
    if (me == 0)
        *pointer = 1; // <- A
#elif USE == 2
    if (me == 1)
        shmem_long_p(words, 5, 0);                               // <- A
    shmem_long_broadcast(SHMEM_TEAM_WORLD, others, words, 4, 0); // <- B
#else
    if (me == 0)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    if (me == 1 && shmem_test_lock(&lock) == (USE == 3))
        shmem_clear_lock(&lock); // <- L
    shmem_barrier_all();
    if (me == 0)
        shmem_clear_lock(&lock);
#endif
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
