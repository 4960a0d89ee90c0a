/* linked_list.c -- a sorted list at PE 0 that grows by compare-and-swap: a node is written and quieted before its link
 * is published; who finds the link reads the node.
 *
 * RUN: -n 2,5 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define NODES 4 /* of each PE */

static struct {
    int key, payload;
} node[1 + 64 * NODES]; /* 0 is the head */
static long next[1 + 64 * NODES];

static void
insert(long new, int key)
{
    int contents[2] = {key, 3 * key};
    shmem_int_put(&node[new].key, contents, 2, 0);
    for (;;) {
        long before = 0, after;
        while ((after = shmem_long_atomic_fetch(&next[before], 0)) != 0 && shmem_int_g(&node[after].key, 0) < key)
            before = after;
        shmem_long_atomic_set(&next[new], after, 0);
        shmem_quiet();
        if (shmem_long_atomic_compare_swap(&next[before], after, new, 0) == after)
            return;
    }
}

int
main(void)
{
    int bad = 0, count = 0, last = -1;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int i = 0; i < NODES; i++)
        insert(1 + me * NODES + i, i * npes + (me * 3) % npes);
    shmem_barrier_all();
    for (long at = 0; me == 0 && (at = shmem_long_atomic_fetch(&next[at], 0)) != 0; count++) {
        bad |= node[at].key < last || node[at].payload != 3 * node[at].key;
        last = node[at].key;
    }
    bad |= me == 0 && count != NODES * npes;
    shmem_finalize();
    return bad;
}
