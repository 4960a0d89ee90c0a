/* The oracle: what the reader refuses, that merging and partial-order reduction lose nothing, and its size. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fencepost_litmus.h"

/* ---- The reader -------------------------------------------------------------------------------------------------- */

static void
refuses(const char *text, const char *place, const char *why)
{
    char error[FP_LITMUS_ERROR], start[64];
    struct fp_litmus *test = fp_litmus_parse("t", text, error);

    if (test)
        fail_msg("accepted: %s", text);
    snprintf(start, sizeof start, "t:%s: ", place);
    if (strncmp(error, start, strlen(start)) || !strstr(error, why))
        fail_msg("expected %s...%s, not %s", start, why, error);
}

static void
mistakes_have_a_place(void **state)
{
    (void)state;
    refuses("", "1:1", "no name");
    refuses("name a\npes 2\n", "3:1", "no program");
    refuses("name a\npes 9\n", "2:5", "1 to 8 PEs");
    refuses("name a\ninit x\n", "2:1", "pes N");
    refuses("nmae a\n", "1:1", "begins with");
    refuses("name a\npes 2\ninit x = 0, x = 1\n", "3:13", "second time");
    refuses("name a\npes 2\ninit x@2 = 0\n", "3:8", "2 PEs");
    refuses("name a\npes 2\ninit a[9]\n", "3:8", "1 to 8 elements");
    refuses("name a\npes 2\nPE 0\nput(x@1, 1)\n", "4:5", "no object 'x'");
    refuses("name a\npes 2\ninit x\nPE 0\nput(x, 1)\n", "5:5", "which PE");
    refuses("name a\npes 2\ninit x\nPE 0\nputt(x@1, 1)\n", "5:1", "no operation 'putt'");
    refuses("name a\npes 2\ninit x\nPE 0\nput(x@1, 1) | fence\n", "5:15", "more cells");
    refuses("name a\npes 2\ninit x\nPE 0\nget(x@1)\n", "5:5", "own copy");
    refuses("name a\npes 2\ninit x\nPE 0\nr = put(x@1, 1)\n", "5:1", "gives no value");
    refuses("name a\npes 2\ninit x\nPE 0 | PE 1\nr = ld(x) | r = ld(x)\n", "5:13", "has a value already");
    refuses("name a\npes 2\ninit x\nPE 0 | PE 1\nr = ld(x) | st(x, r)\n", "5:19", "another column");
    refuses("name a\npes 2\ninit x\nPE 0\nr = afadd(x@1, 1) until r == 1\n", "5:25", "cannot be repeated");
    refuses("name a\npes 2\ninit x\nPE 0\nc:put(x@1, 1)\n", "5:1", "no context");
    refuses("name a\npes 2\ninit x, a[2]\nPE 0\nput(x@1, a)\n", "5:1", "do not fit");
    refuses("name a\npes 2\ninit x $\n", "3:8", "'$' has no meaning");
    refuses("name a\npes 2\ninit x = 12z\n", "3:10", "not a number");
    refuses("name a\npes 2\nfinal 1 == 1\n", "3:1", "below the program");
    refuses("name a\npes 2\ninit x\nPE 0\nr = ld(x)\nfinal r\n", "6:8", "comparison");
    refuses("name a\npes 2\ninit x\nPE 0\nr = ld(x)\nexpect good: r=0\n", "6:8", "no verdict");
    refuses("name a\npes 2\ninit x\nPE 0\nr = ld(x)\nexpect sc: x@1=0\n", "6:12", "not observed");
    refuses("name a\npes 2\ninit x\nPE 0\nr = ld(x)\nexpect sc: r=0; r=0\n", "6:20", "second time");
    refuses("name a\npes 2\ninit x\nPE 0\nr = ld(x)\nexpect sc:\n", "6:11", "no outcome");
}

static struct fp_litmus *
parse(const char *text)
{
    char error[FP_LITMUS_ERROR];
    struct fp_litmus *test = fp_litmus_parse("t", text, error);
    if (!test)
        fail_msg("%s", error);
    return test;
}

static void
reader_survives_any_prefix(void **state)
{
    (void)state;
    const char *text =
        "name a\npes 3\ninit x = -1, a[4] = {1, 2, 3, 4}, s, int i\nctx c nostore\nteam A = 0, 1\n"
        "PE 0 | PE 1 | PE 1\nput(a[1]@1, {1, 2}); c:fence | r = ld(x) until r != 0 | meet\n"
        "sig(x@1, {}, s := 1) | if r == 1: aset.int(i@2, r + 1) | A:sync\n"
        "final !(r == 1 && x@1 < 0x10) || a[2]@0 >= -3\nexpect strict racy: r=0 x@1=0 a[2]@0=0;\n hang\n";
    char *part = strdup(text), error[FP_LITMUS_ERROR];
    for (size_t length = strlen(text); length--;) {
        part[length] = 0;
        fp_litmus_free(fp_litmus_parse("t", part, error));
    }
    free(part);
}

/* ---- Reduction --------------------------------------------------------------------------------------------------- */

static bool
same_answer(const struct fp_litmus_answer *a, const struct fp_litmus_answer *b)
{
    if (strcmp(fp_litmus_verdict(a), fp_litmus_verdict(b)) || fp_litmus_outcomes(a) != fp_litmus_outcomes(b))
        return false;
    for (int i = 0; i < fp_litmus_outcomes(a); i++)
        if (strcmp(fp_litmus_outcome(a, i), fp_litmus_outcome(b, i)))
            return false;
    return true;
}

