/* pe_quiet.c -- completing what went to some PEs: those may be told, the others need more.
 *
 * RUN: -n 3,4 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

static long word[8], flag;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    if (me == 0) {
        int first[1] = {1}, rest[8];
        for (int pe = 1; pe < npes; pe++)
            shmem_long_p(&word[pe], 5 * pe, pe);
        shmem_pe_quiet(first, 1);
        shmem_long_atomic_set(&flag, 1, 1);
        for (int pe = 2; pe < npes; pe++)
            rest[pe - 2] = pe;
        shmem_pe_quiet(rest, (size_t)npes - 2);
        for (int pe = 2; pe < npes; pe++)
            shmem_long_atomic_set(&flag, 1, pe);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        bad |= word[me] != 5 * me;
    }
    shmem_finalize();
    return bad;
}
