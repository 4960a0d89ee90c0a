/* block_tiles.c -- tiles of a matrix by ibput and ibget of several element sizes, each PE the tile of its number.
 *
 * RUN: -n 1,2,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define TILE 2
#define WIDTH (4 * TILE)

static int32_t matrix[TILE * 2][WIDTH];
static double real[TILE][WIDTH];

int
main(void)
{
    int bad = 0;
    int32_t tile[TILE][TILE], back[TILE * 2][TILE];
    double row[TILE * TILE];
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < TILE * TILE; i++) {
        tile[i / TILE][i % TILE] = 100 * me + i;
        row[i] = me + i / 10.0;
    }
    for (int pe = 0; pe < npes; pe++) {
        shmem_ibput32(&matrix[TILE][me * TILE], &tile[0][0], WIDTH, TILE, TILE, TILE, pe);
        shmem_double_ibput(&real[0][me * TILE], row, WIDTH, TILE, TILE, TILE, pe);
    }
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) {
        shmem_int32_ibget(&back[0][0], &matrix[TILE][pe * TILE], 2 * TILE, WIDTH, TILE, TILE, (me + 1) % npes);
        for (int i = 0; i < TILE; i++)
            for (int j = 0; j < TILE; j++) {
                bad |= back[2 * i][j] != 100 * pe + i * TILE + j || matrix[i][pe * TILE + j] != 0;
                bad |= real[i][pe * TILE + j] != pe + (i * TILE + j) / 10.0;
            }
    }
    shmem_finalize();
    return bad;
}
