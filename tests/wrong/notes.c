/* notes.c -- legal, but pointless or not portable: told with --notes, no findings.
 *
 * RUN: -n 2 --seeds 1..2 --options --notes
 *
 * VARIANT atomics_in_order: -DUSE=1
 * EXPECT: note rule=E094 repair~"shmem_fence" A=shmem_long_atomic_set@0 B=shmem_long_atomic_fetch@0
 *
 * VARIANT atomics_commute: -DUSE=2
 * EXPECT: clean
 *
 * VARIANT signal_lost: -DUSE=3
 * EXPECT: note rule=E082 A=shmem_signal_set@0 A=shmem_signal_set@0
 *
 * VARIANT lock_order: -DUSE=4
 * EXPECT: note rule=E184 A=shmem_set_lock@0 B=shmem_set_lock@1
 *
 * VARIANT exit_nonblocking: -DUSE=5
 * EXPECT: note rule=E191 A=shmem_long_put_nbi@0 X=shmem_global_exit@0
 *
 * VARIANT exit_blocking: -DUSE=6
 * EXPECT: note rule=E190 A=shmem_long_p@0 X=shmem_global_exit@0
 *
 * VARIANT exit_quieted: -DUSE=7
 * EXPECT: clean
 *
 * VARIANT team_with_contexts: -DUSE=8
 * EXPECT: note rule=E119 A=shmem_team_destroy@0 A=shmem_team_destroy@1
 *
 * VARIANT unknown_options: -DUSE=9
 * EXPECT: note rule=E135 A=shmem_ctx_create ...
 *
 * VARIANT alignment_lost: -DUSE=10
 * EXPECT: note rule=E161 A=shmem_realloc ...
 *
 * VARIANT empty_blocks: -DUSE=11
 * EXPECT: note rule=E036 A=shmem_long_ibput@0
 *
 * VARIANT old_reduction: -DUSE=12
 * EXPECT: note rule=E011 message~"shmem_int_sum_to_all is deprecated" A=shmem_int_sum_to_all ...
 *
 * VARIANT old_names: -DUSE=13
 * EXPECT: note rule=E011 message~"use shmem_TYPE_atomic_" A=shmem_int_fadd@0
 * EXPECT: note rule=E011 message~"shmem_TYPE_wait_until" B=shmem_int_wait@0
 * EXPECT: note rule=E011 message~"shmalloc is deprecated" C=shmalloc ...
 * EXPECT: note rule=E011 message~"shfree is deprecated" D=shfree ...
 *
 * VARIANT new_names: -DUSE=14
 * EXPECT: clean
 *
 * VARIANT silent: -DUSE=1
 * RUN: -n 2
 * EXPECT: clean
 * STDERR!~ note
 */
#include <shmem.h>

long word, words[8];
uint64_t signal;
long lock[2];

int
main(void)
{
    long source[8] = {0};
    shmem_init();
    int me = shmem_my_pe();
#if USE == 1
    if (me == 0) {
        shmem_long_atomic_set(&word, 1, 1);            // <- A
        source[0] = shmem_long_atomic_fetch(&word, 1); // <- B
        shmem_long_atomic_set(&word, 2, 0);
        shmem_fence();
        source[1] = shmem_long_atomic_fetch(&word, 0);
    }
#elif USE == 2
    shmem_long_atomic_inc(&word, 1);
    shmem_long_atomic_inc(&word, 1);
#elif USE == 3
    if (me == 0)
        for (int i = 0; i < 2; i++)
            shmem_signal_set(&signal, 1, 1); // <- A
#elif USE == 4
    if (me == 1)
        shmem_barrier_all();
    shmem_set_lock(&lock[me]);
    if (me == 0)
        shmem_set_lock(&lock[1]); // <- A
    else
        shmem_set_lock(&lock[0]); // <- B
    shmem_clear_lock(&lock[0]);
    shmem_clear_lock(&lock[1]);
    if (me == 0)
        shmem_barrier_all();
#elif USE == 5
    if (me == 0) {
        shmem_long_put_nbi(words, source, 8, 1); // <- A
        shmem_global_exit(0);                    // <- X
    }
#elif USE == 6
    if (me == 0) {
        shmem_long_p(words, 8, 1); // <- A
        shmem_global_exit(0);      // <- X
    }
#elif USE == 7
    if (me == 0) {
        shmem_long_p(words, 8, 1);
        shmem_quiet();
        shmem_global_exit(0);
    }
#elif USE == 8
    shmem_team_t team;
    shmem_ctx_t ctx;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team);
    shmem_team_create_ctx(team, 0, &ctx);
    shmem_team_destroy(team); // <- A
#elif USE == 9
    shmem_ctx_t ctx;
    if (shmem_ctx_create(1 << 20, &ctx) == 0) // <- A
        shmem_ctx_destroy(ctx);
#elif USE == 10
    char *block = shmem_align(4096, 64);
    block = shmem_realloc(block, 20000); // <- A
    shmem_free(block);
#elif USE == 11
    if (me == 0)
        shmem_long_ibput(words, source, 2, 2, 0, 1, 1); // <- A
#elif USE == 12
    static int from = 1, to, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
    static long sync[SHMEM_REDUCE_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
    shmem_int_sum_to_all(&to, &from, 1, 0, 0, 2, work, sync); // <- A
#elif USE == 13
    static int number = 1;
    int *block = shmalloc(sizeof *block); // <- C
    if (me == 0) {
        source[0] = shmem_int_fadd(&number, 1, 1); // <- A
        shmem_int_wait(&number, 7);                // <- B
    }
    shfree(block); // <- D
#elif USE == 14
    static int number = 1;
    static uint64_t told;
    source[0] = shmem_int_atomic_fetch_add(&number, 1, 1 - me) + shmem_int_atomic_swap(&number, 7, 1 - me);
    shmem_signal_add(&told, 1, 1 - me);
    shmem_signal_wait_until(&told, SHMEM_CMP_NE, 0);
    shmem_int_wait_until(&number, SHMEM_CMP_NE, 9);
    shmem_set_lock(&lock[0]);
    shmem_clear_lock(&lock[0]);
    source[0] += (long)shmem_signal_fetch(&told);
#endif
    shmem_finalize();
    return me > 1 ? (int)source[0] : 0;
}
