/* Programs that misbehave, one for each name in argv[1]: selftest/test_hostile.py has the table of what each must get.
 *
 * Every PE prints a line first. Then PE 1 (of two) does what it should not, while PE 0 waits for it in a barrier;
 * what PE 0 printed, and what was found or recorded until then, must not be lost. Names that begin with `run-` have
 * PE 0 compute, without calls of the library, meanwhile.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <shmem.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static long cell[8];
static volatile int sink;
static const char *name = "";
static char *heap;
static jmp_buf place;

static bool
is(const char *text)
{
    return !strcmp(name, text);
}

/* The name stands in the environment too: constructors see no arguments. */
__attribute__((constructor)) static void
before_main(void)
{
    const char *what = getenv("MISBEHAVE");
    if (what && !strcmp(what, "constructor-crash"))
        *(volatile int *)8 = 1; /* CONSTRUCTOR */
    if (what && !strcmp(what, "constructor-api"))
        shmem_barrier_all(); /* CONSTRUCTOR-API */
    if (what && !strcmp(what, "constructor-exit"))
        exit(5);
    if (what && !strcmp(what, "constructor-abort"))
        abort();
}

static void
crash_at_exit(void)
{
    *(volatile int *)8 = 1; /* EXIT-HANDLER */
}

static void
put_at_exit(void)
{
    shmem_long_p(cell, 1, 0); /* EXIT-API */
}

static int
deeper(int n)
{
    volatile char big[4096];
    big[n & 4095] = (char)n;
    return n ? deeper(n + 1) + big[7] : 0; /* OVERFLOW */
}

static void
leave(int signal)
{
    (void)signal;
    longjmp(place, 1);
}

static void
go_on(int signal)
{
    (void)signal;
}

static void
put_in_handler(int signal)
{
    (void)signal;
    shmem_long_p(cell, 1, 0);
}

static int
compare_crash(const void *a, const void *b)
{
    (void)a;
    *(volatile int *)8 = 1; /* CALLBACK */
    return *(const int *)b;
}

static int
compare_leave(const void *a, const void *b)
{
    (void)a;
    (void)b;
    longjmp(place, 1);
}

static void *
thread_body(void *argument)
{
    const char *what = argument;
    if (!strcmp(what, "exit"))
        exit(6);
    if (!strcmp(what, "_exit"))
        _exit(6);
    if (!strcmp(what, "abort"))
        abort();
    if (!strcmp(what, "crash"))
        *(volatile int *)8 = 1; /* THREAD-CRASH */
    if (!strcmp(what, "api"))
        shmem_long_p(cell, 1, 0);
    return NULL;
}

static void
in_thread(const char *what)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, thread_body, (void *)what))
        abort();
    pthread_join(thread, NULL);
}

static void
reap(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status));
    fflush(stdout);
}

static void
forks(void)
{
    pid_t child = fork();
    if (child) {
        reap(child);
        return;
    }
    if (is("fork-api"))
        shmem_barrier_all();
    if (is("fork-put"))
        shmem_long_p(cell, 1, 0);
    if (is("fork-exec"))
        execlp("true", "true", (char *)NULL);
    if (is("fork-crash"))
        *(volatile int *)8 = 1;
    if (is("fork-abort"))
        abort();
    if (is("fork-exit"))
        exit(3);
    if (!is("fork-return"))
        _exit(2);
}

static void
writes(void)
{
    long *other = shmem_ptr(cell, 0);
    if (is("write-after-block"))
        memset(heap + 4096, 1, 64); /* AFTER */
    if (is("write-before-block"))
        memset(heap - 64, 1, 64); /* BEFORE */
    if (is("write-heap-all"))
        for (long i = 0;; i += 4096)
            heap[i] = 1; /* ALL */
    if (is("write-heap-down"))
        for (long i = 0;; i -= 4096)
            heap[i] = 1; /* ALL */
    if (is("write-other-pe")) {
        other[0] = 1;
        other[100000000] = 1; /* OTHER */
    }
    if (is("write-code"))
        *(volatile char *)(void *)shmem_my_pe = 1; /* CODE */
}

static int
own_data_line(char *line, unsigned long *from, unsigned long *to)
{
    char mode[8] = "";
    if (!strstr(line, "libfencepost") || sscanf(line, "%lx-%lx %7s", from, to, mode) != 3)
        return 0;
    return mode[1] == 'w';
}

/* Everything that a stray store can reach of the library itself. */
static void
write_own_data(void)
{
    static char line[512];
    unsigned long from, to;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (own_data_line(line, &from, &to))
            memset((void *)from, 0x55, to - from);
    shmem_barrier_all();
}

static void
output(void)
{
    static char line[1 << 16];
    memset(line, 'x', sizeof line);
    if (is("output-lines"))
        line[sizeof line - 1] = '\n';
    for (long i = 0; i < 1 << 14; i++) /* 1 GiB */
        fwrite(line, 1, sizeof line, stdout);
}

