/* net.h -- the simulated network: what it may do to operations, and how long they take.
 *
 * Times are nanoseconds, bandwidth is bytes a microsecond (so 1,000 is 1 GB/s). A network is a preset (ideal,
 * ordered, reorder) or a file of lines `key = value`; `#` starts a comment. `pair A B key = value` overrides
 * latency_ns, jitter_ns and bandwidth for operations of PE A to PE B (`*` for any PE).
 */
#ifndef SIM_NET_H
#define SIM_NET_H

#include <stdbool.h>
#include <stdint.h>

/* Keys of a network file: id, key, default of preset `reorder`, help. */
#define SIM_NET_ROWS(X)                                                                                                \
    X(overhead_ns, 200, "time a PE spends in a call")                                                                  \
    X(latency_ns, 1000, "least time from issue to delivery")                                                           \
    X(jitter_ns, 2000, "most time that is added to the latency")                                                       \
    X(bandwidth, 10000, "bytes a microsecond")                                                                         \
    X(reorder, 1,                                                                                                      \
      "1: operations that no fence orders may overtake each other; 0: first in, first out for each pair of PEs")       \
    X(split_max, 4, "most pieces in which one transfer travels")                                                       \
    X(immediate, 0, "1: every operation is carried out when it is issued")

struct sim_net_pair {
    int from, to; /* -1: any */
    uint64_t latency_ns, jitter_ns, bandwidth;
    bool has_latency, has_jitter, has_bandwidth;
};

struct sim_net {
#define SIM_NET_ROW(id, value, help) uint64_t id;
    SIM_NET_ROWS(SIM_NET_ROW)
#undef SIM_NET_ROW
    struct sim_net_pair *pairs;
    int npairs;
};

/* Loads a preset or file. 0, or -1 with one line in `error` (file, line, what is wrong, what is accepted). */
int sim_net_load(struct sim_net *net, const char *name, char *error, int error_size);
void sim_net_free(struct sim_net *net);
/* Latency, jitter and bandwidth of a pair, overrides applied. */
void sim_net_pair(const struct sim_net *net, int from, int to, uint64_t *latency_ns, uint64_t *jitter_ns,
                  uint64_t *bandwidth);

#endif
