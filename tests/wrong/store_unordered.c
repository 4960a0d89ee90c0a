/* store_unordered.c -- plain stores, through shmem_ptr or to the own copy, are not ordered before an atomic flag.
 *
 * RUN: -n 2 --seeds 1..5
 *
 * VARIANT pointer:
 * EXPECT: race on=1 rule=E065 A=store@0 C=load@1
 *
 * VARIANT own: -DOWN
 * EXPECT: race on=0 rule=E093 B=store@0 D=shmem_int_g@1
 *
 * VARIANT own_quiet: -DOWN -DQUIET
 * EXPECT: clean
 *
 * VARIANT pointer_quiet: -DQUIET
 * EXPECT: clean
 */
#include <shmem.h>

int
main(void)
{
    int seen = 5;
    shmem_init();
    int *box = shmem_calloc(1, sizeof *box), *flag = shmem_calloc(1, sizeof *flag);
    if (shmem_my_pe() == 0) {
#ifdef OWN
        *box = 5; // <- B
#else
        *(int *)shmem_ptr(box, 1) = 5; // <- A
#endif
#ifdef QUIET
        shmem_quiet();
#endif
        shmem_int_atomic_set(flag, 1, 1);
    } else {
        shmem_int_wait_until(flag, SHMEM_CMP_EQ, 1);
#ifdef OWN
        seen = shmem_int_g(box, 0); // <- D
#else
        seen = *box;                   // <- C
#endif
    }
    shmem_free(flag);
    shmem_free(box);
    shmem_finalize();
    return seen != 0 && seen != 5;
}
