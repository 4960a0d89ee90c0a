/* timed.c -- for test_network.py: each PE prints how much simulated time something takes: what, bytes. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char data[1 << 20];

static long
now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    return at.tv_sec * 1000000000L + at.tv_nsec;
}

int
main(int argc, char **argv)
{
    static char source[1 << 20];
    const char *what = argc > 1 ? argv[1] : "put";
    long bytes = argc > 2 ? atol(argv[2]) : 8;
    shmem_init();
    int me = shmem_my_pe(), last = shmem_n_pes() - 1;
    shmem_barrier_all();
    long before = now();
    if (!strcmp(what, "put") && me == 0) {
        shmem_putmem(data, source, bytes, last);
        shmem_quiet();
    } else if (!strcmp(what, "puts") && me == 0) {
        for (int i = 0; i < 10; i++)
            shmem_putmem_nbi(data + i * bytes, source, bytes, last);
        shmem_quiet();
    } else if (!strcmp(what, "flows") && me < 2) { /* both into the last two PEs */
        shmem_putmem(data, source, bytes, last - me);
        shmem_quiet();
    } else if (!strcmp(what, "into") && me < 2) { /* both into the last PE */
        shmem_putmem(data + me * bytes, source, bytes, last);
        shmem_quiet();
    } else if (!strcmp(what, "get") && me == 0) {
        shmem_getmem(source, data, bytes, last);
    } else if (!strcmp(what, "sync")) {
        shmem_sync_all();
    }
    printf("%d %ld\n", me, now() - before - 20); /* looking at the clock takes 20 ns */
    shmem_finalize();
    return 0;
}
