/* loops_uninit.c -- loops that write memory before they read it, in an order that only the loop itself has: no byte is
 * read before somebody has written it, however the accesses of a loop are told. And one that reads one element too
 * much.
 *
 * RUN: -n 1 --seeds 1 --choosers random
 * FLAGS: -O3
 * EXPECT: clean
 * STDOUT: ok
 *
 * VARIANT too_much: -DTOO_MUCH=1
 * EXPECT: uninit R@0
 * STDOUT~ ok
 */
#include <shmem.h>
#include <stdio.h>

#ifndef TOO_MUCH
#define TOO_MUCH 0
#endif
#define SHAPE static __attribute__((noinline)) void

int n = 1000, sum; /* not static: for all that the compiler knows they may change */

/* Each iteration reads what the one before wrote. */
SHAPE
prefix(int *a)
{
    a[0] = 1;
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + 1;
}

SHAPE
backward(int *a)
{
    a[n - 1] = 1;
    for (int i = n - 1; i-- > 0;)
        a[i] = a[i + 1] + 1;
}

SHAPE
store_then_load(int *a, int *b)
{
    for (int i = 0; i < n; i++) {
        a[i] = i;
        sum += *b;
        b++;
    }
}

SHAPE
sometimes(int *a, int always)
{
    for (int i = 0; i < n; i++) {
        if (i >= always)
            a[i] = i;
        sum += a[i];
    }
}

SHAPE
wide_apart(int *a)
{
    a[0] = a[1] = a[2] = 1;
    for (int i = 3; i < n; i++)
        a[i] = a[i / 3] + a[i - 3];
}

SHAPE
two_steps(short *a)
{
    for (int i = 0; i < n; i++) {
        a[2 * i] = (short)i;
        a[2 * i + 1] = (short)(a[2 * i] + 1);
    }
}

SHAPE
rows(int (*a)[10])
{
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < 10; j++)
            a[i][j] = i ? a[i - 1][j] + j : j;
        for (int j = 1; j < 10; j++)
            a[i][j] += a[i][j - 1];
    }
}

SHAPE
read_all(const int *a, int count)
{
    for (int i = 0; i < count; i++)
        sum += a[i]; // <- R
}

static int *
fresh(void)
{
    return shmem_malloc((size_t)n * sizeof(int));
}

int
main(void)
{
    shmem_init();
    int *a[7];
    for (int i = 0; i < 7; i++)
        a[i] = fresh();
    prefix(a[0]);
    backward(a[1]);
    store_then_load(a[2], a[2]);
    sometimes(a[3], 0);
    wide_apart(a[4]);
    two_steps((short *)a[5]);
    rows((int(*)[10])a[6]);
    for (int i = 0; i < 7; i++)
        read_all(a[i], n);
    int *last = fresh();
    prefix(last);
    shmem_free(last);
    last = shmem_malloc(2 * (size_t)n * sizeof *last);
    prefix(last);
    read_all(last, n + TOO_MUCH);
    shmem_free(last);
    for (int i = 0; i < 7; i++)
        shmem_free(a[i]);
    printf("ok\n");
    shmem_finalize();
    return 0;
}
