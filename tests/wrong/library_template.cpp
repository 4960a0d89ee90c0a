/* std::sort over the destination of a put that is pending. Most of a sort is not inlined, and has lines of the
 * library's headers: what is told is the line that calls it, once for each copy, whatever the compiler inlined.
 *
 * RUN: -n 2 --seeds 1..2
 * EXPECT: race object=data on=0 A=shmem_int_put@1 B@0
 * EXPECT: race object=data on=0 A=shmem_int_put@1 C@0
 * EXPECT: race object=data on=1 A=shmem_int_put@0 B@1
 * EXPECT: race object=data on=1 A=shmem_int_put@0 C@1
 *
 * VARIANT plainly: -O0
 * EXPECT: race object=data on=0 A=shmem_int_put@1 B@0
 * EXPECT: race object=data on=0 A=shmem_int_put@1 C@0
 * EXPECT: race object=data on=1 A=shmem_int_put@0 B@1
 * EXPECT: race object=data on=1 A=shmem_int_put@0 C@1
 *
 * VARIANT fast: -O2
 * EXPECT: race object=data on=0 A=shmem_int_put@1 B@0
 * EXPECT: race object=data on=0 A=shmem_int_put@1 C@0
 * EXPECT: race object=data on=1 A=shmem_int_put@0 B@1
 * EXPECT: race object=data on=1 A=shmem_int_put@0 C@1
 *
 * VARIANT right: -DRIGHT
 * EXPECT: clean
 */
#include <shmem.h>

#include <algorithm>
#include <numeric>

static int data[64];

int
main()
{
    int mine[64];
    shmem_init();
    int me = shmem_my_pe();
    for (int i = 0; i < 64; i++)
        mine[i] = i * 37 % 64 + me;
    shmem_int_put(data, mine, 64, 1 - me); // <- A
#ifdef RIGHT
    shmem_barrier_all();
#endif
    std::sort(data, data + 64); // <- B
    long sum = std::accumulate(data, data + 64, 0L); // <- C
    shmem_barrier_all();
    shmem_finalize();
    return sum == 12345;
}
