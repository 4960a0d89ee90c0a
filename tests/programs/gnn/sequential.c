/* sequential.c -- the answer: the same layers, rounds and levels, computed by one PE on arrays of its own. */
#include "gnn.h"

#include <stdlib.h>
#include <string.h>

/* sum of weight * vector over the neighbours */
static void
neighbours_sum(const graph_t *graph, const long *features, long node, long sum[GNN_FEATURES])
{
    memset(sum, 0, GNN_FEATURES * sizeof *sum);
    for (long e = graph->first[node]; e < graph->first[node + 1]; e++) {
        long u = graph->neighbour[e];
        for (int k = 0; k < GNN_FEATURES; k++)
            sum[k] = gnn_add(sum[k], gnn_times(features[u * GNN_FEATURES + k], graph_degree(graph, u) + 1));
    }
}

static void
layer(const gnn_t *gnn, long *features, long *old, long limit, long self)
{
    const graph_t *graph = &gnn->graph;
    memcpy(old, features, (size_t)graph->nodes * GNN_FEATURES * sizeof *old);
    for (long v = 0; v < limit; v++) {
        long sum[GNN_FEATURES];
        neighbours_sum(graph, old, v, sum);
        for (int k = 0; k < GNN_FEATURES; k++) {
            long *word = &features[v * GNN_FEATURES + k];
            *word = gnn_settle(gnn_add(gnn_times(*word, self), sum[k]));
        }
    }
}

static void
levels(const graph_t *graph, const long *features, long *table)
{
    long *queue = malloc((size_t)graph->nodes * sizeof *queue);
    long *level = malloc((size_t)graph->nodes * sizeof *level);
    if (queue == NULL || level == NULL)
        abort();
    for (long v = 0; v < graph->nodes; v++)
        level[v] = -1;
    long head = 0, tail = 0;
    queue[tail++] = 0;
    level[0] = 0;
    while (head < tail) {
        long v = queue[head++], slot = level[v] < GNN_LEVELS_MAX ? level[v] : GNN_LEVELS_MAX - 1;
        table[2 * slot]++;
        for (int k = 0; k < GNN_FEATURES; k++)
            table[2 * slot + 1] = gnn_add(table[2 * slot + 1], features[v * GNN_FEATURES + k]);
        for (long e = graph->first[v]; e < graph->first[v + 1]; e++) {
            long u = graph->neighbour[e];
            if (level[u] < 0) {
                level[u] = level[v] + 1;
                queue[tail++] = u;
            }
        }
    }
    free(queue);
    free(level);
}

void
gnn_sequential(const gnn_t *gnn, long *features, long *table)
{
    long nodes = gnn->graph.nodes;
    long *old = malloc((size_t)nodes * GNN_FEATURES * sizeof *old);
    if (old == NULL)
        abort();
    for (long v = 0; v < nodes; v++)
        for (int k = 0; k < GNN_FEATURES; k++)
            features[v * GNN_FEATURES + k] = gnn_initial(v, k);
    for (long i = 0; i < gnn->layers; i++)
        layer(gnn, features, old, gnn->limit, 3);
    for (long i = 0; i < gnn->rounds; i++)
        layer(gnn, features, old, nodes, 1);
    memset(table, 0, GNN_LEVELS_MAX * 2 * sizeof *table);
    levels(&gnn->graph, features, table);
    free(old);
}
