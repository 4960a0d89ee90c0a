/* phases.c -- one word is a counter, then plain data, then a put's target, then a lock: barriers separate the uses.
 *
 * RUN: -n 2,4 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static long word;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes, before = (me + npes - 1) % npes;
    for (int pe = 0; pe < npes; pe++)
        shmem_long_atomic_inc(&word, pe);
    shmem_barrier_all();
    bad |= word != npes;
    word = me * 11; /* plain: nobody else touches it in this phase */
    bad |= word != me * 11;
    shmem_barrier_all();
    bad |= shmem_long_g(&word, next) != next * 11;
    shmem_barrier_all();
    shmem_long_p(&word, me + 70, next);
    shmem_barrier_all();
    bad |= word != before + 70;
    word = 0;
    shmem_barrier_all();
    shmem_set_lock(&word);
    shmem_clear_lock(&word);
    shmem_finalize();
    return bad;
}
