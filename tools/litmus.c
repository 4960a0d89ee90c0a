/* litmus.c -- `fencepost litmus`: checks litmus tests against the memory model, shows their executions, makes new ones.
 *
 * A file is right when the oracle finds the verdict and exactly the outcomes that it states, in each profile that it
 * states them for.
 */
#include "tools/litmus.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>

#include "tools/arguments.h"
#include "tools/fencepost.h"
#include "tools/nearest.h"

const char *const litmus_profiles[3] = {"strict", "common", "nv"};
enum { COMMON = 1 };

static const struct option_row {
    const char *flag, *argument, *help;
} options[] = {{"rules", "LIST", "profiles to check, of strict, common, nv [those the test states]"},
               {"show", "", "print the outcomes, an execution for each, and one for the race"},
               {"backend", "NAME", "model, or run each test as a program: sim, direct, gpu [model]"},
               {"runs", "R", "runs of a program in each profile [100]"},
               {"exhaustive", "", "sim: search all executions; the outcomes have to equal the model's"},
               {"executions", "N", "exhaustive: give a test up after so many [no limit]"},
               {"operations", "N", "leave out tests of more than N operations"},
               {"print-expect", "", "print the `expect` lines that the oracle gives"},
               {"generate", "N", "write N random tests instead of reading any"},
               {"seed", "S", "seed of --generate; first seed of the runs [1]"},
               {"out", "DIR", "folder for --generate [.]"}};
enum { option_count = sizeof options / sizeof options[0] };

static int
print_help(const char *command)
{
    printf("usage: %s [options] FILE|FOLDER...\n"
           "       %s --generate N [--seed S] [--out DIR]\n\n"
           "Checks litmus tests (tests/litmus/FORMAT.md): enumerates all executions that the ordering relations allow\n"
           "and compares verdict and outcomes with what the file expects. With another backend than model each test "
           "becomes a\n"
           "program; its outcomes and its races are compared with the model's.\n\n",
           command, command);
    for (int i = 0; i < option_count; i++) {
        char left[40];
        snprintf(left, sizeof left, "--%s %s", options[i].flag, options[i].argument);
        printf("  %-18s %s\n", left, options[i].help);
    }
    printf("\nexit status: 0 all as expected, 1 not, 64 wrong usage, 65 a file that is no litmus test, 66 no file\n");
    return 0;
}

static int
unknown_option(const char *command, const char *word)
{
    const char *flags[option_count];
    for (int i = 0; i < option_count; i++)
        flags[i] = options[i].flag;
    const char *near = strncmp(word, "--", 2) ? NULL : nearest_word(word + 2, flags, option_count);
    fprintf(stderr, "%s: unknown option '%s'%s%s%s (%s --help lists them)\n", command, word,
            near ? "; did you mean '--" : "", near ? near : "", near ? "'?" : "", command);
    return EX_USAGE;
}

static bool
read_number(const struct litmus_request *request, const char *flag, const char *text, uint64_t max, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 0);
    if (!*text || *text == '-' || *end || errno || *number > max) {
        fprintf(stderr, "%s: --%s takes a number, not '%s'\n", request->command, flag, text);
        return false;
    }
    return true;
}

static bool
read_rules(struct litmus_request *request, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, ",");
        int found = -1;
        for (int i = 0; i < 3; i++)
            if (strlen(litmus_profiles[i]) == length && !strncmp(text, litmus_profiles[i], length))
                found = i;
        if (found < 0) {
            fprintf(stderr, "%s: '%.*s' is no profile (strict, common, nv)\n", request->command, (int)length, text);
            return false;
        }
        request->rules |= 1u << found;
        text += length + (text[length] == ',');
    }
    return true;
}

static bool
set_backend(struct litmus_request *request, const char *name)
{
    static const char *const names[] = {"model", "sim", "direct", "gpu"};

    request->backend = name;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(name, names[i]))
            return true;
    fprintf(stderr, "%s: '%s' is no backend (model, sim, direct, gpu)\n", request->command, name);
    return false;
}

