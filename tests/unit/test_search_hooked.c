/* test_search_hooked.c -- random programs with hooks: the search sees every load and store. */
#include "search_random.h"

/* Arguments: another first program, and how many. */
static uint64_t first = 1000;
static int count = 16;

static void
outcomes_are_those_of_plain_enumeration(void **state)
{
    (void)state;
    assert_in_range(compare_random_programs(first, count, 2), count / 4, count);
}

int
main(int argc, char **argv)
{
    if (argc > 2) {
        first = strtoull(argv[1], NULL, 10);
        count = atoi(argv[2]);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(outcomes_are_those_of_plain_enumeration)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
