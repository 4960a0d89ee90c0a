/* collect_uneven.c -- collect where each PE brings as many elements as it likes, some none; the sizes by fcollect
 * first.
 *
 * RUN: -n 1,3,6 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define MOST 4

static size_t own, sizes[64];
static short source[MOST], all[64 * MOST];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    own = (size_t)(me * 3 % (MOST + 1));
    for (size_t i = 0; i < own; i++)
        source[i] = (short)(me * 100 + (int)i);
    shmem_size_fcollect(SHMEM_TEAM_WORLD, sizes, &own, 1);
    shmem_short_collect(SHMEM_TEAM_WORLD, all, source, own);
    size_t at = 0;
    for (int pe = 0; pe < npes; pe++) {
        bad |= sizes[pe] != (size_t)(pe * 3 % (MOST + 1));
        for (size_t i = 0; i < sizes[pe]; i++)
            bad |= all[at++] != pe * 100 + (int)i;
    }
    shmem_finalize();
    return bad;
}
