/* gnn_aggregate.c -- neighbour aggregation on a graph spread over PEs, and a check of the result bit for bit.
 *
 * The irregular, one-sided kind of program that a graph neural network's aggregation is. Three phases:
 *   pull      tickets from a fetch-add counter give out chunks of nodes; whoever has a chunk gets the feature vectors
 *             of its nodes' neighbours from wherever they are, and puts the results to their owners. Barriers end
 * layers.
 *   push      every PE sends each other one the sums it has for that one's nodes: put, quiet, atomic flag. The receiver
 *             waits on the flag, and allows the next message by an atomic acknowledgement. No barrier.
 *   frontier  gnn_frontier.c: breadth-first search with queues that grow, a table behind a compare-and-swap lock.
 * PE 0 then computes everything alone (gnn/sequential.c) and compares.
 *
 *     gnn_aggregate [--graph karate|wordnet|FILE] [--dist cyclic|block] [--layers N] [--rounds N] [--chunk N]
 *                   [--limit N]
 *
 * The answer does not depend on the number of PEs, the distribution, the seed or the network. With -DBUG_NO_QUIET the
 * last push forgets its quiet; gnn_frontier.c has the other faults.
 *
 * SOURCES: gnn_frontier.c gnn/sequential.c gnn/graph.c
 *
 * VARIANT karate:
 * RUN: -n 1,2,5,8,16 --seeds 1..2 --rules strict,common
 * RUN: -n 8 --seeds 1..2 --nets ideal,ordered --contexts fiber,thread
 * RUN: -n 1,8 --backends direct
 * RUN: -n 5,8 --seeds 3 --args "--dist block --chunk 1" --hooks yes,no
 * EXPECT: clean
 * STDOUT~ gnn_aggregate: 34 nodes, 78 edges,
 * STDOUT~ PEs: checksum da1a01c8b5cd1e0e verified
 *
 * VARIANT rounds:
 * RUN: -n 3,8 --seeds 1..3 --args "--dist block --layers 2 --rounds 5" --hooks yes,no
 * EXPECT: clean
 * STDOUT~ gnn_aggregate: 34 nodes, 78 edges,
 * STDOUT~ PEs: checksum 9e7168633ed94df4 verified
 *
 * VARIANT wordnet:
 * RUN: -n 4 --seeds 1 --choosers random --args "--graph wordnet" --timeout 180
 * RUN: -n 8 --backends direct --args "--graph wordnet --limit 0 --layers 2" --timeout 180
 * EXPECT: clean
 * STDOUT~ gnn_aggregate: 82115 nodes, 115310 edges,
 * STDOUT~ verified
 *
 * VARIANT no_quiet: -DBUG_NO_QUIET
 * RUN: -n 2,5,8 --seeds 1..3 --status 66
 * EXPECT: race A=shmem_long_put B=load times=1.. ...
 */
#include "gnn/gnn.h"

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 8                 /* vectors fetched at a time by get_nbi */
#define ITEM (1 + GNN_FEATURES) /* of a push message: the receiver's index of the node, and its vector */

static long ticket[GNN_LAYERS_MAX]; /* PE 0's copies count; one a layer, so that none is ever reset */

typedef struct push {
    gnn_t *gnn;
    long *inbox;      /* symmetric: one message from each PE, of up to local_max items */
    long *flag, *ack; /* symmetric, one a PE: round sent to me, round that it has taken from me */
    long *outbox, *position, *sum;
    long *incoming; /* items that each PE sends to this one */
} push_t;

static void *
must(void *memory)
{
    if (memory == NULL)
        shmem_global_exit(3);
    return memory;
}

static void
add_weighted(long sum[GNN_FEATURES], const long *vector, long weight)
{
    for (int k = 0; k < GNN_FEATURES; k++)
        sum[k] = gnn_add(sum[k], gnn_times(vector[k], weight));
}

static long
weight_of(const gnn_t *gnn, long node)
{
    int pe = gnn_owner(gnn, node);
    const long *weight = &gnn->weight[gnn_local(gnn, node)];
    return pe == gnn->me ? *weight : shmem_long_g(weight, pe);
}

