/* graph.h -- a directed graph that answers "is there a way from a to b", after close_graph(). For tests: bits, no
 * cleverness. */
#ifndef GRAPH_H
#define GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define NODES 1024
#define WORDS (NODES / 64)

static uint64_t reach[NODES][WORDS];
static int nnodes;

static int
node(void)
{
    assert_true(nnodes < NODES);
    memset(reach[nnodes], 0, sizeof reach[nnodes]);
    return nnodes++;
}

static void
edge(int a, int b)
{
    if (a >= 0 && b >= 0)
        reach[a][b / 64] |= UINT64_C(1) << b % 64;
}

static bool
reaches(int a, int b)
{
    return reach[a][b / 64] >> b % 64 & 1;
}

static void
close_graph(void)
{
    for (int k = 0; k < nnodes; k++)
        for (int i = 0; i < nnodes; i++)
            if (reaches(i, k))
                for (int w = 0; w < WORDS; w++)
                    reach[i][w] |= reach[k][w];
}

#endif
