/* loops.c -- what a loop touches, to the byte and at its line: PE 0 puts into the first and the last element that a
 * loop of PE 1 touches (both race), or right beside them (none does). Compilers and Fencepost tell a loop's accesses as
 * one; what they tell is to be as if they had not.
 *
 * RUN: -n 2 --seeds 1 --choosers random --nets ideal
 * FLAGS: -O2
 * EXPECT: race object=forward on=1 F=shmem_int_p@0 W1:write@1
 * EXPECT: race object=forward on=1 L=shmem_int_p@0 W1:write@1
 * EXPECT: race object=backward on=1 F=shmem_int_p@0 W2:read@1
 * EXPECT: race object=backward on=1 L=shmem_int_p@0 W2:read@1
 * EXPECT: race object=strided on=1 F=shmem_int_p@0 W3:write@1
 * EXPECT: race object=strided on=1 L=shmem_int_p@0 W3:write@1
 * EXPECT: race object=any_stride on=1 F=shmem_int_p@0 W4:read@1
 * EXPECT: race object=any_stride on=1 L=shmem_int_p@0 W4:read@1
 * EXPECT: race object=nested on=1 F=shmem_int_p@0 W5:write@1
 * EXPECT: race object=nested on=1 L=shmem_int_p@0 W5:write@1
 * EXPECT: race object=column on=1 F=shmem_int_p@0 W6:read@1
 * EXPECT: race object=column on=1 L=shmem_int_p@0 W6:read@1
 * EXPECT: race object=found on=1 F=shmem_int_p@0 W7:read@1
 * EXPECT: race object=found on=1 L=shmem_int_p@0 W7:read@1
 * EXPECT: race object=shifted on=1 F=shmem_int_p@0 W8:write@1
 * EXPECT: race object=shifted on=1 L=shmem_int_p@0 W8:read@1
 * EXPECT: race object=summed on=1 F=shmem_int_p@0 W9:read@1
 * EXPECT: race object=summed on=1 L=shmem_int_p@0 W9:write@1
 * EXPECT: race object=fields on=1 F=shmem_int_p@0 W10:write@1
 * EXPECT: race object=fields on=1 L=shmem_int_p@0 W10:write@1
 * EXPECT: race object=some on=1 F=shmem_int_p@0 W11:write@1
 * EXPECT: race object=some on=1 L=shmem_int_p@0 W11:write@1
 * EXPECT: race object=aliased on=1 F=shmem_int_p@0 W12:read@1
 * EXPECT: race object=aliased on=1 L=shmem_int_p@0 W12:write@1
 * EXPECT: race object=walked on=1 F=shmem_int_p@0 W13:read@1
 * EXPECT: race object=walked on=1 L=shmem_int_p@0 W13:read@1
 * EXPECT: race object=bytes on=1 FB=shmem_char_p@0 W14:write@1
 * EXPECT: race object=bytes on=1 LB=shmem_char_p@0 W14:write@1
 * EXPECT: race object=stencil on=1 F=shmem_int_p@0 W15:read@1
 * EXPECT: race object=stencil on=1 L=shmem_int_p@0 W15:read@1
 * EXPECT: race object=indexed on=1 F=shmem_int_p@0 W16:read@1
 * EXPECT: race object=indexed on=1 L=shmem_int_p@0 W16:read@1
 * EXPECT: race object=updated on=1 F=shmem_int_p@0 W17:write@1
 * EXPECT: race object=updated on=1 L=shmem_int_p@0 W17:write@1
 *
 * VARIANT beside: -DBESIDE
 * EXPECT: clean
 */
#include <shmem.h>

#ifdef BESIDE
#define FIRST(i, gap) ((i) - (gap))
#define LAST(i, gap) ((i) + (gap))
#else
#define FIRST(i, gap) (i)
#define LAST(i, gap) (i)
#endif

#define SHAPE static __attribute__((noinline)) void

static int forward[64], backward[64], strided[64], any_stride[64], nested[8][8], column[16][4], found[64], shifted[64];
static int summed[64], some[64], aliased[64], walked[64], stencil[64], indexed[64], updated[64];
static unsigned char bytes[64];
static struct {
    int x, y;
} fields[32];
/* Not static: for all that the compiler knows they may change. */
int from = 4, to = 20, step = 3, sum, places[] = {9, 11, 13};

SHAPE
do_forward(void)
{
    for (int i = from; i < to; i++)
        forward[i] = i; // <- W1
}

SHAPE
do_backward(void)
{
    for (int i = to; i-- > from;)
        sum += backward[i]; // <- W2
}

SHAPE
do_strided(void)
{
    for (int i = from; i < to; i += 3)
        strided[i] = i; // <- W3
}

