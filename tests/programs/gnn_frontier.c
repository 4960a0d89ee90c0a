/* gnn_frontier.c -- breadth-first search with work queues in symmetric memory that grow, and a table behind a lock.
 *
 * Every PE has a queue of its own nodes that somebody has discovered. A level goes: expand what the queue holds;
 * reserve room in the owners' queues by fetch-add on their tails; barrier; grow all queues together if one of them is
 * too short; put the discovered nodes into the reserved room; barrier. Tails change only before the first barrier of a
 * level and are read only between the two, so all PEs see the same tails and take the same decision to grow or to stop.
 *
 * With -DBUG_OLD_POINTER the nodes are put through the pointer from before the growth, with -DBUG_OLD_POINTER_LOAD the
 * queue is read through it; with -DBUG_NO_LOCK the table is updated without its lock.
 *
 * SOURCES: gnn_aggregate.c gnn/sequential.c gnn/graph.c
 * RUN: -n 2,5,8 --seeds 1..3 --status 66
 *
 * VARIANT old_pointer: -DBUG_OLD_POINTER
 * EXPECT: lifetime A=shmem_long_put R:realloc times=1.. ...
 *
 * VARIANT old_pointer_load: -DBUG_OLD_POINTER_LOAD
 * EXPECT: lifetime B=load R:realloc times=1.. ...
 *
 * VARIANT no_lock: -DBUG_NO_LOCK
 * EXPECT: race object=table C=shmem_long_get D=shmem_long_put times=1.. ...
 * EXPECT: race object=table D=shmem_long_put D=shmem_long_put times=1.. ...
 */
#include "gnn/gnn.h"

#include <shmem.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_FIRST 4 /* small, so that even a small graph makes the queue grow */

typedef struct frontier {
    gnn_t *gnn;
    long *queue, capacity; /* symmetric; the same capacity on every PE */
    long head, tail;       /* entries of the own queue that this level expands */
    long *queue_before_growth;
    long *level;           /* of own nodes; -1: not reached */
    char *sent;            /* by node: this PE has pushed it already */
    long *found, nfound;   /* nodes discovered in this level */
    long *grouped, *start; /* found, by owner; start[npes + 1] */
} frontier_t;

static long queue_tail; /* entries reserved in this PE's queue */
static long table[GNN_LEVELS_MAX][2];
static long table_lock; /* of the entries on this PE: 0, or 1 + the holder */

static void *
must(void *memory)
{
    if (memory == NULL)
        shmem_global_exit(3);
    return memory;
}

static void
queue_fill(frontier_t *f, long from)
{
    for (long i = from; i < f->capacity; i++)
        f->queue[i] = -1;
}

/* New nodes of the queue's entries get their level, and their neighbours are noted in `found`. */
static void
expand(frontier_t *f, long level)
{
    const graph_t *graph = &f->gnn->graph;
    f->nfound = 0;
    for (long i = f->head; i < f->tail; i++) {
#ifdef BUG_OLD_POINTER_LOAD
        long v = f->queue_before_growth[i]; // <- B
#else
        long v = f->queue[i];
#endif
        if (v < 0 || v >= graph->nodes || f->level[gnn_local(f->gnn, v)] >= 0)
            continue; /* pushed by several PEs */
        f->level[gnn_local(f->gnn, v)] = level;
        for (long e = graph->first[v]; e < graph->first[v + 1]; e++) {
            long u = graph->neighbour[e];
            if (!f->sent[u])
                f->found[f->nfound++] = u;
            f->sent[u] = 1;
        }
    }
}

static void
group_by_owner(frontier_t *f)
{
    int npes = f->gnn->npes;
    memset(f->start, 0, (size_t)(npes + 1) * sizeof *f->start);
    for (long i = 0; i < f->nfound; i++)
        f->start[gnn_owner(f->gnn, f->found[i]) + 1]++;
    for (int pe = 0; pe < npes; pe++)
        f->start[pe + 1] += f->start[pe];
    for (long i = 0; i < f->nfound; i++)
        f->grouped[f->start[gnn_owner(f->gnn, f->found[i])]++] = f->found[i];
    for (int pe = npes; pe > 0; pe--) /* each start has moved to the next one's place */
        f->start[pe] = f->start[pe - 1];
    f->start[0] = 0;
}

/* All PEs together: room for `needed` entries in every queue. */
static void
grow(frontier_t *f, long needed)
{
    long old = f->capacity;
    while (f->capacity < needed)
        f->capacity *= 2;
    f->queue = must(shmem_realloc(f->queue, (size_t)f->capacity * sizeof *f->queue)); // <- R
    queue_fill(f, old);
    shmem_barrier_all(); /* filled before anybody puts into it */
}

