/* gnn.h -- what the parts of gnn_aggregate share: the graph, how its nodes are spread over PEs, and the arithmetic.
 *
 * Everything is integer arithmetic modulo 2^64, so a sum is the same in whatever order its terms arrive and the
 * distributed result can be compared with the sequential one bit for bit. Symmetric words are `long`, which every
 * OpenSHMEM has put, get and atomics for; the arithmetic is done unsigned.
 */
#ifndef GNN_H
#define GNN_H

#include "graph.h"

#define GNN_FEATURES 8 /* words of a node's feature vector */
#define GNN_LAYERS_MAX 16
#define GNN_LEVELS_MAX 64 /* deeper levels are counted with the last */

typedef struct gnn {
    graph_t graph;
    int me, npes, cyclic;
    long local_max;                    /* nodes of the PE that has most */
    long layers, rounds, chunk, limit; /* pull layers; push rounds; nodes a ticket gives; nodes that a layer computes */
    /* Symmetric heap. */
    long *now, *next; /* local_max vectors each: before and after a layer */
    long *weight;     /* local_max */
} gnn_t;

/* Which PE has a node, where it has it, and back. */
static inline int
gnn_owner(const gnn_t *gnn, long node)
{
    return (int)(gnn->cyclic ? node % gnn->npes : node / gnn->local_max);
}

static inline long
gnn_local(const gnn_t *gnn, long node)
{
    return gnn->cyclic ? node / gnn->npes : node % gnn->local_max;
}

/* -1 where that PE has no such node. */
static inline long
gnn_node(const gnn_t *gnn, int pe, long local)
{
    long node = gnn->cyclic ? local * gnn->npes + pe : pe * gnn->local_max + local;
    return node < gnn->graph.nodes ? node : -1;
}

static inline long
gnn_add(long a, long b)
{
    return (long)((unsigned long)a + (unsigned long)b);
}

static inline long
gnn_times(long a, long b)
{
    return (long)((unsigned long)a * (unsigned long)b);
}

/* Keeps the words from being a linear function of the input, so that a lost or doubled term cannot cancel. */
static inline long
gnn_settle(long word)
{
    unsigned long w = (unsigned long)word;
    return (long)(w ^ (w >> 29));
}

/* Where every node starts (splitmix64 of node and index). */
static inline long
gnn_initial(long node, int k)
{
    unsigned long z = ((unsigned long)node * GNN_FEATURES + (unsigned long)k + 1) * 0x9e3779b97f4a7c15UL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
    return (long)(z ^ (z >> 31));
}

/* gnn_frontier.c: breadth-first levels from node 0; each level's population and feature sum go to a table spread over
 * the PEs (entry `level` lies on PE level % npes). gnn_table_get reads an entry; call it after a barrier. */
void gnn_frontier(gnn_t *gnn);
void gnn_table_get(const gnn_t *gnn, int level, long entry[2]);

/* gnn/sequential.c: all of it again on one PE, in private memory. features: nodes * GNN_FEATURES words;
 * table: GNN_LEVELS_MAX entries of two words. */
void gnn_sequential(const gnn_t *gnn, long *features, long *table);

#endif
