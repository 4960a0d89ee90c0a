/* pe.c -- the life of a PE: constructors, main, exit handlers; and what exit() means for it.
 *
 * A PE ends where a process would: main returns, exit, quick_exit, _exit, pthread_exit. Each of them runs what it
 * owes (thread-local destructors, exit handlers in reverse order, destructors of the image) on the PE's own stack,
 * above the frames that called it, and then jumps to fp_pe_main, which hands the PE back to the backend. The
 * handlers are kept per PE: registrations by the program's images are rebound to the lists here, those made by
 * libraries stay with the process.
 *
 * exit() from inside libc (err(), argp) cannot be rebound. An exit handler of the process catches it, and ends the PE
 * as its own exit would.
 */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "reference/launch/launch.h"

enum handler_kind { HANDLER_CXA, HANDLER_PLAIN, HANDLER_ON_EXIT };

struct handler {
    enum handler_kind kind;
    union {
        void (*cxa)(void *, int);
        void (*plain)(void);
        void (*on_exit)(int, void *);
    } function;
    void *argument;
};

struct handler_list {
    struct handler *handlers;
    size_t count, capacity;
};

struct fp_exit_list {
    struct handler_list thread_locals, exits, quick_exits;
};

/* ---- Registration */

static struct fp_exit_list *
exits_of(struct fp_pe *pe)
{
    if (!pe->libc->exits)
        pe->libc->exits = calloc(1, sizeof *pe->libc->exits);
    return pe->libc->exits;
}

static int
handler_add(struct handler_list *list, struct handler handler)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 8;
        struct handler *handlers = realloc(list->handlers, capacity * sizeof *handlers);
        if (!handlers)
            return -1;
        list->handlers = handlers;
        list->capacity = capacity;
    }
    list->handlers[list->count++] = handler;
    return 0;
}

/* The program's threads register for the PE that they belong to. */
static struct fp_pe *
owner(void)
{
    return fp_self ? fp_self : fp_worker_of;
}

int __cxa_atexit(void (*function)(void *), void *argument, void *dso);
int __cxa_at_quick_exit(void (*function)(void *), void *dso);
int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso);

static int
pe_cxa_atexit(void (*function)(void *, int), void *argument, void *dso)
{
    struct fp_pe *pe = owner();
    if (!pe)
        return __cxa_atexit((void (*)(void *))(void (*)(void))function, argument, dso);
    return handler_add(&exits_of(pe)->exits,
                       (struct handler){.kind = HANDLER_CXA, .function.cxa = function, .argument = argument});
}

static int
pe_atexit(void (*function)(void))
{
    struct fp_pe *pe = owner();
    if (!pe)
        return atexit(function);
    return handler_add(&exits_of(pe)->exits, (struct handler){.kind = HANDLER_PLAIN, .function.plain = function});
}

static int
pe_on_exit(void (*function)(int, void *), void *argument)
{
    struct fp_pe *pe = owner();
    if (!pe)
        return on_exit(function, argument);
    return handler_add(&exits_of(pe)->exits,
                       (struct handler){.kind = HANDLER_ON_EXIT, .function.on_exit = function, .argument = argument});
}

static int
pe_cxa_at_quick_exit(void (*function)(void *, int), void *dso)
{
    struct fp_pe *pe = owner();
    if (!pe)
        return __cxa_at_quick_exit((void (*)(void *))(void (*)(void))function, dso);
    return handler_add(&exits_of(pe)->quick_exits, (struct handler){.kind = HANDLER_CXA, .function.cxa = function});
}

static int
pe_at_quick_exit(void (*function)(void))
{
    struct fp_pe *pe = owner();
    if (!pe)
        return at_quick_exit(function);
    return handler_add(&exits_of(pe)->quick_exits, (struct handler){.kind = HANDLER_PLAIN, .function.plain = function});
}

