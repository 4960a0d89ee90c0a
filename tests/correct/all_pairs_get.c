/* all_pairs_get.c -- interactions of all pairs: everybody's block is fetched by two gets in flight, in a different
 * order on every PE.
 *
 * RUN: -n 1,3,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define BODIES 3

static struct body {
    int position, charge;
} body[BODIES];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    struct body other[2][BODIES];
    long force[BODIES] = {0};
    for (int i = 0; i < BODIES; i++)
        body[i] = (struct body){me * BODIES + i, 1 + i};
    shmem_barrier_all();
    for (int k = 0; k < npes; k++) {
        shmem_getmem_nbi(other[0], body, sizeof other[0], (me + k) % npes);
        shmem_getmem_nbi(other[1], body, sizeof other[1], (me + npes - k) % npes);
        shmem_quiet();
        for (int w = 0; w < 2; w++)
            for (int i = 0; i < BODIES; i++)
                for (int j = 0; j < BODIES; j++)
                    force[i] += (long)body[i].charge * other[w][j].charge * (other[w][j].position - body[i].position);
    }
    for (int i = 0; i < BODIES; i++) {
        long wanted = 0;
        for (int j = 0; j < npes * BODIES; j++)
            wanted += 2L * (1 + i) * (1 + j % BODIES) * (j - (me * BODIES + i));
        bad |= force[i] != wanted;
    }
    shmem_finalize();
    return bad;
}
