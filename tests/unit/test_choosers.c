/* test_choosers.c -- what the choosers promise.
 *
 * The fault of window(): PE 0 makes STEPS steps, and all of them fall between two neighbouring steps of PE 1. A random
 * walk has to toss the same side of a coin STEPS times: 2^-15 a run. PCT with depth 2 has to give PE 1 the higher
 * priority (1/n, with n = 2 chains) and to draw its one change point at the step in question (1/k): 1 / (n k) = 1/100 a
 * run for k = 50, the bound of the theory, met exactly.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "fencepost.h"
#include "shmem.h"
#include "sim/choose.h"

#define STEPS 15

struct window {
    int steps, most; /* of PE 0 so far; within the window of PE 1 */
};

static void
window(void *arg)
{
    struct window *window = arg;
    shmem_init();
    if (shmem_my_pe() == 0) {
        for (int i = 0; i < STEPS; i++) {
            shmem_fence();
            window->steps++;
        }
    } else {
        for (int i = 0; i < STEPS / 2; i++)
            shmem_fence();
        int before = window->steps;
        shmem_fence();
        window->most = window->steps - before;
        for (int i = 0; i < STEPS / 2; i++)
            shmem_fence();
    }
    shmem_finalize();
}

static int
hits(const char *chooser, int depth, uint64_t steps, int runs)
{
    int count = 0;
    for (int seed = 1; seed <= runs; seed++) {
        struct window shared = {0};
        fencepost_config_t config = {.npes = 2,
                                     .seed = (uint64_t)seed,
                                     .chooser = chooser,
                                     .depth = depth,
                                     .steps = steps,
                                     .no_check = 1,
                                     .heap_bytes = 4096};
        fencepost_result_t *result = fencepost_run(window, &shared, &config);
        assert_int_equal(fencepost_exit_status(result), 0);
        fencepost_result_free(result);
        count += shared.most == STEPS;
    }
    return count;
}

static void
pct_keeps_its_guarantee(void **state)
{
    (void)state;
    /* 2,000 runs at 1/100: 20 expected, standard deviation 4.4. The seeds are fixed, so this is no lottery. */
    assert_in_range(hits("pct", 2, 50, 2000), 10, 40);
}

static void
pct_needs_the_depth_of_the_fault(void **state)
{
    (void)state;
    assert_int_equal(hits("pct", 1, 50, 500), 0); /* no change point: PE 1 is not interrupted */
}

static void
random_walks_miss_what_pct_finds(void **state)
{
    (void)state;
    assert_int_equal(hits("random", 0, 0, 500), 0); /* 500 * 2^-15 = 0.015 expected */
    assert_int_equal(hits("uniform", 0, 0, 500), 0);
}

/* Every chooser on a program that sends, waits, looks and locks: the same values, whatever the order. */
static void
mixed(void *arg)
{
    long *sums = arg;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long *counter = shmem_calloc(1, sizeof *counter), *data = shmem_calloc((size_t)n, sizeof *data);
    long *lock = shmem_calloc(1, sizeof *lock);
    long value = me + 1;
    for (int i = 0; i < 4; i++) {
        shmem_long_put(&data[me], &value, 1, (me + 1) % n);
        shmem_fence();
        shmem_long_atomic_inc(counter, (me + 1) % n);
        shmem_set_lock(lock);
        shmem_clear_lock(lock);
        while (!shmem_long_test(counter, SHMEM_CMP_GE, i + 1))
            ;
    }
    shmem_barrier_all();
    sums[me] = shmem_long_g(&data[(me + n - 1) % n], me);
    shmem_free(lock);
    shmem_free(data);
    shmem_free(counter);
    shmem_finalize();
}

static void
every_chooser_runs_a_right_program_clean(void **state)
{
    (void)state;
    static const char *const names[] = {
#define NAME(name) #name,
        SIM_CHOOSERS(NAME)
#undef NAME
    };
    for (size_t c = 0; c < sizeof names / sizeof names[0]; c++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            long sums[3] = {0};
            fencepost_config_t config = {.npes = 3, .seed = seed, .chooser = names[c]};
            fencepost_result_t *result = fencepost_run(mixed, sums, &config);
            assert_int_equal(fencepost_exit_status(result), 0);
            assert_int_equal(fencepost_finding_count(result), 0);
            for (int pe = 0; pe < 3; pe++)
                assert_int_equal(sums[pe], (pe + 2) % 3 + 1);
            fencepost_result_free(result);
        }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pct_keeps_its_guarantee),
        cmocka_unit_test(pct_needs_the_depth_of_the_fault),
        cmocka_unit_test(random_walks_miss_what_pct_finds),
        cmocka_unit_test(every_chooser_runs_a_right_program_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
