/* bounded_buffer.c -- producers with a window of slots each at one consumer, which answers when a slot is free again.
 *
 * RUN: -n 2,4 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define SLOTS 3
#define ITEMS 10

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    long *slot = shmem_calloc((size_t)npes * SLOTS, sizeof *slot); /* at PE 0, by producer */
    int *produced = shmem_calloc((size_t)npes, sizeof *produced);  /* at PE 0 */
    int *consumed = shmem_calloc(1, sizeof *consumed);             /* at the producer */
    if (me > 0) {
        for (int i = 1; i <= ITEMS; i++) {
            shmem_int_wait_until(consumed, SHMEM_CMP_GE, i - SLOTS);
            shmem_long_p(&slot[me * SLOTS + i % SLOTS], 1000L * me + i, 0);
            shmem_fence();
            shmem_int_atomic_set(&produced[me], i, 0);
        }
    } else {
        for (int i = 1; i <= ITEMS; i++)
            for (int pe = 1; pe < npes; pe++) {
                shmem_int_wait_until(&produced[pe], SHMEM_CMP_GE, i);
                bad |= slot[pe * SLOTS + i % SLOTS] != 1000L * pe + i;
                shmem_int_atomic_set(consumed, i, pe);
                shmem_fence(); /* the answers arrive in order */
            }
    }
    shmem_free(consumed);
    shmem_free(produced);
    shmem_free(slot);
    shmem_finalize();
    return bad;
}
