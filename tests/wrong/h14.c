/* h14.c -- a broadcast on the team of the even PEs, with a root that counts in the world.
 *
 * RUN: -n 4 --seeds 1..5
 * EXPECT: usage rule=E125 message~"root 2" message~"0 to 1" A=shmem_int_broadcast@0 A=shmem_int_broadcast@2
 *
 * VARIANT in_team: -DROOT=1
 * EXPECT: clean
 * STDOUT: PE 0: dest=102
 * STDOUT: PE 1: dest=0
 * STDOUT: PE 2: dest=102
 * STDOUT: PE 3: dest=0
 */
#include <shmem.h>
#include <stdio.h>

#ifndef ROOT
#define ROOT 2
#endif

int
main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    int *src = shmem_malloc(sizeof *src), *dest = shmem_calloc(1, sizeof *dest);
    shmem_team_t even;

    *src = 100 + me;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, 2, NULL, 0, &even);
    if (even != SHMEM_TEAM_INVALID) {
        shmem_int_broadcast(even, dest, src, 1, ROOT); // <- A
        shmem_team_destroy(even);
    }
    printf("PE %d: dest=%d\n", me, *dest);
    shmem_free(dest);
    shmem_free(src);
    shmem_finalize();
    return 0;
}
