/* net_presets.c -- networks with a name, and where their figures come from.
 *
 * The first three say what a network may do and have made-up times: they are for finding faults. The others are for
 * asking how long a program would take; they deliver in order and add no jitter, so that a prediction is one number.
 * Each says which of its figures are published or measured, and which are assumed. An assumption is an order of
 * magnitude, good for comparing programs and not machines: measure a ping-pong and a stream at home, and write a file.
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
     "assumed, all of it: 100 ns from core to core of a socket, 10 GB/s copied by one core, 20 ns a call"},
    {"nvlink4-h200",
     PLAIN "topology = nodes\npes_per_node = 8\noverhead_ns = 50\nnode_latency_ns = 767\nnode_bandwidth = 369000\n"
           "latency_ns = 1300\nbandwidth = 50000\ngap_ns = 3\n",
     "measured on two H200 over NVLink 4 (18 links): signal ping-pong on the device 3,036 cycles of 1.98 GHz, 767 ns "
     "one "
     "way; puts of 256 MiB by 128 blocks 369 GB/s. Assumed: 50 ns a call. Eight PEs a node; between nodes as ib-ndr, "
     "one "
     "port a node"},
    {"ib-ndr", PLAIN "topology = nodes\noverhead_ns = 150\nlatency_ns = 1300\nbandwidth = 50000\ngap_ns = 3\n",
     "published: 400 Gb/s a port (NDR; user manual of the ConnectX-7 adapter). Assumed: 1.3 us for a small put through "
     "one switch, software included, 150 ns a call, 3 ns from one message to the next"},
    {"roce-100g", PLAIN "topology = nodes\noverhead_ns = 300\nlatency_ns = 5000\nbandwidth = 12500\ngap_ns = 10\n",
     "by definition: 5 us start-up and 100 Gb/s, a round description of RDMA over Converged Ethernet between "
     "accelerators; 100 Gb/s is the line rate of 100GbE. Assumed: 300 ns a call, 10 ns from one message to the next"},
};
const int sim_net_preset_count = sizeof sim_net_presets / sizeof *sim_net_presets;
