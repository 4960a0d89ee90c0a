/* order.h -- the ordering relations (reference/order.h) for the simulator's operations.
 *
 *     if (sim_order_fence_covers_later(rules, sim_order_class(op)))
 *         wait for the covered operations of earlier epochs on (origin, context, target);
 */
#ifndef SIM_ORDER_H
#define SIM_ORDER_H

#include "reference/order.h"
#include "sim/event.h"

/* Class of an operation; for a put_signal that of its data. */
enum fp_order_class sim_order_class(const struct sim_op *op);

/* A fence holds deliveries issued behind it back until this earlier one is delivered; it holds this later one back. */
bool sim_order_fence_covers_earlier(enum fp_rules rules, enum fp_order_class earlier);
bool sim_order_fence_covers_later(enum fp_rules rules, enum fp_order_class later);
/* Atomic updates of one thread to one location on one context execute in order of issue (A3). */
bool sim_order_amo_same_location(enum fp_rules rules);

#endif
