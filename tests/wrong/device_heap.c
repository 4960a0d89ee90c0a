/* device_heap.c -- a heap that the CPU may not touch: plain accesses, and addresses that only hold on a CPU.
 *
 * RUN: -n 2 --heaps device --seeds 1..2
 *
 * VARIANT load: -DUSE=1
 * EXPECT: bad-address rule=E200 A=load ...
 *
 * VARIANT store: -DUSE=2
 * EXPECT: bad-address rule=E200 A=store ...
 *
 * VARIANT copied: -DUSE=3
 * EXPECT: bad-address rule=E200 A=memcpy ...
 *
 * VARIANT operations: -DUSE=4
 * EXPECT: clean
 */
#include <shmem.h>
#include <string.h>

int
main(void)
{
    volatile long seen = 0;
    shmem_init();
    long *block = shmem_calloc(8, sizeof *block), copy[8] = {0};
    int other = 1 - shmem_my_pe();
#if USE == 1
    seen = block[1]; // <- A
#elif USE == 2
    block[1] = 5; // <- A
#elif USE == 3
    memcpy(copy, block, sizeof copy); // <- A
#else
    shmem_long_p(block, 3, other);
    shmem_barrier_all();
    shmem_long_get(copy, block, 8, other);
#endif
    seen += copy[0] + other;
    shmem_free(block);
    shmem_finalize();
    return seen > 100;
}
