/* coverage.h -- which operations, orders and verdicts a set of litmus tests has. A generator that misses a class, or
 * whose tests are nearly all racy, tests nothing. */
#ifndef DIFFERENTIAL_COVERAGE_H
#define DIFFERENTIAL_COVERAGE_H

#include <stdatomic.h>

#include "reference/model/litmus.h"

enum { COVERAGE_OPS = 64 };

/* What a test can have besides operations. */
#define COVERAGE_TRAIT_ROWS(X)                                                                                         \
    X(two_pes, "2 PEs")                                                                                                \
    X(three_pes, "3 PEs")                                                                                              \
    X(four_pes, "4 PEs")                                                                                               \
    X(context, "on a context")                                                                                         \
    X(nostore, "on a context with NOSTORE")                                                                            \
    X(shared, "on a context of another atomicity domain")                                                              \
    X(team, "on a team")                                                                                               \
    X(ptr_load, "load through shmem_ptr")                                                                              \
    X(ptr_store, "store through shmem_ptr")                                                                            \
    X(own_load, "load of the own copy")                                                                                \
    X(own_store, "store into the own copy")                                                                            \
    X(own_target, "operation on the own PE")                                                                           \
    X(array, "several elements")                                                                                       \
    X(until, "polled in a loop")                                                                                       \
    X(guard, "left out on a condition")                                                                                \
    X(hangs, "hangs in some execution")                                                                                \
    X(profiles, "verdicts differ between profiles")
enum coverage_trait {
#define COVERAGE_TRAIT_ROW(name, text) COVERAGE_##name,
    COVERAGE_TRAIT_ROWS(COVERAGE_TRAIT_ROW)
#undef COVERAGE_TRAIT_ROW
        COVERAGE_TRAITS
};

/* Counts of tests; several processes add to one. */
struct coverage {
    atomic_long tests, verdicts[3][3]; /* by profile and verdict */
    atomic_long ops[COVERAGE_OPS], ops_not_racy[COVERAGE_OPS], traits[COVERAGE_TRAITS],
        traits_not_racy[COVERAGE_TRAITS];
};
void coverage_add(struct coverage *coverage, const struct fp_litmus *test);
void coverage_print(struct coverage *coverage, FILE *out);
/* Says what there is too little of: an operation or a trait in fewer than `least` tests, or in none without a race; a
 * verdict in less than a tenth (weak: a fortieth) of the tests of profile common. Returns how many complaints. */
int coverage_complain(struct coverage *coverage, long least, FILE *out);

#endif
