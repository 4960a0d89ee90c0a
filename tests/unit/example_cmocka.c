/* example_cmocka.c -- OpenSHMEM code under CMocka: a right PE function, and one with a race.
 *
 * The code under test is publish(): PE 0 gives data to PE 1 and says so with a flag. With `ordered` it orders the two;
 * without, each seed gives a finding, whatever value was seen. All PEs share the test's image here, so a symmetric
 * object is a block of the heap, and what PE functions have to tell they leave in the struct that all are given.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "fencepost.h"
#include "fencepost_cmocka.h"
#include "shmem.h"

struct publication {
    int ordered;
    long seen; /* written by PE 1 */
};

static void
publish(long *data, long *flag, int ordered)
{
    shmem_long_p(data, 42, 1);
    if (ordered)
        shmem_fence();
    shmem_long_atomic_set(flag, 1, 1);
}

static void
pe_main(void *arg)
{
    struct publication *publication = arg;
    shmem_init();
    long *data = shmem_calloc(1, sizeof *data), *flag = shmem_calloc(1, sizeof *flag);
    if (shmem_my_pe() == 0) {
        publish(data, flag, publication->ordered);
    } else if (shmem_my_pe() == 1) {
        shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
        publication->seen = shmem_long_g(data, 1); /* a load, were this compiled with -fsanitize=shmem */
    }
    shmem_free(flag);
    shmem_free(data);
    shmem_finalize();
}

static void
ordered_publication_is_clean_on_every_seed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct publication publication = {.ordered = 1};
        fencepost_config_t config = {.npes = 3, .seed = seed};
        fencepost_result_t *result = fencepost_run(pe_main, &publication, &config);
        assert_int_equal(fencepost_finding_count(result), 0);
        assert_int_equal(fencepost_exit_status(result), 0);
        assert_int_equal(publication.seen, 42);
        fencepost_result_free(result);
    }
}

static void
publication_without_fence_is_a_race_on_every_seed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct publication publication = {.ordered = 0};
        fencepost_config_t config = {.npes = 2, .seed = seed, .quiet = 1};
        fencepost_result_t *result = fencepost_run(pe_main, &publication, &config);
        assert_int_equal(fencepost_finding_count(result), 1);
        assert_int_equal(fencepost_exit_status(result), 66);
        const fencepost_finding_t *finding = fencepost_finding(result, 0);
        assert_string_equal(finding->finding_class, "race");
        assert_int_equal(finding->access_count, 2);
        int put = strcmp(finding->accesses[0].op, "shmem_long_p") == 0 ? 0 : 1;
        assert_string_equal(finding->accesses[put].op, "shmem_long_p");
        assert_string_equal(finding->accesses[put].function, "publish");
        assert_int_equal(finding->accesses[put].pe, 0);
        assert_string_equal(finding->accesses[1 - put].op, "shmem_long_g");
        assert_int_equal(finding->accesses[1 - put].pe, 1);
        assert_non_null(strstr(finding->repair, "fence"));
        fencepost_result_free(result);
    }
}

static void
both_values_are_seen_over_the_seeds(void **state)
{
    (void)state;
    int zero = 0, answer = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct publication publication = {.ordered = 0};
        fencepost_config_t config = {.npes = 2, .seed = seed, .chooser = "random", .quiet = 1};
        fencepost_result_free(fencepost_run(pe_main, &publication, &config));
        zero += publication.seen == 0;
        answer += publication.seen == 42;
    }
    assert_int_equal(zero + answer, 40);
    assert_in_range(zero, 1, 39);
}

static void
reset(void *arg)
{
    ((struct publication *)arg)->seen = 0;
}

/* Many runs in one call, and all there are. */
static void
exploring_finds_the_same(void **state)
{
    (void)state;
    struct publication publication = {.ordered = 1};
    fencepost_exploration_t many = {.run = {.npes = 3, .quiet = 1}, .runs = 200, .before = reset};
    fencepost_assert_clean(fencepost_explore(pe_main, &publication, &many));
    fencepost_exploration_t all = {.run = {.npes = 2, .quiet = 1}, .exhaustive = FENCEPOST_ALL, .before = reset};
    fencepost_assert_all_clean(fencepost_explore(pe_main, &publication, &all));
    publication.ordered = 0;
    fencepost_assert_finds(fencepost_explore(pe_main, &publication, &many), "race");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordered_publication_is_clean_on_every_seed),
        cmocka_unit_test(publication_without_fence_is_a_race_on_every_seed),
        cmocka_unit_test(both_values_are_seen_over_the_seeds),
        cmocka_unit_test(exploring_finds_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
