/* bugs.c -- twelve seeded bugs, and how many runs each chooser needs to show one.
 *
 * The depth of a bug is the number of ordering constraints that a schedule has to meet to show it. The functions run
 * without the observers, so what is measured is the search: a bug is found when a PE sees what it must not see, or
 * hangs. Prints the median over CAMPAIGNS campaigns of the number of the first run that shows it; `-` where most
 * campaigns never did.
 */
#include <fencepost.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAMPAIGNS 15
#define RUNS_MAX 5000

static int bad; /* some PE saw what it must not see */
static long steps[3];

static void
forget(void *arg)
{
    bad = 0;
    memset(steps, 0, sizeof steps);
}

static int
was_bad(void *arg)
{
    return bad;
}

/* Eight words of each PE. */
static long *
words(void)
{
    shmem_init();
    return shmem_calloc(8, sizeof(long));
}

static void
noise(int count)
{
    for (int i = 0; i < count; i++)
        shmem_fence();
}

/* ---- Depth 1: one pair comes the other way round */

static void
flag_overtakes_data(void *arg)
{
    long *w = words();
    if (shmem_my_pe() == 0) {
        shmem_long_p(&w[0], 1, 1);
        shmem_long_atomic_set(&w[1], 1, 1);
    } else {
        shmem_long_wait_until(&w[1], SHMEM_CMP_EQ, 1);
        bad = w[0] != 1;
    }
    shmem_finalize();
}

