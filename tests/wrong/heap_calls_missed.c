/* heap_calls_missed.c -- heap calls that some PEs do not make, or make with nothing, which meets nobody.
 *
 * RUN: -n 3 --seeds 1..2
 *
 * VARIANT null_freed: -DUSE=1
 * EXPECT: mismatch rule=E153 message~"called shmem_free with a null pointer" A=shmem_free@0,2 ...
 *
 * VARIANT size_zero: -DUSE=2
 * EXPECT: mismatch rule=E152 message~"PE 1 called shmem_malloc with size 0" A=shmem_malloc@0,2 ...
 *
 * VARIANT calloc_zero: -DUSE=3
 * EXPECT: mismatch rule=E152 message~"called shmem_calloc with size 0" A=shmem_calloc ...
 *
 * VARIANT one_branch: -DUSE=4
 * EXPECT: mismatch rule=E151 A=shmem_malloc@0 ...
 *
 * VARIANT in_critical_section: -DUSE=5
 * EXPECT: hang rule=E186 A=shmem_malloc B=shmem_set_lock ...
 *
 * VARIANT bad_alignment: -DUSE=6
 * EXPECT: usage rule=E158 A=shmem_align ...
 *
 * VARIANT unchecked_failure: -DUSE=7
 * EXPECT: bad-address rule=E159 B=shmem_long_p A=shmem_malloc ...
 *
 * VARIANT hints: -DUSE=8
 * EXPECT: mismatch rule=E150 message~"hints" A ...
 *
 * VARIANT overflow: -DUSE=9
 * EXPECT: usage rule=E037 A=shmem_calloc ...
 *
 * VARIANT all_null: -DUSE=10
 * EXPECT: clean
 *
 * VARIANT all_zero: -DUSE=11
 * EXPECT: clean
 */
#include <shmem.h>

long lock;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), one = me == 1;
    long *first = shmem_malloc(64), *second = NULL;
#if USE == 1
    shmem_free(one ? NULL : first); // <- A
#elif USE == 2
    second = shmem_malloc(one ? 0 : 8); // <- A
#elif USE == 3
    second = shmem_calloc(one ? 0 : 1, 8); // <- A
#elif USE == 4
    if (me == 0)
        second = shmem_malloc(8); // <- A
#elif USE == 5
    shmem_set_lock(&lock);    // <- B
    second = shmem_malloc(8); // <- A
    shmem_clear_lock(&lock);
#elif USE == 6
    second = shmem_align(24, 64); // <- A
#elif USE == 7
    second = shmem_malloc((size_t)1 << 40); // <- A
    shmem_long_p(second, 1, (me + 1) % 3);  // <- B
#elif USE == 8
    second = shmem_malloc_with_hints(8, one ? 0 : SHMEM_MALLOC_ATOMICS_REMOTE); // <- A
#elif USE == 9
    second = shmem_calloc((size_t)1 << 62, 16); // <- A
#elif USE == 10
    shmem_free(second);
#else
    second = shmem_malloc(0);
#endif
    shmem_free(second);
    shmem_free(first); // <- A
    shmem_finalize();
    return one && lock;
}
