/* libc_strings.c -- what libc's string routines read and write on the program's behalf; see libc_calls.c.
 *
 * How long a string is costs as much to find out as the call itself, so that is done only where the answer will be told
 * to somebody.
 */
#include <stdio.h>
#include <string.h>

#include "reference/check/libc_calls.h"

#define UNBOUNDED ((size_t)PTRDIFF_MAX)

/* The real forms with a check of the destination's size, which libc declares in no header. */
char *__strcpy_chk(char *dest, const char *source, size_t room);
char *__strncpy_chk(char *dest, const char *source, size_t n, size_t room);
char *__stpcpy_chk(char *dest, const char *source, size_t room);
char *__strcat_chk(char *dest, const char *source, size_t room);
char *__strncat_chk(char *dest, const char *source, size_t n, size_t room);
int __vsprintf_chk(char *dest, int flag, size_t room, const char *format, va_list arguments);
int __vsnprintf_chk(char *dest, size_t n, int flag, size_t room, const char *format, va_list arguments);

/* Whether anything about these two addresses will be told: finding out how long a string is costs as much as the call
 * itself. */
static inline bool
told(const void *left, const void *right)
{
    struct fp_pe *pe = fp_touch_pe();
    return pe && (fp_touch_matters(pe, left) || fp_touch_matters(pe, right));
}

/* --- strings that are read ---------------------------------------------------------------------------------------- */

size_t
fp_call_strlen(const char *s)
{
    ALIVE(s, false, "strlen");
    size_t n = strlen(s);
    READS(s, n + 1, "strlen");
    return n;
}

size_t
fp_call_strnlen(const char *s, size_t max)
{
    ALIVE(s, false, "strnlen");
    size_t n = strnlen(s, max);
    READS(s, n < max ? n + 1 : n, "strnlen");
    return n;
}

/* How much two strings were compared: up to the first difference or end, both included. */
static size_t
compared(const char *left, const char *right, size_t max)
{
    size_t n = 0;
    while (n < max && left[n] == right[n] && left[n] != '\0')
        n++;
    return n < max ? n + 1 : n;
}

int
fp_call_strcmp(const char *left, const char *right)
{
    if (told(left, right)) {
        ALIVE(left, false, "strcmp");
        ALIVE(right, false, "strcmp");
        size_t n = compared(left, right, UNBOUNDED);
        READS(left, n, "strcmp");
        READS(right, n, "strcmp");
    }
    return strcmp(left, right);
}

int
fp_call_strncmp(const char *left, const char *right, size_t max)
{
    if (max && told(left, right)) {
        ALIVE(left, false, "strncmp");
        ALIVE(right, false, "strncmp");
        size_t n = compared(left, right, max);
        READS(left, n, "strncmp");
        READS(right, n, "strncmp");
    }
    return strncmp(left, right, max);
}

char *
fp_call_strchr(const char *s, int c)
{
    ALIVE(s, false, "strchr");
    char *at = strchr(s, c);
    if (told(s, s))
        READS(s, at ? (size_t)(at - s) + 1 : strlen(s) + 1, "strchr");
    return at;
}

/* Reads the whole string. */
#define READS_STRING(s, name)                                                                                          \
    do {                                                                                                               \
        if (told(s, s)) {                                                                                              \
            ALIVE(s, false, name);                                                                                     \
            READS(s, strlen(s) + 1, name);                                                                             \
        }                                                                                                              \
    } while (0)

char *
fp_call_strrchr(const char *s, int c)
{
    READS_STRING(s, "strrchr");
    return strrchr(s, c);
}

char *
fp_call_strstr(const char *in, const char *what)
{
    READS_STRING(what, "strstr");
    ALIVE(in, false, "strstr");
    char *at = strstr(in, what);
    if (told(in, in))
        READS(in, at ? (size_t)(at - in) + strlen(what) : strlen(in) + 1, "strstr");
    return at;
}

char *
fp_call_strdup(const char *s)
{
    READS_STRING(s, "strdup");
    return strdup(s);
}

char *
fp_call_strndup(const char *s, size_t max)
{
    if (told(s, s)) {
        ALIVE(s, false, "strndup");
        size_t n = strnlen(s, max);
        READS(s, n < max ? n + 1 : n, "strndup");
    }
    return strndup(s, max);
}

/* --- strings that are written ------------------------------------------------------------------------------------- */

/* What a copy of at most `max` characters of source reads; it is told here. */
static inline size_t
copy_reads(const char *source, size_t max, const char *name, const void *site)
{
    fp_libc_alive(source, false, name, site);
    size_t n = strnlen(source, max);
    if (n < max)
        n++;
    fp_touch(source, n, false, name, site);
    return n;
}

static inline void
copy(char *dest, const char *source, const char *name, const void *site)
{
    if (told(dest, source))
        fp_touch(dest, copy_reads(source, UNBOUNDED, name, site), true, name, site);
}

