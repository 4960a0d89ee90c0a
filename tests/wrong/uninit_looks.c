/* uninit_looks.c -- a look at memory that nobody has written is a use of it, whether or not it shows what is wanted:
 * test in all forms, wait, a polled signal, an atomic, and a copy into private memory of a block of which nothing was
 * written.
 *
 * RUN: -n 2 --seeds 1..3
 *
 * VARIANT fails: -DLOOK=1
 * EXPECT: uninit on=0 rule=E087 allocated=M A=shmem_int_test@0
 *
 * VARIANT polls: -DLOOK=2
 * EXPECT: uninit on=0 rule=E087 allocated=M B=shmem_int_test@0
 *
 * VARIANT any: -DLOOK=3
 * EXPECT: uninit on=0 rule=E087 allocated=M C=shmem_int_test_any@0
 *
 * VARIANT some: -DLOOK=4
 * EXPECT: uninit on=0 rule=E087 allocated=M D=shmem_int_test_some@0
 *
 * VARIANT waits: -DLOOK=5
 * EXPECT: uninit on=0 rule=E087 allocated=M E=shmem_int_wait_until@0
 *
 * VARIANT signal: -DLOOK=6
 * EXPECT: uninit on=0 rule=E087 allocated=N F=shmem_signal_fetch@0
 *
 * VARIANT swaps: -DLOOK=7
 * EXPECT: uninit on=1 rule=E087 allocated=M G=shmem_int_atomic_compare_swap@0
 *
 * VARIANT fetched: -DLOOK=8
 * EXPECT: uninit on=1 rule=E087 allocated=M H=shmem_getmem@0
 *
 * VARIANT copied: -DLOOK=9
 * EXPECT: uninit on=0 rule=E087 allocated=M I=memcpy@0
 *
 * VARIANT partly_fetched: -DLOOK=8 -DPART
 * EXPECT: clean
 *
 * VARIANT partly_copied: -DLOOK=9 -DPART
 * EXPECT: clean
 *
 * VARIANT written: -DLOOK=1 -DALL
 * EXPECT: clean
 *
 * VARIANT polls_for_a_peer: -DLOOK=2 -DALL
 * EXPECT: clean
 */
#include <shmem.h>
#include <string.h>

#define WORDS 64

int
main(void)
{
    int own[WORDS] = {0}, result = 0;
    size_t which[WORDS] = {0};
    shmem_init();
    int me = shmem_my_pe();
    int *block = shmem_malloc(WORDS * sizeof *block); // <- M
    uint64_t *word = shmem_malloc(sizeof *word);      // <- N
#ifdef PART
    block[5] = 1;
#endif
#ifdef ALL
    memset(block, 0, WORDS * sizeof *block);
#endif
    shmem_barrier_all();
    if (me == 1)
        shmem_int_atomic_set(&block[1], 3, 0);
    if (me == 0) {
#if LOOK == 1
        result = shmem_int_test(block, SHMEM_CMP_EQ, 7777777); // <- A
#elif LOOK == 2
#ifdef ALL
        block++;
#endif
        while (!shmem_int_test(block, SHMEM_CMP_NE, 0)) // <- B
            ;
#ifdef ALL
        block--;
#endif
#elif LOOK == 3
        result = shmem_int_test_any(block + 2, 4, NULL, SHMEM_CMP_EQ, 7777777) == 0; // <- C
#elif LOOK == 4
        result = shmem_int_test_some(block + 2, 4, which, NULL, SHMEM_CMP_EQ, 7777777) == 1; // <- D
#elif LOOK == 5
        shmem_int_wait_until(block, SHMEM_CMP_NE, 7777777); // <- E
#elif LOOK == 6
        result = shmem_signal_fetch(word) == 7777777; // <- F
#elif LOOK == 7
        result = shmem_int_atomic_compare_swap(&block[2], 7777777, 1, 1) == 7777777; // <- G
#elif LOOK == 8
        shmem_getmem(own, block, sizeof own, 1); // <- H
#else
        memcpy(own + 2, block + 2, sizeof own - 2 * sizeof *own); // <- I
#endif
    }
    shmem_barrier_all();
    shmem_free(word);
    shmem_free(block);
    shmem_finalize();
    return result + (own[0] == 7777777) + (which[0] == 7777777);
}
