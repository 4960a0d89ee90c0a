/* calls_access_cxx.cpp -- std::copy, std::fill, std::equal and objects that functions return, on memory that a put
 * writes at the same time: the headers say __builtin_memmove and its kin, and results are built in place.
 *
 * VARIANT copy: -DHOW=1 -O2
 * RUN: --seeds 1..2
 * EXPECT: race object=there on=1 A=shmem_putmem@0 C:read@1
 *
 * VARIANT fill: -DHOW=2 -O2
 * RUN: --seeds 1
 * EXPECT: race object=there on=1 A=shmem_putmem@0 C:write@1
 *
 * VARIANT equal: -DHOW=3 -O2
 * RUN: --seeds 1
 * EXPECT: race object=there on=1 A=shmem_putmem@0 C:read@1
 *
 * VARIANT placed: -DHOW=4 -O2
 * RUN: --seeds 1
 * EXPECT: race object=there on=1 A=shmem_putmem@0 C=store@1
 *
 * VARIANT later: -DHOW=4 -O2 -DBARRIER
 * RUN: --seeds 1..2
 * EXPECT: clean
 */
#include <shmem.h>

#include <algorithm>
#include <new>
#include <stdexcept>

struct record {
    long key, value, more[2];
};
static record there[4];
static volatile long sink;

__attribute__((noipa)) record
make(long k)
{
    if (k > 100)
        throw std::runtime_error("too many");
    return {k, k * k, {}};
}

static void
access_there(long k)
{
    record mine[4] = {{k, k, {}}};
    try {
#if HOW == 1
        std::copy(there, there + 2, mine); // <- C
#elif HOW == 2
        std::fill(reinterpret_cast<char *>(there), reinterpret_cast<char *>(there) + 40, 0); // <- C
#elif HOW == 3
        auto *theirs = reinterpret_cast<char *>(there);
        sink = std::equal(theirs, theirs + 24, reinterpret_cast<char *>(mine)); // <- C
#else
        new (&there[1]) record(make(k)); // <- C
#endif
    } catch (const std::exception &) {
        sink = -1;
    }
    sink = mine[1].key + k;
}

int
main()
{
    shmem_init();
    record source[4] = {{1, 2, {}}, {3, 4, {}}, {5, 6, {}}, {7, 8, {}}};
    if (shmem_my_pe() == 0)
        shmem_putmem(there, source, sizeof source, 1); // <- A
#ifdef BARRIER
    shmem_barrier_all();
#endif
    if (shmem_my_pe() == 1)
        access_there(shmem_n_pes());
    shmem_barrier_all();
    shmem_finalize();
}
