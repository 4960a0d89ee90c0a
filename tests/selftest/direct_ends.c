/* Runs that end early, inside a unit test; every way many times over. Prints for each way how often it came out as it
 * should. */
#include <fencepost.h>
#include <shmem.h>
#include <stdio.h>

enum way { WELL, RETURNS_EARLY, RETURNS_LATE, WAITS_FOREVER, GLOBAL_EXIT, WAYS };

static void
pe_main(void *arg)
{
    const enum way way = *(enum way *)arg;
    long *flag;

    shmem_init();
    flag = shmem_calloc(1, sizeof *flag);
    if (way == RETURNS_EARLY && shmem_my_pe() == 1)
        return;
    if (way == RETURNS_LATE && shmem_my_pe() == 1) {
        for (int i = 0; i < 300; i++)
            shmem_long_atomic_add(flag, 0, 0);
        return;
    }
    if (way == WAITS_FOREVER && shmem_my_pe() == 0)
        shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
    if (way == GLOBAL_EXIT && shmem_my_pe() == 2)
        shmem_global_exit(5);
    shmem_free(flag);
    shmem_finalize();
}

int
main(void)
{
    static const int findings[WAYS] = {0, 1, 1, 1, 0}, statuses[WAYS] = {0, 66, 66, 66, 5};
    const fencepost_config_t config = {.npes = 4, .quiet = 1};

    for (enum way way = WELL; way < WAYS; way++) {
        int right = 0;
        for (int i = 0; i < 20; i++) {
            fencepost_result_t *result = fencepost_run(pe_main, &way, &config);
            right += fencepost_finding_count(result) == findings[way] && fencepost_exit_status(result) == statuses[way];
            fencepost_result_free(result);
        }
        printf("%d: %d\n", (int)way, right);
    }
    return 0;
}
