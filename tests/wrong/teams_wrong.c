/* teams_wrong.c -- teams that are made, used and ended wrongly.
 *
 * RUN: -n 4 --seeds 1..3
 *
 * VARIANT triplet: -DUSE=1
 * EXPECT: usage rule=E121 message~"start 1, stride 2, size 3" A=shmem_team_split_strided@0,1,2,3 ...
 *
 * VARIANT stride_zero: -DUSE=2
 * EXPECT: usage rule=E121 message~"stride of 0" A=shmem_team_split_strided ...
 *
 * VARIANT differ: -DUSE=3
 * EXPECT: mismatch rule=E122 message~"size 2" message~"size 3" A=split@1 A=split@0,2,3 ...
 *
 * VARIANT xrange: -DUSE=4
 * EXPECT: usage rule=E122 message~"xrange 0" B=shmem_team_split_2d ...
 *
 * VARIANT config: -DUSE=5
 * EXPECT: mismatch rule=E123 A=shmem_team_split_strided ...
 *
 * VARIANT null_config: -DUSE=6
 * EXPECT: usage rule=E124 A=shmem_team_split_strided ...
 *
 * VARIANT predefined: -DUSE=7
 * EXPECT: usage rule=E117 C=shmem_team_destroy ...
 *
 * VARIANT destroyed: -DUSE=8
 * EXPECT: lifetime rule=E116 D=shmem_int_sum_reduce ...
 *
 * VARIANT twice: -DUSE=9
 * EXPECT: lifetime rule=E116 E=shmem_team_destroy ...
 *
 * VARIANT private_context: -DUSE=10
 * EXPECT: usage rule=E118 F=shmem_team_destroy ...
 *
 * VARIANT context_of_dead_team: -DUSE=11
 * EXPECT: lifetime rule=E129 G=shmem_ctx_int_p ...
 *
 * VARIANT invalid: -DUSE=12
 * EXPECT: usage rule=E115 H=shmem_int_sum_reduce ...
 *
 * VARIANT others: -DUSE=13
 * EXPECT: usage rule=E114 I=shmem_team_sync@1,3 I=shmem_team_sync@1,3
 *
 * VARIANT leak: -DUSE=14
 * EXPECT: leak rule=E134 message~"4 PEs" A=shmem_team_split_strided
 *
 * VARIANT world_number: -DUSE=15
 * EXPECT: usage rule=E027 message~"PE 3" message~"0 to 1" J=shmem_ctx_int_p ...
 *
 * VARIANT missing: -DUSE=16
 * EXPECT: mismatch rule=E113 message~"1 of the 2 PEs" K=shmem_int_broadcast@0
 * EXPECT: leak rule=E134 A=shmem_team_split_strided@0
 *
 * VARIANT split_missing: -DUSE=17
 * EXPECT: mismatch rule=E120 A=shmem_team_split_strided@0,2,3 L=shmem_barrier_all@1 ...
 *
 * VARIANT order: -DUSE=18
 * EXPECT: hang rule=E112 M=shmem_team_sync N=shmem_team_sync ...
 */
#include <shmem.h>

static int in[4], out[16];

static shmem_team_t
strided(int start, int stride, int size, int num_contexts, long mask)
{
    const shmem_team_config_t config = {num_contexts}, *const given = num_contexts < 0 ? NULL : &config;
    shmem_team_t team;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, given, mask, &team); // <- A
    return team;
}

int
main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    shmem_team_t team = SHMEM_TEAM_INVALID, other = SHMEM_TEAM_INVALID;
    shmem_ctx_t ctx;

    switch (USE) {
    case 1:
        team = strided(1, 2, 3, 0, 0);
        break;
    case 2:
        team = strided(0, 0, 2, 0, 0);
        break;
    case 3:
        team = strided(0, 1, me == 1 ? 3 : 2, 0, 0);
        break;
    case 4:
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &team, NULL, 0, &other); // <- B
        break;
    case 5:
        team = strided(0, 1, 4, me == 2, SHMEM_TEAM_NUM_CONTEXTS);
        break;
    case 6:
        team = strided(0, 1, 4, -1, SHMEM_TEAM_NUM_CONTEXTS);
        break;
    case 7:
        shmem_team_destroy(SHMEM_TEAM_SHARED); // <- C
        break;
    case 8:
        other = strided(0, 1, 4, 0, 0);
        shmem_team_destroy(other);
        shmem_int_sum_reduce(other, out, in, 1); // <- D
        break;
    case 9:
        other = strided(0, 1, 4, 0, 0);
        shmem_team_destroy(other);
        shmem_team_destroy(other); // <- E
        break;
    case 10:
        other = strided(0, 1, 4, 0, 0);
        shmem_team_create_ctx(other, SHMEM_CTX_PRIVATE, &ctx);
        shmem_team_destroy(other); // <- F
        break;
    case 11:
        other = strided(0, 1, 4, 0, 0);
        shmem_team_create_ctx(other, 0, &ctx);
        shmem_team_destroy(other);
        shmem_ctx_int_p(ctx, out, 1, 0); // <- G
        break;
    case 12:
        shmem_int_sum_reduce(SHMEM_TEAM_INVALID, out, in, 1); // <- H
        break;
    case 13:
        team = strided(0, 2, 2, 0, 0);
        if (me % 2 == 1)
            shmem_team_sync((shmem_team_t)3); // <- I
        break;
    case 14:
        strided(0, 1, 4, 0, 0);
        break;
    case 15:
        team = strided(0, 3, 2, 0, 0);
        if (me == 0) {
            shmem_team_create_ctx(team, 0, &ctx);
            shmem_ctx_int_p(ctx, out, 1, 3); // <- J
            shmem_ctx_destroy(ctx);
        }
        break;
    case 16:
        other = strided(0, 1, 2, 0, 0);
        if (me == 0)
            shmem_int_broadcast(other, out, in, 1, 0); // <- K
        break;
    case 17:
        if (me != 1)
            team = strided(0, 1, 4, 0, 0);
        break;
    default:
        team = strided(0, 1, 3, 0, 0);
        other = strided(1, 1, 3, 0, 0);
        if (me == 1)
            shmem_team_sync(team); // <- M
        if (me > 0)
            shmem_team_sync(other); // <- N
        if (me != 1 && me != 3)
            shmem_team_sync(team); // <- M
        if (me == 2)
            return 0;
    }
    if (USE != 16)
        shmem_team_destroy(team);
    shmem_barrier_all(); // <- L
    shmem_finalize();
    return 0;
}
