/* life_of_library.c -- calls before init, after the last finalize, one finalize too many, one too few.
 *
 * RUN: -n 2 --seeds 1..2
 *
 * VARIANT before_init: -DBEFORE
 * EXPECT: usage rule=E001 A=shmem_my_pe@0 A=shmem_my_pe@1
 *
 * VARIANT after_finalize: -DAFTER
 * EXPECT: usage rule=E002 B=shmem_barrier_all@0 B=shmem_barrier_all@1
 *
 * VARIANT twice: -DTWICE
 * EXPECT: usage rule=E004 C=shmem_finalize@0 C=shmem_finalize@1
 *
 * VARIANT unbalanced: -DUNBALANCED
 * EXPECT: leak rule=E003 D=shmem_init@0 D=shmem_init@1
 *
 * VARIANT never: -DNEVER
 * EXPECT: leak rule=E003 D=shmem_init@0 D=shmem_init@1
 *
 * VARIANT with_an_error: -DNEVER -DERROR
 * EXPECT: clean
 * STATUS: 4
 */
#include <shmem.h>

int
main(void)
{
#ifdef BEFORE
    int me = shmem_my_pe(); // <- A
    shmem_init();
#else
    shmem_init(); // <- D
    int me = shmem_my_pe();
#endif
#ifdef ERROR
    return 4;
#endif
#ifdef NEVER
    return 0;
#endif
#ifdef UNBALANCED
    shmem_init();
#endif
    shmem_finalize();
#ifdef AFTER
    shmem_barrier_all(); // <- B
#endif
#ifdef TWICE
    shmem_finalize(); // <- C
#endif
    return me > 1;
}
