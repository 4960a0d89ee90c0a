/* litmus_run.c -- a litmus test as a real program: compiled with oshcc, run under many seeds, compared with the oracle.
 *
 * An outcome that the model does not allow is a failure, on every backend. Under the simulator the race observer has to
 * agree as well: at least one run reports a race where the model says racy, none does where it does not.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "tools/arguments.h"
#include "tools/home.h"
#include "tools/litmus.h"

enum { PATH_SIZE = 4096 + 64, TEXT = 1024, SEEN = 256, CPU_SECONDS = 60 };

static const char *const choosers[] = {"random", "adversarial", "uniform", "timed"};
enum { chooser_count = sizeof choosers / sizeof choosers[0] };

struct histogram {
    int count;
    struct {
        char *text;
        int runs;
    } rows[SEEN];
};

struct batch {
    const struct litmus_request *request;
    const struct fp_litmus *test;
    const char *path;
    char folder[4096], source[PATH_SIZE], program[PATH_SIZE], report[PATH_SIZE], output[PATH_SIZE];
};

/* ---- Processes --------------------------------------------------------------------------------------------------- */

/* Runs a command with its output in the file (NULL: both streams untouched). Returns its status, -1 where it did not
 * start or was killed. */
static int
run_command(const struct arguments *words, const char *output)
{
    int status;
    pid_t child = fork();

    if (child < 0)
        return -1;
    if (!child) {
        int out = output ? open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1, null = open("/dev/null", O_RDWR);
        if (output) {
            struct rlimit limit = {CPU_SECONDS, CPU_SECONDS + 1};
            setrlimit(RLIMIT_CPU, &limit);
            dup2(out, STDOUT_FILENO);
            dup2(null, STDERR_FILENO);
        }
        dup2(null, STDIN_FILENO);
        arguments_exec(words);
        _exit(127);
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *
read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (!file || getdelim(&text, &size, 0, file) < 0) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

/* ---- Building ---------------------------------------------------------------------------------------------------- */

/* 0, or an exit status after saying why; -1: the test has no form as a program. */
static int
build(struct batch *batch)
{
    char error[FP_LITMUS_ERROR], backend[64];
    struct home home;
    struct arguments words = {0};
    FILE *file = fopen(batch->source, "w");

    if (!file) {
        fprintf(stderr, "%s: %s: %s\n", batch->request->command, batch->source, strerror(errno));
        return EX_CANTCREAT;
    }
    bool can = fp_litmus_emit(batch->test, file, error);
    if (fclose(file) && can) {
        fprintf(stderr, "%s: %s: %s\n", batch->request->command, batch->source, strerror(errno));
        return EX_IOERR;
    }
    if (!can) {
        if (batch->request->show)
            printf("%s: not as a program\n", error);
        return -1;
    }
    home_find(&home);
    snprintf(backend, sizeof backend, "--backend=%s", batch->request->backend);
    arguments_add(&words, strcat(home.bin, "/oshcc"));
    arguments_add(&words, backend);
    if (!strcmp(batch->request->backend, "sim"))
        arguments_add(&words, "-fsanitize=shmem");
    else
        arguments_add(&words, "-DPOLLS=50000000"); /* other PEs run when the machine lets them */
    arguments_add(&words, "-O1");
    arguments_add(&words, batch->source);
    arguments_add(&words, "-o");
    arguments_add(&words, batch->program);
    int status = run_command(&words, NULL);
    if (!status)
        return 0;
    fprintf(stderr, "%s: the program of %s cannot be compiled (it is kept: %s)\n", batch->request->command, batch->path,
            batch->source);
    return EX_SOFTWARE;
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

static void
set_number(const char *variable, long number)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", number);
    setenv(variable, text, 1);
}

/* Does the report have a finding of this class? */
static bool
reports(const char *report, const char *class_)
{
    static const char key[] = "\"class\":";

    for (const char *at = report; at && (at = strstr(at, key));) {
        at += strlen(key);
        at += strspn(at, " \t\n");
        if (*at == '"' && !strncmp(at + 1, class_, strlen(class_)) && at[1 + strlen(class_)] == '"')
            return true;
    }
    return false;
}

/* One run. Its outcome; "hang" where it was told that a call never returns, or is wrong and might not (a lock taken
 * twice); "" where it said nothing. */
static void
run_once(const struct batch *batch, char *outcome, bool *races)
{
    struct arguments words = {0};

    unlink(batch->report);
    arguments_add(&words, batch->program);
    run_command(&words, batch->output);
    char *output = read_file(batch->output), *report = read_file(batch->report);
    char *line = output ? strstr(output, "outcome ") : NULL;
    outcome[0] = 0;
    if (reports(report, "hang") || reports(report, "mismatch") || reports(report, "usage"))
        strcpy(outcome, "hang");
    else if (line)
        snprintf(outcome, TEXT, "%.*s", (int)strcspn(line + 8, "\n"), line + 8);
    *races = reports(report, "race");
    free(output);
    free(report);
    free(words.items);
}

static void
count(struct histogram *histogram, const char *text)
{
    for (int i = 0; i < histogram->count; i++)
        if (!strcmp(histogram->rows[i].text, text)) {
            histogram->rows[i].runs++;
            return;
        }
    if (histogram->count == SEEN)
        return;
    histogram->rows[histogram->count].text = strdup(text);
    histogram->rows[histogram->count++].runs = 1;
}

static void
show_histogram(const struct fp_litmus_answer *answer, const struct histogram *histogram)
{
    for (int i = 0; i < histogram->count; i++)
        printf("  %6d  %s\n", histogram->rows[i].runs, histogram->rows[i].text);
    for (int i = 0; i < fp_litmus_outcomes(answer); i++) {
        bool seen = false;
        for (int k = 0; k < histogram->count; k++)
            seen |= !strcmp(histogram->rows[k].text, fp_litmus_outcome(answer, i));
        if (!seen)
            printf("  %6d  %s\n", 0, fp_litmus_outcome(answer, i));
    }
}

static bool
compare(const struct batch *batch, const char *rules, const struct fp_litmus_answer *answer,
        const struct histogram *histogram, int races, int first_race)
{
    bool right = true, sim = !strcmp(batch->request->backend, "sim"), racy = !strcmp(fp_litmus_verdict(answer), "racy");

    for (int i = 0; i < histogram->count; i++)
        if (!fp_litmus_outcome_allowed(answer, histogram->rows[i].text)) {
            printf("%s: %s: %s gave an outcome that the model does not allow: %s\n", batch->path, rules,
                   batch->request->backend, histogram->rows[i].text[0] ? histogram->rows[i].text : "none at all");
            right = false;
        }
    if (sim && racy && !races) {
        printf("%s: %s: racy, but no run reports a race\n", batch->path, rules);
        right = false;
    }
    if (sim && !racy && races) {
        printf("%s: %s: %s, but %d of %d runs report a race (seed %d)\n", batch->path, rules, fp_litmus_verdict(answer),
               races, batch->request->runs, first_race);
        right = false;
    }
    return right;
}

static bool
run_profile(const struct batch *batch, const char *rules)
{
    struct fp_litmus_answer *answer = fp_litmus_ask(batch->test, &(struct fp_litmus_question){.rules = rules});
    struct histogram histogram = {0};
    int races = 0, first_race = 0;
    bool raced, right;
    char outcome[TEXT];

    setenv("FENCEPOST_RULES", rules, 1);
    for (int i = 0; i < batch->request->runs; i++) {
        long seed = (long)batch->request->seed + i / chooser_count;
        set_number("FENCEPOST_SEED", seed);
        setenv("FENCEPOST_CHOOSER", choosers[i % chooser_count], 1);
        run_once(batch, outcome, &raced);
        count(&histogram, outcome);
        if (raced && !races++)
            first_race = (int)seed;
    }
    if (batch->request->show) {
        printf("%s (%s): %s; %d runs, %d with a race\n", fp_litmus_name(batch->test), rules, fp_litmus_verdict(answer),
               batch->request->runs, races);
        show_histogram(answer, &histogram);
    }
    right = compare(batch, rules, answer, &histogram, races, first_race);
    for (int i = 0; i < histogram.count; i++)
        free(histogram.rows[i].text);
    fp_litmus_answer_free(answer);
    fflush(stdout);
    return right;
}

int
litmus_run(const struct litmus_request *request, const struct fp_litmus *test, const char *path, unsigned rules,
           int *checks, int *wrong)
{
    struct batch batch = {.request = request, .test = test, .path = path};
    const char *temporary = getenv("TMPDIR");

    snprintf(batch.folder, sizeof batch.folder, "%s/fencepost-litmus-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(batch.folder)) {
        fprintf(stderr, "%s: %s: %s\n", request->command, batch.folder, strerror(errno));
        return EX_CANTCREAT;
    }
    snprintf(batch.source, sizeof batch.source, "%s/test.c", batch.folder);
    snprintf(batch.program, sizeof batch.program, "%s/test", batch.folder);
    snprintf(batch.report, sizeof batch.report, "%s/report.json", batch.folder);
    snprintf(batch.output, sizeof batch.output, "%s/output", batch.folder);
    set_number("FENCEPOST_NPES", fp_litmus_pes(test));
    setenv("FENCEPOST_REPORT", batch.report, 1);
    setenv("FENCEPOST_NO_FOOTER", "1", 1);
    int status = build(&batch);
    if (status > 0)
        return status;
    for (int k = 0; k < 3 && !status; k++)
        if (rules >> k & 1) {
            ++*checks;
            *wrong += !run_profile(&batch, litmus_profiles[k]);
        }
    unlink(batch.source);
    unlink(batch.program);
    unlink(batch.report);
    unlink(batch.output);
    rmdir(batch.folder);
    return 0;
}
