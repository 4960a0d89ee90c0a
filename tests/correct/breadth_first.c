/* breadth_first.c -- levels of a graph whose vertices are spread over the PEs: a parent is claimed by compare-and-swap,
 * the claimed vertex is queued at its owner by fetch_inc and p, a barrier ends the level.
 *
 * RUN: -n 1,2,5 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define VERTICES 40
#define NONE (-1)

static int parent[VERTICES], queue[2][VERTICES], level[VERTICES], longest, mine;
static int tail[2];

int
main(void)
{
    int bad = 0, expected[VERTICES] = {0};
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int v = 0; v < VERTICES; v++)
        parent[v] = NONE;
    if (me == 0) {
        parent[0] = 0;
        queue[0][0] = 0;
        tail[0] = 1;
    }
    shmem_barrier_all();
    for (int depth = 0;; depth++) {
        int now = depth % 2, next = 1 - now, n = tail[now];
        for (int i = 0; i < n; i++) {
            int v = queue[now][i], to[2] = {(2 * v + 1) % VERTICES, (3 * v + 2) % VERTICES};
            level[v] = depth;
            for (int k = 0; k < 2; k++) {
                int owner = to[k] % npes;
                if (shmem_int_atomic_compare_swap(&parent[to[k]], NONE, v, owner) == NONE)
                    shmem_int_p(&queue[next][shmem_int_atomic_fetch_inc(&tail[next], owner)], to[k], owner);
            }
        }
        shmem_barrier_all();
        tail[now] = 0;
        mine = tail[next];
        shmem_int_max_reduce(SHMEM_TEAM_WORLD, &longest, &mine, 1);
        if (longest == 0)
            break;
        shmem_sync_all(); /* longest is read before the next one comes */
    }
    for (int depth = 1; depth <= VERTICES; depth++)
        for (int v = 0; v < VERTICES; v++)
            for (int k = 0; k < 2; k++) {
                int to = (k ? 3 * v + 2 : 2 * v + 1) % VERTICES;
                if ((v == 0 ? depth == 1 : expected[v] == depth - 1 && depth > 1) && to != 0 && expected[to] == 0)
                    expected[to] = depth;
            }
    for (int v = me; v < VERTICES; v += npes)
        bad |= level[v] != expected[v] || (parent[v] == NONE) != (v != 0 && expected[v] == 0);
    shmem_finalize();
    return bad;
}
