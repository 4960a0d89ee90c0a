/* executions.c -- whole executions of a two-PE message-passing function in one process. Arguments: 1 for checks; runs.
 * Prints rate=N, executions a second of processor time. */
#include <fencepost.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void
message_passing(void *arg)
{
    shmem_init();
    long *data = shmem_calloc(2, sizeof *data), *flag = data + 1;
    if (shmem_my_pe() == 0) {
        shmem_long_p(data, 42, 1);
        shmem_fence();
        shmem_long_atomic_set(flag, 1, 1);
    } else {
        shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
        *(long *)arg = *data;
    }
    shmem_free(data);
    shmem_finalize();
}

int
main(int argc, char **argv)
{
    long seen = 0;
    struct timespec before, after;
    fencepost_exploration_t exploration = {
        .run = {.npes = 2, .no_check = argc < 2 || argv[1][0] != '1', .heap_bytes = 4096},
        .runs = argc > 2 ? strtoull(argv[2], NULL, 10) : 100000};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    fencepost_result_t *result = fencepost_explore(message_passing, &seen, &exploration);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    double seconds = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    printf("rate=%.0f\n", (double)fencepost_runs(result) / seconds);
    int status = fencepost_exit_status(result);
    fencepost_result_free(result);
    return status || seen != 42;
}
