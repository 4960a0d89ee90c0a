/* libc_calls.c -- accesses that libc makes on the program's behalf.
 *
 * Calls from the program's own images to the routines below are led here (GOT slots of the images alone, so libraries
 * and Fencepost itself are not concerned). Each tells what it reads and writes and then calls the real routine. How
 * much a string routine reads is known only afterwards; there the first byte is asked to be alive before, and the rest
 * is told after. qsort is told as one access to the array; its comparator belongs to the program and has hooks of its
 * own, which is also all there is to say about bsearch.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "reference/check/libc_calls.h"
#include "reference/launch/image.h"

/* The real forms with a check of the destination's size, which libc declares in no header. */
void *__memcpy_chk(void *dest, const void *source, size_t bytes, size_t room);
void *__memmove_chk(void *dest, const void *source, size_t bytes, size_t room);
void *__mempcpy_chk(void *dest, const void *source, size_t bytes, size_t room);
void *__memset_chk(void *dest, int value, size_t bytes, size_t room);
size_t __fread_chk(void *dest, size_t room, size_t size, size_t count, FILE *file);
ssize_t __read_chk(int fd, void *dest, size_t bytes, size_t room);
void *mempcpy(void *dest, const void *source, size_t bytes);

/* --- memory ------------------------------------------------------------------------------------------------------- */

static void *
call_memcpy(void *dest, const void *source, size_t bytes)
{
    READS(source, bytes, "memcpy");
    WRITES(dest, bytes, "memcpy");
    return memcpy(dest, source, bytes);
}

static void *
call_memcpy_chk(void *dest, const void *source, size_t bytes, size_t room)
{
    READS(source, bytes, "memcpy");
    WRITES(dest, bytes, "memcpy");
    return __memcpy_chk(dest, source, bytes, room);
}

static void *
call_mempcpy(void *dest, const void *source, size_t bytes)
{
    READS(source, bytes, "mempcpy");
    WRITES(dest, bytes, "mempcpy");
    return mempcpy(dest, source, bytes);
}

static void *
call_mempcpy_chk(void *dest, const void *source, size_t bytes, size_t room)
{
    READS(source, bytes, "mempcpy");
    WRITES(dest, bytes, "mempcpy");
    return __mempcpy_chk(dest, source, bytes, room);
}

static void *
call_memmove(void *dest, const void *source, size_t bytes)
{
    READS(source, bytes, "memmove");
    WRITES(dest, bytes, "memmove");
    return memmove(dest, source, bytes);
}

static void *
call_memmove_chk(void *dest, const void *source, size_t bytes, size_t room)
{
    READS(source, bytes, "memmove");
    WRITES(dest, bytes, "memmove");
    return __memmove_chk(dest, source, bytes, room);
}

static void
call_bcopy(const void *source, void *dest, size_t bytes)
{
    READS(source, bytes, "bcopy");
    WRITES(dest, bytes, "bcopy");
    memmove(dest, source, bytes);
}

static void *
call_memset(void *dest, int value, size_t bytes)
{
    WRITES(dest, bytes, "memset");
    return memset(dest, value, bytes);
}

static void *
call_memset_chk(void *dest, int value, size_t bytes, size_t room)
{
    WRITES(dest, bytes, "memset");
    return __memset_chk(dest, value, bytes, room);
}

static void
call_bzero(void *dest, size_t bytes)
{
    WRITES(dest, bytes, "bzero");
    memset(dest, 0, bytes);
}

static int
call_memcmp(const void *left, const void *right, size_t bytes)
{
    READS(left, bytes, "memcmp");
    READS(right, bytes, "memcmp");
    return memcmp(left, right, bytes);
}

static int
call_bcmp(const void *left, const void *right, size_t bytes)
{
    READS(left, bytes, "bcmp");
    READS(right, bytes, "bcmp");
    return memcmp(left, right, bytes);
}

static void *
call_memchr(const void *in, int value, size_t bytes)
{
    ALIVE(in, false, "memchr");
    void *at = memchr(in, value, bytes);
    READS(in, at ? (size_t)((char *)at - (const char *)in) + 1 : bytes, "memchr");
    return at;
}

/* --- arrays and files --------------------------------------------------------------------------------------------- */

static void
call_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count > 1) {
        READS(base, count * size, "qsort");
        WRITES(base, count * size, "qsort");
    }
    qsort(base, count, size, compare);
}

