/* cxx_tasks.cpp -- tasks as lambdas, drawn from a shared counter; results by put_signal; exceptions stay in their PE.
 *
 * RUN: -n 2,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <array>
#include <functional>
#include <shmem.h>
#include <stdexcept>
#include <vector>

static int next_task;
static std::array<long, 8> result;
static std::array<std::uint64_t, 8> ready;

int
main()
{
    bool bad = false;
    shmem_init();
    std::vector<std::function<long()>> tasks;
    for (long i = 0; i < 8; i++)
        tasks.emplace_back([i]() -> long {
            if (i % 3 == 2)
                throw std::runtime_error("task");
            return i * i;
        });
    for (;;) {
        auto i = static_cast<std::size_t>(shmem_int_atomic_fetch_inc(&next_task, 0));
        if (i >= tasks.size())
            break;
        long value;
        try {
            value = tasks[i]();
        } catch (const std::runtime_error &) {
            value = -1;
        }
        shmem_long_put_signal(&result[i], &value, 1, &ready[i], 1, SHMEM_SIGNAL_SET, 0);
    }
    if (shmem_my_pe() == 0) {
        shmem_uint64_wait_until_all(ready.data(), ready.size(), nullptr, SHMEM_CMP_EQ, 1);
        for (long i = 0; i < 8; i++)
            bad |= result[static_cast<std::size_t>(i)] != (i % 3 == 2 ? -1 : i * i);
    }
    shmem_finalize();
    return bad;
}
