/* spin_in_a_large_loop.c -- progress engines: a PE that waits for one of several things looks at all of them by plain
 * loads, round and round, without a call. That is a race; but it must not keep the others, or what is on its way, from
 * moving: the program ends, on every schedule.
 *
 * RUN: -n 2,3 --seeds 1..3 --choosers random,adversarial,timed,pct --timeout 20
 * EXPECT: race object=slots rule=E071 times=1.. A=shmem_long_atomic_set B=load
 */
#include <shmem.h>

#define SLOTS 64
#define ROUNDS 5

static volatile long slots[SLOTS];

/* Looks at every slot and keeps books in memory of its own. */
static int
advance(long *books, long wanted)
{
    int there = 0;
    for (int i = 0; i < SLOTS; i += 2) {
        long seen = slots[i] + slots[i + 1]; // <- B
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
            ;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
