/* matrix_multiply.c -- C = A B, all by rows: blocks of B go round, the next is fetched by get_nbi while this one
 * is used.
 *
 * RUN: -n 1,2,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define ROWS 2 /* of each PE */
#define MAX 16

static int b[ROWS][MAX];

int
main(void)
{
    int bad = 0, a[ROWS][MAX], c[ROWS][MAX] = {0}, block[2][ROWS][MAX];
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), side = ROWS * npes;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < side; j++) {
            a[i][j] = me * ROWS + i + j;
            b[i][j] = (me * ROWS + i) * 2 - j;
        }
    shmem_barrier_all();
    shmem_int_get(&block[0][0][0], &b[0][0], ROWS * MAX, me);
    for (int step = 0; step < npes; step++) {
        int owner = (me + step) % npes, now = step % 2;
        if (step + 1 < npes)
            shmem_int_get_nbi(&block[1 - now][0][0], &b[0][0], ROWS * MAX, (owner + 1) % npes);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < side; j++)
                for (int k = 0; k < ROWS; k++)
                    c[i][j] += a[i][owner * ROWS + k] * block[now][k][j];
        shmem_quiet();
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < side; j++) {
            int sum = 0;
            for (int k = 0; k < side; k++)
                sum += (me * ROWS + i + k) * (2 * k - j);
            bad |= c[i][j] != sum;
        }
    shmem_finalize();
    return bad;
}
