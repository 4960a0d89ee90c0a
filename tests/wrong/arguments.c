/* arguments.c -- what the front end refuses: contexts and teams that are none, lengths that overflow, roots, strides,
 * levels. The call does nothing, and the program goes on.
 *
 * RUN: -n 2 --seeds 1..2 --backends sim,direct
 *
 * VARIANT invalid_context: -DUSE=1
 * EXPECT: usage rule=E128 A=shmem_ctx_long_p@0
 *
 * VARIANT no_context: -DUSE=2
 * EXPECT: usage rule=E128 B=shmem_ctx_fence@0
 *
 * VARIANT destroyed_context: -DUSE=3
 * EXPECT: lifetime rule=E129 C=shmem_ctx_long_g@0
 *
 * VARIANT destroyed_twice: -DUSE=4
 * EXPECT: lifetime rule=E129 D=shmem_ctx_destroy@0
 *
 * VARIANT default_destroyed: -DUSE=5
 * EXPECT: usage rule=E130 E=shmem_ctx_destroy@0
 *
 * VARIANT length: -DUSE=6
 * EXPECT: usage rule=E037 F=shmem_long_put@0
 *
 * VARIANT strided_length: -DUSE=7
 * EXPECT: usage rule=E037 G=shmem_long_iget@0
 *
 * VARIANT block_stride: -DUSE=8
 * EXPECT: usage rule=E035 H=shmem_long_ibput@0
 *
 * VARIANT root: -DUSE=9
 * EXPECT: usage rule=E125 message~"PEs 0 to 1" I=shmem_long_broadcast@0 I=shmem_long_broadcast@1
 *
 * VARIANT no_team: -DUSE=10
 * EXPECT: usage rule=E115 J=shmem_long_sum_reduce@0 J=shmem_long_sum_reduce@1
 *
 * VARIANT collective_stride: -DUSE=11
 * EXPECT: usage rule=E035 K=shmem_long_alltoalls@0 K=shmem_long_alltoalls@1
 *
 * VARIANT wait_comparison: -DUSE=12
 * EXPECT: usage rule=E038 L=shmem_long_wait_until@0
 *
 * VARIANT quiet_of_nobody: -DUSE=13
 * EXPECT: usage rule=E027 M=shmem_pe_quiet@0
 *
 * VARIANT null_list: -DUSE=14
 * EXPECT: usage rule=E029 N=shmem_pe_quiet@0
 *
 * VARIANT no_config: -DUSE=15
 * EXPECT: usage rule=E124 O=shmem_team_get_config@0
 *
 * VARIANT level: -DUSE=16
 * EXPECT: usage rule=E007 P=shmem_init_thread@0 P=shmem_init_thread@1
 *
 * VARIANT right: -DUSE=17
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdint.h>

static long box[64], from[64];

/* PE 0 alone. */
static int
alone(void)
{
    const int nobody[] = {1, 2};
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;

    if (USE != 1 && shmem_ctx_create(0, &ctx) != 0)
        return 1;
    switch (USE) {
    case 1:
        shmem_ctx_long_p(ctx, box, 1, 1); // <- A
        return 0;
    case 2:
        shmem_ctx_fence((shmem_ctx_t)77); // <- B
        break;
    case 3:
        shmem_ctx_destroy(ctx);
        return shmem_ctx_long_g(ctx, box, 1) != 0; // <- C
    case 4:
        shmem_ctx_destroy(ctx);
        shmem_ctx_destroy(ctx); // <- D
        return 0;
    case 5:
        shmem_ctx_destroy(SHMEM_CTX_DEFAULT); // <- E
        break;
    case 6:
        shmem_long_put(box, from, SIZE_MAX / 4, 1); // <- F
        break;
    case 7:
        shmem_long_iget(box, from, 1, PTRDIFF_MAX, 3, 1); // <- G
        break;
    case 8:
        shmem_long_ibput(box, from, 3, 4, 4, 2, 1); // <- H
        break;
    case 12:
        shmem_long_wait_until(box, 0, 5); // <- L
        break;
    case 13:
        shmem_pe_quiet(nobody, 2); // <- M
        break;
    case 14:
        shmem_pe_quiet(NULL, 2); // <- N
        break;
    case 15:
        if (shmem_team_get_config(SHMEM_TEAM_WORLD, SHMEM_TEAM_NUM_CONTEXTS, NULL) == 0) // <- O
            return 1;
        break;
    }
    shmem_ctx_destroy(ctx);
    return 0;
}

int
main(void)
{
    int bad = 0, provided = 0;

    if (USE == 16)
        bad = shmem_init_thread(17, &provided); // <- P
    else
        shmem_init();
    if (USE == 9)
        shmem_long_broadcast(SHMEM_TEAM_WORLD, box, from, 1, 2); // <- I
    else if (USE == 10)
        bad = shmem_long_sum_reduce((shmem_team_t)99, box, from, 1) == 0; // <- J
    else if (USE == 11)
        bad = shmem_long_alltoalls(SHMEM_TEAM_WORLD, box, from, 1, 0, 1) == 0; // <- K
    else if (shmem_my_pe() == 0)
        bad = alone();
    shmem_barrier_all();
    for (int i = 0; i < 64; i++)
        bad |= box[i] != 0;
    shmem_finalize();
    return bad;
}
