/* libc_calls.h -- stand-ins for libc routines whose accesses are told; see libc_calls.c. For the libc_*.c files
 * alone. */
#ifndef FP_LIBC_CALLS_H
#define FP_LIBC_CALLS_H

#include <stdarg.h>
#include <stdio.h>

#include "reference/check/hooks.h"

#define SITE __builtin_return_address(0)
#define READS(address, bytes, name) fp_touch(address, bytes, false, name, SITE)
#define WRITES(address, bytes, name) fp_touch(address, bytes, true, name, SITE)
#define ALIVE(address, write, name) fp_libc_alive(address, write, name, SITE)

static inline void
fp_libc_alive(const void *address, bool write, const char *name, const void *site)
{
    struct fp_pe *pe = fp_touch_pe();
    if (pe && __builtin_expect(fp_touch_matters(pe, address), 0))
        fp_touch_alive(pe, address, write, name, site);
}

/* Strings (libc_strings.c). */
size_t fp_call_strlen(const char *s);
size_t fp_call_strnlen(const char *s, size_t max);
int fp_call_strcmp(const char *left, const char *right);
int fp_call_strncmp(const char *left, const char *right, size_t max);
char *fp_call_strchr(const char *s, int c);
char *fp_call_strrchr(const char *s, int c);
char *fp_call_strstr(const char *in, const char *what);
char *fp_call_strdup(const char *s);
char *fp_call_strndup(const char *s, size_t max);
char *fp_call_strcpy(char *dest, const char *source);
char *fp_call_strcpy_chk(char *dest, const char *source, size_t room);
char *fp_call_stpcpy(char *dest, const char *source);
char *fp_call_stpcpy_chk(char *dest, const char *source, size_t room);
char *fp_call_strncpy(char *dest, const char *source, size_t n);
char *fp_call_strncpy_chk(char *dest, const char *source, size_t n, size_t room);
char *fp_call_strcat(char *dest, const char *source);
char *fp_call_strcat_chk(char *dest, const char *source, size_t room);
char *fp_call_strncat(char *dest, const char *source, size_t n);
char *fp_call_strncat_chk(char *dest, const char *source, size_t n, size_t room);
int fp_call_vsprintf(char *dest, const char *format, va_list arguments);
int fp_call_vsprintf_chk(char *dest, int flag, size_t room, const char *format, va_list arguments);
int fp_call_vsnprintf(char *dest, size_t n, const char *format, va_list arguments);
int fp_call_vsnprintf_chk(char *dest, size_t n, int flag, size_t room, const char *format, va_list arguments);
int fp_call_sprintf(char *dest, const char *format, ...);
int fp_call_sprintf_chk(char *dest, int flag, size_t room, const char *format, ...);
int fp_call_snprintf(char *dest, size_t room, const char *format, ...);
int fp_call_snprintf_chk(char *dest, size_t n, int flag, size_t room, const char *format, ...);

/* Text (libc_text.c). */
int fp_call_puts(const char *text);
int fp_call_fputs(const char *text, FILE *file);
char *fp_call_fgets(char *dest, int n, FILE *file);
char *fp_call_fgets_chk(char *dest, size_t room, int n, FILE *file);
long fp_call_strtol(const char *text, char **end, int base);
long long fp_call_strtoll(const char *text, char **end, int base);
unsigned long fp_call_strtoul(const char *text, char **end, int base);
unsigned long long fp_call_strtoull(const char *text, char **end, int base);
double fp_call_strtod(const char *text, char **end);
int fp_call_atoi(const char *text);

#endif
