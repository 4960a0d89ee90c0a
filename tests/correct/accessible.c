/* accessible.c -- where shmem_ptr gives a mapping memory is read directly, elsewhere by get: both ways, one result.
 *
 * RUN: -n 1,3 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static int word, outcome[64];

int
main(void)
{
    int bad = 0, stack = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    word = me + 7;
    bad |= !shmem_pe_accessible(me) || shmem_pe_accessible(npes) || shmem_pe_accessible(-1);
    bad |= !shmem_addr_accessible(&word, 0) || shmem_addr_accessible(&stack, 0);
    bad |= shmem_ptr(&stack, 0) != NULL || shmem_ptr(&word, npes) != NULL;
    bad |= shmem_team_ptr(SHMEM_TEAM_INVALID, &word, 0) != NULL;
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) {
        const int *there = pe % 2 ? NULL : shmem_ptr(&word, pe);
        int *result = shmem_team_ptr(SHMEM_TEAM_WORLD, &outcome[me], pe);
        int value = there ? *there : shmem_int_g(&word, pe);
        if (result)
            *result = value;
        else
            shmem_int_p(&outcome[me], value, pe);
    }
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        bad |= outcome[pe] != me + 7;
    shmem_finalize();
    return bad;
}
