/* libc_text.c -- text that libc prints, reads and turns into numbers for the program: see libc_calls.c.
 *
 * The whole text counts as read where it is printed; where a number is looked for, the characters up to its end and the
 * one behind, which libc had to look at. What printf reads by %s is not told here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/check/libc_calls.h"

char *__fgets_chk(char *dest, size_t room, int n, FILE *file);

int
fp_call_puts(const char *text)
{
    ALIVE(text, false, "puts");
    READS(text, strlen(text) + 1, "puts");
    return puts(text);
}

int
fp_call_fputs(const char *text, FILE *file)
{
    ALIVE(text, false, "fputs");
    READS(text, strlen(text) + 1, "fputs");
    return fputs(text, file);
}

char *
fp_call_fgets(char *dest, int n, FILE *file)
{
    ALIVE(dest, true, "fgets");
    char *line = fgets(dest, n, file);
    if (line)
        WRITES(dest, strlen(dest) + 1, "fgets");
    return line;
}

char *
fp_call_fgets_chk(char *dest, size_t room, int n, FILE *file)
{
    ALIVE(dest, true, "fgets");
    char *line = __fgets_chk(dest, room, n, file);
    if (line)
        WRITES(dest, strlen(dest) + 1, "fgets");
    return line;
}

/* A routine that turns text into a number, and leaves the end of it in *end. */
#define NUMBER(type, name, parameters, call)                                                                           \
    type fp_call_##name parameters                                                                                     \
    {                                                                                                                  \
        char *stop;                                                                                                    \
        ALIVE(text, false, #name);                                                                                     \
        type value = call;                                                                                             \
        READS(text, (size_t)(stop - text) + 1, #name);                                                                 \
        if (end) {                                                                                                     \
            WRITES(end, sizeof *end, #name);                                                                           \
            *end = stop;                                                                                               \
        }                                                                                                              \
        return value;                                                                                                  \
    }

NUMBER(long, strtol, (const char *text, char **end, int base), strtol(text, &stop, base))
NUMBER(long long, strtoll, (const char *text, char **end, int base), strtoll(text, &stop, base))
NUMBER(unsigned long, strtoul, (const char *text, char **end, int base), strtoul(text, &stop, base))
NUMBER(unsigned long long, strtoull, (const char *text, char **end, int base), strtoull(text, &stop, base))
NUMBER(double, strtod, (const char *text, char **end), strtod(text, &stop))

int
fp_call_atoi(const char *text)
{
    char *stop;
    ALIVE(text, false, "atoi");
    int value = (int)strtol(text, &stop, 10);
    READS(text, (size_t)(stop - text) + 1, "atoi");
    return value;
}
