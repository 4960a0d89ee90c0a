/* h08.c -- two PEs call the same two collectives in opposite order.
 *
 * RUN: -n 2 --seeds 1..5
 * EXPECT: mismatch message~"broadcast" message~"sum_reduce" A=shmem_int_broadcast@0 B=shmem_int_sum_reduce@1
 *
 * VARIANT same_order: -DSAME_ORDER
 * EXPECT: clean
 * STDOUT: PE 0: sum=3
 * STDOUT: PE 1: sum=3
 */
#include <shmem.h>
#include <stdio.h>

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), broadcast_first = me == 0;
#ifdef SAME_ORDER
    broadcast_first = 1;
#endif
    int *word = shmem_calloc(4, sizeof *word);
    word[0] = word[1] = me + 1;
    if (broadcast_first) {
        shmem_int_broadcast(SHMEM_TEAM_WORLD, &word[2], &word[0], 1, 0); // <- A
        shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &word[3], &word[1], 1);
    } else {
        shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &word[3], &word[1], 1); // <- B
        shmem_int_broadcast(SHMEM_TEAM_WORLD, &word[2], &word[0], 1, 0);
    }
    printf("PE %d: sum=%d\n", me, word[3]);
    int bad = word[2] != 1;
    shmem_free(word);
    shmem_finalize();
    return bad;
}
