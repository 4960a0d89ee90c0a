/* language_atomics.c -- C11 atomics on memory that shmem_ptr gives: a flag, a counter, a spin lock among PEs of a node.
 *
 * RUN: -n 2 --seeds 1..5 --choosers random,adversarial
 * EXPECT: clean
 * STDERR~ not checked: atomics of the language against other accesses
 */
#include <shmem.h>
#include <stdatomic.h>

static long data, total;
static _Atomic long flag, count, gate;

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    _Atomic long *their_flag = shmem_ptr(&flag, 1), *their_count = shmem_ptr(&count, 0);
    _Atomic long *their_gate = shmem_ptr(&gate, 0);
    long *their_data = shmem_ptr(&data, 1), *their_total = shmem_ptr(&total, 0);
    if (!their_flag || !their_count || !their_gate || !their_data || !their_total)
        return 1;
    if (me == 0) {
        *their_data = 42;
        atomic_store_explicit(their_flag, 1, memory_order_release);
    } else {
        while (!atomic_load_explicit(&flag, memory_order_acquire))
            ;
        if (data != 42)
            return 2;
    }
    for (int i = 0; i < 5; i++) {
        atomic_fetch_add(their_count, 1);
        while (atomic_exchange(their_gate, 1))
            shmem_fence();
        *their_total += 1;
        atomic_store(their_gate, 0);
    }
    shmem_barrier_all();
    int wrong = me == 0 && (atomic_load(&count) != 10 || total != 10);
    shmem_finalize();
    return wrong ? 3 : 0;
}