/* sum of weight * vector over the neighbours: one get each for few, batches of get_nbi for many. */
static void
gather(const gnn_t *gnn, long node, long sum[GNN_FEATURES])
{
    const long *neighbour = gnn->graph.neighbour + gnn->graph.first[node];
    long degree = graph_degree(&gnn->graph, node), vector[BATCH][GNN_FEATURES];
    memset(sum, 0, GNN_FEATURES * sizeof *sum);
    for (long begin = 0; begin < degree; begin += BATCH) {
        long count = degree - begin < BATCH ? degree - begin : BATCH;
        for (long i = 0; i < count; i++) {
            long u = neighbour[begin + i];
            const long *source = gnn->now + gnn_local(gnn, u) * GNN_FEATURES;
            if (degree <= 2)
                shmem_long_get(vector[i], source, GNN_FEATURES, gnn_owner(gnn, u));
            else
                shmem_long_get_nbi(vector[i], source, GNN_FEATURES, gnn_owner(gnn, u));
        }
        if (degree > 2)
            shmem_quiet();
        for (long i = 0; i < count; i++)
            add_weighted(sum, vector[i], weight_of(gnn, neighbour[begin + i]));
    }
}

static void
pull_node(const gnn_t *gnn, long node)
{
    int owner = gnn_owner(gnn, node);
    long at = gnn_local(gnn, node) * GNN_FEATURES, self[GNN_FEATURES], sum[GNN_FEATURES];
    gather(gnn, node, sum);
    if (owner == gnn->me)
        memcpy(self, gnn->now + at, sizeof self);
    else
        shmem_long_get(self, gnn->now + at, GNN_FEATURES, owner);
    for (int k = 0; k < GNN_FEATURES; k++)
        self[k] = gnn_settle(gnn_add(gnn_times(self[k], 3), sum[k]));
    shmem_long_put(gnn->next + at, self, GNN_FEATURES, owner);
}

static void
pull_layer(gnn_t *gnn, long layer)
{
    for (long i = 0; i < gnn->local_max; i++) { /* what the layer does not compute stays */
        long node = gnn_node(gnn, gnn->me, i);
        if (node >= gnn->limit)
            memcpy(gnn->next + i * GNN_FEATURES, gnn->now + i * GNN_FEATURES, GNN_FEATURES * sizeof(long));
    }
    for (;;) {
        long from = shmem_long_atomic_fetch_add(&ticket[layer], 1, 0) * gnn->chunk;
        if (from >= gnn->limit)
            break;
        for (long node = from; node < from + gnn->chunk && node < gnn->limit; node++)
            pull_node(gnn, node);
    }
    shmem_barrier_all();
    long *swap = gnn->now;
    gnn->now = gnn->next;
    gnn->next = swap;
}

/* Sums over own nodes u for the nodes of PE `to`, as items in the outbox; or, for this PE itself, into push->sum. */
static long
push_pack(push_t *push, int to)
{
    gnn_t *gnn = push->gnn;
    const graph_t *graph = &gnn->graph;
    long items = 0;
    for (long i = 0; i < gnn->local_max; i++)
        push->position[i] = -1;
    for (long i = 0; i < gnn->local_max; i++) {
        long u = gnn_node(gnn, gnn->me, i);
        for (long e = u < 0 ? 0 : graph->first[u]; e < (u < 0 ? 0 : graph->first[u + 1]); e++) {
            long v = graph->neighbour[e], local = gnn_local(gnn, v);
            if (gnn_owner(gnn, v) != to)
                continue;
            long *sum = push->sum + local * GNN_FEATURES;
            if (to != gnn->me) {
                if (push->position[local] < 0) {
                    push->position[local] = items;
                    memset(push->outbox + items * ITEM, 0, ITEM * sizeof(long));
                    push->outbox[items++ * ITEM] = local;
                }
                sum = push->outbox + push->position[local] * ITEM + 1;
            }
            add_weighted(sum, gnn->now + i * GNN_FEATURES, gnn->weight[i]);
        }
    }
    return items;
}

static void
push_send(push_t *push, int to, long round)
{
    gnn_t *gnn = push->gnn;
    long items = push_pack(push, to);
    if (to == gnn->me || items == 0)
        return;
    shmem_long_wait_until(&push->ack[to], SHMEM_CMP_GE, round - 1); /* the message before has been taken */
    shmem_long_put(push->inbox + gnn->me * gnn->local_max * ITEM, push->outbox, (size_t)(items * ITEM), to); // <- A
#ifdef BUG_NO_QUIET
    if (round < gnn->rounds)
#endif
        shmem_quiet();
    shmem_long_atomic_set(&push->flag[gnn->me], round, to);
}

