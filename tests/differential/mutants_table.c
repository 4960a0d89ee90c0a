/* mutants_table.c -- see mutants.h. The right table is the project's own, included under other names. */
#include "mutants.h"

#define fp_order_has pristine_has
#define fp_order_laters pristine_laters
#define fp_order_clause pristine_clause
#include "reference/order.c"
#undef fp_order_has
#undef fp_order_laters
#undef fp_order_clause

struct mutant mutant = {.row = -1};

bool
mutants_row_has(int row, enum fp_order_class earlier, enum fp_order_class later)
{
    return rows[row].earlier >> earlier & 1 && rows[row].later >> later & 1;
}

static bool
is_left_out(int row, enum fp_order_class earlier, enum fp_order_class later)
{
    return row == mutant.row && (mutant.earlier == FP_ORDER_COUNT || mutant.earlier == earlier) &&
           (mutant.later == FP_ORDER_COUNT || mutant.later == later);
}

bool
fp_order_has(enum fp_rules rules, enum fp_edge edge, enum fp_order_class earlier, enum fp_order_class later)
{
    for (int i = 0; i < (int)NROWS; i++)
        if (rows[i].edge == edge && rows[i].profiles >> rules & 1 && mutants_row_has(i, earlier, later) &&
            !is_left_out(i, earlier, later))
            return true;
    return false;
}

uint32_t
fp_order_laters(enum fp_rules rules, enum fp_edge edge, enum fp_order_class earlier)
{
    uint32_t laters = 0;

    for (enum fp_order_class later = 0; later < FP_ORDER_COUNT; later++)
        laters |= (uint32_t)fp_order_has(rules, edge, earlier, later) << later;
    return laters;
}

const char *
fp_order_clause(enum fp_rules rules, enum fp_edge edge, enum fp_order_class earlier, enum fp_order_class later)
{
    return pristine_clause(rules, edge, earlier, later);
}

int
mutants_rows(void)
{
    return NROWS;
}

unsigned
mutants_row_profiles(int row)
{
    return rows[row].profiles;
}

const char *
mutants_row_clause(int row)
{
    return rows[row].clause;
}

enum fp_edge
mutants_row_edge(int row)
{
    return rows[row].edge;
}
