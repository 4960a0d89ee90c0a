/* order.h -- which edges order two operations: the ordering relations as data.
 *
 * Each row of the table in order.c lies beside a sentence of the specification (semantics 1.21 H1 to H15, positions
 * of 1.22): an edge, the classes it orders from, the classes it orders to, the profiles that have it, its clause. The
 * simulator's scheduler asks which deliveries are allowed now, its race observer what happened before what, the oracle
 * in reference/model both; a changed rule is a changed row, and nothing else is shared between them.
 *
 *     if (fp_order_has(rules, FP_EDGE_FENCE, FP_ORDER_PUT, later))
 *         wait for the covered puts of earlier epochs on (origin, context, target);
 */
#ifndef FP_ORDER_H
#define FP_ORDER_H

#include "reference/job.h"

/* What an operation is to the rules. A put_signal is two: its data (PUT or PUT_NBI) and its signal update (SIGNAL).
 * signal_set and signal_add are AMO. */
#define FP_ORDER_ROWS(X)                                                                                               \
    X(STORE) X(LOAD) X(PUT) X(PUT_NBI) X(AMO) X(AMO_FETCH) X(AMO_FETCH_NBI) X(SIGNAL) X(GET) X(GET_NBI) X(WAIT) X(COLL)
enum fp_order_class {
#define FP_ORDER_ROW(name) FP_ORDER_##name,
    FP_ORDER_ROWS(FP_ORDER_ROW)
#undef FP_ORDER_ROW
        FP_ORDER_COUNT
};

/* The edges. Between X and a later Y: */
#define FP_EDGE_ROWS(X)                                                                                                \
    X(RETURN)   /* X is complete when its call returns: everything later in the thread comes after it */               \
    X(FENCE)    /* a fence on the context of both between them, both to the same target */                             \
    X(PUBLISH)  /* a fence on any context without NOSTORE between them, whatever the targets */                        \
    X(QUIET)    /* a quiet on X's context: X is complete, for everybody */                                             \
    X(CALL)     /* Y is the signal of X's own call */                                                                  \
    X(LOCATION) /* both atomic on one location, one thread, one context: in order of issue */                          \
    X(READS)    /* Y reads the value that X wrote */                                                                   \
    X(CAUSAL)   /* X's delivery is known by a chain of other edges: its source is free as well */                      \
    X(SYNC)     /* X's PE enters, Y's PE leaves the same sync */                                                       \
    X(ENTRY)    /* X's PE entered a data collective on whose data Y's return depends */                                \
    X(SHARE)    /* no order is needed (either way round): both may be on their way to one location at once */
enum fp_edge {
#define FP_EDGE_ROW(name) FP_EDGE_##name,
    FP_EDGE_ROWS(FP_EDGE_ROW)
#undef FP_EDGE_ROW
        FP_EDGE_COUNT
};

/* Does `edge` order an `earlier` operation before a `later` one in this profile? */
bool fp_order_has(enum fp_rules rules, enum fp_edge edge, enum fp_order_class earlier, enum fp_order_class later);
/* All later classes at once, a bit each: for those who look the table up once. */
uint32_t fp_order_laters(enum fp_rules rules, enum fp_edge edge, enum fp_order_class earlier);
/* The clause that says so ("H7, S 9.12.1"); the clause of a row of another profile if this profile lacks it; never
 * NULL. */
const char *fp_order_clause(enum fp_rules rules, enum fp_edge edge, enum fp_order_class earlier,
                            enum fp_order_class later);

#endif
