/* run_recorded.c -- see run_recorded.h.
 *
 * The simulator writes its trace itself. The backends that run at the machine's speed know nothing of traces; for them
 * the recorder for other implementations stands between the program and the library: it has a file for each PE, in a
 * folder beside the trace, and they are merged when the program has ended. The trace is in the same format. It shows
 * calls only: not plain accesses, nor what GPU kernels call.
 */
#include "tools/run_recorded.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "tools/home.h"
#include "tools/program.h"

/* Files that a PE leaves: its trace, or what there is of it where the process was killed. */
static const char *const endings[] = {"fptrace", "fptrace.part"};

#define PART_NAME_MAX (PATH_MAX + 64)

static int
npes_asked(void)
{
    const char *text = getenv("FENCEPOST_NPES");
    long npes = text ? strtol(text, NULL, 10) : 1;
    return npes >= 1 && npes <= INT_MAX ? (int)npes : 1;
}

static void
part_name(char *into, size_t size, const char *folder, int pe, const char *ending)
{
    snprintf(into, size, "%s/run.%d.%s", folder, pe, ending);
}

/* The program finds the recorder first, whatever else is preloaded. */
static void
set_environment(const char *library, const char *folder)
{
    static char preload[HOME_PATH_MAX + PATH_MAX], prefix[PATH_MAX + 8];
    const char *others = getenv("LD_PRELOAD");
    snprintf(preload, sizeof preload, "%s%s%s", library, others && *others ? ":" : "", others ? others : "");
    snprintf(prefix, sizeof prefix, "%s/run", folder);
    setenv("LD_PRELOAD", preload, 1);
    setenv("FENCEPOST_RECORD", prefix, 1);
    unsetenv("FENCEPOST_TRACE"); /* the backend has none of its own */
}

/* Waits for a child; its status as a shell has it. */
static int
status_of(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return EX_OSERR;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int
run_program(const char *command, const char *path, char **argv, const char *library, const char *folder)
{
    pid_t child = fork();
    if (child == 0) {
        set_environment(library, folder);
        _exit(program_start(command, path, argv));
    }
    if (child < 0) {
        fprintf(stderr, "%s: cannot start %s: %s\n", command, path, strerror(errno));
        return EX_OSERR;
    }
    /* A terminal's interrupt is for the program; what was recorded until then is kept. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    return status_of(child);
}

static int
merge(const char *command, const struct home *home, const char *folder, const char *trace)
{
    int npes = npes_asked(), count = 0;
    char program[HOME_PATH_MAX + 32], name[PART_NAME_MAX];
    char **words = calloc((size_t)npes + 4, sizeof *words);
    if (!words)
        return EX_OSERR;
    words[0] = "fencepost";
    words[1] = "--merge";
    words[2] = (char *)trace;
    for (int pe = 0; pe < npes; pe++) {
        part_name(name, sizeof name, folder, pe, endings[0]);
        if (access(name, R_OK) == 0 && (words[3 + count] = strdup(name)))
            count++;
    }
    int status = EX_OSERR;
    if (count < npes) {
        fprintf(stderr, "%s: no trace: %d of %d PEs left no whole recording (did all call shmem_init?)\n", command,
                npes - count, npes);
    } else {
        snprintf(program, sizeof program, "%s/fencepost/whatif", home->lib);
        pid_t child = fork();
        if (child == 0) {
            execv(program, words);
            fprintf(stderr, "%s: cannot start %s: %s\n", command, program, strerror(errno));
            _exit(EX_OSERR);
        }
        status = child < 0 ? EX_OSERR : status_of(child);
    }
    for (int i = 0; i < count; i++)
        free(words[3 + i]);
    free(words);
    return status;
}

static void
clear(const char *folder)
{
    char name[PART_NAME_MAX];
    int npes = npes_asked();
    for (int pe = 0; pe < npes; pe++)
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
            part_name(name, sizeof name, folder, pe, endings[i]);
            unlink(name);
        }
    rmdir(folder);
}

int
run_recorded(const char *command, const char *path, char **argv, const char *trace)
{
    struct home home;
    char library[HOME_PATH_MAX + 32], folder[PATH_MAX], absolute[PATH_MAX];
    home_find(&home);
    if (!home_library(&home, "record", library, sizeof library)) {
        fprintf(stderr, "%s: --trace: no libfencepost_record.so in %s; install Fencepost whole\n", command, home.lib);
        return EX_OSERR;
    }
    snprintf(folder, sizeof folder, "%.4000s.parts-XXXXXX", trace);
    if (!mkdtemp(folder) || !realpath(folder, absolute)) {
        fprintf(stderr, "%s: --trace %s: cannot write there: %s\n", command, trace, strerror(errno));
        return EX_OSERR;
    }
    int status = run_program(command, path, argv, library, absolute), merged = merge(command, &home, absolute, trace);
    clear(absolute);
    return status ? status : merged;
}
