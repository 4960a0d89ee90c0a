/* test_hooks.c -- what compilers and libc do for a program reaches the backend, and what is dead is reported.
 *
 * The entry points are called as an instrumented program would call them; the backend writes down what it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_heap.h"
#include "reference/launch/image.h"

void __tsan_read8(void *address);
void __tsan_write4(void *address);
void __tsan_unaligned_read16(void *address);
void __tsan_write_range(void *address, unsigned long bytes);
void *__tsan_memcpy(void *dest, const void *source, size_t bytes);
unsigned __tsan_atomic32_fetch_add(volatile unsigned *a, unsigned v, int order);
int __tsan_atomic64_compare_exchange_strong(volatile unsigned long *a, unsigned long *c, unsigned long v, int order,
                                            int fail);
unsigned char __tsan_atomic8_fetch_nand(volatile unsigned char *a, unsigned char v, int order);
unsigned __int128 __tsan_atomic128_fetch_add(volatile unsigned __int128 *a, unsigned __int128 v, int order);
int __tsan_atomic128_compare_exchange_weak(volatile unsigned __int128 *a, unsigned __int128 *c, unsigned __int128 v,
                                           int order, int fail);

struct told {
    const void *address;
    size_t bytes;
    bool write;
    const char *name;
};
static struct told told[64];
static int ntold;

static void
note_access(const void *address, size_t bytes, bool write, const char *name, const void *site)
{
    assert_non_null(site);
    assert_true(fp_self->in_runtime);
    told[ntold++] = (struct told){address, bytes, write, name};
}

static void
assert_told(int index, const void *address, size_t bytes, bool write, const char *name)
{
    assert_true(index < ntold);
    assert_ptr_equal(told[index].address, address);
    assert_int_equal(told[index].bytes, bytes);
    assert_int_equal(told[index].write, write);
    assert_string_equal(told[index].name, name);
}

static char *block;

static int
open_one(void **state)
{
    (void)state;
    rendezvous_backend.access = note_access;
    job_open(2, 1 << 20, true);
    job.npes = 1; /* one of two PEs calls, the other is only looked at */
    fp_self = &pes[0];
    block = fp_heap_calloc(1, 100, call("shmem_calloc"));
    ntold = 0;
    return 0;
}

static int
close_one(void **state)
{
    (void)state;
    job_close();
    return 0;
}

static void *
libc(const char *symbol)
{
    for (const struct fp_rebind *r = fp_rebind_accesses; r->symbol; r++)
        if (!strcmp(r->symbol, symbol))
            return r->replacement;
    fail_msg("%s is not rebound", symbol);
    return NULL;
}

static void
shared_accesses_are_told_and_private_ones_are_not(void **state)
{
    (void)state;
    long private;
    __tsan_read8(&private);
    assert_int_equal(ntold, 0);
    __tsan_read8(block + 8);
    __tsan_write4(block + 96);
    __tsan_unaligned_read16(pes[0].static_lo + 3);
    __tsan_write_range(block, 100);
    assert_told(0, block + 8, 8, false, "load");
    assert_told(1, block + 96, 4, true, "store");
    assert_told(2, pes[0].static_lo + 3, 16, false, "load");
    assert_told(3, block, 100, true, "store");
    pes[0].watch_private = true;
    __tsan_read8(&private);
    assert_told(4, &private, 8, false, "load");
    pes[0].in_runtime = true;
    __tsan_read8(block);
    pes[0].in_runtime = false;
    fp_self = NULL;
    __tsan_read8(block);
    fp_self = &pes[0];
    assert_int_equal(ntold, 5);
    assert_int_equal(findings, 0);
}

static void
atomics_are_carried_out(void **state)
{
    (void)state;
    unsigned *word = (unsigned *)block;
    *word = 40;
    assert_int_equal(__tsan_atomic32_fetch_add(word, 2, 5), 40);
    assert_int_equal(*word, 42);
    assert_told(0, word, 4, true, "atomic");
    unsigned long *wide = (unsigned long *)(block + 8), expected = 1;
    assert_int_equal(__tsan_atomic64_compare_exchange_strong(wide, &expected, 9, 5, 5), 0);
    assert_int_equal(expected, 0);
    assert_int_equal(__tsan_atomic64_compare_exchange_strong(wide, &expected, 9, 5, 5), 1);
    assert_int_equal(*wide, 9);
    unsigned char byte = 0xF0;
    assert_int_equal(__tsan_atomic8_fetch_nand(&byte, 0x30, 5), 0xF0);
    assert_int_equal(byte, (unsigned char)~0x30);
    unsigned __int128 *quad = (unsigned __int128 *)(block + 16), was = 3;
    *quad = ~(unsigned __int128)0 >> 64;
    assert_true(__tsan_atomic128_fetch_add(quad, 1, 5) == ~(unsigned __int128)0 >> 64);
    assert_true(*quad == (unsigned __int128)1 << 64);
    assert_int_equal(__tsan_atomic128_compare_exchange_weak(quad, &was, 7, 5, 5), 0);
    assert_true(was == (unsigned __int128)1 << 64);
    assert_int_equal(__tsan_atomic128_compare_exchange_weak(quad, &was, 7, 5, 5), 1);
    assert_true(*quad == 7);
}

