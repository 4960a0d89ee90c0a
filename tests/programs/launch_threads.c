/* Threads that a PE creates run, have the thread-locals of that PE's image, print where it prints, and the footer
 * says that they were not checked.
 *
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread
 * EXPECT: clean
 * STDOUT: PE 0: thread local 100
 * STDOUT: PE 1: thread local 100
 * STDERR~ threads that the program creates
 */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>

static int me;
static __thread int local = 100;
static __thread int *where = &me;

static void *
body(void *argument)
{
    printf("PE %d: thread", *where);
    *(int *)argument = local++;
    return NULL;
}

int
main(void)
{
    pthread_t thread;
    int seen = 0;
    shmem_init();
    me = shmem_my_pe();
    local = 5;
    shmem_barrier_all();
    if (pthread_create(&thread, NULL, body, &seen) || pthread_join(thread, NULL))
        return 1;
    shmem_barrier_all();
    printf(" local %d\n", seen);
    shmem_finalize();
    return local != 5;
}
