/* shmem_types.h -- the one table of element types.
 *
 * Every typed routine of OpenSHMEM is generated from the rows below; a type is named nowhere else. A row is
 * X(NAME, ctype): NAME is the TYPENAME of the specification (shmem_NAME_put), ctype the C type.
 *
 * The lists are made of disjoint groups and composed upward. SHMEM_C_TYPES are distinct C types, so they alone may
 * feed a _Generic selection; SHMEM_WIDTH_TYPES are aliases of some of them (int32_t is int), so two NAMEs can be the
 * same C type: shmem_type_t values are therefore compared through shmem_type_same() where identity matters (1.12).
 */
#ifndef SHMEM_TYPES_H
#define SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* Groups: disjoint. */
#define SHMEM_FLOAT_TYPES(X) X(float, float) X(double, double)
#define SHMEM_LONGDOUBLE_TYPES(X) X(longdouble, long double)
#define SHMEM_SMALL_TYPES(X) X(char, char) X(schar, signed char) X(short, short)
#define SHMEM_USMALL_TYPES(X) X(uchar, unsigned char) X(ushort, unsigned short)
#define SHMEM_INT_TYPES(X) X(int, int) X(long, long) X(longlong, long long)
#define SHMEM_UINT_TYPES(X) X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long)
#define SHMEM_SMALL_WIDTH_TYPES(X) X(int8, int8_t) X(int16, int16_t)
#define SHMEM_USMALL_WIDTH_TYPES(X) X(uint8, uint8_t) X(uint16, uint16_t)
#define SHMEM_INT_WIDTH_TYPES(X) X(int32, int32_t) X(int64, int64_t)
#define SHMEM_UINT_WIDTH_TYPES(X) X(uint32, uint32_t) X(uint64, uint64_t)
#define SHMEM_SIZE_TYPES(X) X(size, size_t)
#define SHMEM_PTRDIFF_TYPES(X) X(ptrdiff, ptrdiff_t)
#ifdef __cplusplus
#define SHMEM_COMPLEX_TYPES(X) X(complexd, shmem_complexd_t) X(complexf, shmem_complexf_t)
#else
#define SHMEM_COMPLEX_TYPES(X) X(complexd, double _Complex) X(complexf, float _Complex)
#endif

/* Compositions. */
#define SHMEM_C_TYPES(X)                                                                                               \
    SHMEM_FLOAT_TYPES(X)                                                                                               \
    SHMEM_LONGDOUBLE_TYPES(X) SHMEM_SMALL_TYPES(X) SHMEM_INT_TYPES(X) SHMEM_USMALL_TYPES(X) SHMEM_UINT_TYPES(X)
#define SHMEM_WIDTH_TYPES(X)                                                                                           \
    SHMEM_SMALL_WIDTH_TYPES(X)                                                                                         \
    SHMEM_INT_WIDTH_TYPES(X)                                                                                           \
    SHMEM_USMALL_WIDTH_TYPES(X) SHMEM_UINT_WIDTH_TYPES(X) SHMEM_SIZE_TYPES(X) SHMEM_PTRDIFF_TYPES(X)

#define SHMEM_RMA_TYPES(X) SHMEM_C_TYPES(X) SHMEM_WIDTH_TYPES(X) /* 24 */
#define SHMEM_AMO_STANDARD_TYPES(X)                              /* 12, also wait and test */                          \
    SHMEM_INT_TYPES(X)                                                                                                 \
    SHMEM_UINT_TYPES(X) SHMEM_INT_WIDTH_TYPES(X) SHMEM_UINT_WIDTH_TYPES(X) SHMEM_SIZE_TYPES(X) SHMEM_PTRDIFF_TYPES(X)
#define SHMEM_AMO_EXTENDED_TYPES(X) SHMEM_FLOAT_TYPES(X) SHMEM_AMO_STANDARD_TYPES(X) /* 14 */
#define SHMEM_AMO_BITWISE_TYPES(X) /* 7 */ SHMEM_UINT_TYPES(X) SHMEM_INT_WIDTH_TYPES(X) SHMEM_UINT_WIDTH_TYPES(X)
#define SHMEM_P2P_TYPES(X) SHMEM_AMO_STANDARD_TYPES(X) /* 12 */
#define SHMEM_REDUCE_BITWISE_TYPES(X)                  /* 14 */                                                        \
    SHMEM_USMALL_TYPES(X)                                                                                              \
    SHMEM_UINT_TYPES(X)                                                                                                \
    SHMEM_SMALL_WIDTH_TYPES(X) SHMEM_INT_WIDTH_TYPES(X) SHMEM_USMALL_WIDTH_TYPES(X) SHMEM_UINT_WIDTH_TYPES(X)          \
        SHMEM_SIZE_TYPES(X)
#define SHMEM_REDUCE_MINMAX_TYPES(X) SHMEM_RMA_TYPES(X)                       /* 24 */
#define SHMEM_REDUCE_ARITH_TYPES(X) SHMEM_RMA_TYPES(X) SHMEM_COMPLEX_TYPES(X) /* 26, also scans */
/* Older point-to-point and collective lists, deprecated but required. */
#define SHMEM_SHORT_TYPES(X) X(short, short)
#define SHMEM_P2P_DEPRECATED_TYPES(X) SHMEM_SHORT_TYPES(X) X(ushort, unsigned short)
#define SHMEM_WAIT_OLD_TYPES(X) SHMEM_SHORT_TYPES(X) SHMEM_INT_TYPES(X)         /* 4 */
#define SHMEM_AMO_OLD_TYPES(X) SHMEM_INT_TYPES(X)                               /* 3 */
#define SHMEM_AMO_OLD_EXTENDED_TYPES(X) SHMEM_FLOAT_TYPES(X) SHMEM_INT_TYPES(X) /* 5 */
#define SHMEM_TO_ALL_BITWISE_TYPES(X) SHMEM_SHORT_TYPES(X) SHMEM_INT_TYPES(X)   /* 4 */
#define SHMEM_TO_ALL_MINMAX_TYPES(X)                                            /* 7 */                                \
    SHMEM_SHORT_TYPES(X) SHMEM_INT_TYPES(X) SHMEM_FLOAT_TYPES(X) SHMEM_LONGDOUBLE_TYPES(X)
#define SHMEM_TO_ALL_ARITH_TYPES(X) SHMEM_TO_ALL_MINMAX_TYPES(X) SHMEM_COMPLEX_TYPES(X) /* 9 */

/* Widths of the sized routines (shmem_put8 ... shmem_put128), in bits. */
#define SHMEM_SIZES(X) X(8) X(16) X(32) X(64) X(128)
#define SHMEM_ACTIVE_SET_SIZES(X) X(32) X(64) /* deprecated collectives */

/* One integer a type: what the dispatcher, the checker and the trace see. 0 is untyped memory (mem routines). */
typedef enum shmem_type {
    SHMEM_TYPE_MEM,
#define SHMEM_TYPE_ROW(name, ctype) SHMEM_TYPE_##name,
    SHMEM_RMA_TYPES(SHMEM_TYPE_ROW)
#undef SHMEM_TYPE_ROW
        SHMEM_TYPE_complexd,
    SHMEM_TYPE_complexf,
#define SHMEM_TYPE_ROW(bits) SHMEM_TYPE_BITS##bits,
    SHMEM_SIZES(SHMEM_TYPE_ROW)
#undef SHMEM_TYPE_ROW
        SHMEM_TYPE_COUNT
} shmem_type_t;

#endif
