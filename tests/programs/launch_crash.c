/* A crash is a finding with its line; alone it gives the status of the signal. What was printed before is there.
 *
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --status 139
 * EXPECT: crash message~"PE 1 crashed: SIGSEGV writing address 0x10" A@1
 * STDOUT: before 0
 * STDOUT: before 1
 * STDOUT: unfinished
 *
 * VARIANT divide: -DWHAT=1
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --status 136
 * EXPECT: crash message~"division by zero" A@1
 *
 * VARIANT stop: -DWHAT=2
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --status 134
 * EXPECT: crash message~"SIGABRT" A@1
 *
 * VARIANT stack: -DWHAT=3
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --status 139
 * EXPECT: crash message~"stack overflow"
 *
 * VARIANT handled: -DWHAT=4
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread --status 7
 * EXPECT: clean
 * STDOUT: before 0
 * STDOUT: before 1
 * STDOUT: unfinished handled
 */
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef WHAT
#define WHAT 0
#endif

static void
handler(int number)
{
    printf(" handled\n");
    exit(number == SIGSEGV ? 7 : 8);
}

static int
deeper(int n, volatile char *above)
{
    volatile char here[1000];
    here[0] = above ? above[0] : 0;
    return n == 0 ? 0 : n + deeper(n - 1, here) + here[0];
}

static void
go_wrong(int what, volatile int *zero)
{
    if (what == 1)
        *zero = 10 / *zero; // <- A
    else if (what == 2)
        abort(); // <- A
    else if (what == 3)
        *zero = deeper(1 << 30, NULL);
    else
        *(volatile int *)((char *)0 + 16) = *zero; // <- A
}

int
main(void)
{
    volatile int zero = 0;
    int what = WHAT;
    if (what == 4)
        signal(SIGSEGV, handler);
    shmem_init();
    int me = shmem_my_pe();
    printf("before %d\n", me);
    shmem_barrier_all();
    if (what == 4)
        shmem_finalize();
    if (me == 1) {
        printf("unfinished");
        go_wrong(what, &zero);
    }
    if (what != 4)
        shmem_barrier_all();
    return 0;
}
