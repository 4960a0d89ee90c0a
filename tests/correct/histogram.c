/* histogram.c -- keys counted in bins spread over the PEs by atomic adds, with and without return value.
 *
 * RUN: -n 1,4 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define BINS 12
#define KEYS 60

static unsigned int bin[BINS];

static int
key_of(int pe, int i)
{
    return (pe * 7 + i * i * 5) % BINS;
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < KEYS; i++) {
        int key = key_of(me, i);
        if (i % 3 == 0)
            bad |= shmem_uint_atomic_fetch_add(&bin[key], 2, key % npes) > 2u * KEYS * (unsigned)npes;
        else if (i % 3 == 1)
            shmem_uint_atomic_add(&bin[key], 2, key % npes);
        else {
            shmem_uint_atomic_inc(&bin[key], key % npes);
            shmem_uint_atomic_inc(&bin[key], key % npes);
        }
    }
    shmem_barrier_all();
    for (int b = 0; b < BINS; b++) {
        unsigned int expected = 0;
        for (int pe = 0; pe < npes; pe++)
            for (int i = 0; i < KEYS; i++)
                expected += key_of(pe, i) == b ? 2 : 0;
        bad |= shmem_uint_g(&bin[b], b % npes) != expected;
    }
    shmem_finalize();
    return bad;
}
