/* conjugate_gradient.c -- a solver in which reductions, gets of neighbours and stores alternate many times.
 *
 * RUN: -n 1,2,4 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <math.h>
#include <shmem.h>

#define CELLS 4

static double p[CELLS], mine, sum;

static double
total(double part)
{
    mine = part;
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
    double result = sum;
    shmem_sync_all(); /* everybody has read sum */
    return result;
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    double x[CELLS] = {0}, r[CELLS], q[CELLS], rho = 0;
    for (int i = 0; i < CELLS; i++) {
        r[i] = p[i] = 1;
        rho += r[i] * r[i];
    }
    rho = total(rho);
    for (int step = 0; step < CELLS * npes && rho > 1e-20; step++) {
        shmem_barrier_all(); /* p is there */
        double left = me > 0 ? shmem_double_g(&p[CELLS - 1], me - 1) : 0;
        double right = me + 1 < npes ? shmem_double_g(&p[0], me + 1) : 0;
        double pq = 0, next = 0;
        for (int i = 0; i < CELLS; i++) {
            q[i] = 2 * p[i] - (i > 0 ? p[i - 1] : left) - (i + 1 < CELLS ? p[i + 1] : right);
            pq += p[i] * q[i];
        }
        double alpha = rho / total(pq); /* everybody has what he needs of p now */
        for (int i = 0; i < CELLS; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            next += r[i] * r[i];
        }
        next = total(next);
        for (int i = 0; i < CELLS; i++)
            p[i] = r[i] + next / rho * p[i];
        rho = next;
    }
    int n = CELLS * npes; /* -u'' = 1 has the solution i (n + 1 - i) / 2 */
    for (int i = 0; i < CELLS; i++) {
        double at = me * CELLS + i + 1;
        bad |= fabs(x[i] - at * (n + 1 - at) / 2) > 1e-6;
    }
    shmem_finalize();
    return bad;
}
