/* watchdog.c -- a loop that waits for a plain load to change makes no call, so without hooks the scheduler never
 * runs again.
 *
 * Real time only decides when to look, never what is reported: when nothing has been scheduled for config.watchdog_s
 * seconds, the thread that runs is sampled by signals. A computation changes registers as it goes on; a loop that
 * merely looks shows the same few states (program counter and all general registers) again and again. If, and only
 * if, that is what the samples show, the PE can never go on: the simulator is inside its loop, so nothing else will
 * ever happen. Then the symmetric memory of the PE is protected, the loop faults on what it looks at, and the report
 * can name it (fp_fault_hook, called by the SIGSEGV handler).
 */
#define _GNU_SOURCE
#include "sim/watchdog.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "reference/check/check.h"
#include "sim/sim.h"

#define SAMPLES 96    /* must show no more than ... */
#define STATES_MAX 24 /* ... so many different states to be a loop that merely looks */
#define SAMPLE_PERIOD_NS 20000000
#define PERIOD_NS 250000000

enum stage { WATCHING, SAMPLING, PROTECTING, REPORTING };

struct sim_watchdog {
    struct sim *sim;
    pthread_t thread, carrier;
    volatile uint32_t stop; /* a futex word, so that the end of a run does not wait for the end of a pause */
    volatile enum stage stage;
    volatile int samples, states;
    uint64_t seen[STATES_MAX + 1];
};

static struct sim_watchdog *current; /* a signal handler has no argument */

