/* types_and_signals.c -- atomics, waits and signals that are not atomic to each other.
 *
 * RUN: -n 2 --seeds 1..3
 *
 * VARIANT wait_wider: -DUSE=1
 * EXPECT: race object=word on=1 rule=E077 A=shmem_uint32_atomic_set@0 B=shmem_uint64_wait_until@1
 *
 * VARIANT halves: -DUSE=2
 * EXPECT: race object=word on=1 rule=E075 A=shmem_uint32_atomic_set@0 B=shmem_uint64_atomic_inc@1
 *
 * VARIANT signs: -DUSE=3
 * RUN: -n 2 --rules strict
 * EXPECT: race object=word on=1 rule=E075 A=shmem_int64_atomic_inc@0 B=shmem_uint64_atomic_inc@1
 *
 * VARIANT signs_common: -DUSE=3
 * RUN: -n 2 --rules common
 * EXPECT: clean
 *
 * VARIANT put_flag: -DUSE=4
 * RUN: -n 2 --rules strict
 * EXPECT: race object=word on=1 rule=E078 A=shmem_uint64_p@0 B=shmem_uint64_wait_until@1
 *
 * VARIANT put_flag_common: -DUSE=4
 * RUN: -n 2 --rules common
 * EXPECT: clean
 *
 * VARIANT signal_by_atomic: -DUSE=5
 * RUN: -n 2 --rules strict
 * EXPECT: race object=word on=1 rule=E079 A=shmem_uint64_atomic_set@0 B=shmem_signal_add@1
 *
 * VARIANT set_and_add: -DUSE=6
 * RUN: -n 2 --rules strict
 * EXPECT: race object=word on=1 rule=E080 A=shmem_signal_set@0 B=shmem_signal_add@1
 *
 * VARIANT set_and_add_common: -DUSE=6
 * RUN: -n 2 --rules common
 * EXPECT: clean
 *
 * VARIANT torn: -DUSE=7
 * EXPECT: race object=many on=1 rule=E061 A=shmem_putmem@0 B=load@1
 *
 * VARIANT two_locks: -DUSE=8
 * EXPECT: race object=word on=0 rule=E060 A=shmem_uint64_p A=shmem_uint64_p
 */
#include <shmem.h>

uint64_t word, many[8];
long lock[2];

int
main(void)
{
    volatile uint64_t seen = 0;
    shmem_init();
    int me = shmem_my_pe();
    uint64_t source[8] = {1, 2, 3};
#if USE == 1
    if (me == 0)
        shmem_uint32_atomic_set((uint32_t *)&word, 1, 1); // <- A
    else
        shmem_uint64_wait_until(&word, SHMEM_CMP_NE, 0); // <- B
#elif USE == 2
    if (me == 0)
        shmem_uint32_atomic_set((uint32_t *)&word + 1, 1, 1); // <- A
    else
        shmem_uint64_atomic_inc(&word, 1); // <- B
#elif USE == 3
    if (me == 0)
        shmem_int64_atomic_inc((int64_t *)&word, 1); // <- A
    else
        shmem_uint64_atomic_inc(&word, 1); // <- B
#elif USE == 4
    if (me == 0)
        shmem_uint64_p(&word, 1, 1); // <- A
    else
        shmem_uint64_wait_until(&word, SHMEM_CMP_NE, 0); // <- B
#elif USE == 5
    if (me == 0)
        shmem_uint64_atomic_set(&word, 1, 1); // <- A
    else
        shmem_signal_add(&word, 1, 1); // <- B
#elif USE == 6
    if (me == 0)
        shmem_signal_set(&word, 1, 1); // <- A
    else
        shmem_signal_add(&word, 1, 1); // <- B
#elif USE == 7
    if (me == 0)
        shmem_putmem(many, source, sizeof many, 1); // <- A
    else
        seen = many[1]; // <- B
#else
    shmem_set_lock(&lock[me]);
    shmem_uint64_p(&word, (uint64_t)me, 0); // <- A
    shmem_clear_lock(&lock[me]);
#endif
    shmem_barrier_all();
    shmem_finalize();
    return seen + source[0] + (uint64_t)lock[0] > 100 || many[0] > 9;
}