static bool
set_option(struct litmus_request *request, int row, const char *value)
{
    const char *flag = options[row].flag;
    uint64_t number = 0;

    if (!strcmp(flag, "rules"))
        return read_rules(request, value);
    if (!strcmp(flag, "show"))
        request->show = true;
    if (!strcmp(flag, "print-expect"))
        request->print_expect = true;
    if (!strcmp(flag, "exhaustive"))
        request->exhaustive = true;
    if (!strcmp(flag, "executions")) {
        if (!read_number(request, flag, value, INT64_MAX, &number))
            return false;
        request->executions = (long)number;
    }
    if (!strcmp(flag, "out"))
        request->out = value;
    if (!strcmp(flag, "backend"))
        return set_backend(request, value);
    if (!strcmp(flag, "runs")) {
        if (!read_number(request, flag, value, 1000000, &number))
            return false;
        request->runs = (int)number;
    }
    if (!strcmp(flag, "operations")) {
        if (!read_number(request, flag, value, 1000, &number))
            return false;
        request->operations = (int)number;
    }
    if (!strcmp(flag, "seed"))
        return read_number(request, flag, value, UINT64_MAX, &request->seed);
    if (!strcmp(flag, "generate")) {
        if (!read_number(request, flag, value, 1000000, &number))
            return false;
        request->generate = (long)number;
    }
    return true;
}

/* Options may stand anywhere; other words are files. Returns 0, an exit status, or -1 after --help. */
static int
read_command_line(struct litmus_request *request, int argc, char **argv, struct arguments *files)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *equal = strchr(word, '=');
        size_t length = equal ? (size_t)(equal - word) : strlen(word);
        int row = -1;
        if (word[0] != '-') {
            arguments_add(files, word);
            continue;
        }
        if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
            print_help(request->command);
            return -1;
        }
        for (int k = 0; k < option_count; k++)
            if (strlen(options[k].flag) + 2 == length && !strncmp(word, "--", 2) &&
                !strncmp(word + 2, options[k].flag, length - 2))
                row = k;
        if (row < 0)
            return unknown_option(request->command, word);
        const char *value = equal ? equal + 1 : "";
        if (*options[row].argument && !equal) {
            if (++i == argc) {
                fprintf(stderr, "%s: %s needs a value (%s)\n", request->command, word, options[row].argument);
                return EX_USAGE;
            }
            value = argv[i];
        }
        if (!set_option(request, row, value))
            return EX_USAGE;
    }
    return 0;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static int
by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool
ends_in_litmus(const char *name)
{
    size_t length = strlen(name);
    return length > 7 && !strcmp(name + length - 7, ".litmus");
}

/* Adds the tests of a folder and its folders, by name; or the file itself. */
static bool
add_tests(const struct litmus_request *request, const char *path, struct arguments *tests)
{
    struct stat status;
    struct arguments inside = {0};
    char name[4096];
    bool right = true;

    if (stat(path, &status)) {
        fprintf(stderr, "%s: %s: %s\n", request->command, path, strerror(errno));
        return false;
    }
    if (!S_ISDIR(status.st_mode)) {
        arguments_add(tests, path);
        return true;
    }
    DIR *folder = opendir(path);
    if (!folder) {
        fprintf(stderr, "%s: %s: %s\n", request->command, path, strerror(errno));
        return false;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (!stat(name, &status) && (S_ISDIR(status.st_mode) || ends_in_litmus(entry->d_name)))
            arguments_add(&inside, name);
    }
    closedir(folder);
    qsort(inside.items, (size_t)inside.count, sizeof inside.items[0], by_name);
    for (int i = 0; i < inside.count && right; i++)
        right = add_tests(request, inside.items[i], tests);
    return right;
}

static const char *const verdicts[3] = {"sc", "weak", "racy"};

static int
verdict_index(const char *verdict)
{
    int i = 0;
    while (strcmp(verdicts[i], verdict))
        i++;
    return i;
}

static bool
check_one(const struct litmus_request *request, const struct fp_litmus *test, int rules, struct litmus_counts *counts)
{
    struct fp_litmus_answer *answer =
        fp_litmus_ask(test, &(struct fp_litmus_question){.rules = litmus_profiles[rules]});
    bool right = true;

    if (rules == COMMON && fp_litmus_outside(test))
        counts->outside[verdict_index(fp_litmus_outside(test))][verdict_index(fp_litmus_verdict(answer))]++;
    if (request->show)
        fp_litmus_show(test, answer, stdout);
    if (request->print_expect)
        fp_litmus_print_expect(answer, litmus_profiles[rules], stdout);
    else if (!request->show || fp_litmus_expects(test) >> rules & 1)
        right = fp_litmus_check(test, answer, stdout);
    fp_litmus_answer_free(answer);
    return right;
}

/* How the verdicts of another model compare. */
static void
print_outside(const struct litmus_counts *counts)
{
    int all = 0, same = 0;

    for (int i = 0; i < 9; i++)
        all += counts->outside[i / 3][i % 3];
    for (int i = 0; i < 3; i++)
        same += counts->outside[i][i];
    if (!all)
        return;
    printf("litmus: %d tests state the verdict of another model: %d have the same in profile common", all, same);
    for (int i = 0; i < 9; i++)
        if (i / 3 != i % 3 && counts->outside[i / 3][i % 3])
            printf(", %d %s there and %s here", counts->outside[i / 3][i % 3], verdicts[i / 3], verdicts[i % 3]);
    printf("\n");
}