/* thread_local objects of a PE, in whatever object they are: libstdc++ calls this. */
FP_EXPORT int
__cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso)
{
    struct fp_pe *pe = fp_self;
    if (!pe || pe->job->config.in_process)
        return FP_REAL(__cxa_thread_atexit_impl)(function, object, dso);
    return handler_add(&exits_of(pe)->thread_locals,
                       (struct handler){.kind = HANDLER_CXA,
                                        .function.cxa = (void (*)(void *, int))(void (*)(void))function,
                                        .argument = object});
}

void
fp_exit_list_free(struct fp_exit_list *exits)
{
    if (!exits)
        return;
    free(exits->thread_locals.handlers);
    free(exits->exits.handlers);
    free(exits->quick_exits.handlers);
    free(exits);
}

/* ---- Ending */

/* A handler may register others, and may call exit, which goes on with the rest: each is taken off before it runs. */
static void
handlers_run(struct handler_list *list, int status)
{
    while (list->count) {
        struct handler handler = list->handlers[--list->count];
        switch (handler.kind) {
        case HANDLER_CXA:
            handler.function.cxa(handler.argument, status);
            break;
        case HANDLER_PLAIN:
            handler.function.plain();
            break;
        case HANDLER_ON_EXIT:
            handler.function.on_exit(status, handler.argument);
            break;
        }
    }
}

/* Leaves the program's frames for good. */
static _Noreturn void
pe_leave(struct fp_pe *pe, int status)
{
    pe->exit_status = status & 0xff;
    pe->exit_status_set = true;
    FP_ASSERT(pe->libc->end_set);
    longjmp(pe->libc->end, 1);
}

void
fp_pe_abandon(void)
{
    FP_ASSERT(fp_self && fp_self->libc->end_set);
    longjmp(fp_self->libc->end, 1);
}

/* What the program has asked for at its end. */
static void
farewell(struct fp_pe *pe, int status)
{
    pe->in_runtime = false;
    if (pe->libc->exits) {
        handlers_run(&pe->libc->exits->thread_locals, status);
        handlers_run(&pe->libc->exits->exits, status);
    }
    if (pe->image)
        fp_image_fini(pe->image);
}

void
fp_pe_exit(int status)
{
    struct fp_pe *pe = fp_self;
    FP_ASSERT(pe);
    farewell(pe, status);
    pe_leave(pe, status);
}

/* Who calls an exit function: the PE, or NULL when it means the process. A thread of the program cannot run the PE's
 * handlers on its own stack while the PE goes on: it ends the job. */
static struct fp_pe *
exit_caller(int status)
{
    if (!fp_job_now || !fp_is_job_process())
        return NULL;
    if (!fp_self && !fp_job_now->config.in_process) {
        fp_job_now->cut_short = "a thread of the program ended it";
        fp_job_abort(fp_job_now, status & 0xff ? status & 0xff : FP_STATUS_USAGE);
    }
    return fp_self && fp_self->phase == FP_PE_RUNNING && fp_self->libc->end_set ? fp_self : NULL;
}

FP_EXPORT void
exit(int status)
{
    if (exit_caller(status))
        fp_pe_exit(status);
    if (owner() && fp_job_now && !fp_is_job_process()) { /* a child that the program forked: a process of its own */
        struct fp_pe *pe = owner();
        farewell(pe, status);
        fp_output_flush(pe, true);
        fp_self = NULL;
    }
    FP_REAL(exit)(status);
    __builtin_unreachable();
}

FP_EXPORT void
quick_exit(int status)
{
    struct fp_pe *pe = exit_caller(status);
    if (pe) {
        handlers_run(&exits_of(pe)->quick_exits, status);
        pe_leave(pe, status);
    }
    FP_REAL(quick_exit)(status);
    __builtin_unreachable();
}

FP_EXPORT void
_exit(int status)
{
    struct fp_pe *pe = exit_caller(status);
    if (pe)
        pe_leave(pe, status);
    fp_process_exit(status);
}

FP_EXPORT void
_Exit(int status)
{
    _exit(status);
}

