/* coverage.c -- see coverage.h. */
#include "coverage.h"

#include <string.h>

#include "compare.h"

static const char *const trait_texts[] = {
#define COVERAGE_TRAIT_ROW(name, text) text,
    COVERAGE_TRAIT_ROWS(COVERAGE_TRAIT_ROW)
#undef COVERAGE_TRAIT_ROW
};

static void
find_traits(const struct fp_litmus *test, const struct lit_op *op, bool *traits)
{
    enum lit_kind kind = op->row->kind;
    bool remote = op->place.pe >= 0 && op->place.pe != op->pe;

    traits[COVERAGE_context] |= op->ctx > 0;
    traits[COVERAGE_nostore] |= test->contexts[op->ctx].nostore;
    traits[COVERAGE_shared] |= test->contexts[op->ctx].shared;
    traits[COVERAGE_team] |= op->team > 0;
    traits[COVERAGE_ptr_load] |= kind == LIT_LOAD && remote;
    traits[COVERAGE_ptr_store] |= kind == LIT_STORE && remote;
    traits[COVERAGE_own_load] |= kind == LIT_LOAD && !remote;
    traits[COVERAGE_own_store] |= kind == LIT_STORE && !remote;
    traits[COVERAGE_own_target] |= op->row->flags & LIT_CTX && op->place.object >= 0 && op->place.pe == op->pe;
    traits[COVERAGE_array] |= op->count > 1;
    traits[COVERAGE_until] |= op->until != LIT_ANY;
    traits[COVERAGE_guard] |= op->guard >= 0;
}

void
coverage_add(struct coverage *coverage, const struct fp_litmus *test)
{
    bool ops[COVERAGE_OPS] = {false}, traits[COVERAGE_TRAITS] = {false}, racy = false;

    for (int i = 0; i < test->nops; i++) {
        ops[test->ops[i].row - lit_op_rows] = true;
        find_traits(test, &test->ops[i], traits);
    }
    traits[COVERAGE_two_pes] = test->npes == 2;
    traits[COVERAGE_three_pes] = test->npes == 3;
    traits[COVERAGE_four_pes] = test->npes == 4;
    for (enum fp_rules rules = FP_RULES_STRICT; rules <= FP_RULES_NV; rules++) {
        const struct lit_expect *expect = compare_expectation(test, rules);
        if (!expect)
            continue;
        atomic_fetch_add(&coverage->verdicts[rules][expect->verdict], 1);
        traits[COVERAGE_profiles] |= expect->verdict != compare_expectation(test, FP_RULES_COMMON)->verdict;
        for (int k = 0; k < expect->noutcomes; k++)
            traits[COVERAGE_hangs] |= !strcmp(expect->outcomes[k], "hang");
        racy |= rules == FP_RULES_COMMON && expect->verdict == LIT_RACY;
    }
    atomic_fetch_add(&coverage->tests, 1);
    for (int i = 0; i < lit_op_row_count; i++) {
        atomic_fetch_add(&coverage->ops[i], ops[i]);
        atomic_fetch_add(&coverage->ops_not_racy[i], ops[i] && !racy);
    }
    for (int i = 0; i < COVERAGE_TRAITS; i++) {
        atomic_fetch_add(&coverage->traits[i], traits[i]);
        atomic_fetch_add(&coverage->traits_not_racy[i], traits[i] && !racy);
    }
}

void
coverage_print(struct coverage *coverage, FILE *out)
{
    fprintf(out, "%-42s %8s %12s\n", "tests with", "all", "not racy");
    for (int i = 0; i < lit_op_row_count; i++)
        fprintf(out, "%-9s %-32s %8ld %12ld\n", lit_op_rows[i].name, lit_op_rows[i].routine,
                atomic_load(&coverage->ops[i]), atomic_load(&coverage->ops_not_racy[i]));
    for (int i = 0; i < COVERAGE_TRAITS; i++)
        fprintf(out, "%-42s %8ld %12ld\n", trait_texts[i], atomic_load(&coverage->traits[i]),
                atomic_load(&coverage->traits_not_racy[i]));
    for (int rules = 0; rules < 3; rules++)
        fprintf(out, "%-9s sc %ld, weak %ld, racy %ld\n", lit_rules_text[rules],
                atomic_load(&coverage->verdicts[rules][LIT_SC]), atomic_load(&coverage->verdicts[rules][LIT_WEAK]),
                atomic_load(&coverage->verdicts[rules][LIT_RACY]));
}

/* Threads are not the simulator's comparison: `meet` has no place in a test that becomes calls of one thread a PE, and
 * neither has what needs a compiled program. */
static bool
is_wanted(const struct lit_op_row *row)
{
    return row->kind != LIT_MEET && !(row->flags & LIT_PROGRAM);
}

int
coverage_complain(struct coverage *coverage, long least, FILE *out)
{
    static const int parts[] = {[LIT_SC] = 10, [LIT_WEAK] = 40, [LIT_RACY] = 10};
    long tests = atomic_load(&coverage->tests);
    int complaints = 0;

    for (int i = 0; i < lit_op_row_count; i++)
        if (is_wanted(&lit_op_rows[i]) && (coverage->ops[i] < least || coverage->ops_not_racy[i] == 0)) {
            fprintf(out, "too few tests with %s: %ld, %ld of them not racy\n", lit_op_rows[i].name,
                    atomic_load(&coverage->ops[i]), atomic_load(&coverage->ops_not_racy[i]));
            complaints++;
        }
    for (int i = 0; i < COVERAGE_TRAITS; i++)
        if (coverage->traits[i] < least || coverage->traits_not_racy[i] == 0) {
            fprintf(out, "too few tests with: %s: %ld, %ld of them not racy\n", trait_texts[i],
                    atomic_load(&coverage->traits[i]), atomic_load(&coverage->traits_not_racy[i]));
            complaints++;
        }
    for (int v = 0; v < 3; v++)
        if (coverage->verdicts[FP_RULES_COMMON][v] * parts[v] < tests) {
            fprintf(out, "too few tests are %s: %ld of %ld\n", lit_verdict_text[v],
                    atomic_load(&coverage->verdicts[FP_RULES_COMMON][v]), tests);
            complaints++;
        }
    return complaints;
}