static void
push_receive(push_t *push, int from, long round)
{
    gnn_t *gnn = push->gnn;
    if (push->incoming[from] == 0)
        return;
    const long *message = push->inbox + from * gnn->local_max * ITEM;
    shmem_long_wait_until(&push->flag[from], SHMEM_CMP_GE, round);
    for (long i = 0; i < push->incoming[from] * ITEM; i++)
        push->outbox[i] = message[i]; // <- B
    shmem_long_atomic_set(&push->ack[gnn->me], round, from);
    for (long i = 0; i < push->incoming[from]; i++) {
        long local = push->outbox[i * ITEM];
        if (local >= 0 && local < gnn->local_max)
            add_weighted(push->sum + local * GNN_FEATURES, push->outbox + i * ITEM + 1, 1);
    }
}

static void
push_round(push_t *push, long round)
{
    gnn_t *gnn = push->gnn;
    memset(push->sum, 0, (size_t)(gnn->local_max * GNN_FEATURES) * sizeof *push->sum);
    for (int i = 0; i < gnn->npes; i++)
        push_send(push, (gnn->me + i) % gnn->npes, round);
    for (int i = 1; i < gnn->npes; i++)
        push_receive(push, (gnn->me + i) % gnn->npes, round);
    for (long i = 0; i < gnn->local_max * GNN_FEATURES; i++)
        gnn->now[i] = gnn_settle(gnn_add(gnn->now[i], push->sum[i]));
}

/* How many of this PE's nodes have a neighbour on each PE: that many items will come from there. */
static void
push_expect(push_t *push)
{
    gnn_t *gnn = push->gnn;
    const graph_t *graph = &gnn->graph;
    for (int pe = 0; pe < gnn->npes; pe++)
        push->incoming[pe] = 0;
    for (long i = 0; i < gnn->local_max; i++) {
        long v = gnn_node(gnn, gnn->me, i);
        char seen[gnn->npes];
        memset(seen, 0, sizeof seen);
        for (long e = v < 0 ? 0 : graph->first[v]; e < (v < 0 ? 0 : graph->first[v + 1]); e++) {
            int owner = gnn_owner(gnn, graph->neighbour[e]);
            push->incoming[owner] += !seen[owner];
            seen[owner] = 1;
        }
    }
}

static void
push_phase(gnn_t *gnn)
{
    size_t npes = (size_t)gnn->npes, local_max = (size_t)gnn->local_max;
    push_t push = {.gnn = gnn};
    push.inbox = must(shmem_calloc(npes * local_max * ITEM, sizeof *push.inbox));
    push.flag = must(shmem_calloc(npes, sizeof *push.flag));
    push.ack = must(shmem_calloc(npes, sizeof *push.ack));
    push.outbox = must(malloc(local_max * ITEM * sizeof *push.outbox));
    push.position = must(malloc(local_max * sizeof *push.position));
    push.sum = must(malloc(local_max * GNN_FEATURES * sizeof *push.sum));
    push.incoming = must(malloc(npes * sizeof *push.incoming));
    push_expect(&push);
    for (long round = 1; round <= gnn->rounds; round++)
        push_round(&push, round);
    shmem_free(push.inbox);
    shmem_free(push.flag);
    shmem_free(push.ack);
    free(push.outbox);
    free(push.position);
    free(push.sum);
    free(push.incoming);
}