static uint64_t
state_of(const ucontext_t *context)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = REG_R8; i <= REG_RIP; i++)
        hash = (hash ^ (uint64_t)context->uc_mcontext.gregs[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void
report(struct sim_pe *sp, const void *address, const void *pc)
{
    struct sim *sim = sp->sim;
    struct fp_job *job = sim->job;
    struct fp_finding finding = {.class_ = FP_CLASS_HANG, .rule = "E071, S 9.12.1"};
    fp_site_t site = fp_site_of(job, sp->rank, (const char *)pc + 1);
    if (address)
        fp_describe_object(job, &finding, address);
    if (address)
        snprintf(finding.message, sizeof finding.message,
                 "PE %d spins on a plain load of %s, without a call: it can never see a change there", sp->rank,
                 finding.object.name[0] ? finding.object.name : "memory");
    else
        snprintf(finding.message, sizeof finding.message,
                 "PE %d is in a loop without a call and without a change: it never ends", sp->rank);
    finding.accesses[0] = (struct fp_access){
        .pe = sp->rank, .op = address ? "load" : "loop", .kind = address ? FP_READ : FP_CALL, .site = site};
    finding.naccesses = 1;
    if (address)
        snprintf(finding.repair, sizeof finding.repair,
                 "wait with shmem_wait_until or test with shmem_test instead of a plain load");
    fp_report_add(job->report, &finding);
    fp_job_abort(job, 66);
}

static void
protect(struct fp_pe *pe)
{
    mprotect(pe->heap_base, pe->job->stride, PROT_NONE);
    uintptr_t lo = ((uintptr_t)pe->static_lo + 4095) & ~(uintptr_t)4095,
              hi = (uintptr_t)pe->static_hi & ~(uintptr_t)4095;
    if (pe->static_lo && hi > lo)
        mprotect((void *)lo, hi - lo, PROT_NONE);
}

/* Memory protected above was touched. */
static bool
fault(void *address, void *pc)
{
    struct sim_watchdog *dog = current;
    if (!dog || dog->stage != PROTECTING || !fp_self)
        return false;
    struct fp_pe *pe = fp_self;
    char *at = address;
    bool heap = at >= pe->heap_base && at < pe->heap_base + pe->job->stride;
    bool statics = pe->static_lo && at >= pe->static_lo && at < pe->static_hi;
    if (!heap && !statics)
        return false;
    mprotect(pe->heap_base, pe->job->stride, PROT_READ | PROT_WRITE);
    if (pe->static_lo) {
        uintptr_t lo = ((uintptr_t)pe->static_lo + 4095) & ~(uintptr_t)4095,
                  hi = (uintptr_t)pe->static_hi & ~(uintptr_t)4095;
        if (hi > lo)
            mprotect((void *)lo, hi - lo, PROT_READ | PROT_WRITE);
    }
    report(pe->backend, address, pc);
    return true;
}

static void
on_signal(int number, siginfo_t *info, void *context)
{
    struct sim_watchdog *dog = current;
    if (!dog || !fp_self || fp_self->in_runtime)
        return;
    const ucontext_t *uc = context;
    switch (dog->stage) {
    case SAMPLING: {
        uint64_t state = state_of(uc);
        int i = 0;
        while (i < dog->states && dog->seen[i] != state)
            i++;
        if (i == dog->states && dog->states <= STATES_MAX)
            dog->seen[dog->states++] = state;
        dog->samples++;
        break;
    }
    case PROTECTING:
        protect(fp_self);
        break;
    case REPORTING:
        report(fp_self->backend, NULL, (void *)uc->uc_mcontext.gregs[REG_RIP]);
        break;
    case WATCHING:
        break;
    }
}

/* Until the time is over or the run ends. */
static void
pause_ns(struct sim_watchdog *dog, long ns)
{
    struct timespec time = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    syscall(SYS_futex, &dog->stop, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
}

static void
poke(struct sim_watchdog *dog)
{
    struct sim_pe *sp = dog->sim->running;
    bool own = sp->context.threads && sp->pe->has_thread;
    pthread_kill(own ? sp->pe->thread : dog->carrier, SIM_WATCHDOG_SIGNAL);
}

/* Nothing was scheduled for long: is it a loop that merely looks? Returns when something is scheduled, or never. */
static void
examine(struct sim_watchdog *dog, uint64_t steps)
{
    dog->samples = dog->states = 0;
    dog->stage = SAMPLING;
    while (!dog->stop && dog->sim->steps == steps && dog->samples < SAMPLES && dog->states <= STATES_MAX) {
        poke(dog);
        pause_ns(dog, SAMPLE_PERIOD_NS);
    }
    if (dog->stop || dog->sim->steps != steps || dog->samples < SAMPLES || dog->states > STATES_MAX) {
        dog->stage = WATCHING;
        return;
    }
    dog->stage = PROTECTING;
    poke(dog);
    pause_ns(dog, 2 * PERIOD_NS);
    if (!dog->stop && dog->sim->steps == steps) {
        dog->stage = REPORTING;
        poke(dog);
    }
}

static void *
watch(void *argument)
{
    struct sim_watchdog *dog = argument;
    uint64_t steps = 0, still_ns = 0;
    while (!dog->stop) {
        pause_ns(dog, PERIOD_NS);
        if (dog->sim->steps != steps) {
            steps = dog->sim->steps;
            still_ns = 0;
            continue;
        }
        still_ns += PERIOD_NS;
        if (still_ns >= (uint64_t)dog->sim->job->config.watchdog_s * 1000000000) {
            examine(dog, steps);
            still_ns = 0;
        }
    }
    return NULL;
}

struct sim_watchdog *
sim_watchdog_start(struct sim *sim)
{
    if (sim->job->config.watchdog_s == 0 || sim->job->config.in_process)
        return NULL;
    struct sim_watchdog *dog = calloc(1, sizeof *dog);
    if (!dog)
        return NULL;
    dog->sim = sim;
    dog->carrier = pthread_self();
    current = dog;
    fp_fault_hook = fault;
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigaction(SIM_WATCHDOG_SIGNAL, &action, NULL);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct fp_pe *self = fp_self;
    fp_self = NULL; /* a thread of Fencepost's own */
    int error = pthread_create(&dog->thread, NULL, watch, dog);
    fp_self = self;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error)
        return dog;
    current = NULL;
    free(dog);
    return NULL;
}

void
sim_watchdog_stop(struct sim_watchdog *dog)
{
    if (!dog)
        return;
    dog->stop = 1;
    syscall(SYS_futex, &dog->stop, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    pthread_join(dog->thread, NULL);
    current = NULL;
    free(dog);
}
