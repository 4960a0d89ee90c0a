/* test_search.c -- exhaustive search: exact numbers of executions, and the same outcomes as plain enumeration.
 *
 * This file is compiled with hooks, so that the search sees what the PE functions load and store. Each number asserted
 * is argued beside it. Two executions are the same when the same steps happen and dependent ones keep their order; D
 * and F below are the deliveries of data and flag, R is the step of PE 1 that sees the flag and reads the data.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <string.h>

#include "fencepost.h"
#include "shmem.h"

#define OUTCOMES_MAX 64

/* What a PE function has seen, and all that were seen over the executions. */
struct world {
    int variant;
    int untidy; /* no free at the end and no checks: fewer and cheaper executions for plain enumeration */
    long seen[4];
    long outcomes[OUTCOMES_MAX][4];
    int count;
};

static void
forget(void *arg)
{
    struct world *world = arg;
    memset(world->seen, 0, sizeof world->seen);
}

static int
remember(void *arg)
{
    struct world *world = arg;
    int i = 0;
    while (i < world->count && memcmp(world->outcomes[i], world->seen, sizeof world->seen))
        i++;
    assert_true(i < OUTCOMES_MAX);
    if (i == world->count)
        memcpy(world->outcomes[world->count++], world->seen, sizeof world->seen);
    return 0;
}

static int
has_outcome(const struct world *world, const long *outcome)
{
    for (int i = 0; i < world->count; i++)
        if (!memcmp(world->outcomes[i], outcome, sizeof world->outcomes[i]))
            return 1;
    return 0;
}

/* Four words of each PE, zero. */
static long *
begin(void)
{
    shmem_init();
    return shmem_calloc(4, sizeof(long));
}

static void
end(const struct world *world, long *words)
{
    if (!world->untidy)
        shmem_free(words);
    shmem_finalize();
}

/* ---- Message passing. 0: with fence, 1: without, 2: by put_signal */

static void
message_passing(void *arg)
{
    struct world *world = arg;
    long *data = begin();
    uint64_t *flag = (uint64_t *)(data + 1);
    if (shmem_my_pe() == 0) {
        if (world->variant == 2) {
            long value = 42;
            shmem_long_put_signal(data, &value, 1, flag, 1, SHMEM_SIGNAL_SET, 1);
        } else {
            shmem_long_p(data, 42, 1);
            if (world->variant == 0)
                shmem_fence();
            shmem_uint64_atomic_set(flag, 1, 1);
        }
    } else {
        shmem_uint64_wait_until(flag, SHMEM_CMP_EQ, 1);
        world->seen[1] = *data;
    }
    end(world, data);
}

/* ---- Two producers on one counter: PE 0 takes the first signal for PE 1's */

static void
two_producers(void *arg)
{
    struct world *world = arg;
    long *data = begin(), *counter = data;
    int me = shmem_my_pe();
    if (me > 0) {
        shmem_long_p(&data[me], me, 0);
        shmem_fence();
        shmem_long_atomic_inc(counter, 0);
    } else {
        shmem_long_wait_until(counter, SHMEM_CMP_GE, world->variant == 0 ? 1 : 2);
        world->seen[0] = data[1];
    }
    end(world, data);
}

/* ---- Others for the comparison */

/* Atomics of two PEs on one location, and who sees which old value. */
static void
fetches(void *arg)
{
    struct world *world = arg;
    long *counter = begin();
    int me = shmem_my_pe();
    world->seen[me] = shmem_long_atomic_fetch_add(counter, me + 1, 0);
    if (me == 0)
        world->seen[2] = shmem_long_atomic_fetch(counter, 0);
    end(world, counter);
}

/* Looks once, and acts on not having seen anything. */
static void
looks_once(void *arg)
{
    struct world *world = arg;
    long *flag = begin(), *answer = flag + 1;
    if (shmem_my_pe() == 0) {
        shmem_long_p(flag, 1, 1);
        shmem_quiet();
        world->seen[0] = shmem_long_atomic_fetch(answer, 1);
    } else if (!shmem_long_test(flag, SHMEM_CMP_EQ, 1)) {
        world->seen[1] = 1;
        shmem_long_atomic_set(answer, 7, 1);
    }
    end(world, flag);
}

/* A loop of looks. */
static void
polls(void *arg)
{
    struct world *world = arg;
    long *flag = begin();
    if (shmem_my_pe() == 0) {
        shmem_long_p(flag, 1, 1);
        shmem_long_p(flag + 1, 1, 1);
    } else {
        while (!shmem_long_test(flag, SHMEM_CMP_EQ, 1))
            ;
        world->seen[1] = flag[1];
    }
    end(world, flag);
}

/* Either of two flags will do, and so will a half of one: what has not come when PE 1 wakes differs. */
static void
waits_for_either(void *arg)
{
    struct world *world = arg;
    long *flags = begin();
    if (shmem_my_pe() == 0) {
        shmem_long_atomic_set(&flags[0], 1, 1);
        shmem_long_atomic_set(&flags[1], 1, 1);
    } else if (world->variant == 0) {
        world->seen[0] = (long)shmem_long_wait_until_any(flags, 2, NULL, SHMEM_CMP_EQ, 1);
        world->seen[1] = shmem_long_atomic_fetch(&flags[0], 1) + 2 * shmem_long_atomic_fetch(&flags[1], 1);
    } else {
        while (shmem_long_test_any(flags, 2, NULL, SHMEM_CMP_EQ, 1) == SIZE_MAX)
            ;
        world->seen[1] = flags[0] + 2 * flags[1];
    }
    end(world, flags);
}

