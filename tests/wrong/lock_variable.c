/* lock_variable.c -- the variable of a lock belongs to the lock routines from its first use on, on every PE.
 *
 * RUN: -n 2 --seeds 1..3
 *
 * VARIANT released_by_a_store: -DUSE=1
 * EXPECT: race object=lock on=0 rule=E084 A=shmem_set_lock@0 B=store@0
 * EXPECT: leak rule=E183 A=shmem_set_lock@0
 *
 * VARIANT peeked: -DUSE=2
 * EXPECT some: race object=lock on=1 rule=E084 A=shmem_set_lock@0 C=load@1
 * EXPECT some: race object=lock on=1 rule=E084 Z=shmem_clear_lock@0 C=load@1
 *
 * VARIANT put: -DUSE=3
 * EXPECT some: race object=lock on=0 rule=E084 A=shmem_set_lock@0 D=shmem_long_p@1
 * EXPECT some: race object=lock on=0 rule=E084 Z=shmem_clear_lock@0 D=shmem_long_p@1
 *
 * VARIANT atomic: -DUSE=4
 * EXPECT: race object=lock on=0 rule=E084 A=shmem_set_lock@0 E=shmem_long_atomic_swap@0
 *
 * VARIANT initialised_late: -DUSE=5
 * EXPECT some: race on=1 rule=E084 repair~"synchronise before" A=shmem_set_lock@0 F=store@1
 * EXPECT some: race on=1 rule=E084 repair~"synchronise before" Z=shmem_clear_lock@0 F=store@1
 * EXPECT maybe: race on=0 rule=E084 A=shmem_set_lock@0 F=store@0
 * EXPECT maybe: race on=0 rule=E084 Z=shmem_clear_lock@0 F=store@0
 * EXPECT maybe: usage rule=E182 A=shmem_set_lock@0
 *
 * VARIANT not_zero: -DUSE=6
 * EXPECT: usage rule=E182 A=shmem_set_lock@0
 *
 * VARIANT freed_while_held: -DUSE=7
 * EXPECT: lifetime rule=E183 times=1..2 A=shmem_set_lock@0 G=shmem_free:free
 * EXPECT: leak rule=E183 A=shmem_set_lock@0
 *
 * VARIANT right: -DUSE=8
 * EXPECT: clean
 */
#include <shmem.h>

static long lock;

int
main(void)
{
    volatile long seen = 0;
    shmem_init();
    int me = shmem_my_pe();
    long *in_heap = shmem_malloc(sizeof *in_heap), *which = USE == 5 || USE == 7 || USE == 8 ? in_heap : &lock;
    if (USE != 5)
        *in_heap = 0;
    if (USE == 6)
        lock = 1;
    shmem_barrier_all();
    if (USE == 5)
        *in_heap = 0; // <- F
    if (me == 0 || USE == 8) {
        shmem_set_lock(which); // <- A
        if (USE == 1)
            lock = 0; // <- B
        else if (USE == 4)
            seen = shmem_long_atomic_swap(&lock, 0, 0); // <- E
        if (USE != 1 && USE != 7)
            shmem_clear_lock(which); // <- Z
    } else if (USE == 2) {
        seen = lock; // <- C
    } else if (USE == 3) {
        shmem_long_p(&lock, 0, 0); // <- D
    }
    shmem_barrier_all();
    if (USE == 8)
        *in_heap = seen; /* it is no lock any more */
    shmem_free(in_heap); // <- G
    shmem_finalize();
    return 0;
}
