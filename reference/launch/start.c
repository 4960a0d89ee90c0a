/* start.c -- takes over before the program's constructors.
 *
 * The start-up code of an executable calls __libc_start_main; the definition here stands before libc's. It decides
 * whether this process is a job of PEs or an ordinary program (a unit test that calls fencepost_run, a tool that is
 * linked with a backend library), sets the job up, and lets libc start the process as usual with a main of ours.
 *
 * libc would run the executable's constructors before that main. Handing it an init function (which programs of older
 * glibc bring themselves) keeps it from doing so: PE 0's constructors then run like everybody's, in fp_pe_main.
 */
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "reference/check/check.h"
#include "reference/heap/heap.h"
#include "reference/launch/launch.h"
#include "reference/report/report.h"
#include "reference/team/team.h"

typedef int main_function(int, char **, char **);

__thread struct fp_pe *fp_self __attribute__((tls_model("initial-exec")));
struct fp_job *fp_job_now;

extern const char __ehdr_start __attribute__((visibility("hidden")));
extern const char etext __attribute__((visibility("hidden")));

static pid_t job_process;

void *
fp_next_symbol(const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    if (!symbol) {
        fprintf(stderr, "fencepost: the C library has no %s: this version of it is not supported\n", name);
        fp_process_exit(FP_STATUS_ENVIRONMENT);
    }
    return symbol;
}

extern struct fp_real __start_fp_reals[] __attribute__((visibility("hidden")));
extern struct fp_real __stop_fp_reals[] __attribute__((visibility("hidden")));

void
fp_next_symbols(void)
{
    for (struct fp_real *real = __start_fp_reals; real < __stop_fp_reals; real++)
        if (!real->found)
            real->found = dlsym(RTLD_NEXT, real->name); /* one that this C library has not may not be wanted either */
}

bool
fp_is_own_code(const void *pc)
{
    return (const char *)pc >= &__ehdr_start && (const char *)pc < &etext;
}

bool
fp_is_job_process(void)
{
    return getpid() == job_process;
}

void
fp_job_forked(void)
{
    job_process = getpid();
}

/* The executable contains this code itself, or runs PEs from a test's own main. */
static bool
is_host(void)
{
    const Elf64_Phdr *phdr = (const Elf64_Phdr *)getauxval(AT_PHDR);
    if ((const char *)phdr >= &__ehdr_start && (const char *)phdr < &etext)
        return true;
    return !getenv("FENCEPOST_NPES") &&
           (fp_program_imports(&fp_program, "fencepost_run") || fp_program_imports(&fp_program, "fencepost_explore"));
}

static void
pes_make(struct fp_job *job)
{
    job->pes = calloc((size_t)job->npes, sizeof *job->pes);
    if (!job->pes)
        fp_env_fail("out of memory for %d PEs", job->npes);
    for (int i = 0; i < job->npes; i++) {
        job->pes[i].rank = i;
        job->pes[i].job = job;
    }
}

void
fp_job_open(struct fp_job *job)
{
    job->npes = job->config.npes;
    job->program = (char *)(uintptr_t)fp_program_path();
    fp_job_now = job;
    job_process = getpid();
    job->memory = fp_backend->memory;
    pes_make(job);
    if (fp_libc_open(job))
        fp_env_fail("out of memory for %d PEs", job->npes);
    job->report = fp_report_open(job);
    if (fp_heap_open(job))
        fp_process_exit(FP_STATUS_ENVIRONMENT);
    job->match = fp_match_open(job);
    job->teams = fp_teams_open(job);
    job->backend = fp_heap_table(job, job->config.check ? fp_checked_table(job, fp_backend) : fp_backend);
}

static void
images_open(struct fp_job *job, main_function *main0)
{
    const struct fp_rebind *tables[] = {fp_rebind_process, fp_rebind_inputs, fp_rebind_accesses};
    bool accesses = job->backend->access != NULL || job->config.check;
    job->hooked = fp_program_imports(&fp_program, "__tsan_init");
    fp_images_load(job, main0, tables, accesses ? 3 : 2);
}

static struct fp_job *
job_start(main_function *main0, int argc, char **argv)
{
    static struct fp_job job;
    if (fp_config_read(&job.config) || fp_config_settle(&job.config))
        fp_process_exit(FP_STATUS_USAGE);
    fp_announce(&job.config);
    job.config.argc = argc;
    job.config.argv = fp_argv_copy(argc, argv);
    fp_job_open(&job);
    images_open(&job, main0);
    fp_crash_install(&job);
    if (job.backend->start(&job))
        fp_process_exit(FP_STATUS_USAGE);
    fp_descriptors_keep();
    fp_timeout_start(&job.config);
    return &job;
}

/* What libc calls as the program's main. */
static int
job_main(int argc, char **argv, char **envp)
{
    fp_pe_catch_exit();
    fp_self = &fp_job_now->pes[0];
    fp_job_now->backend->run(fp_job_now);
    return fp_job_finish(fp_job_now);
}

static int
no_constructors(int argc, char **argv, char **envp)
{
    return 0;
}

typedef int start_function(main_function *, int, char **, int (*)(int, char **, char **), void (*)(void),
                           void (*)(void), void *);
FP_EXPORT start_function __libc_start_main;

FP_EXPORT int
__libc_start_main(main_function *main, int argc, char **argv, int (*init)(int, char **, char **), void (*fini)(void),
                  void (*rtld_fini)(void), void *stack_end)
{
    start_function *start = (start_function *)fp_next_symbol("__libc_start_main");
    if (fp_program_open(&fp_program))
        fp_process_exit(FP_STATUS_USAGE);
    if (is_host()) {
        fp_program_close(&fp_program);
        return start(main, argc, argv, init, fini, rtld_fini, stack_end);
    }
    job_start(main, argc, argv);
    return start(job_main, argc, argv, no_constructors, NULL, rtld_fini, stack_end);
}
