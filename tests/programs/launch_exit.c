/* What ends a process ends a PE: the handlers it registered run once, in reverse order, and its status counts.
 *
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --args return --status 3
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --args exit --status 3
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --args err --status 3
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --args argp --status 64
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --args nested --status 3
 * RUN: -n 2 --seeds 1 --backends direct --args exit --status 3
 * EXPECT: clean
 * STDOUT: on_exit 0
 * STDOUT: first
 * STDOUT: on_exit not 0
 * STDOUT: first
 *
 * VARIANT at_once: -DAT_ONCE
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --args _exit --status 3
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --args _Exit --status 3
 * EXPECT: clean
 * STDOUT: on_exit 0
 * STDOUT: first
 *
 * VARIANT quick: -DQUICK
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --args quick --status 3
 * EXPECT: clean
 * STDOUT: on_exit 0
 * STDOUT: first
 * STDOUT: quick
 *
 * VARIANT thread: -DTHREAD
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --args pthread_exit
 * EXPECT: clean
 * STDOUT: on_exit 0
 * STDOUT: first
 * STDOUT: on_exit 0
 * STDOUT: first
 */
#include <argp.h>
#include <err.h>
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int on_exit(void (*function)(int, void *), void *argument);

static int runs;

static void
first(void)
{
    if (++runs == 2)
        printf("first\n");
}

static void
second(int status, void *argument)
{
    if (++runs == 1 && argument == &runs)
        printf("on_exit %s0\n", status ? "not " : "");
}

static void
quick(void)
{
    printf("quick\n");
}

static void
ends_again(void)
{
    exit(3);
}

int
main(int argc, char **argv)
{
    const char *how = argv[argc - 1];
    atexit(first);
    on_exit(second, &runs);
    at_quick_exit(quick);
    shmem_init();
    int me = shmem_my_pe();
    shmem_finalize();
    if (me == 0)
        return 0;
    if (!strcmp(how, "exit"))
        exit(3);
    if (!strcmp(how, "_exit"))
        _exit(3);
    if (!strcmp(how, "_Exit"))
        _Exit(3);
    if (!strcmp(how, "quick"))
        quick_exit(3);
    if (!strcmp(how, "err"))
        errx(3, "this is the message of errx");
    if (!strcmp(how, "pthread_exit"))
        pthread_exit(NULL);
    if (!strcmp(how, "nested")) {
        atexit(ends_again);
        exit(3);
    }
    if (!strcmp(how, "argp")) {
        char *arguments[] = {"launch_exit", "--unknown", NULL};
        struct argp parser = {0};
        argp_parse(&parser, 2, arguments, 0, NULL, NULL); /* calls exit inside libc, with its own status */
    }
    return 3;
}
