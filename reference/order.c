/* order.c -- the table of the ordering relations.
 *
 * Read a row as a sentence: "a FENCE orders PUT ... before PUT ... (H7)". Rows are sets on both sides, so that the
 * table is as long as the specification's own (S 9.12) and can be laid beside it. What no row says is not ordered. The
 * positions taken on ambiguous text (A1, A3, A6, A8, A9, A37) are rows that only some profiles have.
 */
#include "reference/order.h"

#define BIT(name) (1u << FP_ORDER_##name)
#define ATOMICS (BIT(AMO) | BIT(AMO_FETCH) | BIT(AMO_FETCH_NBI))
#define DELIVERED (BIT(PUT) | BIT(PUT_NBI) | ATOMICS | BIT(SIGNAL))
#define GETS (BIT(GET) | BIT(GET_NBI))
#define PLAIN (BIT(STORE) | BIT(LOAD))
#define ANY (DELIVERED | GETS | PLAIN | BIT(WAIT) | BIT(COLL))

#define STRICT (1u << FP_RULES_STRICT)
#define LOOSE (1u << FP_RULES_COMMON | 1u << FP_RULES_NV)
#define ALWAYS (STRICT | LOOSE)

static const struct order_row {
    enum fp_edge edge;
    unsigned earlier, later, profiles;
    const char *clause;
} rows[] = {
    /* Completion at return. */
    {FP_EDGE_RETURN, BIT(GET) | BIT(AMO_FETCH) | BIT(WAIT) | BIT(LOAD), ANY, ALWAYS, "H4, H5, S 9.6.1"},
    /* Fence: per context and target. A blocking fetch as the earlier one is complete already (A5). */
    {FP_EDGE_FENCE, DELIVERED, DELIVERED, ALWAYS, "H7, S 9.12.1"},
    {FP_EDGE_FENCE, DELIVERED, BIT(GET), LOOSE, "A1, S 9.12.1"},
    {FP_EDGE_FENCE, BIT(STORE), DELIVERED, ALWAYS, "H7, S 9.12.1"},
    /* Stores are published by a fence, for whatever follows it, gets (A1) included. */
    {FP_EDGE_PUBLISH, BIT(STORE), ANY, LOOSE, "A37, S 9.12.1"},
    /* Quiet: everything on the context, visible to all. */
    {FP_EDGE_QUIET, DELIVERED | GETS | BIT(STORE), ANY, ALWAYS, "H8, S 9.12.2"},
    /* One call's own data and signal. */
    {FP_EDGE_CALL, BIT(PUT) | BIT(PUT_NBI), BIT(SIGNAL), ALWAYS, "H6, S 9.8.1"},
    /* Atomics of one thread on one location. Signals of put_signal stay out: they follow their data, not each other
       (L120). */
    {FP_EDGE_LOCATION, ATOMICS, ATOMICS, LOOSE, "A3, S 9.7"},
    /* What is seen has happened. */
    {FP_EDGE_READS, ATOMICS | BIT(SIGNAL), BIT(WAIT) | BIT(AMO_FETCH) | BIT(AMO_FETCH_NBI), ALWAYS, "H10, A7, S 9.11"},
    {FP_EDGE_READS, BIT(PUT) | BIT(PUT_NBI), BIT(WAIT), LOOSE, "A6, S 9.11.1"},
    /* A nonblocking source after its delivery became known by other means. */
    {FP_EDGE_CAUSAL, BIT(PUT_NBI), ANY, LOOSE, "A9, S 9.6.2.1"},
    /* Meetings. Sync makes stores visible and completes nothing else (A4). */
    {FP_EDGE_SYNC, BIT(STORE), ANY, ALWAYS, "H9, A4, S 9.10.3"},
    /* What may be on its way to one location at once: atomics among themselves, and what waits for them. */
    {FP_EDGE_SHARE, ATOMICS | BIT(WAIT), ATOMICS | BIT(WAIT), ALWAYS, "S 3.2"},
    {FP_EDGE_SHARE, BIT(SIGNAL), BIT(SIGNAL) | BIT(WAIT), ALWAYS, "S 9.8"},
    {FP_EDGE_SHARE, BIT(SIGNAL), ATOMICS, LOOSE, "A8, S 9.8"},
    {FP_EDGE_SHARE, BIT(PUT) | BIT(PUT_NBI), BIT(WAIT), LOOSE, "A6, S 9.11.1"},
    {FP_EDGE_ENTRY, BIT(COLL), BIT(COLL), LOOSE, "H11, S 9.10"},
};
#define NROWS (sizeof rows / sizeof *rows)

/* Row that orders the pair, in this profile or, failing that, in any. */
static const struct order_row *
row_find(unsigned profiles, enum fp_edge edge, enum fp_order_class earlier, enum fp_order_class later)
{
    for (size_t i = 0; i < NROWS; i++)
        if (rows[i].edge == edge && rows[i].profiles & profiles && rows[i].earlier >> earlier & 1 &&
            rows[i].later >> later & 1)
            return &rows[i];
    return NULL;
}

bool
fp_order_has(enum fp_rules rules, enum fp_edge edge, enum fp_order_class earlier, enum fp_order_class later)
{
    return row_find(1u << rules, edge, earlier, later) != NULL;
}

uint32_t
fp_order_laters(enum fp_rules rules, enum fp_edge edge, enum fp_order_class earlier)
{
    uint32_t laters = 0;

    for (size_t i = 0; i < NROWS; i++)
        if (rows[i].edge == edge && rows[i].profiles >> rules & 1 && rows[i].earlier >> earlier & 1)
            laters |= rows[i].later;
    return laters;
}

const char *
fp_order_clause(enum fp_rules rules, enum fp_edge edge, enum fp_order_class earlier, enum fp_order_class later)
{
    const struct order_row *row = row_find(1u << rules, edge, earlier, later);

    if (!row)
        row = row_find(ALWAYS, edge, earlier, later);
    return row ? row->clause : "S 9.12";
}
