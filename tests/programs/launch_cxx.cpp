/* C++: static and thread_local objects live and die with their PE, local statics are made once a PE, exceptions
 * are caught across PEs that take turns, std::cout keeps lines together and its manipulators to itself.
 *
 * RUN: -n 3 --seeds 1 --choosers random --contexts fiber,thread --hooks yes,no
 * RUN: -n 3 --seeds 1 --backends direct
 * EXPECT: clean
 * STDOUT: PE 0: 255 caught 0 made 3
 * STDOUT: PE 1: ff caught 1 made 3
 * STDOUT: PE 2: 0xff caught 2 made 3
 * STDOUT: last 0
 * STDOUT: last 1
 * STDOUT: last 2
 */
#include <cstdlib>
#include <iostream>
#include <shmem.h>
#include <stdexcept>
#include <string>

static int made, me = -1;

struct Object {
    int number;
    explicit Object(int n) : number(n)
    {
        made++;
    }
    ~Object()
    {
        made--;
        if (number == 1) /* the first made is the last to go */
            std::cout << std::dec << (made == 0 ? "last " : "too early ") << me << std::endl;
    }
};

static Object object(1);
static thread_local Object per_thread(2);

static Object &
local()
{
    static Object once(3);
    return once;
}

int
main()
{
    shmem_init();
    me = shmem_my_pe();
    per_thread.number += 10;
    local().number += 10;
    local().number += 10;
    if (me > 0)
        std::cout << std::hex;
    if (me > 1)
        std::cout << std::showbase;
    std::string caught;
    shmem_barrier_all();
    try {
        try {
            throw std::runtime_error(std::to_string(me));
        } catch (const std::exception &) {
            shmem_barrier_all(); /* every PE has an exception in flight */
            throw;
        }
    } catch (const std::exception &e) {
        caught = e.what();
    }
    std::cout << "PE " << std::to_string(me) << ": " << 255;
    shmem_barrier_all();
    std::cout << " caught " << caught << " made " << std::to_string(made) << '\n';
    shmem_finalize();
    if (local().number != 23 || per_thread.number != 12)
        std::exit(1);
    return 0;
}
