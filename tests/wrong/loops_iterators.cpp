/* loops_iterators.cpp -- loops that the library of C++ makes, told to the byte and at the line that a person reads: the
 * program's, or the library's.
 *
 * RUN: -n 2 --seeds 1 --choosers random --nets ideal
 * FLAGS: -O2
 * EXPECT: race object=ranged on=1 F=shmem_int_p@0 W1:read@1
 * EXPECT: race object=ranged on=1 L=shmem_int_p@0 W1:read@1
 * EXPECT: race object=indexed on=1 F=shmem_int_p@0 W2:write@1
 * EXPECT: race object=indexed on=1 L=shmem_int_p@0 W2:write@1
 * EXPECT: race object=reversed on=1 F=shmem_int_p@0 W3:write@1
 * EXPECT: race object=reversed on=1 L=shmem_int_p@0 W3:write@1
 *
 * VARIANT beside: -DBESIDE
 * EXPECT: clean
 */
#include <shmem.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#ifdef BESIDE
#define BESIDE_BY(i) (i)
#else
#define BESIDE_BY(i) 0
#endif

struct span {
    int *first, *last;
    int *begin() const { return first; }
    int *end() const { return last; }
};

static int ranged[64], indexed[64], reversed[64];
int from = 4, to = 20, sum; // for all that the compiler knows they may change

static __attribute__((noinline)) void
touch()
{
    for (int value : span{ranged + from, ranged + to}) // <- W1
        sum += value;
    std::array<int, 64> local{};
    for (int i = from; i < to; i++)
        indexed[i] = local[static_cast<std::size_t>(i)]; // <- W2
    using back = std::reverse_iterator<int *>;
    for (back it(reversed + to); it != back(reversed + from); ++it)
        *it = 1; // <- W3
    /* Nobody else touches it. */
    static int own[64];
    std::iota(own + from, own + to, 0);
    std::transform(own + from, own + to, own, [](int x) { return 2 * x; });
    sum += std::accumulate(own, own + to - from, 0) != 240;
}

static void
put(int *first, int *last)
{
    shmem_int_p(first - BESIDE_BY(1), 9, 1); // <- F
    shmem_int_p(last + BESIDE_BY(1), 9, 1);  // <- L
}

int
main()
{
    shmem_init();
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        put(ranged + 4, ranged + 19);
        put(indexed + 4, indexed + 19);
        put(reversed + 4, reversed + 19);
    } else {
        touch();
    }
    shmem_finalize();
    return 0;
}
