/* shmem_deprecated.h -- routines of older versions that OpenSHMEM 1.6 still demands (Annex E). Included by shmem.h,
 * once for shmem_... and once for pshmem_...
 *
 * Active sets: PE_size PEs, 2^logPE_stride apart, from PE_start; all of them call with equal arguments [usage E137,
 * mismatch E138]. pSync is a symmetric array of as many elements as the constant of the routine says, each of them
 * SHMEM_SYNC_VALUE on every PE before the call [usage E139] and again after it; it may be used for the next call when
 * all PEs have returned from this one [usage E140]; barrier and sync may use it at once. pWrk is work space of
 * max(nreduce / 2 + 1, SHMEM_REDUCE_MIN_WRKDATA_SIZE) elements, under the same rule. pSync and pWrk are the same on all
 * PEs [mismatch E141]. broadcast leaves dest of the root alone; PE_root counts in the set. */

#ifndef SHMEM_ROUTINE
#include "shmem.h"
#else

/* Names without the prefix: start_pes is init, once, with a finalize at the end of the program. */
void SHMEM_OLD_ROUTINE(start_pes)(int npes);
int SHMEM_OLD_ROUTINE(_my_pe)(void);
int SHMEM_OLD_ROUTINE(_num_pes)(void);
void *SHMEM_OLD_ROUTINE(shmalloc)(size_t size);
void *SHMEM_OLD_ROUTINE(shmemalign)(size_t alignment, size_t size);
void *SHMEM_OLD_ROUTINE(shrealloc)(void *ptr, size_t size);
void SHMEM_OLD_ROUTINE(shfree)(void *ptr);

/* shmem_X of shmem_atomic_X: swap is atomic_swap, cswap atomic_compare_swap, finc atomic_fetch_inc, ... */
#define SHMEM_DECLARE(name, ctype)                                                                                     \
    ctype SHMEM_ROUTINE(name##_fetch)(const ctype *source, int pe);                                                    \
    void SHMEM_ROUTINE(name##_set)(ctype * dest, ctype value, int pe);                                                 \
    ctype SHMEM_ROUTINE(name##_swap)(ctype * dest, ctype value, int pe);
SHMEM_AMO_OLD_EXTENDED_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#define SHMEM_DECLARE(name, ctype)                                                                                     \
    ctype SHMEM_ROUTINE(name##_cswap)(ctype * dest, ctype cond, ctype value, int pe);                                  \
    ctype SHMEM_ROUTINE(name##_finc)(ctype * dest, int pe);                                                            \
    void SHMEM_ROUTINE(name##_inc)(ctype * dest, int pe);                                                              \
    ctype SHMEM_ROUTINE(name##_fadd)(ctype * dest, ctype value, int pe);                                               \
    void SHMEM_ROUTINE(name##_add)(ctype * dest, ctype value, int pe);
SHMEM_AMO_OLD_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE

/* wait: until the variable is no longer cmp_value. */
void SHMEM_ROUTINE(wait_until)(long *ivar, int cmp, long cmp_value);
void SHMEM_ROUTINE(wait)(long *ivar, long cmp_value);
#define SHMEM_DECLARE(name, ctype) void SHMEM_ROUTINE(name##_wait)(ctype * ivar, ctype cmp_value);
SHMEM_WAIT_OLD_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#define SHMEM_DECLARE(name, ctype)                                                                                     \
    void SHMEM_ROUTINE(name##_wait_until)(ctype * ivar, int cmp, ctype cmp_value);                                     \
    int SHMEM_ROUTINE(name##_test)(ctype * ivar, int cmp, ctype cmp_value);
SHMEM_P2P_DEPRECATED_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE

void SHMEM_ROUTINE(barrier)(int PE_start, int logPE_stride, int PE_size, long *pSync);
void SHMEM_ROUTINE(sync)(int PE_start, int logPE_stride, int PE_size, long *pSync);
#define SHMEM_DECLARE(bits)                                                                                            \
    void SHMEM_ROUTINE(broadcast##bits)(void *dest, const void *source, size_t nelems, int PE_root, int PE_start,      \
                                        int logPE_stride, int PE_size, long *pSync);                                   \
    void SHMEM_ROUTINE(collect##bits)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,   \
                                      int PE_size, long *pSync);                                                       \
    void SHMEM_ROUTINE(fcollect##bits)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,  \
                                       int PE_size, long *pSync);                                                      \
    void SHMEM_ROUTINE(alltoall##bits)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,  \
                                       int PE_size, long *pSync);                                                      \
    void SHMEM_ROUTINE(alltoalls##bits)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,   \
                                        int PE_start, int logPE_stride, int PE_size, long *pSync);
SHMEM_ACTIVE_SET_SIZES(SHMEM_DECLARE)
#undef SHMEM_DECLARE

#define SHMEM_DECLARE_TO_ALL(name, ctype, op)                                                                          \
    void SHMEM_ROUTINE(name##_##op##_to_all)(ctype * dest, const ctype *source, int nreduce, int PE_start,             \
                                             int logPE_stride, int PE_size, ctype *pWrk, long *pSync);
#define SHMEM_DECLARE(name, ctype)                                                                                     \
    SHMEM_DECLARE_TO_ALL(name, ctype, and)                                                                             \
    SHMEM_DECLARE_TO_ALL(name, ctype, or) SHMEM_DECLARE_TO_ALL(name, ctype, xor)
SHMEM_TO_ALL_BITWISE_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#define SHMEM_DECLARE(name, ctype) SHMEM_DECLARE_TO_ALL(name, ctype, max) SHMEM_DECLARE_TO_ALL(name, ctype, min)
SHMEM_TO_ALL_MINMAX_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#define SHMEM_DECLARE(name, ctype) SHMEM_DECLARE_TO_ALL(name, ctype, sum) SHMEM_DECLARE_TO_ALL(name, ctype, prod)
SHMEM_TO_ALL_ARITH_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#undef SHMEM_DECLARE_TO_ALL
#endif
