/* topology.c -- routes and busy links, see topology.h.
 *
 * A link is a number: first the ways out and in of all PEs within their nodes, then those of all nodes, then what the
 * topology has between switches. Its only state is until when it is busy.
 */
#include "sim/topology.h"

#include <stdlib.h>

#include "reference/job.h"
#include "sim/net.h"

#define LINKS_MAX 8

struct sim_links {
    const struct sim_net *net;
    int npes, nnodes, nswitches, ngroups;
    size_t node_out, node_in, up, down, count; /* first link of each sort */
    uint64_t *busy_until;
};

struct route {
    size_t links[LINKS_MAX];
    int nlinks;
    uint64_t latency_ns, bandwidth, gap_ns;
};

static int
groups_of(int count, uint64_t size)
{
    return (int)(((uint64_t)count + size - 1) / size);
}

struct sim_links *
sim_links_open(const struct sim_net *net, int npes)
{
    struct sim_links *links = calloc(1, sizeof *links);
    if (!links)
        fp_env_fail("out of memory for the links of %d PEs", npes);
    links->net = net;
    links->npes = npes;
    links->nnodes = groups_of(npes, net->pes_per_node);
    links->nswitches = groups_of(links->nnodes, net->nodes_per_switch);
    links->ngroups = groups_of(links->nswitches, net->routers_per_group);
    if (net->topology == SIM_TOPOLOGY_DRAGONFLY) /* a group has all its routers, also where nobody is */
        links->nswitches = links->ngroups * (int)net->routers_per_group;
    size_t switches = (size_t)links->nswitches, groups = (size_t)links->ngroups, between = 0;
    if (net->topology == SIM_TOPOLOGY_FAT_TREE)
        between = switches * net->up_links;
    else if (net->topology == SIM_TOPOLOGY_DRAGONFLY)
        between = switches * net->routers_per_group + groups * groups;
    links->node_out = 2 * (size_t)npes;
    links->node_in = links->node_out + (size_t)links->nnodes;
    links->up = links->node_in + (size_t)links->nnodes;
    links->down = links->up + between;
    links->count = links->down + (net->topology == SIM_TOPOLOGY_FAT_TREE ? between : 0);
    links->busy_until = calloc(links->count, sizeof *links->busy_until);
    if (!links->busy_until)
        fp_env_fail("out of memory for %zu links: a network with fewer of them, or fewer PEs", links->count);
    return links;
}

void
sim_links_close(struct sim_links *links)
{
    if (links)
        free(links->busy_until);
    free(links);
}

/* Up to a spine and down again; the spine is chosen by the target node. */
static void
through_fat_tree(const struct sim_links *links, struct route *route, int from, int to)
{
    const struct sim_net *net = links->net;
    uint64_t a = (uint64_t)from / net->nodes_per_switch, b = (uint64_t)to / net->nodes_per_switch;
    route->latency_ns += net->hop_ns;
    if (a == b)
        return;
    uint64_t spine = (uint64_t)to % net->up_links;
    route->links[route->nlinks++] = links->up + a * net->up_links + spine;
    route->links[route->nlinks++] = links->down + b * net->up_links + spine;
    route->latency_ns += 2 * net->hop_ns;
}

/* Router a to router b of one group. */
static void
within_group(const struct sim_links *links, struct route *route, uint64_t a, uint64_t b)
{
    uint64_t per_group = links->net->routers_per_group;
    if (a == b)
        return;
    route->links[route->nlinks++] = links->up + a * per_group + b % per_group;
    route->latency_ns += links->net->hop_ns;
}

/* Group g reaches group h through its router h mod routers_per_group: the least number of hops. */
static void
through_dragonfly(const struct sim_links *links, struct route *route, int from, int to)
{
    const struct sim_net *net = links->net;
    uint64_t per_group = net->routers_per_group;
    uint64_t a = (uint64_t)from / net->nodes_per_switch, b = (uint64_t)to / net->nodes_per_switch;
    uint64_t g = a / per_group, h = b / per_group;
    route->latency_ns += net->hop_ns;
    if (g == h) {
        within_group(links, route, a, b);
        return;
    }
    uint64_t leave = g * per_group + h % per_group, enter = h * per_group + g % per_group;
    within_group(links, route, a, leave);
    route->links[route->nlinks++] =
        links->up + (uint64_t)links->nswitches * per_group + g * (uint64_t)links->ngroups + h;
    route->latency_ns += net->hop_ns;
    within_group(links, route, enter, b);
}

static struct route
find_route(const struct sim_links *links, int from, int to)
{
    const struct sim_net *net = links->net;
    int a = (int)((uint64_t)from / net->pes_per_node), b = (int)((uint64_t)to / net->pes_per_node);
    struct route route = {.gap_ns = 0, .latency_ns = net->node_latency_ns, .bandwidth = net->node_bandwidth};
    if (from == to) {
        route.latency_ns = 0;
        return route;
    }
    if (a == b) {
        route.links[route.nlinks++] = 2 * (size_t)from;
        route.links[route.nlinks++] = 2 * (size_t)to + 1;
        return route;
    }
    uint64_t jitter;
    route.gap_ns = net->gap_ns;
    sim_net_pair(net, from, to, &route.latency_ns, &jitter, &route.bandwidth);
    route.links[route.nlinks++] = links->node_out + (size_t)a;
    if (net->topology == SIM_TOPOLOGY_FAT_TREE)
        through_fat_tree(links, &route, a, b);
    else if (net->topology == SIM_TOPOLOGY_DRAGONFLY)
        through_dragonfly(links, &route, a, b);
    route.links[route.nlinks++] = links->node_in + (size_t)b;
    FP_ASSERT(route.nlinks <= LINKS_MAX);
    return route;
}

uint64_t
sim_links_latency(const struct sim_links *links, int from, int to)
{
    return find_route(links, from, to).latency_ns;
}

uint64_t
sim_links_send(struct sim_links *links, int from, int to, uint64_t bytes, uint64_t now, uint64_t more_ns)
{
    struct route route = find_route(links, from, to);
    uint64_t on_wire = route.bandwidth ? (bytes * 1000 + route.bandwidth - 1) / route.bandwidth : 0;
    uint64_t occupied = on_wire > route.gap_ns ? on_wire : route.gap_ns, head = now;
    for (int i = 0; i < route.nlinks; i++) {
        uint64_t *busy = &links->busy_until[route.links[i]];
        head = head > *busy ? head : *busy;
        *busy = head + occupied;
    }
    return head + on_wire + route.latency_ns + more_ns;
}
