/* sync_is_no_quiet.c -- a sync meets, it does not complete what was put before it.
 *
 * RUN: -n 2 --seeds 1..5
 *
 * VARIANT put:
 * EXPECT: race object=box on=1 rule=E070 A=shmem_int_p@0 C=load@1
 *
 * VARIANT atomic: -DATOMIC
 * EXPECT: race object=box on=1 B=shmem_int_atomic_inc@0 C=load@1
 *
 * VARIANT quiet: -DQUIET
 * EXPECT: clean
 */
#include <shmem.h>

static int box;

int
main(void)
{
    int seen = 1;
    shmem_init();
    if (shmem_my_pe() == 0) {
#ifdef ATOMIC
        shmem_int_atomic_inc(&box, 1); // <- B
#else
        shmem_int_p(&box, 1, 1); // <- A
#endif
#ifdef QUIET
        shmem_quiet();
#endif
    }
    shmem_sync_all();
    if (shmem_my_pe() == 1)
        seen = box; // <- C
    shmem_finalize();
    return seen != 0 && seen != 1;
}
