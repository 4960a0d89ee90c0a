/* PEs inside a program with a main of its own: runs many times, each way to end, findings as values. Prints "ok". */
#include <fencepost.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int hits;

static void
message(void *argument)
{
    shmem_init();
    long *flag = shmem_calloc(1, sizeof *flag);
    if (shmem_my_pe() == 0)
        shmem_long_atomic_set(flag, 1, 1);
    else
        shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
    __atomic_fetch_add(&hits, rand() == 1804289383, __ATOMIC_RELAXED);
    shmem_free(flag);
    shmem_finalize();
}

static void
hangs(void *argument)
{
    shmem_init();
    long *flag = shmem_calloc(1, sizeof *flag);
    if (shmem_my_pe() == 0)
        shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
    shmem_finalize();
}

static void
exits(void *argument)
{
    shmem_init();
    int me = shmem_my_pe();
    shmem_finalize();
    exit(me == 1 ? 7 : 0);
}

static void
exits_for_all(void *argument)
{
    shmem_init();
    if (shmem_my_pe() == *(int *)argument)
        shmem_global_exit(5);
    shmem_barrier_all();
}

static void
crashes(void *argument)
{
    shmem_init();
    if (shmem_my_pe() == *(int *)argument)
        *(volatile int *)((char *)0 + 8) = 1;
    shmem_barrier_all();
}

static void
expect(int line, fencepost_result_t *result, int status, const char *finding)
{
    int count = fencepost_finding_count(result);
    const fencepost_finding_t *first = fencepost_finding(result, 0);
    if (fencepost_exit_status(result) != status || count != (finding != NULL) ||
        (finding && strcmp(first->finding_class, finding)) || fencepost_finding(result, count)) {
        printf("line %d: status %d, %d findings\n", line, fencepost_exit_status(result), count);
        exit(1);
    }
    if (finding && (first->access_count < 1 || !strstr(first->accesses[0].file, "inprocess.c"))) {
        printf("line %d: no place\n", line);
        exit(1);
    }
    fencepost_result_free(result);
}
#define EXPECT(result, status, finding) expect(__LINE__, result, status, finding)

int
main(int argc, char **argv)
{
    const char *context = argc > 1 ? argv[1] : "fiber";
    int runs = argc > 2 ? atoi(argv[2]) : 100;
    for (int i = 0; i < runs; i++) {
        fencepost_config_t config = {.npes = 2, .seed = (uint64_t)i + 1, .pe_context = context, .heap_bytes = 1 << 16};
        EXPECT(fencepost_run(message, NULL, &config), 0, NULL);
    }
    if (hits != 2 * runs) {
        printf("%d of %d\n", hits, 2 * runs);
        return 1;
    }
    fencepost_config_t config = {.npes = 3, .quiet = 1, .pe_context = context};
    for (int again = 0; again < 2; again++) {
        EXPECT(fencepost_run(hangs, NULL, &config), 66, "hang");
        EXPECT(fencepost_run(exits, NULL, &config), 7, NULL);
        for (int pe = 0; pe < 3; pe += 2) {
            EXPECT(fencepost_run(exits_for_all, &pe, &config), 5, NULL);
            EXPECT(fencepost_run(crashes, &pe, &config), 139, "crash");
        }
    }
    config.rules = "none such";
    EXPECT(fencepost_run(message, NULL, &config), 64, NULL);
    EXPECT(fencepost_run(exits, NULL, NULL), 0, NULL);
    printf("ok\n");
    return 0;
}