static void
source_is_used_again(void *arg)
{
    long *w = words();
    if (shmem_my_pe() == 0) {
        w[2] = 1;
        shmem_long_put_nbi(&w[0], &w[2], 1, 1);
        noise(3);
        w[2] = 2;
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        bad = w[0] != 1;
    shmem_finalize();
}

static void
third_pe_is_told_too_early(void *arg)
{
    long *w = words();
    if (shmem_my_pe() == 0) {
        shmem_long_p(&w[0], 1, 1);
        shmem_fence(); /* orders deliveries to one PE only */
        shmem_long_atomic_set(&w[1], 1, 2);
    } else if (shmem_my_pe() == 2) {
        shmem_long_wait_until(&w[1], SHMEM_CMP_EQ, 1);
        bad = shmem_long_g(&w[0], 1) != 1;
    }
    shmem_finalize();
}

static void
first_producer_is_not_the_expected(void *arg)
{
    long *w = words();
    int me = shmem_my_pe();
    if (me > 0) {
        if (me == 2)
            noise(6);
        shmem_long_p(&w[me], 1, 0);
        shmem_fence();
        shmem_long_atomic_inc(&w[0], 0);
    } else {
        shmem_long_wait_until(&w[0], SHMEM_CMP_GE, 1);
        bad = w[1] != 1;
    }
    shmem_finalize();
}

/* ---- Depth 2: one PE is interrupted between two steps */

static void
update_is_lost(void *arg)
{
    long *w = words();
    int me = shmem_my_pe();
    noise(me * 8);
    long value = shmem_long_atomic_fetch(&w[0], 0);
    shmem_long_atomic_set(&w[0], value + 1, 0);
    shmem_barrier_all();
    if (me == 0)
        bad = w[0] != 2;
    shmem_finalize();
}

static void
slot_is_claimed_twice(void *arg)
{
    long *w = words();
    int me = shmem_my_pe();
    noise(me * 6);
    if (shmem_long_atomic_fetch(&w[0], 0) == 0) {
        shmem_long_atomic_set(&w[0], me + 1, 0);
        shmem_quiet();
        noise(2);
        bad |= shmem_long_atomic_fetch(&w[0], 0) != me + 1;
    }
    shmem_finalize();
}

static void
value_passes_by(void *arg)
{
    long *w = words();
    if (shmem_my_pe() == 0) {
        shmem_long_atomic_set(&w[0], 1, 1);
        shmem_quiet();
        noise(4);
        shmem_long_atomic_set(&w[0], 0, 1);
    } else {
        shmem_long_wait_until(&w[0], SHMEM_CMP_EQ, 1);
    }
    shmem_finalize();
}

static void
locks_in_two_orders(void *arg)
{
    long *w = words();
    int me = shmem_my_pe();
    noise(me * 6);
    shmem_set_lock(&w[me]);
    shmem_set_lock(&w[1 - me]);
    shmem_clear_lock(&w[1 - me]);
    shmem_clear_lock(&w[me]);
    shmem_finalize();
}

/* ---- Depth 3 */

static void
both_enter(void *arg)
{
    long *w = words();
    int me = shmem_my_pe();
    shmem_long_atomic_set(&w[0], 1, 1 - me); /* I want to enter; not waited for */
    noise(4);
    if (shmem_long_atomic_fetch(&w[0], me) == 0) {
        shmem_long_atomic_inc(&w[1], 0);
        noise(4);
        bad |= shmem_long_atomic_fetch(&w[1], 0) > 1;
        shmem_long_atomic_add(&w[1], -1, 0);
    }
    shmem_finalize();
}

static void
slot_is_read_before_it_is_filled(void *arg)
{
    long *w = words();
    int me = shmem_my_pe();
    if (me > 0) {
        long at = shmem_long_atomic_fetch_inc(&w[0], 0);
        noise(3);
        shmem_long_p(&w[2 + at], 1, 0);
        shmem_fence();
        shmem_long_atomic_inc(&w[1], 0);
    } else {
        shmem_long_wait_until(&w[1], SHMEM_CMP_GE, 1);
        bad = w[2] != 1; /* the first slot need not be the first that is filled */
    }
    shmem_finalize();
}

/* ---- Depth 2 and 4 without any operation: windows that a PE's steps have to fall into */

static void
window(void *arg)
{
    words();
    if (shmem_my_pe() == 0) {
        for (int i = 0; i < 12; i++) {
            shmem_fence();
            steps[0]++;
        }
    } else {
        noise(6);
        long before = steps[0];
        shmem_fence();
        bad = steps[0] - before == 12;
        noise(6);
    }
    shmem_finalize();
}

static void
window_in_a_window(void *arg)
{
    words();
    int me = shmem_my_pe();
    noise(2);
    long before = me ? steps[me - 1] : 0;
    for (int i = 0; i < 3; i++) {
        shmem_fence();
        steps[me]++;
    }
    if (me == 1)
        bad |= before == 0 && steps[0] == 3 && steps[2] == 0;
    noise(2);
    bad &= !(me == 2 && steps[1] != 3);
    shmem_finalize();
}

static const struct bug {
    const char *name;
    int depth, npes;
    void (*pe_main)(void *);
} bugs[] = {
    {"flag overtakes data", 1, 2, flag_overtakes_data},
    {"source of a nonblocking put is used again", 1, 2, source_is_used_again},
    {"third PE is told too early", 1, 3, third_pe_is_told_too_early},
    {"first producer is not the expected one", 1, 3, first_producer_is_not_the_expected},
    {"update is lost", 2, 2, update_is_lost},
    {"slot is claimed twice", 2, 2, slot_is_claimed_twice},
    {"value passes by a wait", 2, 2, value_passes_by},
    {"two locks in two orders", 2, 2, locks_in_two_orders},
    {"all steps of a PE in one window", 2, 2, window},
    {"both enter", 3, 2, both_enter},
    {"slot is read before it is filled", 3, 3, slot_is_read_before_it_is_filled},
    {"window in a window", 4, 3, window_in_a_window},
};

static int
ascending(const void *a, const void *b)
{
    unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;
    return (x > y) - (x < y);
}

/* Runs until the bug shows; RUNS_MAX + 1 where it does not. */
static unsigned long
runs_to_find(const struct bug *bug, const char *chooser, int campaign)
{
    fencepost_exploration_t exploration = {.run = {.npes = bug->npes,
                                                   .seed = 1 + (uint64_t)campaign * 100000,
                                                   .chooser = chooser,
                                                   .depth = bug->depth,
                                                   .no_check = 1,
                                                   .quiet = 1,
                                                   .heap_bytes = 4096},
                                           .runs = RUNS_MAX,
                                           .before = forget,
                                           .after = was_bad};
    fencepost_result_t *result = fencepost_explore(bug->pe_main, NULL, &exploration);
    unsigned long runs = fencepost_exit_status(result) ? fencepost_runs(result) : RUNS_MAX + 1;
    fencepost_result_free(result);
    return runs;
}

int
main(int argc, char **argv)
{
    static const char *const choosers[] = {"random", "pct", "adversarial", "uniform", "swarm"};
    int campaigns = argc > 1 ? atoi(argv[1]) : CAMPAIGNS;
    if (campaigns < 1 || campaigns > CAMPAIGNS)
        campaigns = CAMPAIGNS;
    printf("%-44s %5s", "median runs to find", "depth");
    for (int c = 0; c < 5; c++)
        printf(" %11s", choosers[c]);
    printf("\n");
    for (size_t b = 0; b < sizeof bugs / sizeof *bugs; b++) {
        printf("%-44s %5d", bugs[b].name, bugs[b].depth);
        for (int c = 0; c < 5; c++) {
            unsigned long runs[CAMPAIGNS];
            for (int i = 0; i < campaigns; i++)
                runs[i] = runs_to_find(&bugs[b], choosers[c], i);
            qsort(runs, (size_t)campaigns, sizeof *runs, ascending);
            unsigned long median = runs[campaigns / 2];
            if (median > RUNS_MAX)
                printf(" %11s", "-");
            else
                printf(" %11lu", median);
        }
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
