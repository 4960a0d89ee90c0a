/* child.c -- fork and exec of a PE.
 *
 * A child that the program forks is a process of its own and no PE: it may compute, print, exit or execute another
 * program, but a call of the library there would drive a copy of the whole job, and is refused like that of a thread
 * which is no PE. exec replaces a PE's process, not the other PEs and what is known about them: the new program runs
 * in a child that the PE waits for, and the PE ends with its status, as after _exit.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/launch/launch.h"

static bool
pe_of_program(const struct fp_pe *pe)
{
    return pe && !pe->job->config.in_process && pe->phase == FP_PE_RUNNING && fp_is_job_process();
}

FP_EXPORT pid_t
fork(void)
{
    struct fp_pe *pe = fp_caller_pe();
    bool of_program = pe_of_program(pe);
    if (of_program)
        fp_job_unseen(pe->job, "processes that the program forks are not checked");
    pid_t child = FP_REAL(fork)();
    if (!child && of_program) {
        fp_worker_of = pe;
        fp_self = NULL;
    }
    return child;
}

/* ---- exec */

enum how { BY_PATH, BY_SEARCH, BY_FD };

static int
replace(enum how how, int fd, const char *file, char *const *argv, char *const *envp)
{
    switch (how) {
    case BY_SEARCH:
        return FP_REAL(execvpe)(file, argv, envp);
    case BY_FD:
        return FP_REAL(fexecve)(fd, argv, envp);
    default:
        return FP_REAL(execve)(file, argv, envp);
    }
}

/* In the child. Does not return. */
static _Noreturn void
child_replace(int tell, enum how how, int fd, const char *file, char *const *argv, char *const *envp)
{
    sigset_t none;
    sigemptyset(&none);
    FP_REAL(sigprocmask)(SIG_SETMASK, &none, NULL);
    replace(how, fd, file, argv, envp);
    int error = errno;
    ssize_t n = write(tell, &error, sizeof error);
    (void)n;
    fp_process_exit(127);
}

/* -1 if the new program could not be started; else the PE ends here. */
static int
pe_replace(struct fp_pe *pe, enum how how, int fd, const char *file, char *const *argv, char *const *envp)
{
    int tell[2], error = 0, status = 0;
    if (pipe2(tell, O_CLOEXEC))
        return -1;
    fp_output_flush(pe, true);
    pid_t child = FP_REAL(fork)();
    if (!child)
        child_replace(tell[1], how, fd, file, argv, envp);
    int fork_error = errno;
    close(tell[1]);
    if (child > 0) {
        while (read(tell[0], &error, sizeof error) < 0 && errno == EINTR)
            ;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    }
    close(tell[0]);
    if (child < 0 || error) {
        errno = error ? error : fork_error;
        return -1;
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static int
exec_as(struct fp_pe *pe, enum how how, int fd, const char *file, char *const *argv, char *const *envp)
{
    return pe_of_program(pe) ? pe_replace(pe, how, fd, file, argv, envp) : replace(how, fd, file, argv, envp);
}

FP_EXPORT int
execve(const char *path, char *const argv[], char *const envp[])
{
    return exec_as(fp_caller_pe(), BY_PATH, -1, path, argv, envp);
}

FP_EXPORT int
execv(const char *path, char *const argv[])
{
    return exec_as(fp_caller_pe(), BY_PATH, -1, path, argv, environ);
}

FP_EXPORT int
execvpe(const char *file, char *const argv[], char *const envp[])
{
    return exec_as(fp_caller_pe(), BY_SEARCH, -1, file, argv, envp);
}

FP_EXPORT int
execvp(const char *file, char *const argv[])
{
    return exec_as(fp_caller_pe(), BY_SEARCH, -1, file, argv, environ);
}

FP_EXPORT int
fexecve(int fd, char *const argv[], char *const envp[])
{
    return exec_as(fp_caller_pe(), BY_FD, fd, NULL, argv, envp);
}

/* Arguments that follow `first` up to NULL, and behind it, with `envp`, the environment. On the stack: a child of vfork
 * may not allocate. */
#define LISTED(how, file, first, with_environment)                                                                     \
    do {                                                                                                               \
        struct fp_pe *pe = fp_caller_pe();                                                                             \
        va_list arguments;                                                                                             \
        size_t n = 1;                                                                                                  \
        va_start(arguments, first);                                                                                    \
        while (va_arg(arguments, char *))                                                                              \
            n++;                                                                                                       \
        va_end(arguments);                                                                                             \
        char *argv[n + 1];                                                                                             \
        argv[0] = (char *)(uintptr_t)(first);                                                                          \
        va_start(arguments, first);                                                                                    \
        for (size_t i = 1; i <= n; i++)                                                                                \
            argv[i] = va_arg(arguments, char *);                                                                       \
        char **envp = (with_environment) ? va_arg(arguments, char **) : environ;                                       \
        va_end(arguments);                                                                                             \
        return exec_as(pe, how, -1, file, argv, envp);                                                                 \
    } while (0)

FP_EXPORT int
execl(const char *path, const char *first, ...)
{
    LISTED(BY_PATH, path, first, false);
}

FP_EXPORT int
execlp(const char *file, const char *first, ...)
{
    LISTED(BY_SEARCH, file, first, false);
}

FP_EXPORT int
execle(const char *path, const char *first, ...)
{
    LISTED(BY_PATH, path, first, true);
}
