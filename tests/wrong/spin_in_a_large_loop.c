/* spin_in_a_large_loop.c -- progress engines: a PE that waits for one of several things looks at all of them by plain
 * loads, round and round, without a call. That is a race; but it must not keep the others, or what is on its way, from
 * moving: the program ends, on every schedule.
 *
 * RUN: -n 2,3 --seeds 1..3 --choosers random,adversarial,timed,pct --timeout 20
 * EXPECT: race object=slots rule=E071 times=1.. A=shmem_long_atomic_set B=load
 *
 * Loads that a compiler may tell in front of the loop: all slots, and one by one.
 * VARIANT not_volatile: -DNOT_VOLATILE -O2
 * EXPECT: race object=slots rule=E071 times=1.. A=shmem_long_atomic_set B=load
 * VARIANT one: -DNOT_VOLATILE -DSLOTS=2 -O2
 * EXPECT: race object=slots rule=E071 times=1.. A=shmem_long_atomic_set B=load
 *
 * VARIANT fetched: -DFETCHED
 * RUN: -n 2,3 --seeds 1,2 --choosers random,adversarial,timed,pct --timeout 20
 * EXPECT: clean
 */
#include <shmem.h>

#ifndef SLOTS
#define SLOTS 64
#endif
#define ROUNDS 5

#ifdef NOT_VOLATILE
static long slots[SLOTS];
#define LOOK_AGAIN __asm__ volatile("" ::: "memory")
#else
static volatile long slots[SLOTS];
#define LOOK_AGAIN (void)0
#endif

int nslots = SLOTS; /* not static: for all that the compiler knows it may change */

/* Looks at every slot and keeps books in memory of its own. */
static int
advance(long *books, long wanted)
{
    int there = 0;
    for (int i = 0; i < nslots; i += 2) {
#ifdef FETCHED
        int me = shmem_my_pe();
        long seen = shmem_long_atomic_fetch((long *)&slots[i], me) + shmem_long_atomic_fetch((long *)&slots[i + 1], me);
#else
        long seen = slots[i] + slots[i + 1]; // <- B
#endif
        books[i] = seen;
        there += seen >= wanted;
    }
    return there;
}

int
main(void)
{
    static long books[SLOTS];
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (long round = 1; round <= ROUNDS; round++) {
        long place = (round * 7) % SLOTS;
        shmem_long_atomic_set((long *)&slots[place], round, (me + 1) % n); // <- A
        while (advance(books, round) == 0)
            LOOK_AGAIN;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
