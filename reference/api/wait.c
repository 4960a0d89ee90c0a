/* wait.c -- wait_until, test and signal_wait_until (9.11).
 *
 * One descriptor serves 14 families. What needs no memory to be looked at is settled here: a comparison that does not
 * exist (E038), and empty sets. */
#include <stdlib.h>

#include "reference/api/define.h"
#include "reference/check/check.h"

static bool
set_is_empty(const shmem_wait_t *wait)
{
    for (size_t i = 0; i < wait->n; i++)
        if (wait->status == NULL || wait->status[i] == 0)
            return false;
    return true;
}

static bool
wait_judged(const shmem_wait_t *wait)
{
    const char *missing = NULL;
    size_t bytes;

    if (wait->cmp < SHMEM_CMP_EQ || wait->cmp > SHMEM_CMP_LE) {
        fp_usage(FP_CLASS_USAGE, "E038, S 9.11", &wait->call,
                 "%s was given comparison %d, which is no SHMEM_CMP_ value", wait->call.name, wait->cmp);
        return false;
    }
    if (__builtin_mul_overflow(wait->n, wait->elem_bytes, &bytes) || bytes > PTRDIFF_MAX) {
        fp_usage(FP_CLASS_USAGE, "E037, S 9.11", &wait->call, "%s was given a length that overflows: %zu elements",
                 wait->call.name, wait->n);
        return false;
    }
    if (wait->values == NULL)
        missing = "cmp_values";
    else if (wait->mode == SHMEM_WAIT_SOME && wait->indices == NULL)
        missing = "indices";
    if (missing == NULL)
        return true;
    fp_usage(FP_CLASS_USAGE, "E029, Annex C", &wait->call, "%s was given a null pointer for %s", wait->call.name,
             missing);
    return false;
}

/* What a call with an empty set gives; a refused one gives the same, so that loops over it end. */
static size_t
nothing(const shmem_wait_t *wait)
{
    switch (wait->mode) {
    case SHMEM_WAIT_ANY:
        return SIZE_MAX;
    case SHMEM_WAIT_SOME:
        return 0;
    default:
        return 1;
    }
}

static size_t
wait_until(const shmem_wait_t *wait)
{
    struct fp_pe *pe = fp_enter(&wait->call);
    size_t result = nothing(wait);

    if (pe == NULL)
        return result;
    if (!set_is_empty(wait) && wait_judged(wait))
        result = pe->job->backend->wait(wait);
    fp_leave(pe);
    return result;
}

static size_t
test(const shmem_wait_t *wait)
{
    struct fp_pe *pe = fp_enter(&wait->call);
    size_t result = nothing(wait);

    if (pe == NULL)
        return result;
    if (!set_is_empty(wait) && wait_judged(wait))
        result = pe->job->backend->test(wait);
    fp_leave(pe);
    return result;
}

#define WAIT(N, T, how, address, count, flags, operator, wanted, is_vector, out)                                       \
    ((shmem_wait_t){.mode = SHMEM_WAIT_##how,                                                                          \
                    .type = SHMEM_TYPE_##N,                                                                            \
                    .elem_bytes = sizeof(T),                                                                           \
                    .ivars = address,                                                                                  \
                    .n = count,                                                                                        \
                    .status = flags,                                                                                   \
                    .cmp = operator,                                                                                   \
                    .values = wanted,                                                                                  \
                    .vector = is_vector,                                                                               \
                    .indices = out,                                                                                    \
                    .call = call})

