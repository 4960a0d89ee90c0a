/* profiled.c -- a program that brings its own shmem_int_put and shmem_barrier_all, which count and call pshmem_...
 *
 * RUN: -n 2,4 --seeds 1..3 --rules common,strict
 * RUN: -n 2 --backends direct
 * EXPECT: clean
 */
#include <pshmem.h>
#include <shmem.h>

static int puts_made, barriers, data[4];

__attribute__((visibility("default"))) void
shmem_int_put(int *dest, const int *source, size_t nelems, int pe)
{
    puts_made++;
    pshmem_int_put(dest, source, nelems, pe);
}

__attribute__((visibility("default"))) void
shmem_barrier_all(void)
{
    barriers++;
    pshmem_barrier_all();
}

int
main(void)
{
    int bad = 0, words[4];
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < 4; i++)
        words[i] = 4 * me + i;
    shmem_int_put(data, words, 4, (me + 1) % npes);
    shmem_barrier_all();
    for (int i = 0; i < 4; i++)
        bad |= data[i] != 4 * ((me + npes - 1) % npes) + i;
    shmem_pcontrol(1);
    bad |= puts_made != 1 || barriers != 1;
    shmem_finalize();
    return bad;
}
