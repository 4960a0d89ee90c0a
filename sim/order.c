/* order.c -- the class of a simulated operation, and what the scheduler asks the table. */
#include "sim/order.h"

enum sim_class
sim_order_class(const struct sim_op *op)
{
    bool nbi = op->flags & SHMEM_OPF_NBI;

    switch (op->kind) {
    case SHMEM_OP_PUT:
        return nbi ? SIM_CLASS_PUT_NBI : SIM_CLASS_PUT;
    case SHMEM_OP_GET:
        return nbi ? SIM_CLASS_GET_NBI : SIM_CLASS_GET;
    case SHMEM_OP_AMO:
        if (!(op->flags & SHMEM_OPF_FETCH))
            return SIM_CLASS_AMO;
        return nbi ? SIM_CLASS_AMO_FETCH_NBI : SIM_CLASS_AMO_FETCH;
    }
    FP_BUG("operation of unknown kind %d", (int)op->kind);
}

bool
sim_order_fence_covers_earlier(enum fp_rules rules, enum sim_class earlier)
{
    return sim_order_has(rules, SIM_EDGE_FENCE, earlier, SIM_CLASS_PUT);
}

bool
sim_order_fence_covers_later(enum fp_rules rules, enum sim_class later)
{
    return sim_order_has(rules, SIM_EDGE_FENCE, SIM_CLASS_PUT, later);
}

bool
sim_order_amo_same_location(enum fp_rules rules)
{
    return sim_order_has(rules, SIM_EDGE_LOCATION, SIM_CLASS_AMO, SIM_CLASS_AMO);
}
