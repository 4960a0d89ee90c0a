/* order.h -- which edges order two operations: the ordering relations as data.
 *
 * Each row of the table in order.c lies beside a sentence of the specification (semantics 1.21 H1 to H15, positions
 * of 1.22): an edge, the classes it orders from, the classes it orders to, the profiles that have it, its clause. The
 * scheduler asks which deliveries are allowed now, the race observer asks what happened before what; a changed rule is
 * a changed row.
 *
 *     if (sim_order_fence_covers_later(rules, sim_order_class(op)))
 *         wait for the covered operations of earlier epochs on (origin, context, target);
 */
#ifndef SIM_ORDER_H
#define SIM_ORDER_H

#include "sim/event.h"

/* What an operation is to the rules. A put_signal is two: its data (PUT or PUT_NBI) and its signal update (SIGNAL).
 * signal_set and signal_add are AMO. */
#define SIM_CLASS_ROWS(X)                                                                                              \
    X(STORE) X(LOAD) X(PUT) X(PUT_NBI) X(AMO) X(AMO_FETCH) X(AMO_FETCH_NBI) X(SIGNAL) X(GET) X(GET_NBI) X(WAIT) X(COLL)
enum sim_class {
#define SIM_CLASS_ROW(name) SIM_CLASS_##name,
    SIM_CLASS_ROWS(SIM_CLASS_ROW)
#undef SIM_CLASS_ROW
        SIM_CLASS_COUNT
};

/* The edges. Between X and a later Y: */
#define SIM_EDGE_ROWS(X)                                                                                               \
    X(RETURN)   /* X is complete when its call returns: everything later in the thread comes after it */               \
    X(FENCE)    /* a fence on the context of both between them, both to the same target */                             \
    X(PUBLISH)  /* a fence on any context without NOSTORE between them, whatever the targets */                        \
    X(QUIET)    /* a quiet on X's context: X is complete, for everybody */                                             \
    X(CALL)     /* Y is the signal of X's own call */                                                                  \
    X(LOCATION) /* both atomic on one location, one thread, one context: in order of issue */                          \
    X(READS)    /* Y reads the value that X wrote */                                                                   \
    X(CAUSAL)   /* X's delivery is known by a chain of other edges: its source is free as well */                      \
    X(SYNC)     /* X's PE enters, Y's PE leaves the same sync */                                                       \
    X(ENTRY)    /* X's PE entered a data collective on whose data Y's return depends */
enum sim_edge {
#define SIM_EDGE_ROW(name) SIM_EDGE_##name,
    SIM_EDGE_ROWS(SIM_EDGE_ROW)
#undef SIM_EDGE_ROW
        SIM_EDGE_COUNT
};

/* Class of an operation; for a put_signal that of its data. */
enum sim_class sim_order_class(const struct sim_op *op);
/* Does `edge` order an `earlier` operation before a `later` one in this profile? */
bool sim_order_has(enum fp_rules rules, enum sim_edge edge, enum sim_class earlier, enum sim_class later);
/* The clause that says so ("H7, S 9.12.1"); the clause of a row of another profile if this profile lacks it; never
 * NULL. */
const char *sim_order_clause(enum fp_rules rules, enum sim_edge edge, enum sim_class earlier, enum sim_class later);

/* A fence holds deliveries issued behind it back until this earlier one is delivered; it holds this later one back. */
bool sim_order_fence_covers_earlier(enum fp_rules rules, enum sim_class earlier);
bool sim_order_fence_covers_later(enum fp_rules rules, enum sim_class later);
/* Atomic updates of one thread to one location on one context execute in order of issue (A3). */
bool sim_order_amo_same_location(enum fp_rules rules);

#endif
