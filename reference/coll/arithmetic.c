/* arithmetic.c -- the seven reductions on every type that has them (semantics 4.1).
 *
 * Integers wrap (A31): they are added and multiplied as unsigned, in the widest type, so that a short does not
 * overflow as an int. A NULL in the table is a pair that no routine asks for. */
#include "reference/coll/algorithms.h"
#include "shmem.h"

typedef void combine(void *accumulator, const void *operand, size_t nelems);

#define COMBINE(op, name, ctype, expression)                                                                           \
    static void op##_##name(void *accumulator, const void *operand, size_t nelems)                                     \
    {                                                                                                                  \
        ctype *a = accumulator;                                                                                        \
        const ctype *b = operand;                                                                                      \
                                                                                                                       \
        for (size_t i = 0; i < nelems; i++)                                                                            \
            a[i] = (ctype)(expression);                                                                                \
    }

#define BITWISE(name, ctype)                                                                                           \
    COMBINE(and, name, ctype, a[i] & b[i]) COMBINE(or, name, ctype, a[i] | b[i]) COMBINE(xor, name, ctype, a[i] ^ b[i])
SHMEM_REDUCE_BITWISE_TYPES(BITWISE)
SHMEM_TO_ALL_BITWISE_TYPES(BITWISE) /* disjoint: these have no team form */
#define MINMAX(name, ctype)                                                                                            \
    COMBINE(max, name, ctype, a[i] > b[i] ? a[i] : b[i]) COMBINE(min, name, ctype, a[i] < b[i] ? a[i] : b[i])
SHMEM_REDUCE_MINMAX_TYPES(MINMAX)
#define REAL_ARITHMETIC(name, ctype) COMBINE(sum, name, ctype, a[i] + b[i]) COMBINE(prod, name, ctype, a[i] * b[i])
SHMEM_FLOAT_TYPES(REAL_ARITHMETIC)
SHMEM_LONGDOUBLE_TYPES(REAL_ARITHMETIC)
SHMEM_COMPLEX_TYPES(REAL_ARITHMETIC)
#define INTEGER_ARITHMETIC(name, ctype)                                                                                \
    COMBINE(sum, name, ctype, (unsigned long long)a[i] + (unsigned long long)b[i])                                     \
    COMBINE(prod, name, ctype, (unsigned long long)a[i] * (unsigned long long)b[i])
#define INTEGER_TYPES(X)                                                                                               \
    SHMEM_SMALL_TYPES(X) SHMEM_INT_TYPES(X) SHMEM_USMALL_TYPES(X) SHMEM_UINT_TYPES(X) SHMEM_WIDTH_TYPES(X)
INTEGER_TYPES(INTEGER_ARITHMETIC)

static combine *const combines[][SHMEM_TYPE_COUNT] = {
#define AND_ROW(name, ctype) [SHMEM_TYPE_##name] = and_##name,
#define OR_ROW(name, ctype) [SHMEM_TYPE_##name] = or_##name,
#define XOR_ROW(name, ctype) [SHMEM_TYPE_##name] = xor_##name,
#define MAX_ROW(name, ctype) [SHMEM_TYPE_##name] = max_##name,
#define MIN_ROW(name, ctype) [SHMEM_TYPE_##name] = min_##name,
#define SUM_ROW(name, ctype) [SHMEM_TYPE_##name] = sum_##name,
#define PROD_ROW(name, ctype) [SHMEM_TYPE_##name] = prod_##name,
    [SHMEM_REDUCE_AND] = {SHMEM_REDUCE_BITWISE_TYPES(AND_ROW) SHMEM_TO_ALL_BITWISE_TYPES(AND_ROW)},
    [SHMEM_REDUCE_OR] = {SHMEM_REDUCE_BITWISE_TYPES(OR_ROW) SHMEM_TO_ALL_BITWISE_TYPES(OR_ROW)},
    [SHMEM_REDUCE_XOR] = {SHMEM_REDUCE_BITWISE_TYPES(XOR_ROW) SHMEM_TO_ALL_BITWISE_TYPES(XOR_ROW)},
    [SHMEM_REDUCE_MAX] = {SHMEM_REDUCE_MINMAX_TYPES(MAX_ROW)},
    [SHMEM_REDUCE_MIN] = {SHMEM_REDUCE_MINMAX_TYPES(MIN_ROW)},
    [SHMEM_REDUCE_SUM] = {SHMEM_REDUCE_ARITH_TYPES(SUM_ROW)},
    [SHMEM_REDUCE_PROD] = {SHMEM_REDUCE_ARITH_TYPES(PROD_ROW)},
};

bool
fp_arithmetic_exact(shmem_type_t type)
{
    static const bool exact[SHMEM_TYPE_COUNT] = {
#define EXACT_ROW(name, ctype) [SHMEM_TYPE_##name] = true,
        INTEGER_TYPES(EXACT_ROW)
#undef EXACT_ROW
    };

    return exact[type];
}

void
fp_arithmetic(shmem_reduce_t op, shmem_type_t type, void *accumulator, const void *operand, size_t nelems)
{
    FP_ASSERT(combines[op][type] != NULL);
    combines[op][type](accumulator, operand, nelems);
}