#define DEFINE_ONE(N, T, verb, f, scalar)                                                                              \
    FP_ROUTINE_IS(scalar, N##_##verb, (T * ivar, int cmp, T cmp_value),                                                \
                  return (scalar)f(&WAIT(N, T, ALL, ivar, 1, NULL, cmp, &cmp_value, false, NULL)))                     \
    FP_ROUTINE_IS(scalar, N##_##verb##_all, (T * ivars, size_t nelems, const int *status, int cmp, T cmp_value),       \
                  return (scalar)f(&WAIT(N, T, ALL, ivars, nelems, status, cmp, &cmp_value, false, NULL)))             \
    FP_ROUTINE_IS(size_t, N##_##verb##_any, (T * ivars, size_t nelems, const int *status, int cmp, T cmp_value),       \
                  return f(&WAIT(N, T, ANY, ivars, nelems, status, cmp, &cmp_value, false, NULL)))                     \
    FP_ROUTINE_IS(size_t, N##_##verb##_some,                                                                           \
                  (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp, T cmp_value),               \
                  return f(&WAIT(N, T, SOME, ivars, nelems, status, cmp, &cmp_value, false, indices)))                 \
    FP_ROUTINE_IS(scalar, N##_##verb##_all_vector,                                                                     \
                  (T * ivars, size_t nelems, const int *status, int cmp, const T *cmp_values),                         \
                  return (scalar)f(&WAIT(N, T, ALL, ivars, nelems, status, cmp, cmp_values, true, NULL)))              \
    FP_ROUTINE_IS(size_t, N##_##verb##_any_vector,                                                                     \
                  (T * ivars, size_t nelems, const int *status, int cmp, const T *cmp_values),                         \
                  return f(&WAIT(N, T, ANY, ivars, nelems, status, cmp, cmp_values, true, NULL)))                      \
    FP_ROUTINE_IS(size_t, N##_##verb##_some_vector,                                                                    \
                  (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp, const T *cmp_values),       \
                  return f(&WAIT(N, T, SOME, ivars, nelems, status, cmp, cmp_values, true, indices)))
#define DEFINE(N, T) DEFINE_ONE(N, T, wait_until, wait_until, void) DEFINE_ONE(N, T, test, test, int)
SHMEM_P2P_TYPES(DEFINE)
#undef DEFINE
#undef DEFINE_ONE

/* Older names (Annex E): wait is until the value is another one. */
#define DEFINE_VERB(N, T, name, scalar, f)                                                                             \
    FP_ROUTINE_IS(scalar, name, (T * ivar, int cmp, T cmp_value),                                                      \
                  return (scalar)f(&WAIT(N, T, ALL, ivar, 1, NULL, cmp, &cmp_value, false, NULL)))
#define DEFINE(N, T)                                                                                                   \
    DEFINE_VERB(N, T, N##_wait_until, void, wait_until)                                                                \
    DEFINE_VERB(N, T, N##_test, int, test)
SHMEM_P2P_DEPRECATED_TYPES(DEFINE)
#undef DEFINE
DEFINE_VERB(long, long, wait_until, void, wait_until)
#define DEFINE_WAIT(N, T, name)                                                                                        \
    FP_ROUTINE_IS(void, name, (T * ivar, T cmp_value),                                                                 \
                  wait_until(&WAIT(N, T, ALL, ivar, 1, NULL, SHMEM_CMP_NE, &cmp_value, false, NULL)))
#define DEFINE(N, T) DEFINE_WAIT(N, T, N##_wait)
SHMEM_WAIT_OLD_TYPES(DEFINE)
#undef DEFINE
DEFINE_WAIT(long, long, wait)
#undef DEFINE_WAIT
#undef DEFINE_VERB

static uint64_t
signal_wait_until(const uint64_t *sig_addr, int cmp, uint64_t cmp_value, shmem_call_t call)
{
    uint64_t seen = 0;
    shmem_wait_t wait = WAIT(uint64, uint64_t, ALL, sig_addr, 1, NULL, cmp, &cmp_value, false, NULL);

    wait.flags = SHMEM_OPF_SIGNAL;
    wait.seen = &seen;
    wait_until(&wait);
    return seen;
}

FP_ROUTINE_IS(uint64_t, signal_wait_until, (uint64_t * sig_addr, int cmp, uint64_t cmp_value),
              return signal_wait_until(sig_addr, cmp, cmp_value, call))
