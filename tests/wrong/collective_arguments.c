/* collective_arguments.c -- buffers of collectives that overlap in part, are too small, or belong to nobody else.
 *
 * RUN: -n 3 --seeds 1..2
 *
 * VARIANT overlap: -DUSE=1
 * EXPECT: usage rule=E034 A=shmem_long_sum_reduce ...
 *
 * VARIANT overlap_scan: -DUSE=2
 * EXPECT: usage rule=E034 A=shmem_long_sum_inscan ...
 *
 * VARIANT collected: -DUSE=3
 * EXPECT: bad-address rule=E126 object=words message~"past its end" A=shmem_long_collect ...
 *
 * VARIANT stack_source: -DUSE=4
 * EXPECT: bad-address rule=E042 A=shmem_long_sum_reduce ...
 *
 * VARIANT private_dest: -DUSE=5
 * EXPECT: bad-address rule=E043 A=shmem_long_sum_reduce ...
 *
 * VARIANT nobody: -DUSE=6
 * EXPECT: usage rule=E115 A=shmem_team_sync ...
 *
 * VARIANT in_place: -DUSE=7
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdlib.h>

long words[8], others[8];

int
main(void)
{
    long stack[8] = {0}, *private = calloc(8, sizeof *private);
    shmem_init();
#if USE == 1
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, words + 1, words, 3); // <- A
#elif USE == 2
    shmem_long_sum_inscan(SHMEM_TEAM_WORLD, words + 1, words, 3); // <- A
#elif USE == 3
    shmem_long_collect(SHMEM_TEAM_WORLD, words, others, 3); // <- A
#elif USE == 4
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, words, stack, 3); // <- A
#elif USE == 5
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, private, words, 3); // <- A
#elif USE == 6
    shmem_team_sync((shmem_team_t)(uintptr_t)77); // <- A
#else
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, words, words, 8);
#endif
    free(private);
    shmem_finalize();
    return stack[0] + others[0] != 0;
}
