/* cxx_arrays.cpp -- a class that owns symmetric memory, a std::vector with a symmetric allocator, algorithms over both.
 *
 * RUN: -n 1,3 --seeds 1..3 --rules common,strict
 * RUN: -n 2 --backends direct
 * EXPECT: clean
 */
#include <algorithm>
#include <numeric>
#include <shmem.h>
#include <utility>
#include <vector>

template <typename T> struct symmetric_allocator {
    using value_type = T;
    symmetric_allocator() = default;
    template <typename U> symmetric_allocator(const symmetric_allocator<U> &)
    {
    }
    T *
    allocate(std::size_t n)
    {
        return static_cast<T *>(shmem_malloc(n * sizeof(T)));
    }
    void
    deallocate(T *at, std::size_t)
    {
        shmem_free(at);
    }
    bool
    operator==(const symmetric_allocator &) const
    {
        return true;
    }
    bool
    operator!=(const symmetric_allocator &) const
    {
        return false;
    }
};

class window
{
  public:
    explicit window(std::size_t n) : at_(static_cast<long *>(shmem_calloc(n, sizeof(long)))), n_(n)
    {
    }
    window(window &&other) noexcept : at_(std::exchange(other.at_, nullptr)), n_(other.n_)
    {
    }
    window(const window &) = delete;
    window &operator=(const window &) = delete;
    ~window()
    {
        shmem_free(at_);
    }
    long *
    begin()
    {
        return at_;
    }
    long *
    end()
    {
        return at_ + n_;
    }
    void
    put(std::size_t i, long value, int pe)
    {
        shmem_long_p(at_ + i, value, pe);
    }

  private:
    long *at_;
    std::size_t n_;
};

int
main()
{
    bool bad = false;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), right = (me + 1) % npes;
    {
        window first(4), moved(std::move(first));
        std::vector<int, symmetric_allocator<int>> source(8), dest(8);
        std::iota(source.begin(), source.end(), me * 8);
        for (std::size_t i = 0; i < 4; i++)
            moved.put(i, static_cast<long>(me * 4 + static_cast<int>(i)), right);
        shmem_barrier_all();
        shmem_int_get(dest.data(), source.data(), 8, right);
        bad |= std::accumulate(dest.begin(), dest.end(), 0) != 8 * 8 * right + 28;
        long left = (me + npes - 1) % npes;
        bad |= std::accumulate(moved.begin(), moved.end(), 0L) != 16 * left + 6;
        shmem_barrier_all();
        std::sort(source.begin(), source.end(), [](int a, int b) { return a > b; });
        bad |= source.front() != me * 8 + 7;
        shmem_sync_all();
    }
    shmem_finalize();
    return bad;
}
