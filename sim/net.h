/* net.h -- the simulated network: what it may do to operations, and how long they take.
 *
 * Times are nanoseconds, bandwidth is bytes a microsecond (so 1,000 is 1 GB/s). A network is a preset (net_presets.c)
 * or a file of lines `key = value`; `#` starts a comment. A line `preset = NAME` before all others begins with a
 * preset instead of the defaults. `pair A B key = value` overrides latency_ns, jitter_ns and bandwidth for operations
 * of PE A to PE B (`*` for any PE).
 *
 * The costs are those of the LogGP model: o is overhead_ns, L latency_ns, g gap_ns, G 1 / bandwidth. A topology other
 * than `pairs` says through which links a message goes; a link carries one message after the other (topology.h).
 */
#ifndef SIM_NET_H
#define SIM_NET_H

#include <stdbool.h>
#include <stdint.h>

/* Keys of a network file: id, key, default of preset `reorder`, least, most, help. */
#define SIM_NET_MAX UINT64_C(1000000000000)
#define SIM_NET_ROWS(X)                                                                                                \
    X(overhead_ns, 200, 0, SIM_NET_MAX, "time a PE spends in a call")                                                  \
    X(latency_ns, 1000, 0, SIM_NET_MAX, "least time from issue to delivery")                                           \
    X(jitter_ns, 2000, 0, SIM_NET_MAX, "most time that is added to the latency")                                       \
    X(bandwidth, 10000, 0, SIM_NET_MAX, "bytes a microsecond; 0: no limit")                                            \
    X(gap_ns, 0, 0, SIM_NET_MAX, "least time between two messages on a link")                                          \
    X(reorder, 1, 0, 1,                                                                                                \
      "1: operations that no fence orders may overtake each other; 0: first in, first out for each pair of PEs")       \
    X(split_max, 4, 1, 1024, "most pieces in which one transfer travels")                                              \
    X(immediate, 0, 0, 1, "1: every operation is carried out when it is issued")                                       \
    X(pes_per_node, 1, 1, 65536, "PEs that share a node, whose PEs reach one another without the network")             \
    X(node_latency_ns, 300, 0, SIM_NET_MAX, "latency between PEs of one node")                                         \
    X(node_bandwidth, 10000, 0, SIM_NET_MAX, "bytes a microsecond between PEs of one node, each way of each PE")       \
    X(nodes_per_switch, 16, 1, 65536, "fat-tree: nodes of a leaf switch; dragonfly: nodes of a router")                \
    X(up_links, 16, 1, 65536, "fat-tree: links from a leaf switch upwards")                                            \
    X(routers_per_group, 4, 1, 65536, "dragonfly: routers of a group, each linked with each")                          \
    X(hop_ns, 0, 0, SIM_NET_MAX, "time that a switch or router adds")

#define SIM_TOPOLOGY_ROWS(X)                                                                                           \
    X(PAIRS, "pairs", "a link of its own for each context and target, as if the network were never busy")              \
    X(NODES, "nodes", "one link out of each node and one into it; what lies between is never busy")                    \
    X(FAT_TREE, "fat-tree", "nodes, leaf switches, and up_links from each leaf to the spines")                         \
    X(DRAGONFLY, "dragonfly", "nodes, routers, groups of routers; one link between any two groups")
enum sim_topology {
#define SIM_TOPOLOGY_ROW(id, name, help) SIM_TOPOLOGY_##id,
    SIM_TOPOLOGY_ROWS(SIM_TOPOLOGY_ROW)
#undef SIM_TOPOLOGY_ROW
};

struct sim_net_pair {
    int from, to; /* -1: any */
    uint64_t latency_ns, jitter_ns, bandwidth;
    bool has_latency, has_jitter, has_bandwidth;
};

struct sim_net {
#define SIM_NET_ROW(id, value, least, most, help) uint64_t id;
    SIM_NET_ROWS(SIM_NET_ROW)
#undef SIM_NET_ROW
    enum sim_topology topology;
    struct sim_net_pair *pairs;
    int npairs;
};

/* A named network: the keys that differ from the defaults, in the words of a file, and where its figures come from. */
struct sim_net_preset {
    const char *name, *lines, *source;
};
extern const struct sim_net_preset sim_net_presets[];
extern const int sim_net_preset_count;

/* Loads a preset or file. 0, or -1 with one line in `error`: file, line, column, what is wrong, what is accepted. */
int sim_net_load(struct sim_net *net, const char *name, char *error, int error_size);
/* The same from the text of a file; `name` is for messages. */
int sim_net_parse(struct sim_net *net, const char *name, const char *text, char *error, int error_size);
void sim_net_free(struct sim_net *net);
/* Latency, jitter and bandwidth of a pair, overrides applied. */
void sim_net_pair(const struct sim_net *net, int from, int to, uint64_t *latency_ns, uint64_t *jitter_ns,
                  uint64_t *bandwidth);

#endif
