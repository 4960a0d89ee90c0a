/* options.c -- options of a run, from the one table (see options.h). */
#include "tools/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/nearest.h"

enum option_kind { TEXT, NUMBER, SWITCH };

static const struct option_row {
    const char *flag, *variable, *standard, *argument, *help;
    enum option_kind kind;
} rows[OPTION_COUNT] = {
#define OPTION_ROW(id, flag, variable, kind, standard, argument, help) {flag, variable, standard, argument, help, kind},
    FENCEPOST_OPTIONS(OPTION_ROW)
#undef OPTION_ROW
};

/* Words of other launchers that mean nothing here: there is always room for all PEs. */
static const char *const ignored[] = {"--oversubscribe", "--allow-run-as-root"};

void
options_set(enum option_id id, const char *value)
{
    setenv(rows[id].variable, value, 1);
}

static bool
is_number(const char *text)
{
    char *end;
    errno = 0;
    if (!*text || strspn(text, "0123456789") != strlen(text))
        return false;
    strtoull(text, &end, 10);
    return !*end && !errno;
}

static int
unknown_option(const struct option_request *request, const char *name, size_t length)
{
    const char *flags[OPTION_COUNT + 32];
    int count = 0;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (request->allowed >> i & 1)
            flags[count++] = rows[i].flag;
    for (int i = 0; request->own_flags && request->own_flags[i] && count < OPTION_COUNT + 28; i++)
        flags[count++] = request->own_flags[i];
    flags[count++] = "help";
    flags[count++] = "version";
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const char *near = nearest_word(word, flags, count);
    fprintf(stderr, "%s: unknown option '--%s'", request->command, word);
    if (near)
        fprintf(stderr, "; did you mean '--%s'?", near);
    fprintf(stderr, " (%s --help lists them)\n", request->command);
    return -1;
}

/* The row that argv[i] names, with its value and how many words both took. -1: none. */
static int
find_row(unsigned allowed, const char *word, const char **value)
{
    *value = NULL;
    if ((!strcmp(word, "-n") || !strcmp(word, "-np")) && allowed & OPTION_BIT(npes))
        return OPTION_npes;
    if (strncmp(word, "--", 2))
        return -1;
    const char *equal = strchr(word, '=');
    size_t length = equal ? (size_t)(equal - word) - 2 : strlen(word + 2);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (allowed >> i & 1 && strlen(rows[i].flag) == length && !strncmp(rows[i].flag, word + 2, length)) {
            *value = equal ? equal + 1 : NULL;
            return i;
        }
    return -1;
}

static bool
set_row(const struct option_request *request, int row, const char *value)
{
    if (rows[row].kind == NUMBER && !is_number(value)) {
        fprintf(stderr, "%s: --%s takes a number, not '%s'\n", request->command, rows[row].flag, value);
        return false;
    }
    if (row == OPTION_npes && strtoull(value, NULL, 10) == 0) {
        fprintf(stderr, "%s: a run needs at least one PE\n", request->command);
        return false;
    }
    options_set((enum option_id)row, value);
    return true;
}

static bool
is_ignored(const struct option_request *request, const char *word)
{
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        if (request->launcher_words && !strcmp(word, ignored[i]))
            return true;
    return false;
}

int
options_read(struct option_request *request, int argc, char **argv, int first)
{
    int i = first;
    while (i < argc && argv[i][0] == '-' && argv[i][1]) {
        const char *word = argv[i++], *value;
        if (!strcmp(word, "--")) {
            request->stopped_at_dashes = true;
            return i;
        }
        request->asked_help = !strcmp(word, "--help") || !strcmp(word, "-h");
        request->asked_version = !strcmp(word, "--version");
        if (request->asked_help || request->asked_version)
            return i;
        if (is_ignored(request, word))
            continue;
        int own = request->own ? request->own(request->self, word, i < argc ? argv[i] : NULL) : 0;
        if (own < 0)
            return -1;
        if (own > 0) {
            i += own - 1;
            continue;
        }
        int row = find_row(request->allowed, word, &value);
        if (row < 0) {
            if (!strncmp(word, "--", 2))
                return unknown_option(request, word + 2, strcspn(word + 2, "="));
            fprintf(stderr, "%s: unknown option '%s' (%s --help lists them)\n", request->command, word,
                    request->command);
            return -1;
        }
        if (!value && rows[row].kind == SWITCH)
            value = "1";
        if (!value && i < argc)
            value = argv[i++];
        if (!value) {
            fprintf(stderr, "%s: %s needs a value (%s)\n", request->command, word, rows[row].argument);
            return -1;
        }
        if (!set_row(request, row, value))
            return -1;
    }
    return i;
}

void
options_print_help(unsigned allowed)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!(allowed >> i & 1))
            continue;
        char left[64], standard[64] = "";
        snprintf(left, sizeof left, "%s--%s%s%s", i == OPTION_npes ? "-n, " : "", rows[i].flag,
                 rows[i].kind == SWITCH ? "" : " ", rows[i].argument);
        if (rows[i].kind != SWITCH && *rows[i].standard)
            snprintf(standard, sizeof standard, " [%s]", rows[i].standard);
        printf("  %-20s %s%s\n", left, rows[i].help, standard);
    }
}
