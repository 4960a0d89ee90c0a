/* game_of_life.c -- rows in blocks, the neighbours' border rows fetched by get, generations separated by a barrier.
 *
 * RUN: -n 1,2,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>
#include <string.h>

#define SIDE 8
#define GENERATIONS 16

static char world[2][SIDE][SIDE];

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), rows = SIDE / npes, first = me * rows;
    static const int glider[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    for (int i = 0; i < 5; i++)
        if (glider[i][0] / rows == me)
            world[0][glider[i][0]][glider[i][1]] = 1;
    shmem_sync_all();
    for (int g = 0; g < GENERATIONS; g++) {
        char(*now)[SIDE] = world[g % 2], (*next)[SIDE] = world[1 - g % 2], area[SIDE + 2][SIDE];
        int above = (first + SIDE - 1) % SIDE, below = (first + rows) % SIDE;
        shmem_char_get_nbi(area[0], now[above], SIDE, above / rows);
        shmem_char_get_nbi(area[rows + 1], now[below], SIDE, below / rows);
        memcpy(area[1], now[first], (size_t)rows * SIDE);
        shmem_quiet();
        for (int r = 1; r <= rows; r++)
            for (int c = 0; c < SIDE; c++) {
                int around = -area[r][c];
                for (int d = 0; d < 9; d++)
                    around += area[r + d / 3 - 1][(c + d % 3 - 1 + SIDE) % SIDE];
                next[first + r - 1][c] = around == 3 || (around == 2 && area[r][c]);
            }
        shmem_sync_all();
    }
    /* After 4 generations a glider is one further down and to the right. */
    for (int i = 0; i < 5; i++) {
        int row = glider[i][0] + GENERATIONS / 4, column = glider[i][1] + GENERATIONS / 4;
        bad |= row / rows == me && world[GENERATIONS % 2][row][column] != 1;
    }
    shmem_finalize();
    return bad;
}
