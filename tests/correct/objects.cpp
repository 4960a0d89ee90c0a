/* objects.cpp -- C++ on PEs: constructors of globals, thread_local objects, vectors, exceptions across calls.
 *
 * RUN: -n 1,2,5 --seeds 1..3 --contexts fiber,thread --hooks yes,no
 * RUN: -n 4 --backends direct
 * EXPECT: clean
 * STDOUT~ PE 0: constructed=1 thread=41
 */
#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <shmem.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{
int constructed; // of this PE's own image

struct Registry {
    std::vector<std::string> names;
    Registry() : names{"first", "second"}
    {
        constructed++;
    }
    ~Registry()
    {
        names.clear();
    }
};
Registry registry;

struct Counter {
    int value = 40;
    Counter() = default;
    int
    next()
    {
        return ++value;
    }
};
thread_local Counter counter;

// Symmetric memory with an owner. Made and destroyed by all PEs together.
template <typename T> class Symmetric
{
  public:
    explicit Symmetric(std::size_t n) : data_(static_cast<T *>(shmem_calloc(n, sizeof(T)))), size_(n)
    {
        if (data_ == nullptr)
            throw std::bad_alloc();
    }
    ~Symmetric()
    {
        shmem_free(data_);
    }
    Symmetric(const Symmetric &) = delete;
    Symmetric &operator=(const Symmetric &) = delete;
    T *
    data()
    {
        return data_;
    }
    T &
    operator[](std::size_t i)
    {
        return data_[i];
    }
    std::size_t
    size() const
    {
        return size_;
    }

  private:
    T *data_;
    std::size_t size_;
};

long flag;

void
fetch(Symmetric<long> &block, int pe, std::vector<long> &into)
{
    into.resize(block.size());
    shmem_long_get(into.data(), block.data(), into.size(), pe);
    if (into[0] % 2 == 0)
        throw std::range_error("even: " + std::to_string(into[0]));
    shmem_long_atomic_inc(&flag, pe);
}

int
run(int me, int npes)
{
    int bad = 0, caught = 0;
    Symmetric<long> block(10);
    std::iota(block.data(), block.data() + block.size(), 3L * me);
    shmem_barrier_all();
    std::vector<long> into;
    for (int i = 0; i < 6; i++)
        try {
            fetch(block, i % npes, into);
        } catch (const std::range_error &error) {
            caught += std::string(error.what()) == "even: " + std::to_string(3 * (i % npes)) ? 1 : 100;
            into.clear();
        }
    try {
        Symmetric<char> never(std::size_t{1} << 50); // all PEs fail alike
        bad = 1;
    } catch (const std::bad_alloc &) {
    }
    shmem_barrier_all();
    long increments = 0, thrown = 0;
    for (int i = 0; i < 6; i++) {
        increments += i % npes == me && me % 2 == 1 ? npes : 0; // every PE came by
        thrown += i % npes % 2 == 0;
    }
    bad |= flag != increments || caught != thrown;
    std::printf("PE %d: constructed=%d thread=%d\n", me, constructed, counter.next());
    return bad;
}
} // namespace

int
main()
{
    shmem_init();
    int bad = run(shmem_my_pe(), shmem_n_pes());
    bad |= registry.names.size() != 2 || registry.names[1] != "second";
    shmem_finalize();
    return bad;
}