SHAPE
do_any_stride(void)
{
    for (int i = from; i < to; i += step)
        sum += any_stride[i]; // <- W4
}

SHAPE
do_nested(void)
{
    for (int i = 1; i <= from; i++)
        for (int j = 2; j <= from; j++)
            nested[i][j] = i + j; // <- W5
}

SHAPE
do_column(void)
{
    for (int i = from; i < 12; i++)
        sum += column[i][2]; // <- W6
}

/* The loop ends where it finds something. */
SHAPE
do_found(void)
{
    for (int i = from; i < to; i++)
        if (found[i] == 0) // <- W7
            break;
}

SHAPE
do_shifted(void)
{
    for (int i = from; i < to; i++)
        shifted[i] = shifted[i + 1]; // <- W8
}

SHAPE
do_summed(void)
{
    for (int i = from + 1; i < to; i++)
        summed[i] = summed[i - 1] + 1; // <- W9
}

SHAPE
do_fields(void)
{
    for (int i = from; i < to; i++)
        fields[i].y = i; // <- W10
}

SHAPE
do_some(void)
{
    for (int i = from; i < to; i++)
        if (i % 5 == 4)
            some[i] = i; // <- W11
}

SHAPE
do_aliased(int *p, const int *q)
{
    for (int i = 0; i < from; i++)
        p[i] = q[i] + 1; // <- W12
}

SHAPE
do_walked(const int *p, const int *end)
{
    do
        sum += *p++; // <- W13
    while (p != end);
}

SHAPE
do_bytes(void)
{
    for (int i = from; i < to; i++)
        bytes[2 * i] = 1; // <- W14
}

SHAPE
do_stencil(int *out)
{
    for (int i = from; i < to; i++)
        out[i] = stencil[i - 1] + stencil[i + 1]; // <- W15
}

SHAPE
do_indexed(void)
{
    for (int i = 0; i < step; i++)
        sum += indexed[places[i]]; // <- W16
}

SHAPE
do_updated(void)
{
    for (int i = from; i < to; i++)
        updated[i] += i; // <- W17
}

SHAPE
do_nothing(void)
{
    for (int i = to; i < from; i++)
        forward[i] = i;
}

static void
put(int *first, int *last)
{
    shmem_int_p(first, 9, 1); // <- F
    shmem_int_p(last, 9, 1);  // <- L
}

static void
put_bytes(unsigned char *first, unsigned char *last)
{
    shmem_char_p((char *)first, 9, 1); // <- FB
    shmem_char_p((char *)last, 9, 1);  // <- LB
}

static void
touch(void)
{
    int out[64];
    do_nothing();
    do_forward();
    do_backward();
    do_strided();
    do_any_stride();
    do_nested();
    do_column();
    do_found();
    do_shifted();
    do_summed();
    do_fields();
    do_some();
    do_aliased(aliased + 5, aliased + 4);
    do_walked(walked + 4, walked + 20);
    do_bytes();
    do_stencil(out);
    do_indexed();
    do_updated();
}

int
main(void)
{
    shmem_init();
    for (int i = 4; i < 11; i++)
        found[i] = 1;
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        put(&forward[FIRST(4, 1)], &forward[LAST(19, 1)]);
        put(&backward[FIRST(4, 1)], &backward[LAST(19, 1)]);
        put(&strided[FIRST(7, 1)], &strided[LAST(19, 1)]);
        put(&any_stride[FIRST(4, 1)], &any_stride[LAST(16, 1)]);
        put(&nested[1][FIRST(2, 1)], &nested[4][LAST(4, 1)]);
        put(&column[4][FIRST(2, 1)], &column[11][LAST(2, 1)]);
        put(&found[FIRST(4, 1)], &found[LAST(11, 1)]);
        put(&shifted[FIRST(4, 1)], &shifted[LAST(20, 1)]);
        put(&summed[FIRST(4, 1)], &summed[LAST(19, 1)]);
        put(FIRST(1, 1) ? &fields[4].y : &fields[4].x, LAST(1, 1) == 1 ? &fields[19].y : &fields[19].x);
        put(&some[FIRST(4, 1)], &some[LAST(19, 1)]);
        put(&aliased[FIRST(4, 1)], &aliased[LAST(8, 1)]);
        put(&walked[FIRST(4, 1)], &walked[LAST(19, 1)]);
        put_bytes(&bytes[FIRST(8, 1)], &bytes[LAST(38, 1)]);
        put(&stencil[FIRST(3, 1)], &stencil[LAST(20, 1)]);
        put(&indexed[FIRST(9, 1)], &indexed[LAST(13, 1)]);
        put(&updated[FIRST(4, 1)], &updated[LAST(19, 1)]);
    } else {
        touch();
    }
    shmem_finalize();
    return 0;
}
