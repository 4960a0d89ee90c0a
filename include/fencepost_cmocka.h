/* fencepost_cmocka.h -- assertions for CMocka tests that run OpenSHMEM code (fencepost.h).
 *
 *     #include <fencepost_cmocka.h>
 *
 *     static void publication_is_ordered(void **state)
 *     {
 *         fencepost_exploration_t many = {.run = {.npes = 3, .quiet = 1}, .runs = 200};
 *         fencepost_assert_clean(fencepost_explore(pe_main, NULL, &many));
 *     }
 *
 * Each takes the result of fencepost_run or fencepost_explore and frees it. On failure it prints every finding with its
 * source lines, and the seed and chooser that show it again.
 */
#ifndef FENCEPOST_CMOCKA_H
#define FENCEPOST_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fencepost.h"

static inline void
fencepost_print_result(const fencepost_result_t *result)
{
    for (int i = 0; i < fencepost_finding_count(result); i++) {
        const fencepost_finding_t *finding = fencepost_finding(result, i);
        print_error("%s: %s\n", finding->finding_class, finding->message);
        for (int k = 0; k < finding->access_count; k++)
            print_error("    PE %d: %s (%s) at %s:%d\n", finding->accesses[k].pe, finding->accesses[k].op,
                        finding->accesses[k].kind, finding->accesses[k].file, finding->accesses[k].line);
        if (*finding->repair)
            print_error("    %s\n", finding->repair);
    }
    print_error("exit status %d after %llu runs", fencepost_exit_status(result),
                (unsigned long long)fencepost_runs(result));
    if (*fencepost_chooser(result))
        print_error("; again: .seed = %llu, .chooser = \"%s\"", (unsigned long long)fencepost_seed(result),
                    fencepost_chooser(result));
    print_error("\n");
}

/* wanted: a class, NULL for none. */
static inline void
fencepost_assert_(fencepost_result_t *result, const char *wanted, int complete, const char *file, int line)
{
    int good = wanted == NULL ? fencepost_finding_count(result) == 0 && fencepost_exit_status(result) == 0 : 0;
    for (int i = 0; wanted != NULL && i < fencepost_finding_count(result); i++)
        good = good || strcmp(fencepost_finding(result, i)->finding_class, wanted) == 0;
    if (good && complete && !fencepost_complete(result)) {
        print_error("the search is not complete: %llu executions\n", (unsigned long long)fencepost_runs(result));
        good = 0;
    } else if (!good) {
        fencepost_print_result(result);
        if (wanted != NULL)
            print_error("no finding of class %s\n", wanted);
    }
    fencepost_result_free(result);
    if (!good)
        _fail(file, line);
}

/* No finding, and status 0. */
#define fencepost_assert_clean(result) fencepost_assert_(result, NULL, 0, __FILE__, __LINE__)
/* The same, and an exhaustive search has made every execution. */
#define fencepost_assert_all_clean(result) fencepost_assert_(result, NULL, 1, __FILE__, __LINE__)
/* At least one finding of the class ("race"). */
#define fencepost_assert_finds(result, finding_class) fencepost_assert_(result, finding_class, 0, __FILE__, __LINE__)

#endif
