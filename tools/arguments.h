/* arguments.h -- a growing list of arguments for a command that is to be run.
 *
 * The list owns copies of its strings and always ends in NULL, so that `items` can be given to execvp.
 */
#ifndef TOOLS_ARGUMENTS_H
#define TOOLS_ARGUMENTS_H

#include <stdbool.h>
#include <stdio.h>

struct arguments {
    char **items;
    int count, room;
};

void arguments_add(struct arguments *list, const char *word);
void arguments_add_all(struct arguments *list, const struct arguments *more);
/* Splits at white space ($CC may be "ccache gcc"). */
void arguments_add_words(struct arguments *list, const char *words);
/* Adds the word; `@file` is replaced by the words in the file, with the compiler's rules for quotes and backslashes. A
 * file that cannot be read leaves the word as it is, and the compiler says what is wrong. */
void arguments_add_expanded(struct arguments *list, const char *word);
/* Writes the command so that a shell reads back exactly these words. */
void arguments_print(const struct arguments *list, FILE *out);
/* Runs it in place of this process. Returns only when that fails, with errno set. */
void arguments_exec(const struct arguments *list);

#endif
