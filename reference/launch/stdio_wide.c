/* stdio_wide.c -- wide characters on stdout.
 *
 * The stream of a PE (output.c) has no orientation, since libc gives streams with cookies none: text is converted
 * here and goes out as bytes. Everything else is passed on.
 */
#include <limits.h>
#include <stdarg.h>
#include <wchar.h>

#include "reference/launch/launch.h"

#define TEXT_CHARS_MAX ((size_t)4 << 20)
#define STREAM(stream) fp_output_stream(stream, __builtin_return_address(0))

static wint_t
put_char(wchar_t c, FILE *mine)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    size_t n = wcrtomb(bytes, c, &state);
    return n != (size_t)-1 && FP_REAL(fwrite)(bytes, 1, n, mine) == n ? (wint_t)c : WEOF;
}

static int
put_text(const wchar_t *text, FILE *mine)
{
    for (; *text; text++)
        if (put_char(*text, mine) == WEOF)
            return -1;
    return 1;
}

static int
print(FILE *mine, const wchar_t *fmt, va_list arguments)
{
    for (size_t capacity = 256; capacity <= TEXT_CHARS_MAX; capacity *= 4) {
        va_list again;
        wchar_t *text = malloc(capacity * sizeof *text);
        if (!text)
            return -1;
        va_copy(again, arguments);
        int n = vswprintf(text, capacity, fmt, again);
        va_end(again);
        int result = n >= 0 && put_text(text, mine) >= 0 ? n : -1;
        free(text);
        if (n >= 0)
            return result;
    }
    return -1;
}

FP_EXPORT wint_t
fputwc(wchar_t c, FILE *stream)
{
    FILE *mine = STREAM(stream);
    return mine == stream ? FP_REAL(fputwc)(c, stream) : put_char(c, mine);
}

FP_EXPORT wint_t
putwc(wchar_t c, FILE *stream)
{
    FILE *mine = STREAM(stream);
    return mine == stream ? FP_REAL(fputwc)(c, stream) : put_char(c, mine);
}

FP_EXPORT wint_t
putwchar(wchar_t c)
{
    FILE *mine = STREAM(stdout);
    return mine == stdout ? FP_REAL(fputwc)(c, stdout) : put_char(c, mine);
}

FP_EXPORT int
fputws(const wchar_t *restrict text, FILE *restrict stream)
{
    FILE *mine = STREAM(stream);
    return mine == stream ? FP_REAL(fputws)(text, stream) : put_text(text, mine);
}

FP_EXPORT int
vfwprintf(FILE *restrict stream, const wchar_t *restrict fmt, va_list arguments)
{
    FILE *mine = STREAM(stream);
    return mine == stream ? FP_REAL(vfwprintf)(stream, fmt, arguments) : print(mine, fmt, arguments);
}

FP_EXPORT int
vwprintf(const wchar_t *restrict fmt, va_list arguments)
{
    FILE *mine = STREAM(stdout);
    return mine == stdout ? FP_REAL(vfwprintf)(stdout, fmt, arguments) : print(mine, fmt, arguments);
}

FP_EXPORT int
fwprintf(FILE *restrict stream, const wchar_t *restrict fmt, ...)
{
    FILE *mine = STREAM(stream);
    va_list arguments;
    va_start(arguments, fmt);
    int n = mine == stream ? FP_REAL(vfwprintf)(stream, fmt, arguments) : print(mine, fmt, arguments);
    va_end(arguments);
    return n;
}

FP_EXPORT int
wprintf(const wchar_t *restrict fmt, ...)
{
    FILE *mine = STREAM(stdout);
    va_list arguments;
    va_start(arguments, fmt);
    int n = mine == stdout ? FP_REAL(vfwprintf)(stdout, fmt, arguments) : print(mine, fmt, arguments);
    va_end(arguments);
    return n;
}
