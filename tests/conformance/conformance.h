/* conformance.h -- what the conformance programs share: a check that ends the job, and values at the edges of a
 * type. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <shmem.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: PE %d: not so: %s\n", __FILE__, __LINE__, shmem_my_pe(), #condition);              \
            shmem_global_exit(1);                                                                                      \
        }                                                                                                              \
    } while (0)

/* The highest bit of an integer type; a large number of a real one. */
#define HIGH_BIT(ctype) ((ctype)(1ULL << ((8 * sizeof(ctype) - 1) & 63)))
#define ALL_BUT_HIGH_BIT(ctype) ((ctype)((1ULL << ((8 * sizeof(ctype) - 1) & 63)) - 1))

/* Element `i` of what PE `pe` sends: 1, -1 (all bits), the least and the largest value, and numbers that tell PEs
 * apart. */
#define DEFINE_VALUE(name, ctype)                                                                                      \
    static inline ctype value_##name(int pe, size_t i)                                                                 \
    {                                                                                                                  \
        switch (((size_t)pe + i) % 5) {                                                                                \
        case 0:                                                                                                        \
            return (ctype)(pe + 1);                                                                                    \
        case 1:                                                                                                        \
            return (ctype)-1;                                                                                          \
        case 2:                                                                                                        \
            return HIGH_BIT(ctype);                                                                                    \
        case 3:                                                                                                        \
            return ALL_BUT_HIGH_BIT(ctype);                                                                            \
        default:                                                                                                       \
            return (ctype)(i % 100);                                                                                   \
        }                                                                                                              \
    }

static inline int
next_pe(void)
{
    return (shmem_my_pe() + 1) % shmem_n_pes();
}

static inline int
previous_pe(void)
{
    return (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes();
}

#endif
