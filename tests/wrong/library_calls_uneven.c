/* library_calls_uneven.c -- PEs that disagree about the life of the library.
 *
 * RUN: -n 2 --seeds 1..2
 *
 * VARIANT leaves: -DUSE=1
 * EXPECT: hang rule=E005 message~"PE 1 has ended" B=shmem_barrier_all@0
 *
 * VARIANT inits_once_more: -DUSE=2
 * EXPECT: mismatch rule=E008 I=shmem_init@1 F=shmem_finalize@0
 *
 * VARIANT finalizes_early: -DUSE=3
 * EXPECT: mismatch rule=E110 F=shmem_finalize@1 B=shmem_barrier_all@0
 *
 * VARIANT no_provided: -DUSE=4
 * EXPECT: usage rule=E007 T=shmem_init_thread ...
 *
 * VARIANT even: -DUSE=5
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdlib.h>

int
main(void)
{
    int provided = 0;
    if (USE == 4)
        shmem_init_thread(SHMEM_THREAD_SINGLE, NULL); // <- T
    else
        shmem_init_thread(SHMEM_THREAD_SINGLE, &provided);
    int me = shmem_my_pe();
    if (USE == 1 && me == 1)
        exit(0);
    if (USE == 5 || (USE == 2 && me == 1)) {
        shmem_init(); // <- I
        shmem_finalize();
    }
    if (USE == 1 || (USE == 3 && me == 0))
        shmem_barrier_all(); // <- B
    shmem_finalize();        // <- F
    return 0;
}
