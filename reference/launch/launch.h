/* launch.h -- what the files of reference/launch tell each other.
 *
 *   start.c       takes over before the program's constructors; config.c reads the environment
 *   elf.c         the program's own ELF file, parsed once; image.c a private copy of it for each PE
 *   got.c         calls and variables of the images that go elsewhere
 *   pe.c          life of a PE: constructors, main, exit handlers
 *   thread.c      pthreads lent to PEs; worker.c those that the program creates
 *   output.c, stdio.c, stdio_wide.c, libc_state.c, getopt.c, clock.c   what libc has once and each PE expects to own
 *   crash.c       signals that end the run, signals.c what the program wishes of signals; end.c how a job ends
 *   child.c       fork and exec of a PE
 *   inprocess.c   fencepost.h
 *
 * Functions of libc are taken over in two ways. Exported definitions (FP_EXPORT) stand before libc's for
 * everything in the process, libraries included; each asks fp_caller_pe() whether a PE is calling and passes
 * everyone else on to FP_REAL(function). Rebinding (got.c) changes the GOT of the program's images only.
 */
#ifndef FP_LAUNCH_H
#define FP_LAUNCH_H

#include <dlfcn.h>
#include <elf.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>

#include "reference/job.h"
#include "reference/launch/image.h"

#define FP_EXPORT __attribute__((visibility("default")))

enum { FP_FATAL_SIGNALS = 7 }; /* those that an instruction raises, crash.c */
/* Exit statuses that are ours. */
enum { FP_STATUS_USAGE = 64, FP_STATUS_FINDINGS = 66, FP_STATUS_BUG = 70, FP_STATUS_ENVIRONMENT = 71 };

/* The definition of a libc function behind ours, looked up when it is first wanted. All uses stand in one section, so
 * that fp_next_symbols can look them all up at once: before the server of runs forks, since what is looked up in a
 * child is forgotten with it. */
struct fp_real {
    const char *name;
    void *found;
};

