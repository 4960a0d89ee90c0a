/* addresses_rare.c -- addresses that are wrong in rarer ways: sized calls, constants, variables of libraries, pointers
 * that another PE sent, pointers of shmem_ptr that outlive their block.
 *
 * RUN: -n 2 --seeds 1..2
 *
 * VARIANT sized_misaligned: -DUSE=1
 * EXPECT: bad-address rule=E031 object=ints A=shmem_put32@0
 *
 * VARIANT sized_too_wide: -DUSE=2
 * EXPECT: bad-address rule=E031 object=ints A=shmem_put64@0
 *
 * VARIANT constant: -DUSE=3
 * EXPECT: bad-address rule=E046 message~"read-only" A=shmem_long_p@0
 *
 * VARIANT library: -DUSE=4
 * EXPECT: bad-address rule=E040 message~"shared library" A=shmem_putmem@0
 *
 * VARIANT pointer_sent: -DUSE=5
 * EXPECT: bad-address rule=E045 message~"PE 1's heap" A=load@0
 *
 * VARIANT pointer_sent_store: -DUSE=6
 * EXPECT: bad-address rule=E045 A=store@0
 *
 * VARIANT mapping_outlives: -DUSE=7
 * EXPECT: lifetime rule=E025 B=load A=shmem_free:free ...
 *
 * VARIANT after_finalize: -DUSE=8
 * EXPECT: lifetime rule=E165 B=load ...
 * EXPECT: leak rule=E160
 *
 * VARIANT behind_the_block: -DUSE=9
 * EXPECT: bad-address rule=E024 A=shmem_long_p@0
 *
 * VARIANT indices: -DUSE=10
 * EXPECT: usage rule=E033 message~"indices" A=shmem_long_test_some@0
 *
 * VARIANT mapping: -DUSE=11
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdlib.h>
#include <time.h>

int ints[8];
long words[8];
const long constants[2] = {1, 2};
static long *sent[2];

int
main(void)
{
    volatile long seen = 0;
    long *pointer = NULL;
    shmem_init();
    int me = shmem_my_pe();
    long *block = shmem_calloc(8, sizeof *block), *all = block;
    sent[me] = block;
    shmem_barrier_all();
    if (me == 0 && (USE == 5 || USE == 6))
        shmem_getmem(&pointer, &sent[1], sizeof pointer, 1);
    if (USE == 7 || USE == 11)
        pointer = shmem_ptr(block, 1 - me);
    if (USE == 11)
        seen = pointer[3];
#if USE == 1
    if (me == 0)
        shmem_put32((char *)ints + 2, ints + 4, 1, 1); // <- A
#elif USE == 2
    if (me == 0)
        shmem_put64(ints + 1, words, 1, 1); // <- A
#elif USE == 3
    if (me == 0)
        shmem_long_p((long *)(uintptr_t)constants, 1, 1); // <- A
#elif USE == 4
    if (me == 0)
        shmem_putmem(&timezone, words, sizeof timezone, 1); // <- A
#elif USE == 5
    if (me == 0)
        seen = pointer[1]; // <- A
#elif USE == 6
    if (me == 0)
        pointer[1] = 5; // <- A
#elif USE == 9
    if (me == 0)
        shmem_long_p(block + 400000, 1, 1); // <- A
#elif USE == 10
    if (me == 0)
        shmem_long_test_some(words, 2, (size_t *)words, NULL, SHMEM_CMP_NE, 0); // <- A
#endif
    shmem_barrier_all();
    if (USE != 8)
        shmem_free(all); // <- A
    if (USE == 8)
        shmem_finalize();
    if (USE == 8)
        pointer = block;
    if (USE == 7 || USE == 8)
        seen = pointer[2]; // <- B
    if (USE != 8)
        shmem_finalize();
    return seen > 5 && USE != 5 && USE != 7 && USE != 8;
}
