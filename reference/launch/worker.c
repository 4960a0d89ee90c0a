/* worker.c -- threads that the program itself creates.
 *
 * They run freely, beside the PEs: not scheduled and not checked, which the footer says. Such a thread has fp_self
 * NULL, so clocks, random numbers and the like are the process's, and an OpenSHMEM call from it is a usage error; it
 * knows the PE that it belongs to, because its output goes where that PE's goes and because its thread-locals start
 * with the values of that PE's image.
 */
#include <errno.h>
#include <sched.h>
#include <threads.h>

#include "reference/launch/launch.h"

__thread struct fp_pe *fp_worker_of __attribute__((tls_model("initial-exec")));

struct start {
    struct fp_pe *pe;
    void *(*body)(void *);
    void *argument;
};

static void
worker_ended(void *argument)
{
    struct fp_pe *pe = argument;
    __atomic_fetch_sub(&pe->libc->workers, 1, __ATOMIC_RELEASE);
}

static void *
worker_start(void *argument)
{
    struct start start = *(struct start *)argument;
    void *result;
    free(argument);
    fp_worker_of = start.pe;
    if (start.pe->image)
        fp_image_tls_fill(start.pe->image);
    pthread_cleanup_push(worker_ended, start.pe);
    result = start.body(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

static int
worker_create(struct fp_pe *pe, pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
              void *argument)
{
    struct start *start = malloc(sizeof *start);
    if (!start)
        return EAGAIN;
    *start = (struct start){pe, body, argument};
    fp_job_unseen(pe->job, "threads that the program creates are not scheduled or checked");
    __atomic_fetch_add(&pe->libc->workers, 1, __ATOMIC_RELAXED);
    int error = FP_REAL(pthread_create)(thread, attributes, worker_start, start);
    if (error) {
        free(start);
        worker_ended(pe);
    }
    return error;
}

/* Fencepost's own threads are told by their body: a sanitizer may stand between the caller and us. */
FP_EXPORT int
pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*body)(void *),
               void *restrict argument)
{
    struct fp_pe *pe = fp_self ? fp_self : fp_worker_of;
    if (!pe || (fp_self && fp_self->in_runtime) || fp_is_own_code((void *)body) || pe->phase != FP_PE_RUNNING)
        return FP_REAL(pthread_create)(thread, attributes, body, argument);
    return worker_create(pe, thread, attributes, body, argument);
}

struct start_c11 {
    thrd_start_t body;
    void *argument;
};

static void *
start_c11(void *argument)
{
    struct start_c11 start = *(struct start_c11 *)argument;
    free(argument);
    return (void *)(intptr_t)start.body(start.argument);
}

/* libc's own would not come by pthread_create above. */
FP_EXPORT int
thrd_create(thrd_t *thread, thrd_start_t body, void *argument)
{
    struct fp_pe *pe = fp_self ? fp_self : fp_worker_of;
    if (!pe || pe->phase != FP_PE_RUNNING)
        return FP_REAL(thrd_create)(thread, body, argument);
    struct start_c11 *start = malloc(sizeof *start);
    if (!start)
        return thrd_nomem;
    *start = (struct start_c11){body, argument};
    int error = worker_create(pe, thread, NULL, start_c11, start);
    if (error)
        free(start);
    return error == 0 ? thrd_success : error == ENOMEM ? thrd_nomem : thrd_error;
}

void
fp_workers_wait(struct fp_pe *pe)
{
    while (__atomic_load_n(&pe->libc->workers, __ATOMIC_ACQUIRE))
        sched_yield();
}