/* PE 0: everything again, alone. Returns whether it is the same; *checksum is of what the PEs computed. */
static int
verify(const gnn_t *gnn, unsigned long *checksum)
{
    size_t nodes = (size_t)gnn->graph.nodes, block = (size_t)gnn->local_max * GNN_FEATURES;
    long *expected = must(malloc(nodes * GNN_FEATURES * sizeof *expected));
    long *computed = must(malloc(block * sizeof *computed)), table[GNN_LEVELS_MAX][2], entry[2];
    int same = 1;
    gnn_sequential(gnn, expected, table[0]);
    *checksum = 0;
    for (int pe = 0; pe < gnn->npes; pe++) {
        shmem_long_get(computed, gnn->now, block, pe);
        for (long i = 0; i < gnn->local_max; i++) {
            long node = gnn_node(gnn, pe, i);
            for (int k = 0; node >= 0 && k < GNN_FEATURES; k++) {
                long word = computed[i * GNN_FEATURES + k];
                same &= word == expected[node * GNN_FEATURES + k];
                *checksum += (unsigned long)word * (2 * (unsigned long)(node * GNN_FEATURES + k) + 1);
            }
        }
    }
    for (int level = 0; level < GNN_LEVELS_MAX; level++) {
        gnn_table_get(gnn, level, entry);
        same &= entry[0] == table[level][0] && entry[1] == table[level][1];
    }
    free(expected);
    free(computed);
    return same;
}

/* 0, or the exit status. */
static int
aggregate(gnn_t *gnn)
{
    unsigned long checksum;
    int same = 1;
    gnn->local_max = (gnn->graph.nodes + gnn->npes - 1) / gnn->npes;
    if (gnn->limit <= 0 || gnn->limit > gnn->graph.nodes)
        gnn->limit = gnn->graph.nodes;
    size_t local_max = (size_t)gnn->local_max;
    gnn->now = must(shmem_calloc(local_max * GNN_FEATURES, sizeof *gnn->now));
    gnn->next = must(shmem_calloc(local_max * GNN_FEATURES, sizeof *gnn->next));
    gnn->weight = must(shmem_calloc(local_max, sizeof *gnn->weight));
    for (long i = 0; i < gnn->local_max; i++) {
        long node = gnn_node(gnn, gnn->me, i);
        for (int k = 0; node >= 0 && k < GNN_FEATURES; k++)
            gnn->now[i * GNN_FEATURES + k] = gnn_initial(node, k);
        gnn->weight[i] = node < 0 ? 0 : graph_degree(&gnn->graph, node) + 1;
    }
    shmem_barrier_all();
    for (long layer = 0; layer < gnn->layers; layer++)
        pull_layer(gnn, layer);
    push_phase(gnn);
    gnn_frontier(gnn);
    shmem_barrier_all();
    if (gnn->me == 0) {
        same = verify(gnn, &checksum);
        printf("gnn_aggregate: %ld nodes, %ld edges, %d PEs: checksum %016lx %s\n", gnn->graph.nodes, gnn->graph.edges,
               gnn->npes, checksum, same ? "verified" : "WRONG");
    }
    shmem_free(gnn->now);
    shmem_free(gnn->next);
    shmem_free(gnn->weight);
    return same ? 0 : 1;
}

/* The value of --name, or `missing`. */
static const char *
option(int argc, char **argv, const char *name, const char *missing)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return argv[i + 1];
    return missing;
}

int
main(int argc, char **argv)
{
    char why[1200];
    gnn_t gnn = {0};
    int status = 2;
    const char *what = option(argc, argv, "--graph", "karate");
    int large = strcmp(what, "wordnet") == 0;
    shmem_init();
    gnn.me = shmem_my_pe();
    gnn.npes = shmem_n_pes();
    gnn.cyclic = strcmp(option(argc, argv, "--dist", "cyclic"), "block") != 0;
    gnn.layers = strtol(option(argc, argv, "--layers", large ? "1" : "3"), NULL, 10);
    gnn.rounds = strtol(option(argc, argv, "--rounds", large ? "1" : "3"), NULL, 10);
    gnn.chunk = strtol(option(argc, argv, "--chunk", large ? "64" : "4"), NULL, 10);
    gnn.limit = strtol(option(argc, argv, "--limit", large ? "8192" : "0"), NULL, 10);
    if (gnn.layers < 0 || gnn.layers > GNN_LAYERS_MAX || gnn.rounds < 0 || gnn.chunk < 1) {
        if (gnn.me == 0)
            fprintf(stderr, "gnn_aggregate: 0 to %d layers, rounds from 0, chunks from 1\n", GNN_LAYERS_MAX);
    } else if (graph_load(&gnn.graph, what, why, sizeof why) != 0) {
        if (gnn.me == 0)
            fprintf(stderr, "gnn_aggregate: %s\n", why);
    } else {
        status = aggregate(&gnn);
        graph_free(&gnn.graph);
    }
    shmem_finalize();
    return status;
}
