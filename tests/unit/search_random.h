/* search_random.h -- random programs of two PEs: the reduced search must see exactly the outcomes of plain enumeration.
 *
 * Each PE makes a few random operations on two words of either PE; an outcome is everything that was read, and the
 * memory at the end. Included by two tests, one of which is compiled with hooks: without them the search knows less
 * and has to try more.
 */
#ifndef SEARCH_RANDOM_H
#define SEARCH_RANDOM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fencepost.h"
#include "shmem.h"

#define OPS_MAX 3
#define PLAIN_MAX 8000
#define OUTCOMES 512

struct op {
    int what, word, pe, value;
};

struct program {
    struct op ops[2][OPS_MAX];
    int nops[2];
    long seen[2][OPS_MAX + 2];
    long outcomes[OUTCOMES][2][OPS_MAX + 2];
    int count, hangs;
};

static uint64_t random_state;

static int
below(int bound)
{
    uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int)((z >> 33) % (uint64_t)bound);
}

static void
make(struct program *program, uint64_t seed, int most)
{
    random_state = seed;
    memset(program, 0, sizeof *program);
    for (int pe = 0; pe < 2; pe++) {
        program->nops[pe] = 1 + below(most);
        for (int i = 0; i < program->nops[pe]; i++)
            program->ops[pe][i] = (struct op){below(12), below(2), below(3) ? 1 - pe : pe, 1 + pe * 10 + i};
    }
}

static long
perform(const struct op *op, long *words)
{
    long *word = &words[op->word];
    switch (op->what) {
    case 0:
    case 1:
        shmem_long_p(word, op->value, op->pe);
        return 0;
    case 2:
        shmem_long_atomic_add(word, op->value, op->pe);
        return 0;
    case 3:
        shmem_fence();
        return 0;
    case 4:
        shmem_quiet();
        return 0;
    case 5:
        return shmem_long_atomic_fetch(word, op->pe);
    case 6:
        return *(volatile long *)word;
    case 7:
        *(volatile long *)word = op->value;
        return 0;
    case 8:
        return shmem_long_test(word, SHMEM_CMP_NE, 0);
    case 9:
        return shmem_long_g(word, op->pe);
    case 10:
        words[2] = op->value;
        shmem_long_put_nbi(word, &words[2], 1, op->pe);
        return 0;
    default:
        while (!shmem_long_test(word, SHMEM_CMP_NE, 0))
            ;
        return *word;
    }
}

static void
random_pe(void *arg)
{
    struct program *program = arg;
    shmem_init();
    int me = shmem_my_pe();
    long *words = shmem_calloc(3, sizeof *words);
    for (int i = 0; i < program->nops[me]; i++)
        program->seen[me][i] = perform(&program->ops[me][i], words);
    program->seen[me][OPS_MAX] = *(volatile long *)&words[0];
    program->seen[me][OPS_MAX + 1] = *(volatile long *)&words[1];
    shmem_finalize();
}

static void
random_forget(void *arg)
{
    struct program *program = arg;
    memset(program->seen, 0, sizeof program->seen);
}

static int
random_remember(void *arg)
{
    struct program *program = arg;
    int i = 0;
    while (i < program->count && memcmp(program->outcomes[i], program->seen, sizeof program->seen))
        i++;
    assert_true(i < OUTCOMES);
    if (i == program->count)
        memcpy(program->outcomes[program->count++], program->seen, sizeof program->seen);
    return 0;
}

static fencepost_result_t *
random_search(struct program *program, int exhaustive)
{
    fencepost_exploration_t all = {.run = {.npes = 2, .quiet = 1, .heap_bytes = 4096, .no_check = 1},
                                   .exhaustive = exhaustive,
                                   .collect = 1,
                                   .runs = PLAIN_MAX,
                                   .before = random_forget,
                                   .after = random_remember};
    fencepost_result_t *result = fencepost_explore(random_pe, program, &all);
    program->hangs = fencepost_finding_count(result) > 0;
    return result;
}

static void
print_program(const struct program *program)
{
    for (int pe = 0; pe < 2; pe++)
        for (int i = 0; i < program->nops[pe]; i++)
            print_error("  PE %d: operation %d, word %d, PE %d, value %d\n", pe, program->ops[pe][i].what,
                        program->ops[pe][i].word, program->ops[pe][i].pe, program->ops[pe][i].value);
}

static int
includes(const struct program *all, const struct program *some)
{
    for (int i = 0; i < some->count; i++) {
        int k = 0;
        while (k < all->count && memcmp(all->outcomes[k], some->outcomes[i], sizeof some->outcomes[i]))
            k++;
        if (k == all->count)
            return 0;
    }
    return 1;
}

/* How many programs could be enumerated plainly. */
static int
compare_random_programs(uint64_t first, int count, int most_ops)
{
    static struct program plain, reduced;
    int compared = 0;
    unsigned long long most = 0, least = 0;
    for (int n = 0; n < count; n++) {
        make(&plain, first + (uint64_t)n, most_ops);
        make(&reduced, first + (uint64_t)n, most_ops);
        fencepost_result_t *all = random_search(&plain, FENCEPOST_PLAIN), *few = random_search(&reduced, FENCEPOST_ALL);
        assert_true(fencepost_complete(few));
        if (fencepost_complete(all)) {
            compared++;
            most += fencepost_runs(all);
            least += fencepost_runs(few);
        }
        if ((fencepost_complete(all) && !includes(&plain, &reduced)) ||
            (fencepost_complete(all) && !includes(&reduced, &plain)) ||
            (fencepost_complete(all) && plain.hangs != reduced.hangs)) {
            print_error("program %llu: %d outcomes plainly (%llu executions), %d reduced (%llu); hangs %d and %d\n",
                        (unsigned long long)first + n, plain.count, (unsigned long long)fencepost_runs(all),
                        reduced.count, (unsigned long long)fencepost_runs(few), plain.hangs, reduced.hangs);
            print_program(&plain);
            fail();
        }
        fencepost_result_free(all);
        fencepost_result_free(few);
    }
    printf("%d programs: %llu executions plainly, %llu reduced\n", compared, most, least);
    return compared;
}

/* The test of a file that includes this: FIRST names its first program, COUNT how many; arguments name others. */
static uint64_t first_program = FIRST;
static int program_count = COUNT;

static void
outcomes_are_those_of_plain_enumeration(void **state)
{
    (void)state;
    assert_in_range(compare_random_programs(first_program, program_count, 2), program_count / 4, program_count);
}

int
main(int argc, char **argv)
{
    if (argc > 2) {
        first_program = strtoull(argv[1], NULL, 10);
        program_count = atoi(argv[2]);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(outcomes_are_those_of_plain_enumeration)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
