/* crash.c -- signals that an instruction of a PE raises, and those that end the run from outside.
 *
 * A fault in the arena may be a use of memory that check mode has closed on purpose (a freed block): reference/check
 * judges it, the page is opened, and the program goes on. Anything else goes to the handler that the program has
 * installed, which we keep for it, and failing that is a crash: a finding with the place, and the end of the job. A
 * fault in our own code is our bug and says so.
 *
 * The handlers run on stacks of their own, so that a PE that has used up its stack can still be reported. SA_NODEFER:
 * an in-process PE is left by a jump out of the handler.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "reference/check/check.h"
#include "reference/heap/heap.h"
#include "reference/launch/launch.h"
#include "reference/report/report.h"

/* libdw keeps a third of a MiB of line table on the stack. Reserved, touched as used. */
#define HANDLER_STACK_BYTES ((size_t)1 << 20)
#define FRAMES_MAX 64

bool (*fp_fault_hook)(void *address, void *pc);

static const int fatal_signals[FP_FATAL_SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
static struct sigaction fatal_before[FP_FATAL_SIGNALS];
static char *handler_stacks;
static size_t handler_stacks_bytes;
static stack_t stack_before;

int
fp_fatal_index(int signal)
{
    for (int i = 0; i < FP_FATAL_SIGNALS; i++)
        if (fatal_signals[i] == signal)
            return i;
    return -1;
}

static const char *
signal_text(int signal, const siginfo_t *info)
{
    if (signal == SIGFPE && info->si_code == FPE_INTDIV)
        return "SIGFPE, integer division by zero";
    static char text[16];
    snprintf(text, sizeof text, "SIG%s", sigabbrev_np(signal) ? sigabbrev_np(signal) : "RT");
    return text;
}

/* ---- Where */

static const void *
context_pc(const void *context)
{
    return (const void *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

static bool
context_writes(const void *context)
{
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
}

/* Code of the program: of one of its images, or of a test that runs PEs in process. */
static bool
is_program_code(const struct fp_job *job, const void *pc)
{
    if (!job->config.in_process)
        return fp_image_find(job, pc) != NULL;
    Dl_info info;
    return !fp_is_own_code(pc) && dladdr(pc, &info) && info.dli_fbase == (void *)fp_program.base;
}

/* Return addresses of the program's frames, innermost first; the faulting instruction counts as one. *own: the
 * innermost frame of all that is not libc's is Fencepost's. */
static int
program_frames(struct fp_job *job, void *context, const void **frames, int max, bool *own)
{
    unw_cursor_t cursor;
    int n = 0;
    *own = fp_is_own_code(context_pc(context));
    if (unw_init_local2(&cursor, (unw_context_t *)context, UNW_INIT_SIGNAL_FRAME))
        return 0;
    for (int depth = 0; depth < FRAMES_MAX && n < max; depth++) {
        unw_word_t ip;
        if (unw_get_reg(&cursor, UNW_REG_IP, &ip) || !ip)
            break;
        const char *pc = (const char *)ip;
        if (is_program_code(job, pc))
            frames[n++] = depth ? pc : pc + 1;
        if (unw_step(&cursor) <= 0)
            break;
    }
    return n;
}

/* In words that are the same in every run. */
static void
describe_address(const struct fp_job *job, const siginfo_t *info, const void *context, char *text, size_t bytes)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    uintptr_t sp = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
    struct fp_place place = fp_place_of(job, info->si_addr);
    const char *way = context_writes(context) ? "writing" : "reading";
    if (address < 65536 && info->si_code > 0 && info->si_code != SI_KERNEL)
        snprintf(text, bytes, " %s address 0x%zx", way, (size_t)address);
    else if (place.region == FP_HEAP)
        snprintf(text, bytes, " %s offset %llu of PE %d's symmetric heap%s", way, (unsigned long long)place.offset,
                 place.pe,
                 fp_heap_is_device(job, info->si_addr) ? ", memory of a GPU, which the CPU may not touch" : "");
    else if (place.region == FP_STATIC)
        snprintf(text, bytes, " %s static data of PE %d that is constant", way, place.pe);
    else if (address + 65536 > sp && address < sp + 65536)
        snprintf(text, bytes, ", stack overflow");
    else
        snprintf(text, bytes, " %s an address that is not valid", way);
}

/* ---- Judgement */

/* A backend protects memory of its own accord, to see who touches it. */
static bool
backend_fault(int signal, const siginfo_t *info, void *context)
{
    return signal == SIGSEGV && info->si_code > 0 && fp_fault_hook &&
           fp_fault_hook(info->si_addr, (void *)(uintptr_t)context_pc(context));
}

/* A page that check mode has closed: reported once, then open. Where Fencepost itself touches it, an operation was
 * still on its way when its block died; that is the observers' to report. An address of the device heap has no
 * memory to go on with. */
static bool
heap_fault(struct fp_job *job, int signal, const siginfo_t *info, void *context)
{
    const void *frame;
    bool own;
    if ((signal != SIGSEGV && signal != SIGBUS) || info->si_code <= 0 || !fp_self ||
        fp_place_of(job, info->si_addr).region != FP_HEAP)
        return false;
    if (fp_self->in_runtime)
        return fp_heap_expose(job, info->si_addr, 1);
    if (!program_frames(job, context, &frame, 1, &own))
        frame = context_pc(context);
    bool writes = context_writes(context);
    if (!fp_check_plain(job, info->si_addr, 1, writes, writes ? "store" : "load", frame))
        return false;
    if (job->window_bytes)
        fp_job_abort(job, FP_STATUS_FINDINGS);
    return fp_heap_expose(job, info->si_addr, 1);
}

/* A null pointer, perhaps with an index, after an allocation that the heap had no room for: most likely that one's. */
static void
add_failed_allocation(struct fp_job *job, const siginfo_t *info, struct fp_finding *finding)
{
    shmem_call_t call;
    uint64_t asked, live, peak, limit;
    if ((uintptr_t)info->si_addr >= 65536 || !fp_heap_failed(job, &call, &asked))
        return;
    struct fp_line line = fp_site_line(job->report, fp_site_of(job, 0, call.site));
    size_t used = strlen(finding->message);
    fp_heap_usage(job, &live, &peak, &limit);
    snprintf(finding->message + used, sizeof finding->message - used,
             "; %s at %s:%d, which asked %llu bytes, had returned NULL", call.name, line.file ? line.file : "?",
             line.line, (unsigned long long)asked);
    snprintf(
        finding->repair, sizeof finding->repair,
        "test for NULL; the symmetric heap of a PE has %llu bytes, %llu in use (SHMEM_SYMMETRIC_SIZE sets its size)",
        (unsigned long long)limit, (unsigned long long)live);
}

static void
crash_report(struct fp_job *job, const struct fp_pe *pe, int signal, const siginfo_t *info, void *context,
             const void **frames, int nframes)
{
    static struct fp_finding finding;
    static fp_site_t stack[FRAMES_MAX];
    char address[128] = "", where[512] = "";
    for (int i = 0; i < nframes; i++)
        stack[i] = fp_site_of(job, pe->rank, frames[i]);
    if (nframes) {
        struct fp_line line = fp_site_line(job->report, stack[0]);
        snprintf(where, sizeof where, " in %s (%s:%d)", line.function ? line.function : "?",
                 line.file ? line.file : "?", line.line);
    }
    if (signal == SIGSEGV || signal == SIGBUS)
        describe_address(job, info, context, address, sizeof address);
    memset(&finding, 0, sizeof finding);
    finding.class_ = FP_CLASS_CRASH;
    finding.rule = "";
    snprintf(finding.message, sizeof finding.message, "%sPE %d crashed: %s%s%s", fp_self ? "" : "a thread of ",
             pe->rank, signal_text(signal, info), address, where);
    if (signal == SIGSEGV && info->si_code > 0 && info->si_code != SI_KERNEL)
        add_failed_allocation(job, info, &finding);
    finding.naccesses = 1;
    finding.accesses[0] = (struct fp_access){.pe = pe->rank,
                                             .op = "crash",
                                             .kind = FP_CALL,
                                             .site = nframes ? stack[0] : 0,
                                             .stack = nframes ? stack : NULL,
                                             .nstack = nframes};
    fp_job_crash_counted();
    fp_report_add(job->report, &finding);
}

/* The program's recursion may end in a call of ours, such as a hook: the guard page lies just below the stack pointer.
 * */
static bool
out_of_stack(int signal, const siginfo_t *info, const void *context)
{
    uintptr_t at = (uintptr_t)info->si_addr, sp = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
    return signal == SIGSEGV && info->si_code > 0 && at < sp + 256 && at + 65536 > sp;
}

static void
crash(struct fp_job *job, struct fp_pe *pe, int signal, const siginfo_t *info, void *context)
{
    const void *frames[FRAMES_MAX];
    bool own;
    fp_job_writing_begins(128 + signal);
    fp_output_rescue(pe);
    int nframes = program_frames(job, context, frames, FRAMES_MAX, &own);
    if (own && signal != SIGABRT && !out_of_stack(signal, info, context)) {
        struct fp_line line = {0};
        if (nframes)
            line = fp_site_line(job->report, fp_site_of(job, pe->rank, frames[0]));
        FP_BUG("%s in Fencepost, called by PE %d in %s (%s:%d)", signal_text(signal, info), pe->rank,
               line.function ? line.function : "?", line.file ? line.file : "?", line.line);
    }
    if (fp_self)
        fp_self->in_runtime = true;
    crash_report(job, pe, signal, info, context, frames, nframes);
    bool can_leave = job->config.in_process && fp_self && is_program_code(job, context_pc(context));
    if (can_leave) {
        fp_job_writing_ends();
        fp_job_abort(job, 128 + signal);
    }
    fp_job_end_now(job, 128 + signal);
}

void
fp_crash_where(struct fp_job *job, void *context, char *text, size_t bytes)
{
    const void *frame;
    bool own;
    *text = '\0';
    if (!fp_self || !strcmp(job->config.pe_context, "thread") || !program_frames(job, context, &frame, 1, &own))
        return; /* of PEs with threads of their own, the one that runs does not get the signal */
    struct fp_line line = fp_site_line(job->report, fp_site_of(job, fp_self->rank, frame));
    snprintf(text, bytes, ", PE %d is in %s (%s:%d)", fp_self->rank, line.function ? line.function : "?",
             line.file ? line.file : "?", line.line);
}

static bool
handler_call(const struct sigaction *action, int signal, siginfo_t *info, void *context)
{
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(signal, info, context);
    else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)
        action->sa_handler(signal);
    else
        return false;
    return true;
}

static void
fatal_signal(int signal, siginfo_t *info, void *context)
{
    int error = errno, i = fp_fatal_index(signal);
    struct fp_job *job = fp_job_now;
    struct fp_pe *pe = fp_self ? fp_self : fp_worker_of;
    if (pe && job && fp_is_job_process()) {
        if (backend_fault(signal, info, context) || heap_fault(job, signal, info, context) ||
            handler_call(&pe->libc->fatal[i], signal, info, context)) {
            errno = error;
            return;
        }
        if (!handler_call(&fatal_before[i], signal, info, context))
            crash(job, pe, signal, info, context);
        return;
    }
    /* Not a PE's: as if we were not there. */
    FP_REAL(sigaction)(signal, &fatal_before[i], NULL);
    if (info->si_code <= 0)
        raise(signal);
}

/* A signal that nobody handles ends the process that it is sent to. One that the program sends to itself is its own
 * doing; of any other, and of a reader of its output that has gone, the run learns nothing. */
void
fp_signal_ends(int signal, siginfo_t *info, void *context)
{
    struct fp_job *job = fp_job_now;
    if (!job || !fp_is_job_process()) {
        FP_REAL(sigaction)(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        raise(signal);
        return;
    }
    bool sent = (info->si_code == SI_USER || info->si_code == SI_TKILL) && info->si_pid == getpid();
    bool asked = signal == SIGINT || signal == SIGTERM || signal == SIGPIPE || signal == SIGXFSZ;
    if (sent && !asked && fp_self && !fp_self->in_runtime)
        crash(job, fp_self, signal, info, context);
    fp_job_interrupt(job, 128 + signal);
}

/* ---- Installation */

void
fp_crash_stack_use(int rank)
{
    if (!handler_stacks)
        return;
    stack_t stack = {.ss_sp = handler_stacks + (size_t)rank * HANDLER_STACK_BYTES, .ss_size = HANDLER_STACK_BYTES};
    sigaltstack(&stack, rank ? NULL : &stack_before);
}

void
fp_crash_install(struct fp_job *job)
{
    handler_stacks_bytes = (size_t)job->npes * HANDLER_STACK_BYTES;
    handler_stacks =
        mmap(NULL, handler_stacks_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (handler_stacks == MAP_FAILED)
        handler_stacks = NULL;
    fp_crash_stack_use(0);
    struct sigaction action = {.sa_sigaction = fatal_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (int i = 0; i < FP_FATAL_SIGNALS; i++)
        FP_REAL(sigaction)(fatal_signals[i], &action, &fatal_before[i]);
    if (!job->config.in_process)
        fp_signals_install();
}

void
fp_crash_remove(void)
{
    for (int i = 0; i < FP_FATAL_SIGNALS; i++)
        FP_REAL(sigaction)(fatal_signals[i], &fatal_before[i], NULL);
    if (handler_stacks) {
        sigaltstack(&stack_before, NULL);
        munmap(handler_stacks, handler_stacks_bytes);
        handler_stacks = NULL;
    }
}
