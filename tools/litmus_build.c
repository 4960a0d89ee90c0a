/* litmus_build.c -- what the runs of litmus tests share: the compiled program in a folder of its own, processes, the
 * histogram of outcomes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "tools/home.h"
#include "tools/litmus.h"

/* ---- Processes --------------------------------------------------------------------------------------------------- */

int
litmus_command(const struct arguments *words, const char *output, int cpu_seconds)
{
    int status;
    pid_t child = fork();

    if (child < 0)
        return -1;
    if (!child) {
        int out = output ? open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1, null = open("/dev/null", O_RDWR);
        if (output) {
            struct rlimit limit = {(rlim_t)cpu_seconds, (rlim_t)cpu_seconds + 1};
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

char *
litmus_file(const char *path)
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

void
litmus_set_number(const char *variable, long number)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", number);
    setenv(variable, text, 1);
}

/* ---- Building ---------------------------------------------------------------------------------------------------- */

/* 0, or an exit status after saying why; -1: the test has no form as a program. */
static int
build(struct litmus_batch *batch)
{
    char error[FP_LITMUS_ERROR], backend[64];
    struct home home;
    struct arguments words = {0};
    FILE *file = fopen(batch->source, "w");

    if (!file) {
        fprintf(stderr, "%s: %s: %s\n", batch->request->command, batch->source, strerror(errno));
        return EX_CANTCREAT;
    }
    const bool gpu = !strcmp(batch->request->backend, "gpu");
    bool can = batch->request->exhaustive ? fp_litmus_emit_search(batch->test, file, error)
                                          : fp_litmus_emit(batch->test, file, error);
    if (fclose(file) && can) {
        fprintf(stderr, "%s: %s: %s\n", batch->request->command, batch->source, strerror(errno));
        return EX_IOERR;
    }
    if (can && gpu && fp_litmus_has_plain(batch->test)) {
        can = false;
        snprintf(error, sizeof error, "%s: it has plain accesses, and the heap of a GPU is touched by calls only",
                 batch->path);
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
    if (gpu)
        arguments_add(&words, "-DDEVICE_HEAP");
    arguments_add(&words, "-O1");
    arguments_add(&words, batch->source);
    arguments_add(&words, "-o");
    arguments_add(&words, batch->program);
    int status = litmus_command(&words, NULL, 0);
    if (!status)
        return 0;
    fprintf(stderr, "%s: the program of %s cannot be compiled (it is kept: %s)\n", batch->request->command, batch->path,
            batch->source);
    return EX_SOFTWARE;
}

/* 0, an exit status after saying why, or -1: no program. */
int
litmus_batch_open(struct litmus_batch *batch, const struct litmus_request *request, const struct fp_litmus *test,
                  const char *path)
{
    const char *temporary = getenv("TMPDIR");

    *batch = (struct litmus_batch){.request = request, .test = test, .path = path};
    snprintf(batch->folder, sizeof batch->folder, "%s/fencepost-litmus-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(batch->folder)) {
        fprintf(stderr, "%s: %s: %s\n", request->command, batch->folder, strerror(errno));
        return EX_CANTCREAT;
    }
    snprintf(batch->source, sizeof batch->source, "%s/test.c", batch->folder);
    snprintf(batch->program, sizeof batch->program, "%s/test", batch->folder);
    snprintf(batch->report, sizeof batch->report, "%s/report.json", batch->folder);
    snprintf(batch->output, sizeof batch->output, "%s/output", batch->folder);
    return build(batch);
}

void
litmus_batch_close(struct litmus_batch *batch)
{
    unlink(batch->source);
    unlink(batch->program);
    unlink(batch->report);
    unlink(batch->output);
    rmdir(batch->folder);
}

/* ---- Outcomes ---------------------------------------------------------------------------------------------------- */

void
litmus_histogram_add(struct litmus_histogram *histogram, const char *text, long runs)
{
    for (int i = 0; i < histogram->count; i++)
        if (!strcmp(histogram->rows[i].text, text)) {
            histogram->rows[i].runs += runs;
            return;
        }
    if (histogram->count == LITMUS_SEEN)
        return;
    histogram->rows[histogram->count].text = strdup(text);
    histogram->rows[histogram->count++].runs = runs;
}

void
litmus_histogram_show(const struct fp_litmus_answer *answer, const struct litmus_histogram *histogram)
{
    for (int i = 0; i < histogram->count; i++)
        printf("  %8ld  %s\n", histogram->rows[i].runs, histogram->rows[i].text);
    for (int i = 0; i < fp_litmus_outcomes(answer); i++) {
        bool seen = false;
        for (int k = 0; k < histogram->count; k++)
            seen |= !strcmp(histogram->rows[k].text, fp_litmus_outcome(answer, i));
        if (!seen)
            printf("  %8ld  %s\n", 0L, fp_litmus_outcome(answer, i));
    }
}

void
litmus_histogram_free(struct litmus_histogram *histogram)
{
    for (int i = 0; i < histogram->count; i++)
        free(histogram->rows[i].text);
    histogram->count = 0;
}

int
litmus_in_profiles(const struct litmus_request *request, const struct fp_litmus *test, const char *path, unsigned rules,
                   struct litmus_counts *counts, litmus_profile_check *check)
{
    struct litmus_batch batch;
    int status = litmus_batch_open(&batch, request, test, path);

    if (status > 0)
        return status;
    counts->without_form += status < 0;
    for (int k = 0; k < 3 && !status; k++) {
        if (!(rules >> k & 1))
            continue;
        struct fp_litmus_answer *answer =
            fp_litmus_ask(test, &(struct fp_litmus_question){.rules = litmus_profiles[k]});
        counts->checks++;
        counts->wrong += !check(&batch, litmus_profiles[k], answer, counts);
        fp_litmus_answer_free(answer);
    }
    litmus_batch_close(&batch);
    return 0;
}
