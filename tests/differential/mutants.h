/* mutants.h -- the ordering table with one rule wrong, as the simulator sees it.
 *
 * mutants_table.c takes the place of reference/order.c in a program, so that the simulator and its observers ask it.
 * What a litmus test expects stands in its file and came from the right table: where the two are compared, a wrong rule
 * has to show.
 */
#ifndef DIFFERENTIAL_MUTANTS_H
#define DIFFERENTIAL_MUTANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "reference/order.h"

struct mutant {
    int row; /* of the table: it is left out; -1: the right table */
    /* Only for this pair of classes; FP_ORDER_COUNT: for all of the row. */
    enum fp_order_class earlier, later;
};
extern struct mutant mutant;

int mutants_rows(void);
bool mutants_row_has(int row, enum fp_order_class earlier, enum fp_order_class later);
/* Bit 0 strict, 1 common, 2 nv. */
unsigned mutants_row_profiles(int row);
const char *mutants_row_clause(int row);
enum fp_edge mutants_row_edge(int row);

#endif
