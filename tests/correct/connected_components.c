/* connected_components.c -- union-find over all PEs: roots are hooked by compare-and-swap, paths read by atomic fetch.
 *
 * RUN: -n 1,3,4 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define VERTICES 24

static int up[VERTICES]; /* parent + 1 of vertex v at PE v % npes; 0 is a root */

static int
root_of(int v)
{
    for (int next, npes = shmem_n_pes(); (next = shmem_int_atomic_fetch(&up[v], v % npes)) != 0;)
        v = next - 1;
    return v;
}

static void
join(int a, int b)
{
    for (int npes = shmem_n_pes();;) {
        a = root_of(a);
        b = root_of(b);
        if (a == b)
            return;
        int high = a > b ? a : b, low = a > b ? b : a;
        if (shmem_int_atomic_compare_swap(&up[high], 0, low + 1, high % npes) == 0)
            return;
    }
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int v = me; v + 3 < VERTICES; v += npes)
        join(v, v + 3); /* three components */
    shmem_barrier_all();
    for (int v = 0; v < VERTICES; v++)
        bad |= root_of(v) != v % 3;
    shmem_barrier_all();
    shmem_finalize();
    return bad;
}