/* Pushes `grouped` to its owners. False when nobody found anything. *sum: entries in all queues. */
static int
push_found(frontier_t *f, long *sum)
{
    int npes = f->gnn->npes;
    long slot[npes];
    for (int pe = 0; pe < npes; pe++) {
        long count = f->start[pe + 1] - f->start[pe];
        slot[pe] = count > 0 ? shmem_long_atomic_fetch_add(&queue_tail, count, pe) : 0;
    }
    shmem_barrier_all();
    long total = 0, longest = 0;
    for (int pe = 0; pe < npes; pe++) {
        long tail = shmem_long_atomic_fetch(&queue_tail, pe);
        total += tail;
        longest = tail > longest ? tail : longest;
        if (pe == f->gnn->me) {
            f->head = f->tail;
            f->tail = tail;
        }
    }
    if (total == *sum)
        return 0;
    *sum = total;
    f->queue_before_growth = f->queue;
    if (longest > f->capacity)
        grow(f, longest);
    for (int pe = 0; pe < npes; pe++) {
        long count = f->start[pe + 1] - f->start[pe];
        if (count == 0)
            continue;
#ifdef BUG_OLD_POINTER
        shmem_long_put(f->queue_before_growth + slot[pe], f->grouped + f->start[pe], (size_t)count, pe); // <- A
#else
        shmem_long_put(f->queue + slot[pe], f->grouped + f->start[pe], (size_t)count, pe);
#endif
    }
    shmem_barrier_all();
    return 1;
}

static void
table_add(const gnn_t *gnn, int level, const long entry[2])
{
    int home = level % gnn->npes;
    long seen[2];
#ifndef BUG_NO_LOCK
    while (shmem_long_atomic_compare_swap(&table_lock, 0, 1 + gnn->me, home) != 0)
        ;
#endif
    shmem_long_get(seen, table[level], 2, home); // <- C
    seen[0] += entry[0];
    seen[1] = gnn_add(seen[1], entry[1]);
    shmem_long_put(table[level], seen, 2, home); // <- D
    shmem_quiet();                               /* the next holder must find it */
    shmem_long_atomic_set(&table_lock, 0, home);
}

/* This PE's nodes of each level, added to the table. */
static void
tabulate(frontier_t *f)
{
    gnn_t *gnn = f->gnn;
    long mine[GNN_LEVELS_MAX][2] = {{0}};
    for (long i = 0; i < gnn->local_max; i++) {
        if (f->level[i] < 0)
            continue;
        long *entry = mine[f->level[i] < GNN_LEVELS_MAX ? f->level[i] : GNN_LEVELS_MAX - 1];
        entry[0]++;
        for (int k = 0; k < GNN_FEATURES; k++)
            entry[1] = gnn_add(entry[1], gnn->now[i * GNN_FEATURES + k]);
    }
    for (int level = 0; level < GNN_LEVELS_MAX; level++)
        if (mine[level][0] > 0)
            table_add(gnn, level, mine[level]);
}

void
gnn_table_get(const gnn_t *gnn, int level, long entry[2])
{
    shmem_long_get(entry, table[level], 2, level % gnn->npes);
}

void
gnn_frontier(gnn_t *gnn)
{
    size_t nodes = (size_t)gnn->graph.nodes;
    frontier_t f = {.gnn = gnn, .capacity = QUEUE_FIRST};
    f.queue = must(shmem_malloc(QUEUE_FIRST * sizeof *f.queue));
    f.queue_before_growth = f.queue;
    f.level = must(malloc((size_t)gnn->local_max * sizeof *f.level));
    f.sent = must(calloc(nodes, 1));
    f.found = must(malloc(nodes * sizeof *f.found));
    f.grouped = must(malloc(nodes * sizeof *f.grouped));
    f.start = must(malloc((size_t)(gnn->npes + 1) * sizeof *f.start));
    for (long i = 0; i < gnn->local_max; i++)
        f.level[i] = -1;
    queue_fill(&f, 0);
    if (gnn_owner(gnn, 0) == gnn->me) {
        f.queue[0] = 0;
        f.tail = queue_tail = 1;
    }
    shmem_barrier_all();

    long sum = 1, level = 0;
    do {
        expand(&f, level++);
        group_by_owner(&f);
    } while (push_found(&f, &sum));
    tabulate(&f);

    shmem_free(f.queue);
    free(f.level);
    free(f.sent);
    free(f.found);
    free(f.grouped);
    free(f.start);
}
