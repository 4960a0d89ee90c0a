/* mismatch.c -- PEs that disagree about a collective: which one, how much, from where, which block.
 *
 * RUN: -n 3 --seeds 1..3
 *
 * VARIANT count: -DUSE=1
 * EXPECT: mismatch rule=E111 A=shmem_int_sum_reduce@1 A=shmem_int_sum_reduce@0,2 ...
 *
 * VARIANT root: -DUSE=2
 * EXPECT: mismatch B=shmem_int_broadcast@1 B=shmem_int_broadcast@0,2 ...
 *
 * VARIANT dest: -DUSE=3
 * EXPECT: mismatch C=shmem_int_fcollect@1 C=shmem_int_fcollect@0,2 ...
 *
 * VARIANT operation: -DUSE=4
 * EXPECT: mismatch D=shmem_int_max_reduce@1 E=shmem_int_min_reduce@0,2 ...
 *
 * VARIANT block: -DUSE=5
 * EXPECT: mismatch rule=E156 F=shmem_free@1 F=shmem_free@0,2 ...
 *
 * VARIANT calloc: -DUSE=6
 * EXPECT: mismatch G=shmem_calloc@1 G=shmem_calloc@0,2 ...
 *
 * VARIANT null: -DUSE=7
 * EXPECT: mismatch H=shmem_free@0,2 I=shmem_barrier_all@1 ...
 *
 * VARIANT barrier_sync: -DUSE=8
 * EXPECT: mismatch J=shmem_sync_all@1 I=shmem_barrier_all@0,2 ...
 *
 * VARIANT realloc: -DUSE=9
 * EXPECT: mismatch K=shmem_realloc@1 K=shmem_realloc@0,2 ...
 */
#include <shmem.h>

static int in[8], out[32];

int
main(void)
{
    shmem_init();
    int odd = shmem_my_pe() == 1;
    char *one = shmem_malloc(32), *two = shmem_malloc(32);
    switch (USE) {
    case 1:
        shmem_int_sum_reduce(SHMEM_TEAM_WORLD, out, in, odd ? 2 : 3); // <- A
        break;
    case 2:
        shmem_int_broadcast(SHMEM_TEAM_WORLD, out, in, 2, odd); // <- B
        break;
    case 3:
        shmem_int_fcollect(SHMEM_TEAM_WORLD, odd ? out + 1 : out, in, 2); // <- C
        break;
    case 4:
        if (odd)
            shmem_int_max_reduce(SHMEM_TEAM_WORLD, out, in, 1); // <- D
        else
            shmem_int_min_reduce(SHMEM_TEAM_WORLD, out, in, 1); // <- E
        break;
    case 5:
        shmem_free(odd ? one : two); // <- F
        break;
    case 6:
        one = shmem_calloc(odd ? 4 : 8, odd ? 8 : 4); // <- G
        break;
    case 7:
        shmem_free(odd ? NULL : one); // <- H
        break;
    case 8:
        if (odd)
            shmem_sync_all(); // <- J
        break;
    default:
        one = shmem_realloc(one, odd ? 100 : 200); // <- K
    }
    shmem_barrier_all(); // <- I
    shmem_finalize();
    return one == two;
}
