/* Threads that a PE creates run, have the thread-locals of that PE's image, print where it prints, and the footer
 * says that they were not checked.
 *
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread
 * EXPECT: clean
 * STDOUT: PE 0: thread local 100
 * STDOUT: PE 1: thread local 100
 * STDOUT: PE 0: again local 100 3
 * STDOUT: PE 1: again local 100 3
 * STDERR~ threads that the program creates
 */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <threads.h>

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

static int
body_c11(void *argument)
{
    printf("PE %d: again", *where);
    *(int *)argument = local++;
    return 3;
}

int
main(void)
{
    pthread_t thread;
    thrd_t thread_c11;
    int result = 0;
    int seen = 0;
    shmem_init();
    me = shmem_my_pe();
    local = 5;
    shmem_barrier_all();
    if (pthread_create(&thread, NULL, body, &seen) || pthread_join(thread, NULL))
        return 1;
    shmem_barrier_all();
    printf(" local %d\n", seen);
    shmem_barrier_all();
    if (thrd_create(&thread_c11, body_c11, &seen) != thrd_success || thrd_join(thread_c11, &result) != thrd_success)
        return 1;
    printf(" local %d %d\n", seen, result);
    shmem_finalize();
    return local != 5;
}
