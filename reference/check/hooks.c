/* hooks.c -- the entry points that compilers call when a program is built with -fsanitize=thread.
 *
 * `oshcc -fsanitize=shmem` uses the compiler's thread-sanitizer instrumentation, and these functions stand where the
 * sanitizer's runtime would. gcc and clang emit different subsets; all are here. Nothing of a function's entry and exit
 * is kept: stacks are walked when something is found, which is cheaper than keeping them.
 *
 * C11 atomics come here instead of being compiled in place, so they are carried out here, all with sequential
 * consistency: the program cannot ask for more, and a simulated run has nothing to gain from less. They are told as
 * "atomic": they order what stands before and behind them, and do not race among themselves.
 */
#include "reference/check/hooks.h"

#define EXPORT __attribute__((visibility("default")))
#define SITE __builtin_return_address(0)

/* Every declaration at once: these functions have no header, their callers are made by compilers. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

bool fp_hooks_linked;

EXPORT void
__tsan_init(void)
{
    fp_hooks_linked = true;
    if (fp_self)
        fp_self->job->hooked = true;
}

EXPORT void
__tsan_func_entry(void *caller)
{
}

EXPORT void
__tsan_func_exit(void)
{
}

#define DEFINE_ACCESS(name, bytes, write)                                                                              \
    EXPORT void __tsan_##name(void *address)                                                                           \
    {                                                                                                                  \
        fp_touch(address, bytes, write, write ? "store" : "load", SITE);                                               \
    }
/* A compound assignment: told as the store, which conflicts with all that the load would. */
#define DEFINE_SIZE(bytes)                                                                                             \
    DEFINE_ACCESS(read##bytes, bytes, false)                                                                           \
    DEFINE_ACCESS(write##bytes, bytes, true)                                                                           \
    DEFINE_ACCESS(read_write##bytes, bytes, true)                                                                      \
    DEFINE_ACCESS(volatile_read##bytes, bytes, false)                                                                  \
    DEFINE_ACCESS(volatile_write##bytes, bytes, true)                                                                  \
    DEFINE_ACCESS(unaligned_read##bytes, bytes, false)                                                                 \
    DEFINE_ACCESS(unaligned_write##bytes, bytes, true)                                                                 \
    DEFINE_ACCESS(unaligned_read_write##bytes, bytes, true)                                                            \
    DEFINE_ACCESS(unaligned_volatile_read##bytes, bytes, false)                                                        \
    DEFINE_ACCESS(unaligned_volatile_write##bytes, bytes, true)
DEFINE_SIZE(1)
DEFINE_SIZE(2)
DEFINE_SIZE(4)
DEFINE_SIZE(8)
DEFINE_SIZE(16)

#define DEFINE_PC_ACCESS(bytes)                                                                                        \
    EXPORT void __tsan_read##bytes##_pc(void *address, void *pc)                                                       \
    {                                                                                                                  \
        fp_touch(address, bytes, false, "load", pc);                                                                   \
    }                                                                                                                  \
    EXPORT void __tsan_write##bytes##_pc(void *address, void *pc)                                                      \
    {                                                                                                                  \
        fp_touch(address, bytes, true, "store", pc);                                                                   \
    }
DEFINE_PC_ACCESS(1)
DEFINE_PC_ACCESS(2)
DEFINE_PC_ACCESS(4)
DEFINE_PC_ACCESS(8)
DEFINE_PC_ACCESS(16)

EXPORT void
__tsan_read_range(void *address, unsigned long bytes)
{
    fp_touch(address, bytes, false, "load", SITE);
}

EXPORT void
__tsan_write_range(void *address, unsigned long bytes)
{
    fp_touch(address, bytes, true, "store", SITE);
}

EXPORT void
__tsan_vptr_read(void **address)
{
    fp_touch(address, sizeof *address, false, "load", SITE);
}

EXPORT void
__tsan_vptr_update(void **address, void *value)
{
    fp_touch(address, sizeof *address, true, "store", SITE);
}

EXPORT void *
__tsan_memcpy(void *dest, const void *source, size_t bytes)
{
    fp_touch(source, bytes, false, "memcpy", SITE);
    fp_touch(dest, bytes, true, "memcpy", SITE);
    return __builtin_memcpy(dest, source, bytes);
}

EXPORT void *
__tsan_memmove(void *dest, const void *source, size_t bytes)
{
    fp_touch(source, bytes, false, "memmove", SITE);
    fp_touch(dest, bytes, true, "memmove", SITE);
    return __builtin_memmove(dest, source, bytes);
}

EXPORT void *
__tsan_memset(void *dest, int value, size_t bytes)
{
    fp_touch(dest, bytes, true, "memset", SITE);
    return __builtin_memset(dest, value, bytes);
}

EXPORT void
__tsan_ignore_thread_begin(void)
{
}

EXPORT void
__tsan_ignore_thread_end(void)
{
}

EXPORT void
__tsan_atomic_thread_fence(int order)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

EXPORT void
__tsan_atomic_signal_fence(int order)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* --- atomics of 1 to 8 bytes -------------------------------------------------------------------------------------- */

#define DEFINE_FETCH(bits, type, op, builtin)                                                                          \
    EXPORT type __tsan_atomic##bits##_fetch_##op(volatile type *a, type v, int order)                                  \
    {                                                                                                                  \
        fp_touch((const void *)a, sizeof *a, true, "atomic", SITE);                                                    \
        return builtin(a, v, __ATOMIC_SEQ_CST);                                                                        \
    }
#define DEFINE_COMPARE(bits, type, strength)                                                                           \
    EXPORT int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *a, type *c, type v, int order,         \
                                                                 int fail)                                             \
    {                                                                                                                  \
        fp_touch((const void *)a, sizeof *a, true, "atomic", SITE);                                                    \
        return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                        \
    }
#define DEFINE_ATOMIC(bits, type)                                                                                      \
    EXPORT type __tsan_atomic##bits##_load(const volatile type *a, int order)                                          \
    {                                                                                                                  \
        fp_touch((const void *)a, sizeof *a, false, "atomic", SITE);                                                   \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                                   \
    }                                                                                                                  \
    EXPORT void __tsan_atomic##bits##_store(volatile type *a, type v, int order)                                       \
    {                                                                                                                  \
        fp_touch((const void *)a, sizeof *a, true, "atomic", SITE);                                                    \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                                      \
    }                                                                                                                  \
    EXPORT type __tsan_atomic##bits##_exchange(volatile type *a, type v, int order)                                    \
    {                                                                                                                  \
        fp_touch((const void *)a, sizeof *a, true, "atomic", SITE);                                                    \
        return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                                            \
    }                                                                                                                  \
    EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int order, int fail)      \
    {                                                                                                                  \
        fp_touch((const void *)a, sizeof *a, true, "atomic", SITE);                                                    \
        __atomic_compare_exchange_n(a, &c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                              \
        return c;                                                                                                      \
    }                                                                                                                  \
    DEFINE_COMPARE(bits, type, strong)                                                                                 \
    DEFINE_COMPARE(bits, type, weak)                                                                                   \
    DEFINE_FETCH(bits, type, add, __atomic_fetch_add)                                                                  \
    DEFINE_FETCH(bits, type, sub, __atomic_fetch_sub)                                                                  \
    DEFINE_FETCH(bits, type, and, __atomic_fetch_and)                                                                  \
    DEFINE_FETCH(bits, type, or, __atomic_fetch_or)                                                                    \
    DEFINE_FETCH(bits, type, xor, __atomic_fetch_xor)                                                                  \
    DEFINE_FETCH(bits, type, nand, __atomic_fetch_nand)
DEFINE_ATOMIC(8, unsigned char)
DEFINE_ATOMIC(16, unsigned short)
DEFINE_ATOMIC(32, unsigned int)
DEFINE_ATOMIC(64, unsigned long)

/* --- atomics of 16 bytes: all by the one instruction there is ----------------------------------------------------- */

typedef unsigned __int128 wide_t;
#define WIDE __attribute__((target("cx16")))

WIDE static wide_t
wide_compare_exchange(volatile wide_t *a, wide_t expected, wide_t desired)
{
    return __sync_val_compare_and_swap(a, expected, desired);
}

WIDE static wide_t
wide_load(const volatile wide_t *a)
{
    return wide_compare_exchange((volatile wide_t *)(uintptr_t)a, 0, 0);
}

EXPORT wide_t
__tsan_atomic128_load(const volatile wide_t *a, int order)
{
    fp_touch((const void *)a, sizeof *a, false, "atomic", SITE);
    return wide_load(a);
}

EXPORT wide_t
__tsan_atomic128_compare_exchange_val(volatile wide_t *a, wide_t c, wide_t v, int order, int fail)
{
    fp_touch((const void *)a, sizeof *a, true, "atomic", SITE);
    return wide_compare_exchange(a, c, v);
}

static int
wide_compare(volatile wide_t *a, wide_t *c, wide_t v)
{
    wide_t expected = *c, was = wide_compare_exchange(a, expected, v);
    *c = was;
    return was == expected;
}

EXPORT int
__tsan_atomic128_compare_exchange_strong(volatile wide_t *a, wide_t *c, wide_t v, int order, int fail)
{
    fp_touch((const void *)a, sizeof *a, true, "atomic", SITE);
    return wide_compare(a, c, v);
}

EXPORT int
__tsan_atomic128_compare_exchange_weak(volatile wide_t *a, wide_t *c, wide_t v, int order, int fail)
{
    fp_touch((const void *)a, sizeof *a, true, "atomic", SITE);
    return wide_compare(a, c, v);
}

#define DEFINE_WIDE(name, expression)                                                                                  \
    EXPORT wide_t __tsan_atomic128_##name(volatile wide_t *a, wide_t v, int order)                                     \
    {                                                                                                                  \
        fp_touch((const void *)a, sizeof *a, true, "atomic", SITE);                                                    \
        wide_t was = wide_load(a), seen;                                                                               \
        while ((seen = wide_compare_exchange(a, was, (expression))) != was)                                            \
            was = seen;                                                                                                \
        return was;                                                                                                    \
    }
DEFINE_WIDE(exchange, v)
DEFINE_WIDE(fetch_add, was + v)
DEFINE_WIDE(fetch_sub, was - v)
DEFINE_WIDE(fetch_and, was &v)
DEFINE_WIDE(fetch_or, was | v)
DEFINE_WIDE(fetch_xor, was ^ v)
DEFINE_WIDE(fetch_nand, ~(was &v))

EXPORT void
__tsan_atomic128_store(volatile wide_t *a, wide_t v, int order)
{
    fp_touch((const void *)a, sizeof *a, true, "atomic", SITE);
    wide_t was = wide_load(a), seen;
    while ((seen = wide_compare_exchange(a, was, v)) != was)
        was = seen;
}
