/* stdio.c -- everything that writes to stdout, and stdout is the PE's own.
 *
 * printf and puts, fwrite(..., stdout), std::cout by way of libstdc++: all of it arrives here, because these
 * definitions stand before libc's. Each maps the stream (output.c) and calls libc's own. Streams other than
 * stdout, and callers that are no PE's, are passed on as they came.
 *
 * libc's own stdout object stays empty, so putc_unlocked, which compilers inline, always ends in __overflow, which is
 * taken over too.
 */
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* keeps libc's headers from defining some of these inline */
#endif
#include <stdarg.h>

#include "reference/launch/launch.h"

#undef putc
#undef putchar
#undef putc_unlocked
#undef putchar_unlocked
#undef fputc_unlocked
#undef fwrite_unlocked
#undef fputs_unlocked
#undef fflush_unlocked

#define STREAM(stream) fp_output_stream(stream, __builtin_return_address(0))

/* ---- Formatted output */

int __vfprintf_chk(FILE *stream, int flag, const char *fmt, va_list arguments);
int __overflow(FILE *stream, int c);

FP_EXPORT int
vfprintf(FILE *restrict stream, const char *restrict fmt, va_list arguments)
{
    return FP_REAL(vfprintf)(STREAM(stream), fmt, arguments);
}

FP_EXPORT int
vprintf(const char *restrict fmt, va_list arguments)
{
    return FP_REAL(vfprintf)(STREAM(stdout), fmt, arguments);
}

FP_EXPORT int
fprintf(FILE *restrict stream, const char *restrict fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    int n = FP_REAL(vfprintf)(STREAM(stream), fmt, arguments);
    va_end(arguments);
    return n;
}

FP_EXPORT int
printf(const char *restrict fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    int n = FP_REAL(vfprintf)(STREAM(stdout), fmt, arguments);
    va_end(arguments);
    return n;
}

/* _FORTIFY_SOURCE */
FP_EXPORT int
__vfprintf_chk(FILE *stream, int flag, const char *fmt, va_list arguments)
{
    return FP_REAL(__vfprintf_chk)(STREAM(stream), flag, fmt, arguments);
}

FP_EXPORT int
__vprintf_chk(int flag, const char *fmt, va_list arguments)
{
    return FP_REAL(__vfprintf_chk)(STREAM(stdout), flag, fmt, arguments);
}

FP_EXPORT int
__fprintf_chk(FILE *stream, int flag, const char *fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    int n = FP_REAL(__vfprintf_chk)(STREAM(stream), flag, fmt, arguments);
    va_end(arguments);
    return n;
}

FP_EXPORT int
__printf_chk(int flag, const char *fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    int n = FP_REAL(__vfprintf_chk)(STREAM(stdout), flag, fmt, arguments);
    va_end(arguments);
    return n;
}

/* ---- Characters, strings, blocks */

FP_EXPORT int
fputc(int c, FILE *stream)
{
    return FP_REAL(fputc)(c, STREAM(stream));
}

FP_EXPORT int
putc(int c, FILE *stream)
{
    return FP_REAL(fputc)(c, STREAM(stream));
}

FP_EXPORT int
putchar(int c)
{
    return FP_REAL(fputc)(c, STREAM(stdout));
}

FP_EXPORT int
fputc_unlocked(int c, FILE *stream)
{
    return FP_REAL(fputc_unlocked)(c, STREAM(stream));
}

FP_EXPORT int
putc_unlocked(int c, FILE *stream)
{
    return FP_REAL(fputc_unlocked)(c, STREAM(stream));
}

FP_EXPORT int
putchar_unlocked(int c)
{
    return FP_REAL(fputc_unlocked)(c, STREAM(stdout));
}

FP_EXPORT int
__overflow(FILE *stream, int c)
{
    FILE *mine = STREAM(stream);
    return mine == stream ? FP_REAL(__overflow)(stream, c) : FP_REAL(fputc_unlocked)(c, mine);
}

FP_EXPORT int
puts(const char *text)
{
    FILE *stream = STREAM(stdout);
    flockfile(stream);
    int result = FP_REAL(fputs_unlocked)(text, stream);
    if (result >= 0)
        result = FP_REAL(fputc_unlocked)('\n', stream);
    funlockfile(stream);
    return result < 0 ? EOF : 1;
}

FP_EXPORT int
fputs(const char *restrict text, FILE *restrict stream)
{
    return FP_REAL(fputs)(text, STREAM(stream));
}

FP_EXPORT int
fputs_unlocked(const char *restrict text, FILE *restrict stream)
{
    return FP_REAL(fputs_unlocked)(text, STREAM(stream));
}

FP_EXPORT size_t
fwrite(const void *restrict items, size_t bytes, size_t count, FILE *restrict stream)
{
    return FP_REAL(fwrite)(items, bytes, count, STREAM(stream));
}

FP_EXPORT size_t
fwrite_unlocked(const void *restrict items, size_t bytes, size_t count, FILE *restrict stream)
{
    return FP_REAL(fwrite_unlocked)(items, bytes, count, STREAM(stream));
}

/* ---- Buffers */

FP_EXPORT int
fflush(FILE *stream)
{
    FILE *mine = STREAM(stream ? stream : stdout);
    if (mine == (stream ? stream : stdout))
        return FP_REAL(fflush)(stream);
    int result = fp_output_sync(mine);
    if (!stream && FP_REAL(fflush)(NULL))
        result = EOF;
    return result;
}

FP_EXPORT int
fflush_unlocked(FILE *stream)
{
    FILE *mine = STREAM(stream ? stream : stdout);
    if (mine == (stream ? stream : stdout))
        return FP_REAL(fflush_unlocked)(stream);
    return fp_output_sync(mine);
}

/* How the PE's stdout is buffered is not the program's to say. */
FP_EXPORT int
setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t bytes)
{
    return STREAM(stream) == stream ? FP_REAL(setvbuf)(stream, buffer, mode, bytes) : 0;
}

FP_EXPORT void
setbuf(FILE *restrict stream, char *restrict buffer)
{
    if (STREAM(stream) == stream)
        FP_REAL(setbuf)(stream, buffer);
}

FP_EXPORT void
setbuffer(FILE *restrict stream, char *restrict buffer, size_t bytes)
{
    if (STREAM(stream) == stream)
        FP_REAL(setbuffer)(stream, buffer, bytes);
}

FP_EXPORT void
setlinebuf(FILE *stream)
{
    if (STREAM(stream) == stream)
        FP_REAL(setlinebuf)(stream);
}

/* The descriptor stays open: it is the other PEs' too. */
FP_EXPORT int
fclose(FILE *stream)
{
    FILE *mine = STREAM(stream);
    return mine == stream ? FP_REAL(fclose)(stream) : FP_REAL(fflush)(mine);
}
