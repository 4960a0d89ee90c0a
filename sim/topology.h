/* topology.h -- the links between PEs, and when a message arrives that goes through them.
 *
 * A message passes a list of links. Its head goes on as soon as a link is free (cut-through) and each link is busy
 * for max(gap, bytes / bandwidth) of it; so two flows through one link take turns and share its bandwidth. With n bytes
 * and nothing else on the way a put that is issued (call returned) at t arrives at t + latency + n / bandwidth.
 *
 * Within a node a message passes the PE's own way out and the target's way in, at node_bandwidth; a node of eight
 * PEs with pes_per_node = 8 is an NVLink domain behind a switch that never blocks. Between nodes it passes the link
 * out of the node and into the other, and with a fat tree or a dragonfly those between the switches, chosen by the
 * target alone. Links are reserved in order of issue.
 */
#ifndef SIM_TOPOLOGY_H
#define SIM_TOPOLOGY_H

#include <stdint.h>

struct sim_net;
struct sim_links;

struct sim_links *sim_links_open(const struct sim_net *net, int npes);
void sim_links_close(struct sim_links *links);
/* Least time from PE to PE, without data. */
uint64_t sim_links_latency(const struct sim_links *links, int from, int to);
/* Sends bytes at `now`: the time when the last byte has arrived, `more_ns` of further latency included. */
uint64_t sim_links_send(struct sim_links *links, int from, int to, uint64_t bytes, uint64_t now, uint64_t more_ns);

#endif
