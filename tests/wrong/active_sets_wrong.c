/* active_sets_wrong.c -- the protocol of the deprecated collectives, broken.
 *
 * RUN: -n 4 --seeds 1..3
 *
 * VARIANT set: -DUSE=1
 * EXPECT: usage rule=E137 message~"start 2, stride 2^1, size 2" A=shmem_barrier ...
 *
 * VARIANT negative: -DUSE=2
 * EXPECT: usage rule=E137 A=shmem_barrier ...
 *
 * VARIANT outsider: -DUSE=3
 * EXPECT: usage rule=E114 message~"PE 1" A=shmem_barrier@1
 *
 * VARIANT sets_differ: -DUSE=4
 * EXPECT: mismatch rule=E138 message~"size 4" message~"size 3" A=shmem_barrier A=shmem_barrier
 * EXPECT maybe: race rule=E140 times=0..3 A=shmem_barrier A=shmem_barrier
 *
 * VARIANT not_initialised: -DUSE=5
 * EXPECT: usage rule=E139 message~"element 0 of pSync is 7" object=garbage A=shmem_barrier ...
 *
 * VARIANT written: -DUSE=6
 * EXPECT: usage rule=E139 message~"element 2 of pSync is 1" object=sync_a B=shmem_broadcast64 ...
 *
 * VARIANT too_small: -DUSE=7
 * EXPECT: bad-address rule=E141 message~"pSync" object=small C=shmem_long_sum_to_all ...
 *
 * VARIANT private: -DUSE=8
 * EXPECT: bad-address rule=E141 message~"pSync" A=shmem_barrier ...
 *
 * VARIANT other_array: -DUSE=9
 * EXPECT: mismatch rule=E141 message~"sync_a" message~"sync_b" D=shmem_broadcast64@1 D=shmem_broadcast64@0,2,3 ...
 *
 * VARIANT work_too_small: -DUSE=10
 * EXPECT: bad-address rule=E141 message~"pWrk" object=work E=shmem_long_sum_to_all ...
 *
 * VARIANT reused: -DUSE=11
 * RUN: -n 4 --seeds 1..20
 * EXPECT: race rule=E140 message~"pSync" object=sync_a times=4 F=shmem_broadcast64 G=shmem_broadcast64
 *
 * VARIANT reused_with_sync: -DUSE=12
 * EXPECT: clean
 *
 * VARIANT alternating: -DUSE=15
 * EXPECT: clean
 *
 * VARIANT work_reused: -DUSE=16
 * EXPECT: race rule=E140 message~"pWrk" object=work times=4 J=shmem_long_max_to_all K=shmem_long_sum_to_all
 *
 * VARIANT root: -DUSE=13
 * EXPECT: usage rule=E125 message~"root 4" H=shmem_broadcast64 ...
 *
 * VARIANT nreduce: -DUSE=14
 * EXPECT: usage rule=E037 I=shmem_long_sum_to_all ...
 */
#include <shmem.h>

static long sync_a[SHMEM_SYNC_SIZE], sync_b[SHMEM_SYNC_SIZE], garbage[SHMEM_SYNC_SIZE], small[SHMEM_BCAST_SYNC_SIZE];
static long in[40], out[40], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], work_b[SHMEM_REDUCE_MIN_WRKDATA_SIZE];

int
main(void)
{
    long on_stack[SHMEM_SYNC_SIZE] = {SHMEM_SYNC_VALUE};

    shmem_init();
    const int me = shmem_my_pe();
    int start = 0, log_stride = 0, size = 4;
    long *psync = sync_a;

    switch (USE) {
    case 1:
        start = 2, log_stride = 1, size = 2;
        break;
    case 2:
        log_stride = -1;
        break;
    case 3:
        log_stride = 1, size = 2;
        if (me == 3)
            goto end;
        break;
    case 4:
        size = me == 1 ? 3 : 4;
        break;
    case 5:
        garbage[0] = 7;
        psync = garbage;
        break;
    case 6:
        sync_a[2] = 1;
        shmem_barrier_all();
        shmem_broadcast64(out, in, 1, 0, 0, 0, 4, sync_a); // <- B
        goto end;
    case 7:
        shmem_long_sum_to_all(out, in, 1, 0, 0, 4, work, small); // <- C
        goto end;
    case 8:
        psync = on_stack;
        break;
    case 9:
        shmem_broadcast64(out, in, 1, 0, 0, 0, 4, me == 1 ? sync_b : sync_a); // <- D
        goto end;
    case 10:
        shmem_long_sum_to_all(out, in, 40, 0, 0, 4, work, sync_a); // <- E
        goto end;
    case 11:
        shmem_broadcast64(out, in, 1, 0, 0, 0, 4, sync_a);     // <- F
        shmem_broadcast64(out + 1, in, 1, 0, 0, 0, 4, sync_a); // <- G
        goto end;
    case 12:
        for (int i = 0; i < 3; i++) {
            shmem_broadcast64(out, in, 1, i, 0, 0, 4, sync_a);
            shmem_barrier(0, 0, 4, sync_b);
            shmem_sync_all();
            shmem_barrier(0, 0, 4, sync_b);
            shmem_sync(0, 0, 4, sync_b);
        }
        goto end;
    case 13:
        shmem_broadcast64(out, in, 1, 4, 0, 0, 4, sync_a); // <- H
        goto end;
    case 15: /* a reduction ends when all have begun it, so have ended the one before */
        for (int i = 0; i < 6; i++)
            shmem_long_sum_to_all(out, in, 1, 0, 0, 4, i % 2 ? work : work_b, i % 2 ? sync_a : sync_b);
        goto end;
    case 16:
        shmem_long_sum_to_all(out, in, 1, 0, 0, 4, work, sync_a);
        shmem_long_max_to_all(out, in, 1, 0, 0, 4, work_b, sync_b);
        shmem_barrier_all();
        shmem_long_max_to_all(out, in, 1, 0, 0, 4, work, sync_a); // <- J
        shmem_long_sum_to_all(out, in, 1, 0, 0, 4, work, sync_b); // <- K
        goto end;
    default:
        shmem_long_sum_to_all(out, in, -1, 0, 0, 4, work, sync_a); // <- I
        goto end;
    }
    shmem_barrier(start, log_stride, size, psync); // <- A
end:
    shmem_barrier_all();
    shmem_finalize();
    return (int)on_stack[0];
}
