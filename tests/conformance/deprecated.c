/* The older names that are still demanded: start_pes with its finalize at the end, numbers, heap, atomics, waits, and
 * the generics of the atomics.
 *
 * RUN: -n 1,2,3,5,8 --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

#include <mpp/shmem.h>

#define TEST_EXTENDED(name, ctype)                                                                                     \
    {                                                                                                                  \
        static ctype object;                                                                                           \
        object = 1;                                                                                                    \
        shmem_barrier_all();                                                                                           \
        CHECK(shmem_##name##_fetch(&object, to) == 1 && shmem_fetch(&object, to) == 1);                                \
        CHECK(shmem_##name##_swap(&object, 7, to) == 1 && shmem_swap(&object, 8, to) == 7);                            \
        shmem_##name##_set(&object, 9, to);                                                                            \
        CHECK(shmem_fetch(&object, to) == 9);                                                                          \
        shmem_set(&object, 10, to);                                                                                    \
        shmem_barrier_all();                                                                                           \
        CHECK(object == 10);                                                                                           \
    }
#define TEST_INTEGER(name, ctype)                                                                                      \
    {                                                                                                                  \
        static ctype object;                                                                                           \
        object = 1;                                                                                                    \
        shmem_barrier_all();                                                                                           \
        CHECK(shmem_##name##_cswap(&object, 1, 5, to) == 1 && shmem_cswap(&object, 1, 6, to) == 5);                    \
        CHECK(shmem_##name##_finc(&object, to) == 5 && shmem_finc(&object, to) == 6);                                  \
        CHECK(shmem_##name##_fadd(&object, 10, to) == 7 && shmem_fadd(&object, -1, to) == 17);                         \
        shmem_##name##_inc(&object, to);                                                                               \
        shmem_inc(&object, to);                                                                                        \
        shmem_##name##_add(&object, 2, to);                                                                            \
        shmem_add(&object, 3, to);                                                                                     \
        shmem_barrier_all();                                                                                           \
        CHECK(object == 23);                                                                                           \
    }

#define TEST_WAIT(name, ctype)                                                                                         \
    {                                                                                                                  \
        static ctype flag;                                                                                             \
        shmem_barrier_all();                                                                                           \
        shmem_##name##_p(&flag, 3, to);                                                                                \
        shmem_##name##_wait(&flag, 0);                                                                                 \
        CHECK(flag == 3);                                                                                              \
        shmem_barrier_all();                                                                                           \
    }
#define TEST_SHORT(name, ctype)                                                                                        \
    {                                                                                                                  \
        static ctype flag;                                                                                             \
        shmem_barrier_all();                                                                                           \
        shmem_##name##_p(&flag, (ctype)-1, to);                                                                        \
        shmem_##name##_wait_until(&flag, SHMEM_CMP_EQ, (ctype)-1);                                                     \
        shmem_wait_until(&flag, SHMEM_CMP_NE, 5);                                                                      \
        CHECK(shmem_##name##_test(&flag, SHMEM_CMP_LT, 0) == ((ctype)-1 < 0));                                         \
        CHECK(shmem_test(&flag, SHMEM_CMP_EQ, 5) == 0);                                                                \
        shmem_barrier_all();                                                                                           \
    }

static void
heap(void)
{
    char *block = shmalloc(100), *aligned = shmemalign(256, 10);

    CHECK(block != NULL && aligned != NULL && (uintptr_t)aligned % 256 == 0);
    block[99] = 'x';
    block = shrealloc(block, 5000);
    CHECK(block != NULL && block[99] == 'x');
    shfree(block);
    shfree(aligned);
    CHECK(shmalloc(0) == NULL);
}

int
main(void)
{
    static long flag;

    start_pes(0);
    start_pes(17);
    const int to = (_my_pe() + 1) % _num_pes();
    CHECK(_my_pe() == shmem_my_pe() && _num_pes() == shmem_n_pes());
    CHECK(_SHMEM_MAJOR_VERSION == 1 && _SHMEM_CMP_EQ == SHMEM_CMP_EQ && _SHMEM_SYNC_VALUE == SHMEM_SYNC_VALUE);
    heap();
    /* By hand: a generic name cannot be used inside the lists that it is made of. */
    TEST_EXTENDED(int, int)
    TEST_EXTENDED(long, long) TEST_EXTENDED(longlong, long long) TEST_EXTENDED(float, float)
        TEST_EXTENDED(double, double) TEST_INTEGER(int, int) TEST_INTEGER(long, long) TEST_INTEGER(longlong, long long)
            SHMEM_WAIT_OLD_TYPES(TEST_WAIT) TEST_SHORT(short, short) TEST_SHORT(ushort, unsigned short)
                shmem_long_p(&flag, 1, to);
    shmem_wait(&flag, 0);
    (shmem_wait_until)(&flag, _SHMEM_CMP_GE, 1);
    shmem_sync(SHMEM_TEAM_WORLD);
    return 0;
}
