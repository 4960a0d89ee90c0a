/* wait_until and test, 14 families of 12 types: the six comparisons, status arrays, empty sets, vectors, and that every
 * satisfied element is returned in the end.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..2 --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

enum { N = 6 };

static int
compared(int cmp, int less, int equal)
{
    switch (cmp) {
    case SHMEM_CMP_EQ:
        return equal;
    case SHMEM_CMP_NE:
        return !equal;
    case SHMEM_CMP_GT:
        return !less && !equal;
    case SHMEM_CMP_GE:
        return !less;
    case SHMEM_CMP_LT:
        return less;
    default:
        return less || equal;
    }
}

#define DEFINE(name, ctype)                                                                                            \
    /* Values that are there already: test and wait agree with C. */                                                   \
    static void at_rest_##name(ctype *x)                                                                               \
    {                                                                                                                  \
        const ctype values[] = {HIGH_BIT(ctype), (ctype)-1, 0, 1, ALL_BUT_HIGH_BIT(ctype)};                            \
                                                                                                                       \
        for (int a = 0; a < 5; a++) {                                                                                  \
            shmem_##name##_atomic_set(x, values[a], shmem_my_pe());                                                    \
            shmem_quiet();                                                                                             \
            for (int b = 0; b < 5; b++)                                                                                \
                for (int cmp = SHMEM_CMP_EQ; cmp <= SHMEM_CMP_LE; cmp++) {                                             \
                    const int holds = compared(cmp, values[a] < values[b], values[a] == values[b]);                    \
                    CHECK(shmem_##name##_test(x, cmp, values[b]) == holds);                                            \
                    if (holds)                                                                                         \
                        shmem_##name##_wait_until(x, cmp, values[b]);                                                  \
                }                                                                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    static void empty_##name(ctype *x)                                                                                 \
    {                                                                                                                  \
        const int none[N] = {1, 1, 2, -1, 1, 1};                                                                       \
        const ctype wanted[N] = {0};                                                                                   \
        size_t indices[N];                                                                                             \
                                                                                                                       \
        shmem_##name##_wait_until_all(x, 0, NULL, SHMEM_CMP_EQ, 99);                                                   \
        shmem_##name##_wait_until_all(x, N, none, SHMEM_CMP_EQ, 99);                                                   \
        shmem_##name##_wait_until_all_vector(x, N, none, SHMEM_CMP_EQ, wanted);                                        \
        CHECK(shmem_##name##_wait_until_any(x, 0, NULL, SHMEM_CMP_EQ, 99) == SIZE_MAX);                                \
        CHECK(shmem_##name##_wait_until_any(x, N, none, SHMEM_CMP_EQ, 99) == SIZE_MAX);                                \
        CHECK(shmem_##name##_wait_until_any_vector(x, N, none, SHMEM_CMP_EQ, wanted) == SIZE_MAX);                     \
        CHECK(shmem_##name##_wait_until_some(x, 0, indices, NULL, SHMEM_CMP_EQ, 99) == 0);                             \
        CHECK(shmem_##name##_wait_until_some_vector(x, N, indices, none, SHMEM_CMP_EQ, wanted) == 0);                  \
        CHECK(shmem_##name##_test_all(x, 0, NULL, SHMEM_CMP_EQ, 99) == 1);                                             \
        CHECK(shmem_##name##_test_all_vector(x, N, none, SHMEM_CMP_EQ, wanted) == 1);                                  \
        CHECK(shmem_##name##_test_any(x, N, none, SHMEM_CMP_EQ, 99) == SIZE_MAX);                                      \
        CHECK(shmem_##name##_test_any_vector(x, 0, NULL, SHMEM_CMP_EQ, wanted) == SIZE_MAX);                           \
        CHECK(shmem_##name##_test_some(x, N, indices, none, SHMEM_CMP_EQ, 99) == 0);                                   \
        CHECK(shmem_##name##_test_some_vector(x, 0, indices, NULL, SHMEM_CMP_EQ, wanted) == 0);                        \
    }                                                                                                                  \
    /* The previous PE sets x[i] to i + 1, in an order of its own. */                                                  \
    static void send_##name(ctype *x)                                                                                  \
    {                                                                                                                  \
        for (int i = 0; i < N; i++) {                                                                                  \
            const int k = (i * 5 + shmem_my_pe()) % N;                                                                 \
            shmem_##name##_atomic_set(&x[k], (ctype)(k + 1), next_pe());                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static void arriving_##name(int how)                                                                               \
    {                                                                                                                  \
        const ctype wanted[N] = {1, 2, 3, 4, 5, 6};                                                                    \
        int status[N] = {0}, done = 0;                                                                                 \
        size_t indices[N], count, i;                                                                                   \
        ctype *x = shmem_calloc(N, sizeof *x);                                                                         \
                                                                                                                       \
        send_##name(x);                                                                                                \
        switch (how) {                                                                                                 \
        case 0:                                                                                                        \
            for (i = 0; i < N; i++)                                                                                    \
                shmem_##name##_wait_until(&x[i], SHMEM_CMP_EQ, wanted[i]);                                             \
            CHECK(shmem_##name##_test_all_vector(x, N, NULL, SHMEM_CMP_EQ, wanted) == 1);                              \
            CHECK(shmem_##name##_test_all(x, N, NULL, SHMEM_CMP_LE, N) == 1);                                          \
            CHECK(shmem_##name##_test_all(x, N, NULL, SHMEM_CMP_LT, N) == 0);                                          \
            CHECK(shmem_##name##_test_some(x, N, indices, NULL, SHMEM_CMP_LE, 2) == 2);                                \
            CHECK(indices[0] + indices[1] == 1);                                                                       \
            break;                                                                                                     \
        case 1:                                                                                                        \
            shmem_##name##_wait_until_all(x, N, NULL, SHMEM_CMP_GT, 0);                                                \
            status[3] = 1;                                                                                             \
            CHECK(shmem_##name##_test_any(x, N, status, SHMEM_CMP_EQ, 4) == SIZE_MAX);                                 \
            CHECK(shmem_##name##_test_any(x, N, NULL, SHMEM_CMP_EQ, 4) == 3);                                          \
            break;                                                                                                     \
        case 2:                                                                                                        \
            shmem_##name##_wait_until_all_vector(x, N, NULL, SHMEM_CMP_EQ, wanted);                                    \
            break;                                                                                                     \
        case 3:                                                                                                        \
        case 4:                                                                                                        \
            for (; done < N; done++) {                                                                                 \
                i = how == 3 ? shmem_##name##_wait_until_any(x, N, status, SHMEM_CMP_NE, 0)                            \
                             : shmem_##name##_wait_until_any_vector(x, N, status, SHMEM_CMP_EQ, wanted);               \
                CHECK(i < N && status[i] == 0);                                                                        \
                status[i] = 1;                                                                                         \
            }                                                                                                          \
            break;                                                                                                     \
        case 5:                                                                                                        \
        case 6:                                                                                                        \
            while (done < N) {                                                                                         \
                count = how == 5 ? shmem_##name##_wait_until_some(x, N, indices, status, SHMEM_CMP_GE, 1)              \
                                 : shmem_##name##_wait_until_some_vector(x, N, indices, status, SHMEM_CMP_GE, wanted); \
                CHECK(count >= 1 && count <= (size_t)(N - done));                                                      \
                for (i = 0; i < count; i++) {                                                                          \
                    CHECK(indices[i] < N && status[indices[i]] == 0);                                                  \
                    status[indices[i]] = 1;                                                                            \
                }                                                                                                      \
                done += (int)count;                                                                                    \
            }                                                                                                          \
            break;                                                                                                     \
        default:                                                                                                       \
            while (!shmem_##name##_test(&x[0], SHMEM_CMP_EQ, 1))                                                       \
                ;                                                                                                      \
            while (shmem_##name##_test_any_vector(x, N, NULL, SHMEM_CMP_EQ, wanted) == SIZE_MAX)                       \
                ;                                                                                                      \
            while (shmem_##name##_test_some_vector(x, N, indices, NULL, SHMEM_CMP_EQ, wanted) != N)                    \
                ;                                                                                                      \
        }                                                                                                              \
        for (i = 0; i < N; i++)                                                                                        \
            CHECK(x[i] == wanted[i]);                                                                                  \
        shmem_free(x);                                                                                                 \
    }
SHMEM_P2P_TYPES(DEFINE)
#undef DEFINE

int
main(void)
{
    shmem_init();
#define TEST(name, ctype)                                                                                              \
    {                                                                                                                  \
        ctype *x = shmem_calloc(N, sizeof *x);                                                                         \
        at_rest_##name(x);                                                                                             \
        empty_##name(x);                                                                                               \
        shmem_free(x);                                                                                                 \
        for (int how = 0; how < 7; how++)                                                                             \
            arriving_##name(how);                                                                                      \
    }
    SHMEM_P2P_TYPES(TEST)
    arriving_int(7), arriving_size(7);
    shmem_finalize();
    return 0;
}