static void
allocations(void)
{
    static void *block[1000000];
    for (int i = 0; i < 1000000; i++)
        if (!(block[i] = malloc(16)))
            exit(9);
    for (int i = 0; i < 1000000; i++)
        free(block[i]);
}

static void
signals(void)
{
    if (is("mask-all")) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
        *(volatile int *)8 = 1; /* MASKED */
    }
    if (is("ignore-segv")) {
        signal(SIGSEGV, SIG_IGN);
        *(volatile int *)8 = 1; /* IGNORED */
    }
    if (is("handler-returns")) {
        signal(SIGSEGV, go_on);
        *(volatile int *)8 = 1; /* RETURNS */
    }
    if (is("handler-longjmp")) {
        signal(SIGSEGV, leave);
        if (!setjmp(place))
            *(volatile int *)8 = 1;
        printf("caught\n");
    }
    if (is("handler-api")) {
        signal(SIGUSR1, put_in_handler);
        raise(SIGUSR1);
    }
    if (is("alternate-stack")) {
        stack_t none = {.ss_flags = SS_DISABLE};
        sigaltstack(&none, NULL);
        deeper(1);
    }
}

static void
misbehave(void)
{
    int items[16] = {0};
    if (!strncmp(name, "signal-", 7))
        raise(atoi(name + 7)); /* RAISE */
    if (!strncmp(name, "kill-", 5)) {
        kill(getpid(), atoi(name + 5)); /* KILL */
        for (;;)
            sink++;
    }
    if (is("null"))
        *(volatile int *)8 = 1; /* NULL */
    if (is("divide"))
        sink = 7 / sink; /* DIVIDE */
    if (is("illegal"))
        __builtin_trap(); /* ILLEGAL */
    if (is("breakpoint"))
        __asm__ volatile("int3"); /* TRAP */
    if (is("jump-nowhere"))
        ((void (*)(void))8)(); /* NOWHERE */
    if (is("libc"))
        sink = (int)strlen((char *)(size_t)(8 + sink)); /* LIBC */
    if (is("stack"))
        deeper(1);
    if (is("abort") || is("run-abort"))
        abort(); /* ABORT */
    if (is("exit") || is("run-exit"))
        exit(3);
    if (is("_exit") || is("run-_exit"))
        _exit(3);
    if (is("exit-0"))
        exit(0);
    if (!strncmp(name, "thread-", 7))
        in_thread(name + 7);
    if (is("exit-handler"))
        atexit(crash_at_exit);
    if (is("exit-api"))
        atexit(put_at_exit);
    if (!strncmp(name, "fork-", 5))
        forks();
    if (is("fork-return"))
        return;
    if (is("exec"))
        execlp("true", "true", (char *)NULL);
    if (is("exec-missing"))
        sink = execlp("no-such-program", "no", (char *)NULL);
    if (is("close-all") || is("close-crash") || is("close-race"))
        for (int i = 0; i < 1024; i++)
            close(i);
    if (is("close-range"))
        close_range(0, ~0u, 0);
    if (is("close-crash"))
        *(volatile int *)8 = 1; /* CLOSED */
    if (is("chdir") && chdir("/"))
        exit(9);
    if (is("callback"))
        qsort(items, 16, sizeof *items, compare_crash);
    if (is("callback-longjmp") && !setjmp(place))
        qsort(items, 16, sizeof *items, compare_leave);
    if (is("longjmp-calls")) {
        volatile int times = 0;
        setjmp(place);
        shmem_long_p(cell + 1, times, 0);
        shmem_quiet();
        if (times++ < 1000)
            longjmp(place, 1);
    }
    if (is("loop"))
        for (;;)
            sink++; /* LOOP */
    if (is("loop-calls"))
        for (;;)
            shmem_quiet(); /* LOOP-CALLS */
    if (is("loop-test"))
        while (!shmem_long_test(cell + 3, SHMEM_CMP_EQ, 1)) /* LOOP-TEST */
            ;
    if (!strncmp(name, "write-own", 9))
        write_own_data();
    else if (!strncmp(name, "write-", 6))
        writes();
    if (!strncmp(name, "output-", 7))
        output();
    if (is("allocations"))
        allocations();
    signals();
}

int
main(int argc, char **argv)
{
    name = argc > 1 ? argv[1] : "";
    shmem_init();
    int me = shmem_my_pe();
    if (strncmp(name, "output-", 7))
        printf("PE %d was here\n", me);
    if (is("close-race"))
        shmem_long_put(cell, (long[]){me}, 1, 0); /* RACE */
    if (!strncmp(name, "write-", 6))
        heap = shmem_malloc(4096);
    if (me == 1)
        misbehave();
    else if (!strncmp(name, "run-", 4))
        for (int i = 0; i < 1000000; i++)
            sink++;
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
