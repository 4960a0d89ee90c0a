/* mutants.c -- each rule of the ordering table is left out once, on the simulator's side: does the litmus suite notice?
 *
 *     litmus_mutants tests/litmus               every row; a mutant is dropped with the first test that notices it
 *     litmus_mutants --whole tests/litmus       which tests notice it, all of them
 *     litmus_mutants --classes tests/litmus     every row without one of its earlier classes
 *
 * A row that nothing notices is one that no test asks about, or one that nobody reads. First the right table has to
 * pass all tests that are used, or noticing would mean nothing. No list says which test notices what: each mutant goes
 * through the suite, from the tests that noticed its neighbours on. Exit status: 0 all are noticed, 1 not, 64 wrong
 * usage.
 */
#include "mutants.h"

#include <errno.h>
#include <ftw.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "compare.h"

enum { TESTS_MAX = 4096 };

static struct suite {
    struct fp_litmus *tests[TESTS_MAX];
    int count;
} suite;
/* What the mutants' processes share. */
static struct shared {
    long noticed[TESTS_MAX]; /* how many mutants so far */
} * shared;
static bool whole, classes;
static int runs = 36;

static const char *const class_names[] = {
#define FP_ORDER_ROW(name) #name,
    FP_ORDER_ROWS(FP_ORDER_ROW)
#undef FP_ORDER_ROW
};
static const char *const edge_names[] = {
#define FP_EDGE_ROW(name) #name,
    FP_EDGE_ROWS(FP_EDGE_ROW)
#undef FP_EDGE_ROW
};

/* ---- The suite --------------------------------------------------------------------------------------------------- */

static int
add_file(const char *path, const struct stat *status, int type, struct FTW *where)
{
    char error[FP_LITMUS_ERROR];
    size_t length = strlen(path);

    (void)status;
    if (type != FTW_F || (where->level > 0 && (length < 7 || strcmp(path + length - 7, ".litmus"))))
        return 0;
    struct fp_litmus *test = fp_litmus_read(path, error);
    if (!test || suite.count == TESTS_MAX) {
        fprintf(stderr, "%s\n", test ? "litmus_mutants: too many tests" : error);
        exit(EX_DATAERR);
    }
    if (play_can(test))
        suite.tests[suite.count++] = test;
    else
        fp_litmus_free(test);
    return 0;
}

static int
by_name(const void *left, const void *right)
{
    return strcmp((*(struct fp_litmus *const *)left)->name, (*(struct fp_litmus *const *)right)->name);
}

/* ---- Mutants ----------------------------------------------------------------------------------------------------- */

/* Does the test show the difference, in one of the profiles? */
static bool
notices(const struct fp_litmus *test, unsigned profiles, struct compared *compared, enum fp_rules *rules)
{
    struct compare_effort effort = {.runs = runs, .runs_racy = 1200, .seed = 1, .first_only = true};

    for (*rules = FP_RULES_STRICT; *rules <= FP_RULES_NV; ++*rules) {
        if (!(profiles >> *rules & 1) || !compare_expectation(test, *rules))
            continue;
        *compared = compare_test(test, *rules, &effort);
        if (compared->result != COMPARE_AGREES)
            return true;
    }
    return false;
}

