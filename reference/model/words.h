/* words.h -- a litmus file as words, with the first error and its place.
 *
 * After an error every further word is the end of the file, so that whoever reads stops by himself; the first message
 * stands.
 *
 *     if (!words_take(words, "@"))
 *         return words_fail(words, "a place needs its PE: %s@1", name);
 */
#ifndef FP_MODEL_WORDS_H
#define FP_MODEL_WORDS_H

#include "reference/model/litmus.h"

enum word_kind { WORD_END, WORD_LINE, WORD_NAME, WORD_NUMBER, WORD_SIGN };

struct word {
    enum word_kind kind;
    char text[64];
    int64_t number;
    int line, column;
    const char *start, *stop;
};

struct words {
    const char *path, *at, *line_start;
    int line;
    struct word next;
    bool failed;
    char *error; /* FP_LITMUS_ERROR bytes */
};

void words_open(struct words *words, const char *path, const char *text, char *error);
/* Takes the next word, whatever it is. */
struct word words_any(struct words *words);
/* Takes it if it is this sign or name. */
bool words_take(struct words *words, const char *text);
bool words_is(const struct words *words, const char *text);
/* Takes it or fails ("expected ..."). */
bool words_must(struct words *words, const char *text);
/* A name, without its length being checked against anything else; "" after failing. */
struct word words_name(struct words *words, const char *what);
int64_t words_number(struct words *words, const char *what); /* may begin with - */
/* End of the line (or of the file). */
bool words_end_line(struct words *words);
void words_skip_lines(struct words *words);
/* Always false. At the next word, or at a word taken before. */
bool words_fail(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool words_fail_at(struct words *words, const struct word *word, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
