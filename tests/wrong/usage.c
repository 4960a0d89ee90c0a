/* usage.c -- PE numbers, alignment, strides, comparison and signal operators, overlap.
 *
 * RUN: -n 2 --seeds 1..2
 *
 * VARIANT pe_high: -DUSE=1
 * EXPECT: usage rule=E027 A=shmem_long_p@0
 *
 * VARIANT pe_negative: -DUSE=2
 * EXPECT: usage rule=E027 B=shmem_long_g@0
 *
 * VARIANT misaligned: -DUSE=3
 * EXPECT: bad-address rule=E030 C=shmem_long_p@0
 *
 * VARIANT stride: -DUSE=4
 * EXPECT: usage rule=E035 D=shmem_long_iput@0
 *
 * VARIANT comparison: -DUSE=5
 * EXPECT: usage rule=E038 E=shmem_long_test@0
 *
 * VARIANT operator: -DUSE=6
 * EXPECT: usage rule=E039 F=shmem_long_put_signal@0
 *
 * VARIANT overlap: -DUSE=7
 * EXPECT: usage rule=E033 G=shmem_long_put@0
 */
#include <shmem.h>

static long box[8];
static uint64_t sig;

int
main(void)
{
    int bad = 0;
    shmem_init();
    if (shmem_my_pe() == 0)
        switch (USE) {
        case 1:
            shmem_long_p(box, 1, shmem_n_pes()); // <- A
            break;
        case 2:
            bad = shmem_long_g(box, -1) != 0; // <- B
            break;
        case 3:
            shmem_long_p((long *)((char *)box + 4), 1, 1); // <- C
            break;
        case 4:
            shmem_long_iput(box, box + 4, 0, 1, 2, 1); // <- D
            break;
        case 5:
            bad = shmem_long_test(box, 17, 0) > 1; // <- E
            break;
        case 6:
            shmem_long_put_signal(box, box + 4, 1, &sig, 1, 99, 1); // <- F
            break;
        default:
            shmem_long_put(box, box + 1, 3, 0); // <- G
        }
    shmem_finalize();
    return bad;
}
