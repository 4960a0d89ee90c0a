/* halo_2d.c -- a 2-D stencil on a grid of PEs: rows of the border by put, columns by iput, corners by p, one barrier a
 * step. Compared with the same stencil on one array.
 *
 * RUN: -n 1,4,6 --seeds 1..2 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ROWS 3
#define COLUMNS 4
#define STEPS 3
#define AT(r, c) ((r) * (COLUMNS + 2) + (c))
#define CELLS AT(ROWS + 2, 0)

static long whole[2][4 * ROWS][2 * COLUMNS];

static long
reference(int height, int width, int row, int column)
{
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++)
            whole[0][r][c] = r * 31 + c;
    for (int step = 0; step < STEPS; step++)
        for (int r = 0; r < height; r++)
            for (int c = 0; c < width; c++) {
                long sum = 0;
                for (int d = 0; d < 9; d++)
                    sum += whole[step % 2][(r + d / 3 - 1 + height) % height][(c + d % 3 - 1 + width) % width];
                whole[1 - step % 2][r][c] = sum % 1000;
            }
    return whole[STEPS % 2][row][column];
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), wide = npes % 2 ? 1 : 2, high = npes / wide;
    int x = me % wide, y = me / wide;
#define PE(dx, dy) ((y + (dy) + high) % high * wide + (x + (dx) + wide) % wide)
    long *grid[2] = {shmem_calloc(CELLS, sizeof(long)), shmem_calloc(CELLS, sizeof(long))};
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            grid[0][AT(r + 1, c + 1)] = (y * ROWS + r) * 31 + x * COLUMNS + c;
    for (int step = 0; step < STEPS; step++) {
        long *now = grid[step % 2], *next = grid[1 - step % 2];
        shmem_long_put(&now[AT(ROWS + 1, 1)], &now[AT(1, 1)], COLUMNS, PE(0, -1));
        shmem_long_put(&now[AT(0, 1)], &now[AT(ROWS, 1)], COLUMNS, PE(0, 1));
        shmem_long_iput(&now[AT(1, COLUMNS + 1)], &now[AT(1, 1)], COLUMNS + 2, COLUMNS + 2, ROWS, PE(-1, 0));
        shmem_long_iput(&now[AT(1, 0)], &now[AT(1, COLUMNS)], COLUMNS + 2, COLUMNS + 2, ROWS, PE(1, 0));
        shmem_long_p(&now[AT(ROWS + 1, COLUMNS + 1)], now[AT(1, 1)], PE(-1, -1));
        shmem_long_p(&now[AT(ROWS + 1, 0)], now[AT(1, COLUMNS)], PE(1, -1));
        shmem_long_p(&now[AT(0, COLUMNS + 1)], now[AT(ROWS, 1)], PE(-1, 1));
        shmem_long_p(&now[AT(0, 0)], now[AT(ROWS, COLUMNS)], PE(1, 1));
        shmem_barrier_all();
        for (int r = 1; r <= ROWS; r++)
            for (int c = 1; c <= COLUMNS; c++) {
                long sum = 0;
                for (int d = 0; d < 9; d++)
                    sum += now[AT(r + d / 3 - 1, c + d % 3 - 1)];
                next[AT(r, c)] = sum % 1000;
            }
    }
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            bad |= grid[STEPS % 2][AT(r + 1, c + 1)] !=
                   reference(high * ROWS, wide * COLUMNS, y * ROWS + r, x * COLUMNS + c);
    shmem_free(grid[1]);
    shmem_free(grid[0]);
    shmem_finalize();
    return bad;
}
