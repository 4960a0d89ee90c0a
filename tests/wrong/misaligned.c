/* misaligned.c -- a sized put and a typed get of objects that are not aligned to the size: reported, and carried out
 * nevertheless, so that nothing else goes wrong after it.
 *
 * RUN: -n 2 --seeds 1..3 --backends sim,direct
 * EXPECT: bad-address rule=E031 A=shmem_put128@0
 * EXPECT: bad-address rule=E030 B=shmem_long_get@0
 * STATUS: 66
 * STDOUT: 5 6 7 5
 *
 * VARIANT bytes: -DBYTES
 * EXPECT: clean
 * STATUS: 0
 * STDOUT: 5 6 7 5
 */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

static _Alignas(16) long box[8];

int
main(void)
{
    long words[4] = {5, 6, 7, 5}, got[4] = {0};
    shmem_init();
    if (shmem_my_pe() == 0) {
        char *there = (char *)(box + 5);
#ifdef BYTES
        shmem_putmem(box + 1, words, 32, 1);
        shmem_putmem(there + 1, words, 8, 1);
        shmem_quiet();
        shmem_getmem(got, box + 1, 24, 1);
        shmem_getmem(got + 3, there + 1, 8, 1);
#else
        shmem_put128(box + 1, words, 2, 1); // <- A
        shmem_putmem(there + 1, words, 8, 1);
        shmem_quiet();
        shmem_getmem(got, box + 1, 24, 1);
        shmem_long_get(got + 3, (long *)(void *)(there + 1), 1, 1); // <- B
#endif
        printf("%ld %ld %ld %ld\n", got[0], got[1], got[2], got[3]);
    }
    shmem_finalize();
    return 0;
}