/* strncpy pads with zeros: all n bytes are written. */
static inline void
copy_padded(char *dest, const char *source, size_t n, const char *name, const void *site)
{
    if (told(source, source))
        copy_reads(source, n, name, site);
    fp_touch(dest, n, true, name, site);
}

static inline void
append(char *dest, const char *source, size_t max, const char *name, const void *site)
{
    if (!told(dest, source))
        return;
    size_t end = copy_reads(dest, UNBOUNDED, name, site) - 1, n = copy_reads(source, max, name, site);
    bool ended = n && source[n - 1] == '\0';
    fp_touch(dest + end, ended ? n : n + 1, true, name, site);
}

char *
fp_call_strcpy(char *dest, const char *source)
{
    copy(dest, source, "strcpy", SITE);
    return strcpy(dest, source);
}

char *
fp_call_strcpy_chk(char *dest, const char *source, size_t room)
{
    copy(dest, source, "strcpy", SITE);
    return __strcpy_chk(dest, source, room);
}

char *
fp_call_stpcpy(char *dest, const char *source)
{
    copy(dest, source, "stpcpy", SITE);
    return stpcpy(dest, source);
}

char *
fp_call_stpcpy_chk(char *dest, const char *source, size_t room)
{
    copy(dest, source, "stpcpy", SITE);
    return __stpcpy_chk(dest, source, room);
}

char *
fp_call_strncpy(char *dest, const char *source, size_t n)
{
    copy_padded(dest, source, n, "strncpy", SITE);
    return __builtin_strncpy(dest, source, n);
}

char *
fp_call_strncpy_chk(char *dest, const char *source, size_t n, size_t room)
{
    copy_padded(dest, source, n, "strncpy", SITE);
    return __strncpy_chk(dest, source, n, room);
}

char *
fp_call_strcat(char *dest, const char *source)
{
    append(dest, source, UNBOUNDED, "strcat", SITE);
    return strcat(dest, source);
}

char *
fp_call_strcat_chk(char *dest, const char *source, size_t room)
{
    append(dest, source, UNBOUNDED, "strcat", SITE);
    return __strcat_chk(dest, source, room);
}

char *
fp_call_strncat(char *dest, const char *source, size_t n)
{
    append(dest, source, n, "strncat", SITE);
    return __builtin_strncat(dest, source, n);
}

char *
fp_call_strncat_chk(char *dest, const char *source, size_t n, size_t room)
{
    append(dest, source, n, "strncat", SITE);
    return __strncat_chk(dest, source, n, room);
}

/* --- formatted ---------------------------------------------------------------------------------------------------- */

static int
printed(char *dest, size_t room, int length, const char *name, const void *site)
{
    size_t n = length < 0 ? 0 : (size_t)length + 1;
    fp_touch(dest, n < room ? n : room, true, name, site);
    return length;
}

int
fp_call_vsprintf(char *dest, const char *format, va_list arguments)
{
    ALIVE(dest, true, "sprintf");
    return printed(dest, SIZE_MAX, vsprintf(dest, format, arguments), "sprintf", SITE);
}

int
fp_call_vsprintf_chk(char *dest, int flag, size_t room, const char *format, va_list arguments)
{
    ALIVE(dest, true, "sprintf");
    return printed(dest, SIZE_MAX, __vsprintf_chk(dest, flag, room, format, arguments), "sprintf", SITE);
}

int
fp_call_vsnprintf(char *dest, size_t n, const char *format, va_list arguments)
{
    ALIVE(dest, true, "snprintf");
    return printed(dest, n, vsnprintf(dest, n, format, arguments), "snprintf", SITE);
}

int
fp_call_vsnprintf_chk(char *dest, size_t n, int flag, size_t room, const char *format, va_list arguments)
{
    ALIVE(dest, true, "snprintf");
    return printed(dest, n, __vsnprintf_chk(dest, n, flag, room, format, arguments), "snprintf", SITE);
}

int
fp_call_sprintf(char *dest, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ALIVE(dest, true, "sprintf");
    int n = printed(dest, SIZE_MAX, vsprintf(dest, format, arguments), "sprintf", SITE);
    va_end(arguments);
    return n;
}

int
fp_call_sprintf_chk(char *dest, int flag, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ALIVE(dest, true, "sprintf");
    int n = printed(dest, SIZE_MAX, __vsprintf_chk(dest, flag, room, format, arguments), "sprintf", SITE);
    va_end(arguments);
    return n;
}

int
fp_call_snprintf(char *dest, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ALIVE(dest, true, "snprintf");
    int n = printed(dest, room, vsnprintf(dest, room, format, arguments), "snprintf", SITE);
    va_end(arguments);
    return n;
}

int
fp_call_snprintf_chk(char *dest, size_t n, int flag, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ALIVE(dest, true, "snprintf");
    int length = printed(dest, n, __vsnprintf_chk(dest, n, flag, room, format, arguments), "snprintf", SITE);
    va_end(arguments);
    return length;
}
