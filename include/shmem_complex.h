/* shmem_complex.h -- in C++, the complex collectives take double _Complex as well as std::complex<double>.
 *
 * The standard names the C type; C++ programs use either, for the compilers know _Complex in C++ too, and the two have
 * one layout. An overload hands its pointers on. It is always inlined, so that a finding names the line of the program.
 * Part of shmem.h, which includes it; in C it is empty.
 */
#ifndef SHMEM_COMPLEX_H
#define SHMEM_COMPLEX_H

#include "shmem.h"

#ifdef __cplusplus

#define SHMEM_COMPLEX_OVERLOAD(name, part, op)                                                                         \
    __extension__ __attribute__((always_inline)) static inline int shmem_complex##name##_##op(                         \
        shmem_team_t team, _Complex part *dest, const _Complex part *source, size_t count)                             \
    {                                                                                                                  \
        return shmem_complex##name##_##op(team, reinterpret_cast<shmem_complex##name##_t *>(dest),                     \
                                          reinterpret_cast<const shmem_complex##name##_t *>(source), count);           \
    }
#define SHMEM_COMPLEX_OVERLOADS(op) SHMEM_COMPLEX_OVERLOAD(d, double, op) SHMEM_COMPLEX_OVERLOAD(f, float, op)

SHMEM_COMPLEX_OVERLOADS(sum_reduce)
SHMEM_COMPLEX_OVERLOADS(prod_reduce)
SHMEM_COMPLEX_OVERLOADS(sum_inscan)
SHMEM_COMPLEX_OVERLOADS(sum_exscan)

#define SHMEM_COMPLEX_TO_ALL(name, part, op)                                                                           \
    __extension__ __attribute__((always_inline)) static inline void shmem_complex##name##_##op##_to_all(               \
        _Complex part *dest, const _Complex part *source, int nreduce, int PE_start, int logPE_stride, int PE_size,    \
        _Complex part *pWrk, long *pSync)                                                                              \
    {                                                                                                                  \
        shmem_complex##name##_##op##_to_all(reinterpret_cast<shmem_complex##name##_t *>(dest),                         \
                                            reinterpret_cast<const shmem_complex##name##_t *>(source), nreduce,        \
                                            PE_start, logPE_stride, PE_size,                                           \
                                            reinterpret_cast<shmem_complex##name##_t *>(pWrk), pSync);                 \
    }
SHMEM_COMPLEX_TO_ALL(d, double, sum)
SHMEM_COMPLEX_TO_ALL(f, float, sum)
SHMEM_COMPLEX_TO_ALL(d, double, prod)
SHMEM_COMPLEX_TO_ALL(f, float, prod)

#undef SHMEM_COMPLEX_TO_ALL
#undef SHMEM_COMPLEX_OVERLOADS
#undef SHMEM_COMPLEX_OVERLOAD

#endif

#endif
