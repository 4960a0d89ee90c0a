/* corpus.c -- recorded failures are replayed and fail in the same way.
 *
 * Each story is a PE function with a fault that shows its worst only under some schedules: a value that arrives too
 * late, a wait that misses its moment. traces/corpus/NAME.fptrace holds one such schedule. The stories make choices in
 * library calls alone (they are compiled without hooks), so a trace outlives compilers; a change to what is chosen, or
 * when, ends its life, and then
 *
 *     build/tests/unit_corpus --record
 *
 * searches the seeds for each story's outcome again and writes the traces anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "fencepost.h"
#include "shmem.h"

#define SEEDS_MAX 2000
#define UNSEEN (-1)

static long seen; /* what the story's last PE saw; all PEs share the test's image */

/* ---- the stories ---- */

static void
flag_overtakes_data(long *word)
{
    if (shmem_my_pe() == 0) {
        shmem_long_p(&word[0], 1, 1);
        shmem_long_atomic_set(&word[1], 1, 1);
    } else {
        shmem_long_wait_until(&word[1], SHMEM_CMP_EQ, 1);
        seen = shmem_long_g(&word[0], 1);
    }
}

static void
fence_is_for_one_target(long *word)
{
    if (shmem_my_pe() == 0) {
        shmem_long_p(&word[0], 1, 1);
        shmem_fence();
        shmem_long_atomic_set(&word[1], 1, 2);
    } else if (shmem_my_pe() == 2) {
        shmem_long_wait_until(&word[1], SHMEM_CMP_EQ, 1);
        seen = shmem_long_g(&word[0], 1);
    }
}

static void
source_read_too_late(long *word)
{
    if (shmem_my_pe() == 0) {
        shmem_long_put_nbi(&word[0], &word[1], 1, 1);
        shmem_long_p(&word[1], 2, 0);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        seen = shmem_long_g(&word[0], 1);
}

static void
second_signal_first(long *word)
{
    uint64_t *sig = (uint64_t *)&word[3];
    long one = 1;
    if (shmem_my_pe() == 0) {
        shmem_long_put_signal(&word[0], &one, 1, sig, 1, SHMEM_SIGNAL_ADD, 1);
        shmem_long_put_signal(&word[1], &one, 1, sig, 1, SHMEM_SIGNAL_ADD, 1);
    } else {
        shmem_signal_wait_until(sig, SHMEM_CMP_GE, 1);
        seen = shmem_long_g(&word[0], 1);
    }
}

static void
first_put_lands_last(long *word)
{
    if (shmem_my_pe() == 0) {
        shmem_long_p(&word[0], 1, 1);
        shmem_long_p(&word[0], 2, 1);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        seen = shmem_long_g(&word[0], 1);
}

static void
value_passes_unseen(long *word)
{
    if (shmem_my_pe() == 0) {
        shmem_long_atomic_inc(&word[0], 1);
        shmem_long_atomic_inc(&word[0], 1);
    } else {
        shmem_long_wait_until(&word[0], SHMEM_CMP_EQ, 1);
    }
}

static void
locks_crosswise(long *word)
{
    int me = shmem_my_pe();
    shmem_set_lock(&word[me]);
    shmem_set_lock(&word[1 - me]);
    shmem_clear_lock(&word[1 - me]);
    shmem_clear_lock(&word[me]);
}

static void
signal_wiped_out(long *word)
{
    uint64_t *sig = (uint64_t *)&word[0];
    if (shmem_my_pe() == 0) {
        shmem_signal_set(sig, 1, 1);
    } else {
        shmem_long_test(&word[1], SHMEM_CMP_EQ, 1); /* time passes */
        *sig = 0;
        shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 1);
    }
}

static const struct story {
    const char *name;
    void (*pes)(long *word);
    int npes;
    const char *finding_class;
    long seen;
} stories[] = {
#define STORY(name, npes, class_, seen)                                                                                \
    {                                                                                                                  \
#name, name, npes, class_, seen                                                                                \
    }
    STORY(flag_overtakes_data, 2, "race", 0),  STORY(fence_is_for_one_target, 3, "race", 0),
    STORY(source_read_too_late, 2, "race", 2), STORY(second_signal_first, 2, "race", 0),
    STORY(first_put_lands_last, 2, "race", 1), STORY(value_passes_unseen, 2, "hang", UNSEEN),
    STORY(locks_crosswise, 2, "hang", UNSEEN), STORY(signal_wiped_out, 2, "hang", UNSEEN),
};
#define NSTORIES (sizeof stories / sizeof *stories)

/* ---- recording and replaying ---- */

static void
pe_main(void *arg)
{
    const struct story *story = arg;
    shmem_init();
    long *word = shmem_calloc(4, sizeof *word);
    story->pes(word);
    shmem_free(word);
    shmem_finalize();
}

static void
trace_path(const struct story *story, char *path, size_t bytes)
{
    const char *here = __FILE__, *slash = strrchr(here, '/');
    snprintf(path, bytes, "%.*s../../traces/corpus/%s.fptrace", slash ? (int)(slash - here) + 1 : 0, here, story->name);
}

/* Whether the run ended as the story says, with nothing else found. */
static int
is_told(const struct story *story, const fencepost_result_t *result)
{
    const fencepost_finding_t *finding = fencepost_finding(result, 0);
    return fencepost_finding_count(result) == 1 && strcmp(finding->finding_class, story->finding_class) == 0 &&
           fencepost_exit_status(result) == 66 && seen == story->seen;
}

static fencepost_result_t *
run(const struct story *story, const fencepost_config_t *config)
{
    seen = UNSEEN;
    return fencepost_run(pe_main, (void *)story, config);
}

static int
record(const struct story *story)
{
    char path[1024];
    trace_path(story, path, sizeof path);
    for (uint64_t seed = 1; seed <= SEEDS_MAX; seed++) {
        fencepost_config_t config = {.npes = story->npes, .seed = seed, .chooser = "random", .trace = path, .quiet = 1};
        fencepost_result_t *result = run(story, &config);
        int told = is_told(story, result);
        fencepost_result_free(result);
        if (told) {
            printf("%s: seed %d\n", story->name, (int)seed);
            return 0;
        }
    }
    printf("%s: its outcome was on none of %d seeds\n", story->name, SEEDS_MAX);
    return 1;
}

static void
replay(void **state)
{
    const struct story *story = *state;
    char path[1024];
    trace_path(story, path, sizeof path);
    fencepost_config_t config = {.npes = story->npes, .chooser = "random", .replay = path, .quiet = 1};
    fencepost_result_t *result = run(story, &config);
    const fencepost_finding_t *finding = fencepost_finding(result, 0);
    if (!is_told(story, result))
        fail_msg("%s: %d findings, the first %s; seen %ld, status %d", story->name, fencepost_finding_count(result),
                 finding ? finding->message : "(none)", seen, fencepost_exit_status(result));
    fencepost_result_free(result);
}

int
main(int argc, char **argv)
{
    int bad = 0;
    if (argc > 1 && strcmp(argv[1], "--record") == 0) {
        for (size_t i = 0; i < NSTORIES; i++)
            bad |= record(&stories[i]);
        return bad;
    }
    struct CMUnitTest tests[NSTORIES];
    for (size_t i = 0; i < NSTORIES; i++)
        tests[i] =
            (struct CMUnitTest){.name = stories[i].name, .test_func = replay, .initial_state = (void *)&stories[i]};
    return cmocka_run_group_tests_name("corpus", tests, NULL, NULL);
}
