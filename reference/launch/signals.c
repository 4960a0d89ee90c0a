/* signals.c -- what the program may wish of signals, and what Fencepost needs of them.
 *
 * A signal that ends a process by default would take the report and the trace with it: those get a handler
 * (fp_signal_ends), and where the program asks for the default, or what it is, it is told and given that. Signals that
 * an instruction raises cannot be blocked by a PE: the kernel would end the process without a word, and so it would
 * where a stack is used up and no other one is installed; so a PE's alternate stack is remembered, but Fencepost's
 * stays. Handlers that the program installs for synchronous signals are kept for it, a PE each (crash.c).
 */
#include <errno.h>
#include <string.h>

#include "reference/launch/launch.h"

static bool
ends_process(int signal)
{
    static const int ending[] = {SIGHUP,    SIGINT,    SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM,
                                 SIGSTKFLT, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGIO,   SIGPWR};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (ending[i] == signal)
            return true;
    return signal >= SIGRTMIN && signal <= SIGRTMAX;
}

static const struct sigaction ending_action = {.sa_sigaction = fp_signal_ends, .sa_flags = SA_SIGINFO | SA_ONSTACK};

void
fp_signals_install(void)
{
    struct sigaction before;
    for (int signal = 1; signal <= SIGRTMAX; signal++)
        if (ends_process(signal) && !FP_REAL(sigaction)(signal, NULL, &before) && before.sa_handler == SIG_DFL)
            FP_REAL(sigaction)(signal, &ending_action, NULL);
}

/* ---- Handlers of the program */

/* The place where a PE's wish for a fatal signal is kept, or NULL. */
static struct sigaction *
kept_action(int signal)
{
    int i = fp_fatal_index(signal);
    struct fp_pe *pe = fp_self ? fp_self : fp_worker_of;
    return pe && pe->libc && i >= 0 && pe->phase == FP_PE_RUNNING ? &pe->libc->fatal[i] : NULL;
}

static void
open_synchronous(sigset_t *set)
{
    for (int signal = 1; signal <= SIGSYS; signal++)
        if (fp_fatal_index(signal) >= 0 && signal != SIGABRT)
            sigdelset(set, signal);
}

/* What stands for the program's default is ours. */
static int
action_set(int signal, const struct sigaction *action, struct sigaction *before)
{
    struct sigaction changed;
    bool job = fp_job_now && !fp_job_now->config.in_process && fp_is_job_process();
    if (action && job) {
        changed = *action;
        open_synchronous(&changed.sa_mask);
        if (!(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL && ends_process(signal))
            changed = ending_action;
        action = &changed;
    }
    int result = FP_REAL(sigaction)(signal, action, before);
    if (!result && before && (before->sa_flags & SA_SIGINFO) && before->sa_sigaction == fp_signal_ends)
        *before = (struct sigaction){.sa_handler = SIG_DFL};
    return result;
}

FP_EXPORT int
sigaction(int signal, const struct sigaction *restrict action, struct sigaction *restrict before)
{
    struct sigaction *kept = kept_action(signal);
    if (!kept)
        return action_set(signal, action, before);
    struct sigaction previous = *kept;
    if (action)
        *kept = *action;
    if (before)
        *before = previous;
    return 0;
}

FP_EXPORT sighandler_t
signal(int signal_number, sighandler_t handler)
{
    struct sigaction *kept = kept_action(signal_number), before;
    if (kept) {
        sighandler_t previous = kept->sa_handler;
        *kept = (struct sigaction){.sa_handler = handler};
        return previous;
    }
    if (!ends_process(signal_number))
        return FP_REAL(signal)(signal_number, handler);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaddset(&action.sa_mask, signal_number);
    return action_set(signal_number, &action, &before) ? SIG_ERR : before.sa_handler;
}

/* ---- Masks and stacks */

FP_EXPORT int
pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    sigset_t open;
    if (fp_caller_pe() && set && how != SIG_UNBLOCK) {
        open = *set;
        open_synchronous(&open);
        set = &open;
    }
    return FP_REAL(pthread_sigmask)(how, set, before);
}

FP_EXPORT int
sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict before)
{
    sigset_t open;
    if (fp_caller_pe() && set && how != SIG_UNBLOCK) {
        open = *set;
        open_synchronous(&open);
        set = &open;
    }
    return FP_REAL(sigprocmask)(how, set, before);
}

FP_EXPORT int
sigaltstack(const stack_t *restrict stack, stack_t *restrict before)
{
    struct fp_pe *pe = fp_caller_pe();
    if (!pe || !pe->libc || pe->job->config.in_process)
        return FP_REAL(sigaltstack)(stack, before);
    stack_t previous = pe->libc->alternate;
    if (!previous.ss_sp)
        previous.ss_flags = SS_DISABLE;
    if (stack && !(stack->ss_flags & SS_DISABLE) && stack->ss_size < (size_t)MINSIGSTKSZ) {
        errno = ENOMEM;
        return -1;
    }
    if (stack)
        pe->libc->alternate = stack->ss_flags & SS_DISABLE ? (stack_t){.ss_flags = SS_DISABLE} : *stack;
    if (before)
        *before = previous;
    return 0;
}
