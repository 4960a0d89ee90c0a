/* stack_buffer.c -- the buffer of a nonblocking operation is a variable of a function that has returned at the quiet.
 *
 * RUN: -n 2 --seeds 1..3 --hooks yes,no --contexts fiber,thread
 *
 * VARIANT source: -DUSE=1
 * EXPECT: lifetime rule=E092 message~"source" A=shmem_long_put_nbi Q=shmem_quiet ...
 *
 * VARIANT destination: -DUSE=2
 * EXPECT: lifetime rule=E092 message~"destination" B=shmem_long_get_nbi Q=shmem_quiet ...
 *
 * VARIANT barrier: -DUSE=3
 * EXPECT: lifetime rule=E092 A=shmem_long_put_nbi X=shmem_barrier_all ...
 *
 * VARIANT quiet_inside: -DUSE=4
 * EXPECT: clean
 *
 * VARIANT lives_on: -DUSE=5
 * EXPECT: clean
 *
 * VARIANT caller_quiets_deeper: -DUSE=6
 * EXPECT: clean
 */
#include <shmem.h>

static long words[4];

#define FUNCTION __attribute__((noinline, noclone))

FUNCTION static void
send(int pe)
{
    long source[4] = {1, 2, 3, pe};
    shmem_long_put_nbi(words, source, 4, pe); // <- A
    if (USE == 4)
        shmem_quiet();
}

FUNCTION static void
receive(int pe)
{
    long dest[4];
    shmem_long_get_nbi(dest, words, 4, pe); // <- B
}

/* Far down, where what arrives late does no harm. */
FUNCTION static void
receive_deep(int pe)
{
    volatile char room[65536];
    room[pe] = 1;
    receive(pe);
    words[0] += room[pe] * 0;
}

FUNCTION static void
finish(int depth)
{
    volatile char room[300];
    room[depth] = 1;
    shmem_quiet();
    words[0] += room[depth] * 0;
}

int
main(void)
{
    long own[4] = {1, 2, 3, 4};
    shmem_init();
    int other = 1 - shmem_my_pe();
    if (USE == 2)
        receive_deep(other);
    else if (USE < 5)
        send(other);
    else
        shmem_long_put_nbi(words, own, 4, other);
    if (USE == 6)
        finish(7);
    if (USE != 3)
        shmem_quiet();   // <- Q
    shmem_barrier_all(); // <- X
    shmem_finalize();
    return 0;
}
