/* search_tree.h -- the inside of the search tree, for search_tree.c and search_order.c. See search.h. */
#ifndef SIM_SEARCH_TREE_H
#define SIM_SEARCH_TREE_H

#include "sim/search.h"

/* A mover that was tried from a node, and what its step touched (over all executions). */
struct search_done {
    uint32_t entity;
    struct search_access *accesses;
    uint32_t count;
};

/* The state before one step of the current path. */
struct search_node {
    bool split;
    uint32_t chosen; /* entity, or answer */
    uint32_t bound;
    uint32_t *enabled, nenabled;
    uint32_t *wanted, nwanted; /* to be tried, tried ones included; in order of discovery */
    struct search_done *done;  /* tried; the chosen one is the last */
    uint32_t ndone;
    const struct search_done **sleep; /* point into the done lists of nodes above, which outlive this one */
    uint32_t nsleep;
};

struct search_tree {
    struct search_log *log;
    enum search_mode mode;
    struct search_node *nodes;
    uint32_t nnodes, capacity;
    uint32_t *plan;
    struct fp_search_counts counts;
    bool begun, more;
    size_t log_bytes;
    /* search_order.c: scratch */
    uint32_t *races, nraces;
};

bool search_is_enabled(const struct search_node *node, uint32_t entity);
bool search_is_tried(const struct search_node *node, uint32_t entity);
void search_try(struct search_tree *tree, struct search_node *node, uint32_t entity);
void search_try_all(struct search_tree *tree, struct search_node *node);

#endif
