/* verify.c -- runs a program twice and compares every choice that was offered, see verify.h.
 *
 * The simulator does the same when it is asked the same, so where two runs part, the program did: it read the machine's
 * clock, chance, an address, or something that changed between the runs. Each likely cause is tried: with the addresses
 * fixed (no randomization of the layout) runs that now agree were told apart by addresses.
 */
#include "tools/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "sim/choose.h"
#include "tools/options.h"
#include "traces/trace.h"

static const char *const kinds[] = {
#define KIND_TEXT(id, text) text,
    SIM_CHOICE_ROWS(KIND_TEXT)
#undef KIND_TEXT
};

/* One run, recorded in `trace`. Its wait status, or -1. */
static int
run(const char *path, char **argv, const char *trace, bool fixed, bool silent)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        options_set(OPTION_trace, trace);
        setenv("FENCEPOST_EVERY_BOUND", "1", 1);
        int nothing = silent ? open("/dev/null", O_WRONLY) : -1;
        if (nothing >= 0) {
            dup2(nothing, STDOUT_FILENO);
            dup2(nothing, STDERR_FILENO);
        }
        if (fixed)
            personality(ADDR_NO_RANDOMIZE);
        execv(path, argv);
        _exit(EX_OSERR);
    }
    if (child < 0)
        return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

/* Where two runs part, in words; false: nowhere. */
static bool
compare(struct fp_trace_reader *a, struct fp_trace_reader *b, char *where, size_t size)
{
    struct fp_trace_choice_entry x, y;
    char error[512];
    for (unsigned long long i = 1;; i++) {
        int got_a = fp_trace_next(a, &x, error, sizeof error), got_b = fp_trace_next(b, &y, error, sizeof error);
        if (got_a == 1 && got_b == 1) {
            if (x.kind == y.kind && x.bound == y.bound && x.answer == y.answer)
                continue;
            snprintf(where, size, "choice %llu is a %s among %u in the first run and a %s among %u in the second", i,
                     kinds[x.kind], x.bound, kinds[y.kind], y.bound);
            return true;
        }
        if (got_a == 1 || got_b == 1) {
            snprintf(where, size, "the %s run makes %llu choices, the other goes on", got_a == 1 ? "second" : "first",
                     i - 1);
            return true;
        }
        break;
    }
    const char *events_a = fp_trace_result_field(a, "events", 0), *events_b = fp_trace_result_field(b, "events", 0);
    if (events_a && events_b && !strcmp(events_a, events_b))
        return false;
    snprintf(where, size, "all choices are the same, but not what was done: other values, places or sizes");
    return true;
}

/* 0 the same, 1 different (where), -1 no trace. */
static int
compare_files(const char *first, const char *second, char *where, size_t size)
{
    char error[512];
    struct fp_trace_reader *a = fp_trace_open(first, error, sizeof error),
                           *b = fp_trace_open(second, error, sizeof error);
    int result = a && b ? compare(a, b, where, size) : -1;
    fp_trace_free(a);
    fp_trace_free(b);
    return result;
}

static const char *
likely_cause(const char *path, char **argv, const char *first, const char *second)
{
    char where[300];
    const char *real = getenv("FENCEPOST_REAL_TIME");
    if (real && *real && strcmp(real, "0"))
        return "--real-time: the program reads the machine's clock";
    run(path, argv, first, true, true);
    run(path, argv, second, true, true);
    if (compare_files(first, second, where, sizeof where) == 0)
        return "with addresses that do not change the runs agree: the program acts on addresses (their order, a hash "
               "of "
               "them, memory that nobody has written)";
    return "the program acts on something outside: threads of its own, a random device, the time in an instruction "
           "(rdtsc), a process id, a file that a run changes";
}

int
verify_determinism(const char *command, const char *path, char **argv)
{
    char folder[] = "/tmp/fencepost-XXXXXX", first[64], second[64], where[300];
    if (!mkdtemp(folder)) {
        fprintf(stderr, "%s: cannot make a folder in /tmp: %s\n", command, strerror(errno));
        return EX_OSERR;
    }
    snprintf(first, sizeof first, "%s/1.fptrace", folder);
    snprintf(second, sizeof second, "%s/2.fptrace", folder);
    int one = run(path, argv, first, false, false), two = run(path, argv, second, false, true), status = 0;
    int differ = compare_files(first, second, where, sizeof where);
    if (differ == 0 && one != two) {
        snprintf(where, sizeof where, "the runs do the same and end differently");
        differ = 1;
    }
    if (differ < 0) {
        fprintf(stderr, "%s: the runs left no trace to compare\n", command);
        status = WIFEXITED(one) && WEXITSTATUS(one) ? WEXITSTATUS(one) : EX_SOFTWARE;
    } else if (differ) {
        fprintf(stderr, "%s: not deterministic: %s\n  likely cause: %s\n", command, where,
                likely_cause(path, argv, first, second));
        status = EX_DATAERR;
    } else {
        fprintf(stderr, "%s: deterministic: both runs were offered the same choices and did the same\n", command);
        status = WIFEXITED(one) ? WEXITSTATUS(one) : 128 + WTERMSIG(one);
    }
    unlink(first);
    unlink(second);
    rmdir(folder);
    return status;
}