/* The suite, those first that have noticed most. */
static void
order_tests(int *order)
{
    for (int i = 0; i < suite.count; i++) {
        int at = i;
        for (; at > 0 && shared->noticed[order[at - 1]] < shared->noticed[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* True where some test notices the mutant in hand. */
static bool
hunt(const char *name, unsigned profiles)
{
    int order[TESTS_MAX], count = 0;
    struct compared compared;
    enum fp_rules rules;

    order_tests(order);
    for (int i = 0; i < suite.count; i++) {
        const struct fp_litmus *test = suite.tests[order[i]];
        if (!notices(test, profiles, &compared, &rules))
            continue;
        shared->noticed[order[i]]++;
        if (!count++ || whole) {
            printf("%-64s noticed by ", name);
            compare_tell(test, rules, &compared, stdout);
        }
        if (!whole)
            break;
    }
    if (!count)
        printf("%-64s SURVIVES\n", name);
    else if (whole)
        printf("%-64s noticed by %d of %d tests\n", name, count, suite.count);
    fflush(stdout);
    return count > 0;
}

/* The same in a process of its own: a simulator with a wrong rule may also fall over, and that is noticed too. */
static bool
hunt_apart(const char *name, unsigned profiles)
{
    int status;

    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(hunt(name, profiles) ? 0 : 1);
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        perror("litmus_mutants: fork");
        exit(EX_OSERR);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) <= 1)
        return WEXITSTATUS(status) == 0;
    printf("%-64s noticed: the process ended (status %d)\n", name, status);
    return true;
}

static int
hunt_row(int row)
{
    char name[160];
    int survivors = 0;

    if (!classes) {
        mutant = (struct mutant){row, FP_ORDER_COUNT, FP_ORDER_COUNT};
        snprintf(name, sizeof name, "row %d, %s, %s", row, edge_names[mutants_row_edge(row)], mutants_row_clause(row));
        return !hunt_apart(name, mutants_row_profiles(row));
    }
    for (enum fp_order_class x = 0; x < FP_ORDER_COUNT; x++) {
        bool has = false;
        for (enum fp_order_class y = 0; y < FP_ORDER_COUNT; y++)
            has |= mutants_row_has(row, x, y);
        if (!has)
            continue;
        mutant = (struct mutant){row, x, FP_ORDER_COUNT};
        snprintf(name, sizeof name, "row %d, %s, %s, without %s", row, edge_names[mutants_row_edge(row)],
                 mutants_row_clause(row), class_names[x]);
        survivors += !hunt_apart(name, mutants_row_profiles(row));
    }
    return survivors;
}

/* The right table, on the tests that were used: all agree, or the notices mean nothing. */
static int
check_right_table(void)
{
    struct compared compared;
    enum fp_rules rules;
    int wrong = 0;

    mutant = (struct mutant){.row = -1};
    for (int i = 0; i < suite.count; i++)
        if (shared->noticed[i] > 0 && notices(suite.tests[i], 7, &compared, &rules)) {
            printf("with the right table: ");
            compare_tell(suite.tests[i], rules, &compared, stdout);
            wrong++;
        }
    return wrong;
}

int
main(int argc, char **argv)
{
    static const struct option options[] = {{"whole", no_argument, NULL, 'w'},
                                            {"classes", no_argument, NULL, 'c'},
                                            {"runs", required_argument, NULL, 'r'},
                                            {NULL, 0, NULL, 0}};
    int survivors = 0;

    for (int letter; (letter = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (letter) {
        case 'w':
            whole = true;
            break;
        case 'c':
            classes = true;
            break;
        case 'r':
            runs = atoi(optarg);
            break;
        default:
            optind = argc;
        }
    if (optind >= argc) {
        fprintf(stderr, "usage: litmus_mutants [--whole] [--classes] [--runs R] FILE|FOLDER ...\n");
        return EX_USAGE;
    }
    for (int i = optind; i < argc; i++)
        if (nftw(argv[i], add_file, 16, FTW_PHYS)) {
            fprintf(stderr, "litmus_mutants: %s: %s\n", argv[i], strerror(errno));
            return EX_NOINPUT;
        }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("litmus_mutants: mmap");
        return EX_OSERR;
    }
    qsort(suite.tests, (size_t)suite.count, sizeof suite.tests[0], by_name);
    for (int row = 0; row < mutants_rows(); row++)
        survivors += hunt_row(row);
    int wrong = check_right_table();
    printf("mutants of the ordering table: %d rows, %d tests, %d survive\n", mutants_rows(), suite.count, survivors);
    return survivors > 0 || wrong > 0;
}