/* The main thread of a process may end before the others do. */
static _Noreturn void
pe_pthread_exit(void *value)
{
    struct fp_pe *pe = fp_self;
    if (!pe)
        pthread_exit(value);
    fp_workers_wait(pe);
    fp_pe_exit(0);
}

static bool
pe_sync_with_stdio(bool sync)
{
    return true; /* a second buffer in front of stdout would be shared by all PEs */
}

const struct fp_rebind fp_rebind_process[] = {
    {"__cxa_atexit", (void *)pe_cxa_atexit},
    {"atexit", (void *)pe_atexit},
    {"on_exit", (void *)pe_on_exit},
    {"__cxa_at_quick_exit", (void *)pe_cxa_at_quick_exit},
    {"at_quick_exit", (void *)pe_at_quick_exit},
    {"pthread_exit", (void *)pe_pthread_exit},
    {"_ZNSt8ios_base15sync_with_stdioEb", (void *)pe_sync_with_stdio},
    {NULL, NULL},
};

/* ---- exit() inside libc */

static void
exit_caught(int status, void *argument)
{
    struct fp_pe *pe = exit_caller(status);
    if (!pe)
        return;
    fp_pe_catch_exit(); /* this registration is used up */
    fp_pe_exit(status);
}

void
fp_pe_catch_exit(void)
{
    if (on_exit(exit_caught, NULL))
        fp_env_fail("out of memory");
}

/* err() and its kin are caught at once, before exit handlers of libraries run. */
FP_EXPORT void
verr(int status, const char *fmt, va_list arguments)
{
    vwarn(fmt, arguments);
    exit(status);
}

FP_EXPORT void
verrx(int status, const char *fmt, va_list arguments)
{
    vwarnx(fmt, arguments);
    exit(status);
}

FP_EXPORT void
err(int status, const char *fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    verr(status, fmt, arguments);
    __builtin_unreachable();
}

FP_EXPORT void
errx(int status, const char *fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    verrx(status, fmt, arguments);
    __builtin_unreachable();
}

/* ---- Body of a PE */

static int
program_run(struct fp_pe *pe)
{
    const struct fp_config *config = &pe->job->config;
    const struct fp_image *image = pe->image;
    if (pe->rank)
        fp_image_tls_fill(image);
    pe->libc->argv = fp_argv_copy(config->argc, config->argv);
    fp_image_init(image, config->argc, pe->libc->argv, environ);
    int status = image->main(config->argc, pe->libc->argv, environ);
    if (!fp_is_job_process()) /* a child that the program forked */
        exit(status);
    return status;
}

static int
body_run(struct fp_pe *pe)
{
    if (!pe->in_process_main)
        return program_run(pe);
    pe->in_process_main(pe->in_process_arg);
    return 0;
}

static void
status_note(struct fp_job *job, int status)
{
    int none = 0;
    if (status)
        __atomic_compare_exchange_n(&job->exit_status, &none, status, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void
fp_pe_main(struct fp_pe *pe)
{
    struct fp_job *job = pe->job;
    FP_ASSERT(fp_self == pe);
    pe->phase = FP_PE_RUNNING;
    pe->libc->end_set = true;
    if (setjmp(pe->libc->end) == 0)
        fp_pe_exit(body_run(pe));
    pe->libc->end_set = false;
    fp_output_flush(pe, true);
    if (!job->ending) {
        if (fp_pe_at_end)
            fp_pe_at_end(pe);
        status_note(job, pe->exit_status);
    }
    pe->phase = FP_PE_ENDED;
    /* Another PE may abort an in-process job while this one waits for the end of the others. */
    pe->libc->end_set = true;
    if (setjmp(pe->libc->end) == 0) {
        if (!(job->ending && pe->rank == 0))
            job->backend->pe_end(pe);
    } else if (pe->rank != 0) {
        job->backend->pe_end(pe);
    }
    pe->libc->end_set = false;
    FP_ASSERT(pe->rank == 0);
}
