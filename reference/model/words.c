/* words.c -- splits a litmus file into names, numbers, signs and line ends. `#` starts a comment. */
#include "reference/model/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Longest first. */
static const char *const signs[] = {":=", "+=", "==", "!=", "<=", ">=", "&&", "||", "(", ")", "{", "}", "[",
                                    "]",  ",",  ";",  ":",  "@",  "|",  "=",  "<",  ">", "+", "-", "!", "."};

static void
set_error(struct words *words, int line, int column, const char *format, va_list list)
{
    if (words->failed)
        return;
    words->failed = true;
    int used = snprintf(words->error, FP_LITMUS_ERROR, "%s:%d:%d: ", words->path, line, column);
    if (used >= 0 && used < FP_LITMUS_ERROR)
        vsnprintf(words->error + used, (size_t)(FP_LITMUS_ERROR - used), format, list);
    words->next.kind = WORD_END;
    words->next.text[0] = 0;
}

bool
words_fail(struct words *words, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    set_error(words, words->next.line, words->next.column, format, list);
    va_end(list);
    return false;
}

bool
words_fail_at(struct words *words, const struct word *word, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    set_error(words, word->line, word->column, format, list);
    va_end(list);
    return false;
}

static void
read_name(struct words *words, struct word *word)
{
    size_t length = 0;
    while (isalnum((unsigned char)words->at[length]) || words->at[length] == '_')
        length++;
    word->kind = WORD_NAME;
    snprintf(word->text, sizeof word->text, "%.*s", (int)length, words->at);
    if (length >= LIT_NAME)
        words_fail_at(words, word, "'%s' is longer than %d characters", word->text, LIT_NAME - 1);
    words->at += length;
}

static void
read_number(struct words *words, struct word *word)
{
    char *end;
    errno = 0;
    word->kind = WORD_NUMBER;
    word->number = (int64_t)strtoull(words->at, &end, 0);
    snprintf(word->text, sizeof word->text, "%.*s", (int)(end - words->at), words->at);
    if (errno || isalnum((unsigned char)*end) || *end == '_')
        words_fail_at(words, word, "'%s' is not a number", word->text);
    words->at = end;
}

static void
read_sign(struct words *words, struct word *word)
{
    word->kind = WORD_SIGN;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (!strncmp(words->at, signs[i], strlen(signs[i]))) {
            strcpy(word->text, signs[i]);
            words->at += strlen(signs[i]);
            return;
        }
    if (isprint((unsigned char)*words->at))
        words_fail_at(words, word, "'%c' has no meaning here", *words->at);
    else
        words_fail_at(words, word, "a byte of value %d has no meaning here", (unsigned char)*words->at);
}

static void
advance(struct words *words)
{
    struct word word = {.kind = WORD_END};

    if (words->failed)
        return;
    while (*words->at == ' ' || *words->at == '\t' || *words->at == '\r')
        words->at++;
    if (*words->at == '#')
        words->at += strcspn(words->at, "\n");
    word.line = words->line;
    word.column = (int)(words->at - words->line_start) + 1;
    word.start = words->at;
    words->next = word;
    if (*words->at == '\n') {
        word.kind = WORD_LINE;
        strcpy(word.text, "end of line");
        words->at++;
        words->line++;
        words->line_start = words->at;
    } else if (!*words->at) {
        strcpy(word.text, "end of file");
    } else if (isalpha((unsigned char)*words->at) || *words->at == '_') {
        read_name(words, &word);
    } else if (isdigit((unsigned char)*words->at)) {
        read_number(words, &word);
    } else {
        read_sign(words, &word);
    }
    word.stop = words->at;
    if (!words->failed)
        words->next = word;
}

void
words_open(struct words *words, const char *path, const char *text, char *error)
{
    *words = (struct words){.path = path, .at = text, .line_start = text, .line = 1, .error = error};
    error[0] = 0;
    advance(words);
}

struct word
words_any(struct words *words)
{
    struct word word = words->next;
    advance(words);
    return word;
}

bool
words_is(const struct words *words, const char *text)
{
    return (words->next.kind == WORD_NAME || words->next.kind == WORD_SIGN) && !strcmp(words->next.text, text);
}

bool
words_take(struct words *words, const char *text)
{
    if (!words_is(words, text))
        return false;
    advance(words);
    return true;
}

bool
words_must(struct words *words, const char *text)
{
    if (words_take(words, text))
        return true;
    return words_fail(words, "expected '%s', not '%s'", text, words->next.text);
}

struct word
words_name(struct words *words, const char *what)
{
    if (words->next.kind != WORD_NAME) {
        words_fail(words, "expected %s, not '%s'", what, words->next.text);
        return (struct word){.kind = WORD_END};
    }
    return words_any(words);
}

int64_t
words_number(struct words *words, const char *what)
{
    bool minus = words_take(words, "-");
    if (words->next.kind != WORD_NUMBER) {
        words_fail(words, "expected %s, not '%s'", what, words->next.text);
        return 0;
    }
    int64_t number = words_any(words).number;
    return minus ? (int64_t)(0 - (uint64_t)number) : number;
}

bool
words_end_line(struct words *words)
{
    if (words->next.kind != WORD_LINE && words->next.kind != WORD_END)
        return words_fail(words, "expected the end of the line, not '%s'", words->next.text);
    words_any(words);
    return true;
}

void
words_skip_lines(struct words *words)
{
    while (words->next.kind == WORD_LINE)
        words_any(words);
}