static void
libc_calls_are_told(void **state)
{
    (void)state;
    char private[64] = "four";
    ((void *(*)(void *, const void *, size_t))libc("memcpy"))(block, private, 64);
    assert_int_equal(ntold, 1);
    assert_told(0, block, 64, true, "memcpy");
    assert_int_equal(((size_t(*)(const char *))libc("strlen"))(block), 4);
    assert_told(1, block, 5, false, "strlen");
    ((char *(*)(char *, const char *))libc("strcat"))(block, "teen");
    assert_told(2, block, 5, false, "strcat");
    assert_told(3, block + 4, 5, true, "strcat");
    assert_string_equal(block, "fourteen");
    assert_int_equal(((int (*)(char *, size_t, const char *, ...))libc("snprintf"))(block + 16, 8, "%d", 12345), 5);
    assert_told(4, block + 16, 6, true, "snprintf");
    ((char *(*)(char *, const char *, size_t))libc("strncpy"))(private, block, 20);
    assert_told(5, block, 9, false, "strncpy");
    assert_int_equal(((int (*)(const char *, const char *))libc("strcmp"))(private, block), 0);
    assert_told(6, block, 9, false, "strcmp");
    assert_int_equal(ntold, 7);
    assert_int_equal(findings, 0);
}

static void
assert_reported(int number, enum fp_class class_, const char *rule)
{
    assert_int_equal(findings, number);
    assert_int_equal(last_finding.class_, class_);
    assert_memory_equal(last_finding.rule, rule, 4);
}

static void
dead_memory_is_reported_and_the_program_goes_on(void **state)
{
    (void)state;
    fp_self->in_runtime = true; /* as the front end does around every routine */
    char *moved = fp_heap_realloc(block, 200, call("shmem_realloc"));
    fp_self->in_runtime = false;
    assert_told(0, block, 100, false, "shmem_realloc"); /* the copy counts as an access */
    assert_told(1, moved, 100, true, "shmem_realloc");
    ntold = 0;
    __tsan_read8(block);
    assert_reported(1, FP_CLASS_LIFETIME, "E026");
    assert_int_equal(last_finding.accesses[0].kind, FP_READ);
    assert_string_equal(last_finding.accesses[0].op, "load");
    assert_int_equal(last_finding.accesses[1].kind, FP_REALLOC);
    *(volatile long *)block += 1;
    __tsan_write4(moved + 198);
    assert_reported(2, FP_CLASS_BAD_ADDRESS, "E023");
    __tsan_write4(moved + 4096);
    assert_reported(3, FP_CLASS_BAD_ADDRESS, "E023");
    *(volatile int *)(moved + 4096) = 1;
    fp_heap_free(moved, call("shmem_free"));
    ((void *(*)(void *, int, size_t))libc("memset"))(moved, 1, 200);
    assert_reported(4, FP_CLASS_LIFETIME, "E025");
    assert_int_equal(last_finding.accesses[0].kind, FP_WRITE);
    assert_string_equal(last_finding.accesses[0].op, "memset");
    assert_int_equal(ntold, 0);
    assert_false(fp_check_plain(&job, &job, 4, true, "store", NULL));
}

static void
another_heap_may_be_touched_where_the_block_lives(void **state)
{
    (void)state;
    char *other = fp_translate(&job, block, 0, 1);
    __tsan_read8(other);
    assert_reported(1, FP_CLASS_BAD_ADDRESS, "E045"); /* it was sent, not asked for */
    ntold = 0;
    uint64_t mapped = 1 << 1; /* shmem_ptr gave it */
    fp_self->mapped_pes = &mapped;
    __tsan_read8(other);
    assert_int_equal(findings, 1);
    assert_told(0, other, 8, false, "load");
    __tsan_read8(other + 8192);
    assert_reported(2, FP_CLASS_BAD_ADDRESS, "E024");
}

static void
the_wrong_allocator_is_reported(void **state)
{
    (void)state;
    ((void (*)(void *))libc("free"))(block);
    assert_reported(1, FP_CLASS_LIFETIME, "E157");
    assert_int_equal(last_finding.accesses[0].kind, FP_FREE);
    assert_null(((void *(*)(void *, size_t))libc("realloc"))(block, 10));
    assert_reported(2, FP_CLASS_LIFETIME, "E157");
    assert_int_equal(last_finding.accesses[0].kind, FP_REALLOC);
    ((void (*)(void *))libc("free"))(malloc(3));
    assert_int_equal(findings, 2);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_one, close_one)
    const struct CMUnitTest tests[] = {
        TEST(shared_accesses_are_told_and_private_ones_are_not),
        TEST(atomics_are_carried_out),
        TEST(libc_calls_are_told),
        TEST(dead_memory_is_reported_and_the_program_goes_on),
        TEST(another_heap_may_be_touched_where_the_block_lives),
        TEST(the_wrong_allocator_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