/* Who is first in the lock? */
static void
locks(void *arg)
{
    struct world *world = arg;
    long *lock = begin(), *turn = lock + 1;
    shmem_set_lock(lock);
    world->seen[shmem_my_pe()] = shmem_long_atomic_fetch_inc(turn, 0);
    shmem_clear_lock(lock);
    end(world, lock);
}

/* PE 1 may end the job before PE 0's data has come, or PE 0 waits for ever. */
static void
ends_early(void *arg)
{
    struct world *world = arg;
    long *flag = begin();
    if (shmem_my_pe() == 0) {
        shmem_long_p(flag, 1, 1);
        shmem_long_p(flag, 2, 1);
    } else {
        shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
        world->seen[1] = 1;
        shmem_global_exit(0);
    }
    end(world, flag);
}

static fencepost_result_t *
explore(void (*pe_main)(void *), struct world *world, int variant, int npes, int exhaustive)
{
    memset(world->outcomes, 0, sizeof world->outcomes);
    world->count = 0;
    world->variant = variant;
    fencepost_exploration_t all = {.run = {.npes = npes, .quiet = 1, .heap_bytes = 1 << 16, .no_check = world->untidy},
                                   .exhaustive = exhaustive,
                                   .collect = 1,
                                   .runs = 500000,
                                   .before = forget,
                                   .after = remember};
    return fencepost_explore(pe_main, world, &all);
}

static void
message_passing_with_fence_is_one_execution(void **state)
{
    (void)state;
    /* D before F by the fence, F before R since R waits for it: every pair of dependent steps has one order. */
    struct world world = {0};
    for (int variant = 0; variant <= 2; variant += 2) {
        fencepost_result_t *result = explore(message_passing, &world, variant, 2, FENCEPOST_ALL);
        assert_int_equal(fencepost_finding_count(result), 0);
        assert_int_equal(fencepost_exit_status(result), 0);
        assert_true(fencepost_complete(result));
        assert_int_equal(fencepost_runs(result), 1);
        assert_int_equal(world.count, 1);
        assert_int_equal(world.outcomes[0][1], 42);
        fencepost_result_free(result);
    }
}

static void
message_passing_without_fence_is_two(void **state)
{
    (void)state;
    /* F before R as above; D before R or behind it, where PE 1 reads the old value. */
    struct world world = {0};
    fencepost_result_t *result = explore(message_passing, &world, 1, 2, FENCEPOST_ALL);
    assert_int_equal(fencepost_finding_count(result), 1);
    assert_string_equal(fencepost_finding(result, 0)->finding_class, "race");
    assert_int_equal(fencepost_exit_status(result), 66);
    assert_true(fencepost_complete(result));
    assert_int_equal(fencepost_runs(result), 2);
    fencepost_result_free(result);
}

static void
two_producers_are_told_apart_only_by_some_schedules(void **state)
{
    (void)state;
    struct world world = {0};
    fencepost_result_t *result = explore(two_producers, &world, 0, 3, FENCEPOST_ALL);
    assert_int_equal(fencepost_finding_count(result), 1);
    assert_string_equal(fencepost_finding(result, 0)->finding_class, "race");
    assert_true(fencepost_complete(result));
    fencepost_result_free(result);
    result = explore(two_producers, &world, 1, 3, FENCEPOST_ALL);
    assert_int_equal(fencepost_finding_count(result), 0);
    assert_true(fencepost_complete(result));
    assert_int_equal(world.count, 1);
    fencepost_result_free(result);
}

static void
compare(void (*pe_main)(void *), int variant, int npes, const char *name)
{
    struct world plain = {.untidy = 1}, reduced = {.untidy = 1};
    fencepost_result_t *all = explore(pe_main, &plain, variant, npes, FENCEPOST_PLAIN);
    fencepost_result_t *few = explore(pe_main, &reduced, variant, npes, FENCEPOST_ALL);
    printf("%-16s %d PEs: plain %llu executions, reduced %llu, outcomes %d and %d, findings %d and %d\n", name, npes,
           (unsigned long long)fencepost_runs(all), (unsigned long long)fencepost_runs(few), plain.count, reduced.count,
           fencepost_finding_count(all), fencepost_finding_count(few));
    assert_true(fencepost_complete(all));
    assert_true(fencepost_complete(few));
    assert_in_range(fencepost_runs(few), 1, fencepost_runs(all));
    assert_int_equal(plain.count, reduced.count);
    for (int i = 0; i < plain.count; i++)
        assert_true(has_outcome(&reduced, plain.outcomes[i]));
    assert_int_equal(fencepost_finding_count(all), fencepost_finding_count(few));
    fencepost_result_free(all);
    fencepost_result_free(few);
}

static void
reduction_keeps_every_outcome(void **state)
{
    (void)state;
    compare(message_passing, 0, 2, "fence");
    compare(message_passing, 1, 2, "no fence");
    compare(message_passing, 2, 2, "put_signal");
    compare(fetches, 0, 2, "fetches");
    compare(looks_once, 0, 2, "looks once");
    compare(polls, 0, 2, "polls");
    compare(waits_for_either, 0, 2, "either, waits");
    compare(waits_for_either, 1, 2, "either, tests");
    compare(locks, 0, 2, "locks");
    compare(ends_early, 0, 2, "ends early");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_passing_with_fence_is_one_execution),
        cmocka_unit_test(message_passing_without_fence_is_two),
        cmocka_unit_test(two_producers_are_told_apart_only_by_some_schedules),
        cmocka_unit_test(reduction_keeps_every_outcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
