/* order.c -- the class of a simulated operation, and what the scheduler asks the table. */
#include "sim/order.h"

enum fp_order_class
sim_order_class(const struct sim_op *op)
{
    bool nbi = op->flags & SHMEM_OPF_NBI;

    switch (op->kind) {
    case SHMEM_OP_PUT:
        return nbi ? FP_ORDER_PUT_NBI : FP_ORDER_PUT;
    case SHMEM_OP_GET:
        return nbi ? FP_ORDER_GET_NBI : FP_ORDER_GET;
    case SHMEM_OP_AMO:
        if (!(op->flags & SHMEM_OPF_FETCH))
            return FP_ORDER_AMO;
        return nbi ? FP_ORDER_AMO_FETCH_NBI : FP_ORDER_AMO_FETCH;
    }
    FP_BUG("operation of unknown kind %d", (int)op->kind);
}

bool
sim_order_fence_covers_earlier(enum fp_rules rules, enum fp_order_class earlier)
{
    return fp_order_has(rules, FP_EDGE_FENCE, earlier, FP_ORDER_PUT);
}

bool
sim_order_fence_covers_later(enum fp_rules rules, enum fp_order_class later)
{
    return fp_order_has(rules, FP_EDGE_FENCE, FP_ORDER_PUT, later);
}

bool
sim_order_amo_same_location(enum fp_rules rules)
{
    return fp_order_has(rules, FP_EDGE_LOCATION, FP_ORDER_AMO, FP_ORDER_AMO);
}