static size_t
call_fread(void *dest, size_t size, size_t count, FILE *file)
{
    ALIVE(dest, true, "fread");
    size_t n = fread(dest, size, count, file);
    WRITES(dest, n * size, "fread");
    return n;
}

static size_t
call_fread_chk(void *dest, size_t room, size_t size, size_t count, FILE *file)
{
    ALIVE(dest, true, "fread");
    size_t n = __fread_chk(dest, room, size, count, file);
    WRITES(dest, n * size, "fread");
    return n;
}

static size_t
call_fwrite(const void *source, size_t size, size_t count, FILE *file)
{
    READS(source, size * count, "fwrite");
    return fwrite(source, size, count, file);
}

static ssize_t
call_read(int fd, void *dest, size_t bytes)
{
    ALIVE(dest, true, "read");
    ssize_t n = read(fd, dest, bytes);
    if (n > 0)
        WRITES(dest, (size_t)n, "read");
    return n;
}

static ssize_t
call_read_chk(int fd, void *dest, size_t bytes, size_t room)
{
    ALIVE(dest, true, "read");
    ssize_t n = __read_chk(fd, dest, bytes, room);
    if (n > 0)
        WRITES(dest, (size_t)n, "read");
    return n;
}

static ssize_t
call_write(int fd, const void *source, size_t bytes)
{
    READS(source, bytes, "write");
    return write(fd, source, bytes);
}

/* --- the wrong allocator (E157) ----------------------------------------------------------------------------------- */

/* Private memory goes back to libc: a pending nonblocking operation that still uses it has lost its buffer. */
static void
give_back(struct fp_pe *pe, void *block, const char *name, const void *site)
{
    if (pe && block && pe->watch_private)
        fp_touch(block, malloc_usable_size(block), true, name, site);
}

static void
call_free(void *block)
{
    struct fp_pe *pe = fp_touch_pe();
    if (pe && (fp_in_arena(pe, block) || fp_in_window(pe, block))) {
        fp_check_wrong_free(pe, block, false, "free", SITE);
        return;
    }
    give_back(pe, block, "free", SITE);
    free(block);
}

static void *
call_realloc(void *block, size_t bytes)
{
    struct fp_pe *pe = fp_touch_pe();
    if (pe && (fp_in_arena(pe, block) || fp_in_window(pe, block))) {
        fp_check_wrong_free(pe, block, true, "realloc", SITE);
        return NULL;
    }
    give_back(pe, block, "realloc", SITE);
    return realloc(block, bytes);
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

/* clang-format off */
#define ROW(name) {#name, (void *)call_##name},
#define CHECKED(name) {"__" #name "_chk", (void *)call_##name##_chk},
#define STRING(name) {#name, (void *)fp_call_##name},
#define CHECKED_STRING(name) STRING(name) {"__" #name "_chk", (void *)fp_call_##name##_chk},

const struct fp_rebind fp_rebind_accesses[] = {
    ROW(memcpy) CHECKED(memcpy) ROW(mempcpy) CHECKED(mempcpy) {"__mempcpy", (void *)call_mempcpy},
    ROW(memmove) CHECKED(memmove) ROW(bcopy) ROW(memset) CHECKED(memset) ROW(bzero)
    ROW(memcmp) ROW(bcmp) ROW(memchr)
    STRING(strlen) STRING(strnlen) STRING(strcmp) STRING(strncmp) STRING(strchr) STRING(strrchr) STRING(strstr)
    STRING(strdup) {"__strdup", (void *)fp_call_strdup}, STRING(strndup)
    CHECKED_STRING(strcpy) CHECKED_STRING(stpcpy) CHECKED_STRING(strncpy) CHECKED_STRING(strcat) CHECKED_STRING(strncat)
    CHECKED_STRING(sprintf) CHECKED_STRING(snprintf) CHECKED_STRING(vsprintf) CHECKED_STRING(vsnprintf)
    STRING(puts) STRING(fputs) CHECKED_STRING(fgets) STRING(atoi) STRING(strtod)
    STRING(strtol) STRING(strtoll) STRING(strtoul) STRING(strtoull)
    ROW(qsort) ROW(fread) CHECKED(fread) ROW(fwrite) ROW(read) CHECKED(read) ROW(write)
    ROW(free) ROW(realloc)
    {NULL, NULL},
};
/* clang-format on */
