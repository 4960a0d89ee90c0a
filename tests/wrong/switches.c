/* switches.c -- faults that a test asks for: an allocation that fails, a PE that stops, a link that stalls.
 *
 * RUN: -n 3 --seeds 1..2
 *
 * VARIANT unchecked: -DUSE=1
 * RUN: -n 3 --seeds 1..2 --options "--fail-alloc 2"
 * EXPECT: bad-address rule=E159 P=shmem_long_p M=shmem_malloc ...
 * EXPECT: leak rule=E160 allocated=L ...
 * STDERR~ --fail-alloc 2
 *
 * VARIANT checked: -DUSE=2
 * RUN: -n 3 --seeds 1..2 --options "--fail-alloc 2"
 * EXPECT: clean
 * STDOUT~ no memory
 *
 * VARIANT realloc: -DUSE=3
 * RUN: -n 3 --options "--fail-alloc 2"
 * EXPECT: clean
 * STDOUT~ kept 7
 *
 * VARIANT later: -DUSE=2
 * RUN: -n 3 --options "--fail-alloc 3"
 * EXPECT: clean
 * STDOUT: (none)
 *
 * VARIANT stops: -DUSE=4
 * RUN: -n 3 --seeds 1..2 --options "--stop-pe 1:3"
 * EXPECT: hang message~"PE 1 was stopped (--stop-pe) in shmem_barrier_all" B=shmem_barrier_all@0 B=shmem_barrier_all@2 ...
 *
 * VARIANT goes_on: -DUSE=4
 * RUN: -n 3 --options "--stop-pe 1:400"
 * EXPECT: clean
 *
 * VARIANT stalls: -DUSE=5
 * RUN: -n 3 --seeds 1..4 --choosers random,timed --options "--stall 0:2"
 * EXPECT: clean
 * STDOUT~ last came 1
 *
 * VARIANT stalls_all: -DUSE=5
 * RUN: -n 3 --seeds 1..4 --options "--stall *:*"
 * EXPECT: clean
 * VALUES: seen 0,1
 */
#include <shmem.h>
#include <stdio.h>

static long flag[3];

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (USE < 4) {
        long *first = shmem_malloc(8), *second; // <- L
        *first = 7;
        if (USE == 3)
            second = shmem_realloc(first, 100);
        else
            second = shmem_malloc(8); // <- M
        if (USE == 1)
            shmem_long_p(second, 1, (me + 1) % n); // <- P
        if (USE == 2 && !second && me == 0)
            printf("no memory\n");
        if (USE == 3 && !second && me == 0)
            printf("kept %ld\n", *first);
        if (second)
            shmem_free(second);
        if (USE == 2 || (USE == 3 && !second))
            shmem_free(first);
    }
    if (USE == 4)
        shmem_barrier_all(); // <- B
    if (USE == 5 && me == 0)
        shmem_long_atomic_set(&flag[0], 1, 2);
    if (USE == 5 && me == 1)
        for (int i = 0; i < 3; i++)
            shmem_long_atomic_set(&flag[1], i, 2);
    if (USE == 5 && me == 2) {
        while (!shmem_long_test(&flag[0], SHMEM_CMP_EQ, 1))
            ;
        printf("last came 1\n");
        printf("seen=%d\n", shmem_long_test(&flag[1], SHMEM_CMP_EQ, 2));
    }
    shmem_finalize();
    return 0;
}
