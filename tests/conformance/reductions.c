/* All reductions and scans of all types, in place and not, of 0, 1 and more elements than fit one chunk.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..2 --backends sim,direct
 * RUN: -n 16 --seeds 1 --choosers random --hooks no --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

enum { SHORT = 3, LONG = 5000 };

/* The reduction and the scans as a loop over PEs, in their order. */
#define MODEL(value, ctype, n, i, fold)                                                                                \
    ctype a = value(0, i);                                                                                             \
    for (int pe = 1; pe < (n); pe++) {                                                                                 \
        const ctype b = value(pe, i);                                                                                  \
        a = (ctype)(fold);                                                                                             \
    }

#define DEFINE_REDUCE(name, ctype, value, op, fold)                                                                    \
    static void op##_##name(size_t nelems, int in_place)                                                               \
    {                                                                                                                  \
        const int me = shmem_my_pe(), n = shmem_n_pes();                                                               \
        ctype *source = shmem_malloc(nelems * sizeof *source), *dest = source;                                         \
                                                                                                                       \
        if (!in_place)                                                                                                 \
            dest = shmem_malloc(nelems * sizeof *dest);                                                                \
        for (size_t i = 0; i < nelems; i++)                                                                            \
            source[i] = value(me, i);                                                                                  \
        shmem_sync_all();                                                                                              \
        CHECK(shmem_##name##_##op##_reduce(SHMEM_TEAM_WORLD, dest, source, nelems) == 0);                              \
        for (size_t i = 0; i < nelems; i++) {                                                                          \
            MODEL(value, ctype, n, i, fold)                                                                            \
            CHECK(memcmp(&dest[i], &a, sizeof a < 10 ? sizeof a : 10) == 0);                                           \
        }                                                                                                              \
        CHECK(shmem_##name##_##op##_reduce(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0);                                     \
        if (!in_place)                                                                                                 \
            shmem_free(dest);                                                                                          \
        shmem_free(source);                                                                                            \
    }

#define DEFINE_SCANS(name, ctype, value, fold)                                                                         \
    static void scans_##name(size_t nelems, int in_place)                                                              \
    {                                                                                                                  \
        const int me = shmem_my_pe();                                                                                  \
        ctype *source = shmem_malloc(nelems * sizeof *source), *dest = source;                                         \
                                                                                                                       \
        if (!in_place)                                                                                                 \
            dest = shmem_malloc(nelems * sizeof *dest);                                                                \
        for (int exclusive = 0; exclusive < 2; exclusive++) {                                                          \
            for (size_t i = 0; i < nelems; i++)                                                                        \
                source[i] = value(me, i);                                                                              \
            shmem_sync_all();                                                                                          \
            CHECK((exclusive ? shmem_##name##_sum_exscan(SHMEM_TEAM_WORLD, dest, source, nelems)                       \
                             : shmem_##name##_sum_inscan(SHMEM_TEAM_WORLD, dest, source, nelems)) == 0);               \
            for (size_t i = 0; i < nelems; i++) {                                                                      \
                if (me - exclusive < 0) {                                                                              \
                    CHECK(dest[i] == 0);                                                                               \
                } else {                                                                                               \
                    MODEL(value, ctype, me + 1 - exclusive, i, fold)                                                   \
                    CHECK(memcmp(&dest[i], &a, sizeof a < 10 ? sizeof a : 10) == 0);                                   \
                }                                                                                                      \
            }                                                                                                          \
            shmem_sync_all();                                                                                          \
        }                                                                                                              \
        if (!in_place)                                                                                                 \
            shmem_free(dest);                                                                                          \
        shmem_free(source);                                                                                            \
    }

#define WRAPPING(sign) ((unsigned long long)a sign(unsigned long long) b)

#define DEFINE(name, ctype) DEFINE_VALUE(name, ctype)
SHMEM_RMA_TYPES(DEFINE)
#undef DEFINE
/* A complex value of two different parts. */
static double _Complex value_complexd(int pe, size_t i)
{
    return (double)(pe + 1) * 0.5 + (double)(i % 9 + 1) * 0.25 * __extension__ 1.0i;
}
static float _Complex value_complexf(int pe, size_t i)
{
    return (float)(pe + 2) * 0.5f - (float)(i % 7) * 0.125f * __extension__ 1.0if;
}

#define DEFINE(name, ctype)                                                                                            \
    DEFINE_REDUCE(name, ctype, value_##name, and, a &b)                                                                \
    DEFINE_REDUCE(name, ctype, value_##name, or, a | b) DEFINE_REDUCE(name, ctype, value_##name, xor, a ^ b)
SHMEM_REDUCE_BITWISE_TYPES(DEFINE)
#undef DEFINE
#define DEFINE(name, ctype)                                                                                            \
    DEFINE_REDUCE(name, ctype, value_##name, max, a > b ? a : b)                                                       \
    DEFINE_REDUCE(name, ctype, value_##name, min, a < b ? a : b)
SHMEM_REDUCE_MINMAX_TYPES(DEFINE)
#undef DEFINE
#define DEFINE(name, ctype)                                                                                            \
    DEFINE_REDUCE(name, ctype, value_##name, sum, a + b)                                                               \
    DEFINE_REDUCE(name, ctype, value_##name, prod, a *b) DEFINE_SCANS(name, ctype, value_##name, a + b)
SHMEM_FLOAT_TYPES(DEFINE)
SHMEM_LONGDOUBLE_TYPES(DEFINE)
SHMEM_COMPLEX_TYPES(DEFINE)
#undef DEFINE
#define DEFINE(name, ctype)                                                                                            \
    DEFINE_REDUCE(name, ctype, value_##name, sum, WRAPPING(+))                                                         \
    DEFINE_REDUCE(name, ctype, value_##name, prod, WRAPPING(*))                                                        \
    DEFINE_SCANS(name, ctype, value_##name, WRAPPING(+))
#define INTEGERS(X)                                                                                                    \
    SHMEM_SMALL_TYPES(X) SHMEM_INT_TYPES(X) SHMEM_USMALL_TYPES(X) SHMEM_UINT_TYPES(X) SHMEM_WIDTH_TYPES(X)
INTEGERS(DEFINE)
#undef DEFINE

int
main(void)
{
    shmem_init();
#define BITWISE(name, ctype) and_##name(SHORT, 0), or_##name(1, 1), xor_##name(SHORT, 1);
    SHMEM_REDUCE_BITWISE_TYPES(BITWISE)
#define MINMAX(name, ctype) max_##name(SHORT, 0), min_##name(SHORT, 1);
    SHMEM_REDUCE_MINMAX_TYPES(MINMAX)
#define ARITH(name, ctype) sum_##name(SHORT, 0), prod_##name(SHORT, 1), scans_##name(SHORT, 0), scans_##name(1, 1);
    SHMEM_REDUCE_ARITH_TYPES(ARITH)
    sum_double(LONG, 0), sum_long(LONG, 1), scans_uint64(LONG, 1), xor_uint64(LONG, 0), scans_complexd(LONG, 0);
    shmem_finalize();
    return 0;
}