#define FP_REAL(function)                                                                                              \
    (*({                                                                                                               \
        static struct fp_real real __attribute__((section("fp_reals"))) = {#function, NULL};                           \
        void *real_found = __atomic_load_n(&real.found, __ATOMIC_RELAXED);                                             \
        if (!real_found) {                                                                                             \
            real_found = fp_next_symbol(#function);                                                                    \
            __atomic_store_n(&real.found, real_found, __ATOMIC_RELAXED);                                               \
        }                                                                                                              \
        (__typeof__(&(function)))real_found;                                                                           \
    }))
void *fp_next_symbol(const char *name);
void fp_next_symbols(void);

/* True where `pc` is in this library. Fencepost's own calls of clocks and streams are never redirected. */
bool fp_is_own_code(const void *pc);

/* The PE on whose behalf the libc function that expands this was called, or NULL: not a PE, or Fencepost itself. */
#define fp_caller_pe() fp_caller_pe_at(__builtin_return_address(0))
static inline struct fp_pe *
fp_caller_pe_at(const void *return_address)
{
    struct fp_pe *pe = fp_self;
    return pe && !pe->in_runtime && !fp_is_own_code(return_address) ? pe : NULL;
}

static inline void *
fp_thread_pointer(void)
{
    void *value;
    __asm__("movq %%fs:0, %0" : "=r"(value));
    return value;
}

/* The job of this process, for those who cannot be told (signal handlers, exit handlers). NULL: none. */
extern struct fp_job *fp_job_now;
/* The PE to whose program a thread belongs that the program created; NULL for PEs themselves and for others. */
extern __thread struct fp_pe *fp_worker_of __attribute__((tls_model("initial-exec")));

/* ---- config.c */

/* Fills config from FENCEPOST_* and SHMEM_*. Prints what is wrong and returns -1. */
int fp_config_read(struct fp_config *config);
/* Judges names and numbers, and derives what follows from them. Prints what is wrong and returns -1. */
int fp_config_settle(struct fp_config *config);
/* What SHMEM_VERSION, SHMEM_INFO and SHMEM_DEBUG ask for, on stderr. announce.c */
void fp_announce(const struct fp_config *config);
void fp_config_free(struct fp_config *config);
/* "3.1M" -> 3250586. False if it is no size. */
bool fp_size_parse(const char *text, size_t *bytes);
/* A private copy of an argument vector: one block for vector and strings. */
char **fp_argv_copy(int argc, char **argv);

/* ---- elf.c */

/* A range of run-time addresses relative to the load bias. */
struct fp_span {
    uint64_t lo, hi;
};

/* The program's file and what its headers say. Addresses are those of the file. */
struct fp_program {
    int fd;
    const char *file; /* mapped, read-only */
    size_t file_bytes;
    char *base; /* load bias of PE 0's image */
    const Elf64_Ehdr *ehdr;
    const Elf64_Phdr *phdr;
    const Elf64_Phdr *tls, *relro, *dynamic;
    struct fp_span all, writable;
    const Elf64_Sym *symtab; /* in PE 0's image, like all below */
    const char *strtab;
    const Elf64_Rela *rela, *jmprel;
    size_t nrela, njmprel;
    uint64_t init, fini; /* addresses, 0: none */
    uint64_t preinit_array, init_array, fini_array;
    size_t npreinit, ninit, nfini;
};

/* The program of this process: there is one. */
extern struct fp_program fp_program;

/* Parses the running program. Prints why not and returns -1. */
int fp_program_open(struct fp_program *program);
void fp_program_close(struct fp_program *program);
/* Offset in the file of an address, or -1. */
int64_t fp_program_offset(const struct fp_program *program, uint64_t vaddr);
/* Whether an executable refers to `symbol` of another object. */
bool fp_program_imports(const struct fp_program *program, const char *symbol);

/* ---- image.c, got.c */

/* Gives each PE of the job an image of fp_program, rebound by the tables; main0 is main in the executable. Ends the
 * process after saying why if it cannot. */
void fp_images_load(struct fp_job *job, int (*main0)(int, char **, char **), const struct fp_rebind *const *tables,
                    int ntables);
/* Constructors and destructors of the image, as libc would run them. */
void fp_image_init(const struct fp_image *image, int argc, char **argv, char **envp);
void fp_image_fini(const struct fp_image *image);
/* Fills the calling thread's block of the program's thread-locals with this image's initial values. */
void fp_image_tls_fill(const struct fp_image *image);

/* Opens (PROT_READ | PROT_WRITE) or closes (PROT_READ) the pages of the image that the loader protects after
 * relocation. */
void fp_image_relro(const struct fp_image *image, int protection);

/* Which slots of an image change, decided once for all of them. */
struct fp_got_plan;
struct fp_got_plan *fp_got_plan_make(const struct fp_program *program, const struct fp_rebind *const *tables,
                                     int ntables);
void fp_got_plan_apply(const struct fp_got_plan *plan, const struct fp_program *program, struct fp_image *image);
void fp_got_plan_free(struct fp_got_plan *plan);
/* Calls of the images that pe.c answers. */
extern const struct fp_rebind fp_rebind_process[];
extern const struct fp_rebind fp_rebind_inputs[]; /* inputs.c */

/* ---- pe.c, thread.c, worker.c */

/* Catches exit() from inside libc; register last, so that it is called first. */
void fp_pe_catch_exit(void);
/* What start.c does for a program and inprocess.c for a call: everything of a job but its images and its backend's
 * start. */
void fp_job_open(struct fp_job *job);
/* Waits until the threads that the PE has created have ended. worker.c */
void fp_workers_wait(struct fp_pe *pe);

/* ---- libc_state.c, stdio.c, clock.c, getopt.c */

struct fp_output;    /* stdio.c: the PE's stdout */
struct fp_exit_list; /* pe.c */
struct fp_state;     /* libc_state.c: rand, strtok ... */
struct fp_getopt;    /* getopt.c: where the scan of argv stands */

/* What libc keeps per process. Members are made on first use by the file that owns them. */
struct fp_libc {
    struct fp_output *output;
    struct fp_state *state;
    struct fp_getopt *getopt;
    struct fp_exit_list *exits;
    struct fp_environment *environment; /* NULL: the process's */
    jmp_buf end;                        /* frame of fp_pe_main: where exit() ends up */
    bool end_set;
    int workers; /* threads that the program created and that have not ended */
    char **argv;
    struct fp_getopt_vars getopt_vars;        /* in-process PEs */
    struct sigaction fatal[FP_FATAL_SIGNALS]; /* handlers that the program wants for synchronous signals */
    stack_t alternate;                        /* the stack that it wants them to run on */
};

/* environment.c */
void fp_environment_free(struct fp_environment *environment);

/* pe->libc of every PE. libc_state.c */
int fp_libc_open(struct fp_job *job);
void fp_libc_close(struct fp_job *job);
/* As after fp_libc_open. */
void fp_libc_again(struct fp_job *job);

/* Writes what the PE has printed. `last`: an unfinished line too. */
void fp_output_flush(struct fp_pe *pe, bool last);
/* From a signal handler: without taking locks that another may hold. */
void fp_output_rescue(struct fp_pe *pe);
/* The stream that `stream` means to the function at `caller`: stdout is the PE's own. */
FILE *fp_output_stream(FILE *stream, const void *caller);
/* fflush of such a stream. */
int fp_output_sync(FILE *stream);
void fp_output_free(struct fp_output *output);
void fp_getopt_free(struct fp_getopt *getopt);
void fp_exit_list_free(struct fp_exit_list *exits);

/* The machine's clock. */
int fp_real_clock(clockid_t clock, struct timespec *time);

/* ---- timeout.c */

void fp_timeout_start(const struct fp_config *config);

/* ---- descriptors.c */

/* What is Fencepost's own among the open files: before the program runs. Standard error again, if it was closed. */
void fp_descriptors_keep(void);
void fp_descriptors_restore(void);

/* ---- crash.c, end.c */

/* Installs handlers for synchronous signals and those that end a process, and the main thread's alternate stack. */
void fp_crash_install(struct fp_job *job);
void fp_crash_remove(void);
/* Where the PE is that a signal has interrupted: ", PE 1 is in f (p.c:7)", or nothing where that is not known. */
void fp_crash_where(struct fp_job *job, void *context, char *text, size_t bytes);
/* Which of the synchronous signals, or -1. */
int fp_fatal_index(int signal);
/* Handler of the signals that end a process by default, signals.c; where those have their default, it is installed. */
void fp_signal_ends(int signal, siginfo_t *info, void *context);
void fp_signals_install(void);
/* Makes the calling thread, which runs PE `rank`, handle its signals on a stack of its own. */
void fp_crash_stack_use(int rank);
/* Crashes are findings, but a crash alone does not make the exit status 66. */
void fp_job_crash_counted(void);

/* From here on somebody writes who may not come back (a signal handler): after some seconds the process ends with
 * `status`. */
void fp_job_writing_begins(int status);
void fp_job_writing_ends(void);
/* fp_job_abort for the process, even where the job is an in-process one; and with a status that findings do not
 * change.
 */
_Noreturn void fp_job_end_now(struct fp_job *job, int status);
_Noreturn void fp_job_interrupt(struct fp_job *job, int status);
/* Forgets how an earlier job of this process ended. */
void fp_job_end_reset(void);
/* The status of a job: 66 with findings other than crashes, else `status`. */
int fp_job_status(struct fp_job *job, int status);

/* After run(): writes output, report and trace, and says what the process exits with. */
int fp_job_finish(struct fp_job *job);
/* _exit of the process, not of a PE. */
_Noreturn void fp_process_exit(int status);
/* Called once before that, where it is set. */
extern void (*fp_process_at_end)(void);
/* True in the process that the job was started in (not in a child that the program forked). */
bool fp_is_job_process(void);

#endif
