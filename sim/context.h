/* context.h -- how a PE's flow of control is suspended and resumed: the only file pair that knows fibers from threads.
 *
 * Every PE but PE 0 of a program run has a pthread, which lends it stack, thread-locals and malloc cache. Thread
 * contexts hand a baton over by futex. Fiber contexts park the pthread and let the main thread run on the parked
 * thread's stack *and thread pointer* (wrfsbase), so that thread-locals, errno and pthread_self() are the PE's own in
 * both kinds and a switch costs a few nanoseconds. In-process PEs (fencepost.h) share the test's thread-locals and
 * have a stack alone.
 */
#ifndef SIM_CONTEXT_H
#define SIM_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

struct fp_pe;
struct fp_job;

struct sim_context {
    void *stack_pointer;      /* fiber: saved while suspended */
    uintptr_t thread_pointer; /* fiber: fs base; 0: shared */
    uint32_t baton;           /* thread: futex word, 1 when it may run */
    uint32_t parked;          /* fiber: the lending pthread waits here until it is released */
    uint32_t started;         /* the lending pthread has recorded its stack */
    char *stack;              /* in-process fiber: its own mapping */
    bool threads;             /* this run's kind */
};

/* True when fibers can be used here (wrfsbase available, not under valgrind). */
bool sim_context_fibers_work(void);
/* It takes a fiber's stack for part of the one that was left: in-process PEs are threads there. */
bool sim_context_under_valgrind(void);
/* The calling flow becomes the context of PE 0. */
void sim_context_adopt(struct sim_context *context, bool threads);
/* Prepares a context that will run body(pe) when first switched to; body never returns. 0, or an errno value. */
int sim_context_create(struct sim_context *context, struct fp_pe *pe, bool threads, void (*body)(struct fp_pe *pe));
/* Waits until a fiber context could be switched to. */
void sim_context_await(struct sim_context *context);
/* Suspends `from` (the caller) and resumes `to`. */
void sim_context_switch(struct sim_context *from, struct sim_context *to);
/* Resumes `to` and ends the caller for good (thread: its pthread returns). */
void sim_context_finish(struct sim_context *from, struct sim_context *to);
/* After the run: lets the lending pthread end and joins it, or frees the stack. */
void sim_context_destroy(struct sim_context *context, struct fp_pe *pe);

#endif
