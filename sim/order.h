/* order.h -- the ordering relations (reference/order.h) for the simulator's operations.
 *
 * The names with SIM_ are those of the table: classes SIM_CLASS_PUT ..., edges SIM_EDGE_FENCE ...
 *
 *     if (sim_order_fence_covers_later(rules, sim_order_class(op)))
 *         wait for the covered operations of earlier epochs on (origin, context, target);
 */
#ifndef SIM_ORDER_H
#define SIM_ORDER_H

#include "reference/order.h"
#include "sim/event.h"

#define sim_class fp_order_class
#define sim_edge fp_edge
#define SIM_CLASS_STORE FP_ORDER_STORE
#define SIM_CLASS_LOAD FP_ORDER_LOAD
#define SIM_CLASS_PUT FP_ORDER_PUT
#define SIM_CLASS_PUT_NBI FP_ORDER_PUT_NBI
#define SIM_CLASS_AMO FP_ORDER_AMO
#define SIM_CLASS_AMO_FETCH FP_ORDER_AMO_FETCH
#define SIM_CLASS_AMO_FETCH_NBI FP_ORDER_AMO_FETCH_NBI
#define SIM_CLASS_SIGNAL FP_ORDER_SIGNAL
#define SIM_CLASS_GET FP_ORDER_GET
#define SIM_CLASS_GET_NBI FP_ORDER_GET_NBI
#define SIM_CLASS_WAIT FP_ORDER_WAIT
#define SIM_CLASS_COLL FP_ORDER_COLL
#define SIM_CLASS_COUNT FP_ORDER_COUNT
#define SIM_EDGE_RETURN FP_EDGE_RETURN
#define SIM_EDGE_FENCE FP_EDGE_FENCE
#define SIM_EDGE_PUBLISH FP_EDGE_PUBLISH
#define SIM_EDGE_QUIET FP_EDGE_QUIET
#define SIM_EDGE_CALL FP_EDGE_CALL
#define SIM_EDGE_LOCATION FP_EDGE_LOCATION
#define SIM_EDGE_READS FP_EDGE_READS
#define SIM_EDGE_CAUSAL FP_EDGE_CAUSAL
#define SIM_EDGE_SYNC FP_EDGE_SYNC
#define SIM_EDGE_SHARE FP_EDGE_SHARE
#define SIM_EDGE_ENTRY FP_EDGE_ENTRY
#define SIM_EDGE_COUNT FP_EDGE_COUNT
#define sim_order_has fp_order_has
#define sim_order_clause fp_order_clause

/* Class of an operation; for a put_signal that of its data. */
enum fp_order_class sim_order_class(const struct sim_op *op);

/* A fence holds deliveries issued behind it back until this earlier one is delivered; it holds this later one back. */
bool sim_order_fence_covers_earlier(enum fp_rules rules, enum fp_order_class earlier);
bool sim_order_fence_covers_later(enum fp_rules rules, enum fp_order_class later);
/* Atomic updates of one thread to one location on one context execute in order of issue (A3). */
bool sim_order_amo_same_location(enum fp_rules rules);

#endif
