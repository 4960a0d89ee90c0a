/* net_presets.c -- networks with a name, and where their figures come from.
 *
 * The first three say what a network may do and have made-up times: they are for finding faults. The others are for
 * asking how long a program would take; they deliver in order and add no jitter, so that a prediction is one number.
 * A figure is what its source says, nothing finer: measure a ping-pong and a stream at home, and write a file.
 */
#include "sim/net.h"

#define PLAIN "reorder = 0\nsplit_max = 1\njitter_ns = 0\n"

const struct sim_net_preset sim_net_presets[] = {
    {"reorder", "", "made up: what is not ordered overtakes"},
    {"ordered", "reorder = 0\nsplit_max = 1\n", "made up: first in, first out for each pair of PEs"},
    {"ideal", "reorder = 0\nsplit_max = 1\nimmediate = 1\nlatency_ns = 0\njitter_ns = 0\nbandwidth = 0\n",
     "made up: every operation is carried out when it is issued"},
    {"shared-memory",
     PLAIN "topology = nodes\npes_per_node = 65536\noverhead_ns = 20\nnode_latency_ns = 100\nnode_bandwidth = 10000\n",
     "a cache line from one core to another of a socket takes about 100 ns, and one core copies about 10 GB/s: the "
     "order of magnitude of server processors of 2020 to 2024"},
    {"nvlink4-h200",
     PLAIN "topology = nodes\npes_per_node = 8\noverhead_ns = 50\nnode_latency_ns = 767\nnode_bandwidth = 369000\n"
           "latency_ns = 1300\nbandwidth = 50000\ngap_ns = 3\n",
     "two H200 over NVLink 4 (18 links): signal ping-pong on the device 3,036 cycles of 1.98 GHz, 767 ns one way; puts "
     "of "
     "256 MiB by 128 blocks 369 GB/s. Eight PEs a node; between nodes as ib-ndr, one port a node"},
    {"ib-ndr", PLAIN "topology = nodes\noverhead_ns = 150\nlatency_ns = 1300\nbandwidth = 50000\ngap_ns = 3\n",
     "InfiniBand NDR, four lanes: 400 Gb/s (InfiniBand Trade Association roadmap); adapters of that generation are "
     "specified with 330 to 370 million messages/s; about 1.3 us for a small put through one switch, software "
     "included"},
    {"roce-100g", PLAIN "topology = nodes\noverhead_ns = 300\nlatency_ns = 5000\nbandwidth = 12500\ngap_ns = 10\n",
     "100 Gb/s Ethernet line rate; 5 us start-up of an RDMA write over RoCE between accelerators, as users of such "
     "clusters give it"},
};
const int sim_net_preset_count = sizeof sim_net_presets / sizeof *sim_net_presets;
