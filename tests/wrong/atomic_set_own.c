/* atomic_set_own.c -- a PE sets its own element by an atomic operation and loads it: an atomic set returns before it
 * has happened, on one's own memory too. Nobody polls here, so the advice is to complete the operation, not to wait.
 *
 * RUN: -n 2 --seeds 1..3
 * EXPECT: race object=slot on=0 rule=E074 repair~"shmem_quiet between" A=shmem_long_atomic_set@0 B=load@0
 *
 * VARIANT quiet: -DQUIET
 * EXPECT: clean
 */
#include <shmem.h>

static long slot;

int
main(void)
{
    long seen = 5;
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_long_atomic_set(&slot, 5, 0); // <- A
#ifdef QUIET
        shmem_quiet();
#endif
        seen = slot; // <- B
    }
    shmem_finalize();
    return seen != 5 && seen != 0;
}