struct tally {
    int tests, merged, plain;
    uint64_t states, unreduced;
};

static void
compare(const struct fp_litmus *test, const char *rules, struct tally *tally)
{
    struct fp_litmus_answer *reduced = fp_litmus_ask(test, &(struct fp_litmus_question){.rules = rules});
    struct fp_litmus_answer *merged = fp_litmus_ask(
        test, &(struct fp_litmus_question){.rules = rules, .without_reduction = true, .states_max = 300000});
    struct fp_litmus_answer *plain = fp_litmus_ask(
        test, &(struct fp_litmus_question){
                  .rules = rules, .without_reduction = true, .without_merging = true, .states_max = 20000});

    tally->tests++;
    if (fp_litmus_complete(merged)) {
        tally->merged++;
        tally->states += fp_litmus_states(reduced);
        tally->unreduced += fp_litmus_states(merged);
        if (!same_answer(reduced, merged))
            fail_msg("%s, %s: reduction changes the answer", fp_litmus_name(test), rules);
    }
    if (fp_litmus_complete(plain)) {
        tally->plain++;
        if (!same_answer(reduced, plain))
            fail_msg("%s, %s: merging changes the answer", fp_litmus_name(test), rules);
    }
    fp_litmus_answer_free(reduced);
    fp_litmus_answer_free(merged);
    fp_litmus_answer_free(plain);
}

static void
reduction_loses_nothing_in_random_tests(void **state)
{
    (void)state;
    struct tally tally = {0};

    for (uint64_t i = 0; i < 400; i++) {
        char *text = fp_litmus_generate(7, i);
        struct fp_litmus *test = parse(text);
        compare(test, i % 2 ? "common" : "strict", &tally);
        fp_litmus_free(test);
        free(text);
    }
    print_message("%d tests, %d merged, %d plain; %llu states of %llu\n", tally.tests, tally.merged, tally.plain,
                  (unsigned long long)tally.states, (unsigned long long)tally.unreduced);
    assert_true(tally.merged > 390 && tally.plain > 250);
}

static void
compare_folder(const char *folder, struct tally *tally)
{
    char path[4096], error[FP_LITMUS_ERROR];
    DIR *entries = opendir(folder);

    if (!entries)
        fail_msg("no folder %s", folder);
    for (struct dirent *entry; (entry = readdir(entries));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
            compare_folder(path, tally);
        if (!strstr(entry->d_name, ".litmus"))
            continue;
        struct fp_litmus *test = fp_litmus_read(path, error);
        if (!test)
            fail_msg("%s", error);
        compare(test, "strict", tally);
        compare(test, "common", tally);
        fp_litmus_free(test);
    }
    closedir(entries);
}

static void
reduction_loses_nothing_in_the_suite(void **state)
{
    (void)state;
    struct tally tally = {0};
    char folder[4096];

    snprintf(folder, sizeof folder, "%.*s../litmus", (int)(strrchr(__FILE__, '/') + 1 - __FILE__), __FILE__);
    compare_folder(folder, &tally);
    print_message("%d tests, %d merged, %d plain; %llu states of %llu\n", tally.tests, tally.merged, tally.plain,
                  (unsigned long long)tally.states, (unsigned long long)tally.unreduced);
    assert_true(tally.tests > 500 && tally.merged == tally.tests && tally.plain > tally.tests * 3 / 4);
}

/* ---- Size and repetition ----------------------------------------------------------------------------------------- */

/* Four PEs with four operations each, all on locations of others. */
static void
four_pes_with_four_operations(void **state)
{
    (void)state;
    struct fp_litmus *test = parse("name large\npes 4\ninit x = 0, y = 0, z = 0, f = 0\n"
                                   "PE 0 | PE 1 | PE 2 | PE 3\n"
                                   "aset(x@1, 1) | aset(y@2, 1) | aset(z@3, 1) | aset(f@0, 1)\n"
                                   "aset(y@2, 2) | aset(z@3, 2) | aset(f@0, 2) | aset(x@1, 2)\n"
                                   "r0 = afetch(z@3) | r2 = afetch(f@0) | r4 = afetch(x@1) | r6 = afetch(y@2)\n"
                                   "r1 = afetch(f@0) | r3 = afetch(x@1) | r5 = afetch(y@2) | r7 = afetch(z@3)\n");
    struct fp_litmus_answer *answer = fp_litmus_ask(test, &(struct fp_litmus_question){.rules = "common"});

    assert_true(fp_litmus_complete(answer));
    print_message("%llu states, %d outcomes\n", (unsigned long long)fp_litmus_states(answer),
                  fp_litmus_outcomes(answer));
    assert_string_equal(fp_litmus_verdict(answer), "weak");
    fp_litmus_answer_free(answer);
    fp_litmus_free(test);
}

static void
generated_tests_depend_on_the_seed_alone(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20; i++) {
        char *a = fp_litmus_generate(3, i), *b = fp_litmus_generate(3, i), *c = fp_litmus_generate(4, i);
        assert_string_equal(a, b);
        assert_string_not_equal(a, c);
        free(a);
        free(b);
        free(c);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_have_a_place),
        cmocka_unit_test(reader_survives_any_prefix),
        cmocka_unit_test(reduction_loses_nothing_in_random_tests),
        cmocka_unit_test(reduction_loses_nothing_in_the_suite),
        cmocka_unit_test(four_pes_with_four_operations),
        cmocka_unit_test(generated_tests_depend_on_the_seed_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
