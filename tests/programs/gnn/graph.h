/* graph.h -- an undirected graph in compressed rows, loaded the same way by every PE.
 *
 * Neighbours of node v are neighbour[first[v]] .. neighbour[first[v + 1] - 1], ascending and without repetition; an
 * edge stands in both rows. Nodes count from 0. The graph is private memory of the PE that loaded it.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include <stddef.h>

typedef struct graph {
    char name[32];
    long nodes, edges;
    long *first;     /* nodes + 1 */
    long *neighbour; /* 2 * edges */
} graph_t;

/* Loads "karate", "wordnet" (its nouns; each relation between two noun synsets is an edge) or a file of lines "u v"
 * with # comments, whose smallest number is the first node. 0, or -1 after filling `why`. */
int graph_load(graph_t *graph, const char *what, char *why, size_t why_bytes);
void graph_free(graph_t *graph);

static inline long
graph_degree(const graph_t *graph, long node)
{
    return graph->first[node + 1] - graph->first[node];
}

#endif
