/* wrap_amo.c -- atomics, waits and tests. */
#include <dlfcn.h>

#include "tools/record/wrap.h"

static void
amo(const struct record_call *call, uint64_t began, const char *type, size_t elem, const char *name, const char *flags,
    ctx_pointer ctx, const void *dest, int64_t value, int pe)
{
    struct wrap_op op = {.op = "amo",
                         .type = type,
                         .amo = name,
                         .flags = flags,
                         .elem = elem,
                         .n = 1,
                         .ctx = ctx,
                         .remote = dest,
                         .pe = pe,
                         .value = value};
    wrap_issue(call, &op, began);
}

#define PLAIN(...) __VA_ARGS__
#define UPDATE_(NAME, T, routine, function, value_of, params, args)                                                    \
    WRAP_VOID(NAME##_##routine, (T * dest, params int pe), (dest, args pe),                                            \
              amo(&call, began, #NAME, sizeof(T), function, "", NULL, dest, value_of, pe), (void)0)                    \
    WRAP_VOID(ctx_##NAME##_##routine, (ctx_pointer ctx, T * dest, params int pe), (ctx, dest, args pe),                \
              amo(&call, began, #NAME, sizeof(T), function, "", ctx, dest, value_of, pe), (void)0)
#define FETCH_(NAME, T, routine, function, value_of, params, args, C)                                                  \
    WRAP(T, NAME##_##routine, (C T * dest, params int pe), (dest, args pe),                                            \
         amo(&call, began, #NAME, sizeof(T), function, "fetch", NULL, dest, value_of, pe), wrap_return(&call, began))  \
    WRAP(T, ctx_##NAME##_##routine, (ctx_pointer ctx, C T * dest, params int pe), (ctx, dest, args pe),                \
         amo(&call, began, #NAME, sizeof(T), function, "fetch", ctx, dest, value_of, pe), wrap_return(&call, began))
#define WITH(T) T value,
#define VALUE wrap_value(&value, sizeof value)

#define STANDARD(NAME, T)                                                                                              \
    UPDATE_(NAME, T, atomic_add, "add", VALUE, PLAIN(T value, ), PLAIN(value, ))                                       \
    UPDATE_(NAME, T, atomic_inc, "inc", 1, PLAIN(), PLAIN())                                                           \
    FETCH_(NAME, T, atomic_fetch_add, "add", VALUE, PLAIN(T value, ), PLAIN(value, ), )                                \
    FETCH_(NAME, T, atomic_fetch_inc, "inc", 1, PLAIN(), PLAIN(), )                                                    \
    FETCH_(NAME, T, atomic_compare_swap, "cswap", VALUE, PLAIN(T wanted, T value, ), PLAIN(wanted, value, ), )
#define EXTENDED(NAME, T)                                                                                              \
    UPDATE_(NAME, T, atomic_set, "set", VALUE, PLAIN(T value, ), PLAIN(value, ))                                       \
    FETCH_(NAME, T, atomic_fetch, "fetch", 0, PLAIN(), PLAIN(), const)                                                 \
    FETCH_(NAME, T, atomic_swap, "swap", VALUE, PLAIN(T value, ), PLAIN(value, ), )
#define BITWISE_ONE(NAME, T, function)                                                                                 \
    UPDATE_(NAME, T, atomic_##function, #function, VALUE, PLAIN(T value, ), PLAIN(value, ))                            \
    FETCH_(NAME, T, atomic_fetch_##function, #function, VALUE, PLAIN(T value, ), PLAIN(value, ), )
#define BITWISE(NAME, T) BITWISE_ONE(NAME, T, and) BITWISE_ONE(NAME, T, or) BITWISE_ONE(NAME, T, xor)
SHMEM_AMO_STANDARD_TYPES(STANDARD)
SHMEM_AMO_EXTENDED_TYPES(EXTENDED)
SHMEM_AMO_BITWISE_TYPES(BITWISE)

/* The names before 1.4, without a context. */
#define OLD_UPDATE(NAME, T, routine, function, value_of, params, args)                                                 \
    WRAP_VOID(NAME##_##routine, (T * dest, params int pe), (dest, args pe),                                            \
              amo(&call, began, #NAME, sizeof(T), function, "", NULL, dest, value_of, pe), (void)0)
#define OLD_FETCH(NAME, T, routine, function, value_of, params, args)                                                  \
    WRAP(T, NAME##_##routine, (T * dest, params int pe), (dest, args pe),                                              \
         amo(&call, began, #NAME, sizeof(T), function, "fetch", NULL, dest, value_of, pe), wrap_return(&call, began))
#define OLD(NAME, T)                                                                                                   \
    OLD_UPDATE(NAME, T, add, "add", VALUE, PLAIN(T value, ), PLAIN(value, ))                                           \
    OLD_UPDATE(NAME, T, inc, "inc", 1, PLAIN(), PLAIN())                                                               \
    OLD_FETCH(NAME, T, fadd, "add", VALUE, PLAIN(T value, ), PLAIN(value, ))                                           \
    OLD_FETCH(NAME, T, finc, "inc", 1, PLAIN(), PLAIN())                                                               \
    OLD_FETCH(NAME, T, cswap, "cswap", VALUE, PLAIN(T wanted, T value, ), PLAIN(wanted, value, ))
SHMEM_AMO_OLD_TYPES(OLD)
#define OLD_EXTENDED(NAME, T)                                                                                          \
    OLD_UPDATE(NAME, T, set, "set", VALUE, PLAIN(T value, ), PLAIN(value, ))                                           \
    OLD_FETCH(NAME, T, fetch, "fetch", 0, PLAIN(), PLAIN())                                                            \
    OLD_FETCH(NAME, T, swap, "swap", VALUE, PLAIN(T value, ), PLAIN(value, ))
SHMEM_AMO_OLD_EXTENDED_TYPES(OLD_EXTENDED)

/* ---- Waits
 * ------------------------------------------------------------------------------------------------------------- */

/* The number that FORMAT.md has for a comparison. The standard leaves the numbers to the implementation: Open MPI
 * counts from 0 in an order of its own, the others that are known do as FORMAT.md does. */
static int
cmp_number(int cmp)
{
    static const int of_open_mpi[] = {1, 2, 3, 6, 5, 4};
    static int open_mpi = -1;
    if (open_mpi < 0)
        open_mpi = dlsym(RTLD_DEFAULT, "oshmem_ctx_default") != NULL;
    if (open_mpi)
        return cmp >= 0 && cmp < 6 ? of_open_mpi[cmp] : 0;
    return cmp;
}

static void
wait(const struct record_call *call, uint64_t began, const char *type, size_t elem, const char *flags, const void *at,
     int cmp, int64_t value)
{
    struct record_call seen = *call;
    struct record_fields fields = {0};
    int64_t region, offset;
    seen.event = TRACE_EV_WAIT;
    seen.type = type;
    seen.elem = elem;
    seen.flags = flags;
    record_place(at, &region, &offset);
    RECORD_SET(&fields, region, region);
    RECORD_SET(&fields, offset, offset);
    RECORD_SET(&fields, bytes, elem);
    RECORD_SET(&fields, cmp, cmp);
    RECORD_SET(&fields, value, value);
    RECORD_SET(&fields, mark, 0);
    record_write(&seen, &fields, began);
}

#define WAITS(NAME, T)                                                                                                 \
    WRAP_VOID(NAME##_wait_until, (T * at, int cmp, T value), (at, cmp, value), (void)0,                                \
              wait(&call, began, #NAME, sizeof(T), "", at, cmp_number(cmp), VALUE))                                    \
    WRAP(int, NAME##_test, (T * at, int cmp, T value), (at, cmp, value), (void)0,                                      \
         if (result) wait(&call, began, #NAME, sizeof(T), "", at, cmp_number(cmp), VALUE))
SHMEM_P2P_TYPES(WAITS)

/* Of several: one record for each that was seen. */
#define EACH(text, v)                                                                                                  \
    for (size_t i = 0; i < n; i++)                                                                                     \
        if (!status || !status[i])                                                                                     \
    wait(&call, began, text, sizeof at[i], "", &at[i], cmp_number(cmp), wrap_value(&(v), sizeof(v)))
#define ONE(text, i, v)                                                                                                \
    if ((i) < n)                                                                                                       \
    wait(&call, began, text, sizeof at[i], "", &at[i], cmp_number(cmp), wrap_value(&(v), sizeof(v)))
#define FOUND(text, v)                                                                                                 \
    for (size_t k = 0; k < result; k++)                                                                                \
    ONE(text, found[k], v)
#define WAIT_SETS(NAME, T, suffix, value_param, value, of)                                                             \
    WRAP_VOID(NAME##_wait_until_all##suffix, (T * at, size_t n, const int *status, int cmp, value_param),              \
              (at, n, status, cmp, value), (void)0, EACH(#NAME, of(i)))                                                \
    WRAP(size_t, NAME##_wait_until_any##suffix, (T * at, size_t n, const int *status, int cmp, value_param),           \
         (at, n, status, cmp, value), (void)0, ONE(#NAME, result, of(result)))                                         \
    WRAP(size_t, NAME##_wait_until_some##suffix,                                                                       \
         (T * at, size_t n, size_t * found, const int *status, int cmp, value_param),                                  \
         (at, n, found, status, cmp, value), (void)0, FOUND(#NAME, of(found[k])))                                      \
    WRAP(int, NAME##_test_all##suffix, (T * at, size_t n, const int *status, int cmp, value_param),                    \
         (at, n, status, cmp, value), (void)0, if (result) EACH(#NAME, of(i)))                                         \
    WRAP(size_t, NAME##_test_any##suffix, (T * at, size_t n, const int *status, int cmp, value_param),                 \
         (at, n, status, cmp, value), (void)0, ONE(#NAME, result, of(result)))                                         \
    WRAP(size_t, NAME##_test_some##suffix,                                                                             \
         (T * at, size_t n, size_t * found, const int *status, int cmp, value_param),                                  \
         (at, n, found, status, cmp, value), (void)0, FOUND(#NAME, of(found[k])))
#define SAME(i) value
#define ITS_OWN(i) values[i]
#define WAITS_OF_SEVERAL(NAME, T)                                                                                      \
    WAIT_SETS(NAME, T, , T value, value, SAME) WAIT_SETS(NAME, T, _vector, const T *values, values, ITS_OWN)
SHMEM_P2P_TYPES(WAITS_OF_SEVERAL)
WAITS(short, short)
WAITS(ushort, unsigned short)
#define OLD_WAIT(NAME, T)                                                                                              \
    WRAP_VOID(NAME##_wait, (T * at, T value), (at, value), (void)0,                                                    \
              wait(&call, began, #NAME, sizeof(T), "", at, 2, VALUE))
SHMEM_WAIT_OLD_TYPES(OLD_WAIT)
WRAP(uint64_t, signal_wait_until, (uint64_t * at, int cmp, uint64_t value), (at, cmp, value), (void)0,
     wait(&call, began, "uint64", 8, "signal", at, cmp_number(cmp), (int64_t)value))
