/* nested_init.c -- a library that calls init and finalize for itself inside a program that did: the last one counts.
 *
 * RUN: -n 1,3 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static int word;

static int
library(int value)
{
    int level = -1;
    shmem_init_thread(SHMEM_THREAD_SINGLE, &level);
    int me = shmem_my_pe(), npes = shmem_n_pes();
    shmem_int_p(&word, value, (me + 1) % npes);
    shmem_finalize(); /* completes, and does not end */
    return word;
}

int
main(void)
{
    int bad = 0, initialized = -1;
    shmem_query_initialized(&initialized);
    bad |= initialized != 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    bad |= library(me + 5) != (me + npes - 1) % npes + 5;
    shmem_query_initialized(&initialized);
    bad |= initialized != 1 || shmem_int_g(&word, me) != word;
    shmem_finalize();
    shmem_query_initialized(&initialized);
    return bad | (initialized != 0);
}
