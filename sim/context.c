/* context.c -- suspending and resuming PEs, see context.h.
 *
 * The lending pthread of a fiber PE is parked in a futex wait a few hundred bytes below the top of its stack; the
 * fiber starts a page below that frame, so neither disturbs the other. All signals that could run a handler on the
 * parked thread are blocked (fp_pe_thread_create).
 */
#include "sim/context.h"

#include <errno.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/sim.h"
#include "sim/watchdog.h"

#define FIBER_STACK_BYTES (256 * 1024) /* in-process PEs */
#define PARKED_FRAME_BYTES 4096
#define HWCAP2_WRFSBASE 2

void sim_fiber_switch(void **save, void *load, uintptr_t thread_pointer);
void sim_fiber_start(void);

static void
futex_wait(uint32_t *word, uint32_t while_equal)
{
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == while_equal)
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, while_equal, NULL, NULL, 0);
}

static void
futex_post(uint32_t *word)
{
    __atomic_store_n(word, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static uintptr_t
thread_pointer(void)
{
    uintptr_t value;
    __asm__("movq %%fs:0, %0" : "=r"(value));
    return value;
}

bool
sim_context_under_valgrind(void)
{
    const char *preload = getenv("LD_PRELOAD");
    return preload && strstr(preload, "vgpreload");
}

bool
sim_context_fibers_work(void)
{
    return (getauxval(AT_HWCAP2) & HWCAP2_WRFSBASE) && !sim_context_under_valgrind();
}

/* Makes the stack that ends at `top` look as if body(pe) were about to start on it. */
static void *
prepare_stack(void *top, void (*body)(struct fp_pe *), struct fp_pe *pe)
{
    uint64_t *sp = (uint64_t *)((uintptr_t)top & ~(uintptr_t)63);
    *--sp = (uintptr_t)sim_fiber_start; /* return address; after it the stack is aligned for a call */
    *--sp = 0;                          /* rbp */
    *--sp = 0;                          /* rbx */
    *--sp = (uintptr_t)body;            /* r12 */
    *--sp = (uintptr_t)pe;              /* r13 */
    *--sp = 0;                          /* r14 */
    *--sp = 0;                          /* r15 */
    uint32_t mxcsr;
    uint16_t control_word;
    __asm__("stmxcsr %0" : "=m"(mxcsr));
    __asm__("fnstcw %0" : "=m"(control_word));
    *--sp = mxcsr | (uint64_t)control_word << 32;
    return sp;
}

struct lend {
    struct sim_context *context;
    void (*body)(struct fp_pe *);
    jmp_buf finish; /* thread contexts leave the program's frames through here, without unwinding them */
};

static __thread struct lend *lend_self;

static void *
lend_thread(void *argument)
{
    struct fp_pe *pe = argument;
    struct sim_pe *sp = pe->backend;
    struct sim_context *context = &sp->context;
    struct lend lend = {.context = context, .body = (void (*)(struct fp_pe *))context->stack};
    context->stack = NULL;
    fp_self = pe;
    if (context->threads) {
        sigset_t watchdog;
        sigemptyset(&watchdog);
        sigaddset(&watchdog, SIM_WATCHDOG_SIGNAL);
        pthread_sigmask(SIG_UNBLOCK, &watchdog, NULL);
        lend_self = &lend;
        __atomic_store_n(&context->started, 1, __ATOMIC_RELEASE);
        futex_wait(&context->baton, 0);
        context->baton = 0;
        if (setjmp(lend.finish) == 0 && !pe->job->ending)
            lend.body(pe);
    } else {
        context->thread_pointer = thread_pointer();
        char *top = (char *)__builtin_frame_address(0) - PARKED_FRAME_BYTES;
        context->stack_pointer = prepare_stack(top, lend.body, pe);
        futex_post(&context->started);
    }
    futex_wait(&context->parked, 0);
    return NULL;
}

void
sim_context_adopt(struct sim_context *context, bool threads)
{
    memset(context, 0, sizeof *context);
    context->threads = threads;
    context->started = 1;
    context->thread_pointer = thread_pointer();
}

int
sim_context_create(struct sim_context *context, struct fp_pe *pe, bool threads, void (*body)(struct fp_pe *))
{
    char *stack = context->stack; /* of an earlier run */
    memset(context, 0, sizeof *context);
    context->threads = threads;
    if (!threads && pe->job->config.in_process) {
        context->stack = stack;
        if (!stack) {
            stack = mmap(NULL, FIBER_STACK_BYTES, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
            if (stack == MAP_FAILED)
                return errno;
            context->stack = stack;
            mprotect(context->stack, 4096, PROT_NONE);
        }
        context->stack_pointer = prepare_stack(context->stack + FIBER_STACK_BYTES, body, pe);
        context->started = 1;
        return 0;
    }
    context->stack = (char *)(uintptr_t)body; /* handed to lend_thread */
    return fp_pe_thread_create(pe, lend_thread);
}

void
sim_context_await(struct sim_context *context)
{
    if (!__atomic_load_n(&context->started, __ATOMIC_ACQUIRE))
        futex_wait(&context->started, 0);
}

void
sim_context_switch(struct sim_context *from, struct sim_context *to)
{
    if (from->threads) {
        futex_post(&to->baton);
        futex_wait(&from->baton, 0);
        from->baton = 0;
        return;
    }
    sim_context_await(to);
    sim_fiber_switch(&from->stack_pointer, to->stack_pointer, to->thread_pointer);
}

void
sim_context_finish(struct sim_context *from, struct sim_context *to)
{
    if (from->threads) {
        struct lend *lend = lend_self;
        futex_post(&to->baton);
        longjmp(lend->finish, 1);
    }
    sim_context_switch(from, to);
    FP_BUG("a PE that has ended was resumed");
}

void
sim_context_destroy(struct sim_context *context, struct fp_pe *pe)
{
    if (pe->has_thread) {
        if (context->threads)
            futex_post(&context->baton); /* wakes it where the job was aborted (fp_pe_abandon); else it is past it */
        futex_post(&context->parked);
        pthread_join(pe->thread, NULL);
        pe->has_thread = false;
    }
    if (context->stack)
        munmap(context->stack, FIBER_STACK_BYTES);
    context->stack = NULL;
}