static void
print_counts(const struct litmus_request *request, const struct litmus_counts *counts)
{
    printf("litmus: %d test%s, %d check%s, %d not as expected\n", counts->tests, counts->tests == 1 ? "" : "s",
           counts->checks, counts->checks == 1 ? "" : "s", counts->wrong);
    if (request->exhaustive)
        printf("litmus: %d sets of outcomes equal the model's, %d of racy tests lie within it; %ld executions\n",
               counts->equal, counts->within, counts->executions);
    print_outside(counts);
    if (counts->without_form)
        printf("litmus: %d test%s no form as a program and %s not run (--show says why)\n", counts->without_form,
               counts->without_form == 1 ? " has" : "s have", counts->without_form == 1 ? "was" : "were");
    if (counts->too_large)
        printf("litmus: %d test%s of more than %d operations left out\n", counts->too_large,
               counts->too_large == 1 ? "" : "s", request->operations);
}

static int
check_test(const struct litmus_request *request, const struct fp_litmus *test, const char *path,
           struct litmus_counts *counts)
{
    unsigned stated = fp_litmus_expects(test);
    unsigned rules = request->rules ? request->rules : stated ? stated : request->show ? 2 : 7;

    if (request->operations && fp_litmus_operations(test) > request->operations) {
        counts->too_large++;
        return 0;
    }
    counts->tests++;
    if (request->exhaustive)
        return litmus_search(request, test, path, rules, counts);
    if (strcmp(request->backend, "model"))
        return litmus_run(request, test, path, rules, counts);
    for (int k = 0; k < 3; k++)
        if (rules >> k & 1) {
            counts->checks++;
            counts->wrong += !check_one(request, test, k, counts);
        }
    return 0;
}

static int
check_all(const struct litmus_request *request, const struct arguments *tests)
{
    struct litmus_counts counts = {0};

    for (int i = 0; i < tests->count; i++) {
        char error[FP_LITMUS_ERROR];
        struct fp_litmus *test = fp_litmus_read(tests->items[i], error);
        if (!test) {
            fprintf(stderr, "%s\n", error);
            return EX_DATAERR;
        }
        int status = check_test(request, test, tests->items[i], &counts);
        fp_litmus_free(test);
        if (status)
            return status;
    }
    if (!request->print_expect)
        print_counts(request, &counts);
    return counts.wrong ? 1 : 0;
}

/* ---- Generated tests --------------------------------------------------------------------------------------------- */

static int
generate(const struct litmus_request *request)
{
    const char *folder = request->out ? request->out : ".";
    char name[4096];

    if (mkdir(folder, 0777) && errno != EEXIST) {
        fprintf(stderr, "%s: %s: %s\n", request->command, folder, strerror(errno));
        return EX_CANTCREAT;
    }
    for (long i = 0; i < request->generate; i++) {
        char *text = fp_litmus_generate(request->seed, (uint64_t)i);
        snprintf(name, sizeof name, "%s/random-%llu-%ld.litmus", folder, (unsigned long long)request->seed, i);
        FILE *file = fopen(name, "w");
        bool failed = !file || fputs(text, file) < 0;
        free(text);
        if ((file && fclose(file)) || failed) {
            fprintf(stderr, "%s: %s: %s\n", request->command, name, strerror(errno));
            return EX_IOERR;
        }
    }
    return 0;
}

int
command_litmus(int argc, char **argv)
{
    struct litmus_request request = {.command = argv[0], .seed = 1, .runs = 100, .backend = "model", .generate = -1};
    struct arguments files = {0}, tests = {0};
    int status = read_command_line(&request, argc, argv, &files);

    if (status)
        return status < 0 ? 0 : status;
    if (request.generate >= 0)
        return generate(&request);
    if (request.exhaustive && strcmp(request.backend, "sim")) {
        fprintf(stderr, "%s: --exhaustive is for --backend sim\n", request.command);
        return EX_USAGE;
    }
    if (!files.count) {
        fprintf(stderr, "%s: which tests? (%s --help)\n", request.command, request.command);
        return EX_USAGE;
    }
    for (int i = 0; i < files.count; i++)
        if (!add_tests(&request, files.items[i], &tests))
            return EX_NOINPUT;
    if (!tests.count) {
        fprintf(stderr, "%s: no file *.litmus there\n", request.command);
        return EX_NOINPUT;
    }
    return check_all(&request, &tests);
}
