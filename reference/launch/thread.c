/* thread.c -- the pthread that lends a PE its stack and its thread-locals.
 *
 * The stack is what the program would get as a process (RLIMIT_STACK), less where so many PEs would use up the
 * address space that a limit on it allows. Signals for the process are left to the main thread; those that an
 * instruction raises, and SIGPIPE, belong to the thread that causes them and stay open.
 */
#include <errno.h>
#include <limits.h>
#include <sys/resource.h>

#include "reference/launch/launch.h"

#define STACK_BYTES_DEFAULT ((size_t)8 << 20)
#define STACK_BYTES_MIN ((size_t)256 << 10)
#define STACKS_BYTES_MAX ((size_t)16 << 30) /* all of them together */

struct start {
    struct fp_pe *pe;
    void *(*body)(void *);
};

static size_t
stack_bytes(const struct fp_job *job)
{
    struct rlimit limit;
    size_t bytes = STACK_BYTES_DEFAULT, share = STACKS_BYTES_MAX / (size_t)job->npes;
    if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur != RLIM_INFINITY)
        bytes = limit.rlim_cur;
    if (bytes > share)
        bytes = share;
    if (bytes < STACK_BYTES_MIN)
        bytes = STACK_BYTES_MIN;
    return bytes & ~(size_t)0xffff;
}

static void *
thread_start(void *argument)
{
    struct start start = *(struct start *)argument;
    free(argument);
    fp_self = start.pe;
    fp_crash_stack_use(start.pe->rank);
    return start.body(start.pe);
}

int
fp_pe_thread_create(struct fp_pe *pe, void *(*body)(void *))
{
    static const int synchronous[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE};
    struct start *start = malloc(sizeof *start);
    pthread_attr_t attributes;
    sigset_t blocked, before;
    if (!start)
        return ENOMEM;
    *start = (struct start){pe, body};
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof synchronous / sizeof *synchronous; i++)
        sigdelset(&blocked, synchronous[i]);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes(pe->job));
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    int error = pthread_create(&pe->thread, &attributes, thread_start, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error)
        free(start);
    pe->has_thread = !error;
    return error;
}
