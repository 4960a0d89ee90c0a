/* mixed.c -- a little of everything that the simulator decides: puts in flight, fences, atomics, waits, locks,
 * collectives, tickets that go to whoever comes first. What it prints depends on the seed; that it is a function of the
 * seed is the test. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 5
#define WORDS 16

static long ticket, lock, shared_sum;
static long inbox[WORDS], flag;

static void
exchange(int me, int npes)
{
    long out[WORDS];
    for (int round = 1; round <= ROUNDS; round++) {
        for (int i = 0; i < WORDS; i++)
            out[i] = 1000 * me + 10 * round + i;
        int to = (me + 1) % npes;
        shmem_long_put_nbi(inbox, out, WORDS, to);
        shmem_fence();
        shmem_long_atomic_set(&flag, round, to);
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
        long sum = 0;
        for (int i = 0; i < WORDS; i++)
            sum += inbox[i];
        printf("PE %d round %d: sum %ld\n", me, round, sum);
        shmem_barrier_all();
    }
}

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    exchange(me, npes);

    for (int i = 0; i < ROUNDS; i++) {
        long mine = shmem_long_atomic_fetch_inc(&ticket, 0);
        shmem_set_lock(&lock);
        long seen = shmem_long_g(&shared_sum, 0);
        shmem_long_p(&shared_sum, seen + mine, 0);
        shmem_quiet();
        shmem_clear_lock(&lock);
        printf("PE %d: ticket %ld\n", me, mine);
    }
    shmem_barrier_all();

    long *all = shmem_malloc((size_t)npes * sizeof *all), mine = rand() % 100;
    shmem_long_fcollect(SHMEM_TEAM_WORLD, all, &shared_sum, 1);
    long *total = shmem_calloc(1, sizeof *total), *one = shmem_calloc(1, sizeof *one);
    *one = mine;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, total, one, 1);
    printf("PE %d: sum %ld, rand %ld, total %ld\n", me, all[0], mine, *total);
    shmem_free(one);
    shmem_free(total);
    shmem_free(all);
    shmem_finalize();
    return 0;
}
