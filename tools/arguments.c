/* arguments.c -- a growing list of arguments (see arguments.h). */
#include "tools/arguments.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

/* A response file may name further ones; a file that names itself must end somewhere. */
#define DEPTH_MAX 16

static void *
grown(void *block, size_t bytes)
{
    block = realloc(block, bytes);
    if (!block) {
        fprintf(stderr, "fencepost: out of memory\n");
        exit(EX_OSERR);
    }
    return block;
}

void
arguments_add(struct arguments *list, const char *word)
{
    if (list->count + 2 > list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->items = grown(list->items, (size_t)list->room * sizeof *list->items);
    }
    list->items[list->count] = strcpy(grown(NULL, strlen(word) + 1), word);
    list->items[++list->count] = NULL;
}

void
arguments_add_all(struct arguments *list, const struct arguments *more)
{
    for (int i = 0; i < more->count; i++)
        arguments_add(list, more->items[i]);
}

void
arguments_add_words(struct arguments *list, const char *words)
{
    char *copy = strcpy(grown(NULL, strlen(words) + 1), words), *rest = copy, *word;
    while ((word = strsep(&rest, " \t\n")))
        if (*word)
            arguments_add(list, word);
    free(copy);
}

static char *
file_text(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    char *text = NULL;
    size_t used = 0, got;
    do {
        text = grown(text, used + 4096 + 1);
        got = fread(text + used, 1, 4096, file);
        used += got;
    } while (got > 0);
    text[used] = '\0';
    fclose(file);
    return text;
}

/* Takes one word off *at in place: quotes of both kinds keep white space, a backslash keeps any character. */
static char *
next_word(char **at)
{
    char *in = *at, *out, *word, quote = 0;
    while (isspace((unsigned char)*in))
        in++;
    if (!*in)
        return NULL;
    for (word = out = in; *in && (quote || !isspace((unsigned char)*in)); in++) {
        if (*in == '\\' && in[1])
            *out++ = *++in;
        else if (quote ? *in == quote : *in == '"' || *in == '\'')
            quote = quote ? 0 : *in;
        else
            *out++ = *in;
    }
    *at = *in ? in + 1 : in;
    *out = '\0';
    return word;
}

static void
add_expanded(struct arguments *list, const char *word, int depth)
{
    char *text = word[0] == '@' && depth < DEPTH_MAX ? file_text(word + 1) : NULL;
    if (!text) {
        arguments_add(list, word);
        return;
    }
    for (char *at = text, *inner; (inner = next_word(&at));)
        add_expanded(list, inner, depth + 1);
    free(text);
}

void
arguments_add_expanded(struct arguments *list, const char *word)
{
    add_expanded(list, word, 0);
}

static void
print_quoted(const char *word, FILE *out)
{
    if (*word &&
        strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-") == strlen(word)) {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, out);
    putc('\'', out);
}

void
arguments_print(const struct arguments *list, FILE *out)
{
    for (int i = 0; i < list->count; i++) {
        if (i)
            putc(' ', out);
        print_quoted(list->items[i], out);
    }
    putc('\n', out);
}

void
arguments_exec(const struct arguments *list)
{
    execvp(list->items[0], list->items);
}
