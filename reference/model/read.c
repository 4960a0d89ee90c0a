/* read.c -- reads a litmus file (tests/litmus/FORMAT.md) line by line.
 *
 * What each line may refer to has been declared above it, so one pass is enough; afterwards the operations, read row by
 * row, are put in the order of their columns, and what depends on the whole program is filled in (read_check.c).
 */
#include "reference/model/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Declarations ------------------------------------------------------------------------------------------------ */

static bool
name_is_free(struct reader *reader, const struct word *name)
{
    const struct fp_litmus *test = reader->test;
    bool taken = read_find_object(test, name->text) >= 0;

    for (int i = 1; i < test->ncontexts; i++)
        taken |= !strcmp(test->contexts[i].name, name->text);
    for (int i = 1; i < test->nteams; i++)
        taken |= !strcmp(test->teams[i].name, name->text);
    return !taken || words_fail_at(&reader->words, name, "there is a '%s' already", name->text);
}

static int
add_object(struct reader *reader, const struct word *name, enum lit_type type, int elements)
{
    struct fp_litmus *test = reader->test;

    if (!name_is_free(reader, name))
        return -1;
    if (test->nobjects == LIT_OBJECTS || test->nlocations + elements * test->npes > LIT_LOCATIONS) {
        words_fail_at(&reader->words, name, "more than %d objects or %d elements", LIT_OBJECTS, LIT_LOCATIONS);
        return -1;
    }
    struct lit_object *object = &test->objects[test->nobjects];
    *object = (struct lit_object){.type = type, .elements = elements, .base = test->nlocations};
    strcpy(object->name, name->text);
    test->nlocations += elements * test->npes;
    return test->nobjects++;
}

/* The values behind `x =`: one for all elements, or a list. */
static bool
read_start(struct reader *reader, struct lit_object *object, int pe)
{
    struct words *words = &reader->words;
    int64_t values[LIT_ELEMENTS];
    int count = 0;

    if (words_take(words, "{")) {
        do {
            if (count == object->elements)
                return words_fail(words, "%s has %d elements", object->name, object->elements);
            values[count++] = words_number(words, "a number");
        } while (words_take(words, ","));
        if (!words_must(words, "}"))
            return false;
        if (count < object->elements)
            return words_fail(words, "%s has %d elements", object->name, object->elements);
    } else {
        int64_t value = words_number(words, "a number");
        for (count = 0; count < object->elements; count++)
            values[count] = value;
    }
    for (int i = 0; i < reader->test->npes; i++)
        if (pe < 0 || i == pe)
            memcpy(object->start[i], values, sizeof values[0] * (size_t)object->elements);
    return !words->failed;
}

static bool
read_init_one(struct reader *reader)
{
    struct words *words = &reader->words;
    enum lit_type type = LIT_TYPE_long;
    struct word name = words_name(words, "an object");
    bool typed = false;

    if (words->next.kind == WORD_NAME) {
        int i = 0;
        while (i < LIT_TYPES && strcmp(name.text, lit_types[i].name))
            i++;
        if (i == LIT_TYPES)
            return words_fail_at(words, &name, "'%s' is no type (long, int, short, uint64)", name.text);
        type = (enum lit_type)i;
        typed = true;
        name = words_name(words, "an object");
    }
    int elements = 1, pe = -1, index = words->failed ? -1 : read_find_object(reader->test, name.text);
    if (words_take(words, "[")) {
        struct word at = words->next;
        elements = (int)words_number(words, "a number of elements");
        if (!words->failed && (elements < 1 || elements > LIT_ELEMENTS))
            return words_fail_at(words, &at, "an object has 1 to %d elements", LIT_ELEMENTS);
        if (!words_must(words, "]"))
            return false;
    }
    if (words_take(words, "@")) {
        struct word at = words->next;
        pe = (int)words_number(words, "a PE");
        if (!words->failed && (pe < 0 || pe >= reader->test->npes))
            return words_fail_at(words, &at, "there are %d PEs", reader->test->npes);
    }
    if (words->failed)
        return false;
    if (index < 0) {
        index = add_object(reader, &name, type, elements);
        if (index < 0)
            return false;
        reader->typed[index] = typed;
    } else if (pe < 0) {
        return words_fail_at(words, &name, "'%s' a second time", name.text);
    }
    return !words_take(words, "=") || read_start(reader, &reader->test->objects[index], pe);
}

static bool
read_init(struct reader *reader)
{
    do
        if (!read_init_one(reader))
            return false;
    while (words_take(&reader->words, ",") || words_take(&reader->words, ";"));
    return words_end_line(&reader->words);
}

/* Objects that the test allocates. */
static bool
read_block(struct reader *reader)
{
    do {
        if (!read_init_one(reader))
            return false;
        struct lit_object *object = &reader->test->objects[reader->test->nobjects - 1];
        for (int i = 0; i < reader->test->npes; i++)
            for (int k = 0; k < object->elements; k++)
                if (object->start[i][k])
                    return words_fail(&reader->words, "block %s has no start values", object->name);
        object->block = true;
    } while (words_take(&reader->words, ","));
    reader->test->as_program_only = true;
    return words_end_line(&reader->words);
}

static bool
read_context(struct reader *reader)
{
    struct words *words = &reader->words;
    struct fp_litmus *test = reader->test;
    struct word name = words_name(words, "a context");

    if (words->failed || !name_is_free(reader, &name))
        return false;
    if (test->ncontexts == LIT_CONTEXTS)
        return words_fail_at(words, &name, "more than %d contexts", LIT_CONTEXTS - 1);
    strcpy(test->contexts[test->ncontexts].name, name.text);
    while (words->next.kind == WORD_NAME) {
        if (words_take(words, "nostore"))
            test->contexts[test->ncontexts].nostore = true;
        else if (words_take(words, "shared"))
            test->contexts[test->ncontexts].shared = true;
        else if (words_take(words, "of")) {
            struct word team = words_name(words, "a team");
            int i = 0;
            while (i < test->nteams && strcmp(test->teams[i].name, team.text))
                i++;
            if (i == test->nteams)
                return words_fail_at(words, &team, "there is no team '%s': a line `team` has to stand above",
                                     team.text);
            test->contexts[test->ncontexts].team = i;
            test->as_program_only = true;
        } else
            return words_fail(words, "'%s' is no option of a context (nostore, shared, of TEAM)", words->next.text);
    }
    test->ncontexts++;
    return words_end_line(words);
}

static bool
read_team(struct reader *reader)
{
    struct words *words = &reader->words;
    struct fp_litmus *test = reader->test;
    struct word name = words_name(words, "a team");

    if (words->failed || !name_is_free(reader, &name) || !words_must(words, "="))
        return false;
    if (test->nteams == LIT_TEAMS)
        return words_fail_at(words, &name, "more than %d teams", LIT_TEAMS - 1);
    strcpy(test->teams[test->nteams].name, name.text);
    do {
        struct word at = words->next;
        int64_t pe = words_number(words, "a PE");
        if (pe < 0 || pe >= test->npes)
            return words_fail_at(words, &at, "there are %d PEs", test->npes);
        test->teams[test->nteams].members |= 1u << pe;
    } while (words_take(words, ","));
    test->nteams++;
    return words_end_line(words);
}

static bool
read_pes(struct reader *reader)
{
    struct words *words = &reader->words;
    struct word at = words->next;
    int64_t npes = words_number(words, "a number of PEs");

    if (!words->failed && (npes < 1 || npes > LIT_PES))
        return words_fail_at(words, &at, "a litmus test has 1 to %d PEs", LIT_PES);
    reader->test->npes = (int)npes;
    reader->test->teams[0].members = (1u << npes) - 1;
    return words_end_line(words);
}

/* The rest of the line, which need not be words. */
static bool
read_test_name(struct reader *reader)
{
    struct words *words = &reader->words;
    const char *start = words->next.start;
    size_t length = strcspn(start, " \t\r\n#");

    if (!length || length >= sizeof reader->test->name)
        return words_fail(words, "a name of 1 to %zu characters without blanks", sizeof reader->test->name - 1);
    snprintf(reader->test->name, sizeof reader->test->name, "%.*s", (int)length, start);
    words->at = start + length;
    words->next.kind = WORD_LINE;
    words_any(words);
    return words_end_line(words);
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

/* `PE 0 | PE 1 | PE 1`: columns; a PE named twice has two threads. */
static bool
read_columns(struct reader *reader)
{
    struct words *words = &reader->words;
    struct fp_litmus *test = reader->test;

    do {
        words_take(words, "PE"); /* the first one has been taken */
        struct word at = words->next;
        int64_t pe = words_number(words, "the number of a PE");
        if (!words->failed && (pe < 0 || pe >= test->npes))
            return words_fail_at(words, &at, "there are %d PEs", test->npes);
        if (test->nthreads == LIT_THREADS)
            return words_fail_at(words, &at, "more than %d columns", LIT_THREADS);
        test->threads[test->nthreads++].pe = (int)pe;
    } while (words_take(words, "|"));
    return words_end_line(words);
}

/* Behind the barrier of a free the block is gone: as if the PE stored something else into its copy. */
static bool
add_ends(struct reader *reader)
{
    struct fp_litmus *test = reader->test;
    struct lit_op *free_op = &test->ops[test->nops - 1];
    const struct lit_object *block = &test->objects[free_op->place.object];

    for (int k = 0; k < block->elements; k++) {
        if (test->nops == LIT_OPS)
            return words_fail(&reader->words, "more than %d operations", LIT_OPS);
        struct lit_op *end = &test->ops[test->nops++];
        *end = *free_op;
        end->row = read_row_named("st");
        end->type = block->type;
        end->silent = true;
        end->place.first = k;
        end->count = 1;
        end->values[0] = (struct lit_value){.reg = -1, .constant = -1};
    }
    return true;
}

static bool
read_cell(struct reader *reader, int thread)
{
    struct words *words = &reader->words;
    struct fp_litmus *test = reader->test;

    while (words->next.kind == WORD_NAME) {
        if (test->nops == LIT_OPS)
            return words_fail(words, "more than %d operations", LIT_OPS);
        if (!read_op(reader, thread, &test->ops[test->nops]))
            return false;
        test->nops++;
        if (!strcmp(test->ops[test->nops - 1].row->name, "free") && !add_ends(reader))
            return false;
        if (!words_take(words, ";"))
            break;
    }
    return !words->failed;
}

static bool
read_row(struct reader *reader)
{
    struct words *words = &reader->words;

    for (int thread = 0;; thread++) {
        if (thread == reader->test->nthreads)
            return words_fail(words, "a row of more cells than there are columns (%d)", reader->test->nthreads);
        if (!read_cell(reader, thread))
            return false;
        if (!words_take(words, "|"))
            return words_end_line(words);
    }
}

static bool
read_program(struct reader *reader)
{
    struct words *words = &reader->words;

    if (!read_columns(reader))
        return false;
    words_skip_lines(words);
    while (!words->failed && words->next.kind != WORD_END && !words_is(words, "final") && !words_is(words, "outside") &&
           !words_is(words, "expect")) {
        if (!read_row(reader))
            return false;
        words_skip_lines(words);
    }
    return !words->failed;
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

static void
order_by_column(struct fp_litmus *test)
{
    struct lit_op *sorted = lit_alloc(NULL, sizeof test->ops);
    int count = 0;

    for (int thread = 0; thread < test->nthreads; thread++) {
        test->threads[thread].first = count;
        for (int i = 0; i < test->nops; i++)
            if (test->ops[i].thread == thread)
                sorted[count++] = test->ops[i];
        test->threads[thread].count = count - test->threads[thread].first;
    }
    memcpy(test->ops, sorted, sizeof test->ops[0] * (size_t)count);
    free(sorted);
}

static bool
read_file(struct reader *reader)
{
    struct words *words = &reader->words;
    static const struct {
        const char *name;
        bool (*read)(struct reader *reader);
        bool needs_pes, needs_program;
    } lines[] = {{"name", read_test_name, false, false}, {"pes", read_pes, false, false},
                 {"init", read_init, true, false},       {"ctx", read_context, true, false},
                 {"block", read_block, true, false},     {"team", read_team, true, false},
                 {"PE", read_program, true, false},      {"outside", read_outside, true, true},
                 {"final", read_final, true, true},      {"expect", read_expect, true, true}};
    bool program = false;

    for (words_skip_lines(words); !words->failed && words->next.kind != WORD_END; words_skip_lines(words)) {
        struct word first = words->next;
        size_t i = 0;
        while (i < sizeof lines / sizeof lines[0] && !words_take(words, lines[i].name))
            i++;
        if (i == sizeof lines / sizeof lines[0])
            return words_fail(
                words,
                "a line begins with name, pes, init, block, ctx, team, PE, final, outside or expect, not with '%s'",
                first.text);
        if (lines[i].needs_pes && !reader->test->npes)
            return words_fail_at(words, &first, "`pes N` has to stand above this line");
        if (lines[i].needs_program != program)
            return words_fail_at(
                words, &first, program ? "'%s' has to stand above the program" : "'%s' has to stand below the program",
                first.text);
        if (!lines[i].read(reader))
            return false;
        if (!strcmp(first.text, "PE")) {
            program = true;
            order_by_column(reader->test);
            read_see_registers(reader->test);
            read_settle_types(reader);
            read_match_collectives(reader->test);
            if (!read_check_collectives(reader) || !read_check_blocks(reader))
                return false;
        }
    }
    if (!words->failed && !reader->test->name[0])
        return words_fail(words, "the test has no name");
    return !words->failed && (program || words_fail(words, "the test has no program (PE 0 | PE 1 ...)"));
}

struct fp_litmus *
fp_litmus_parse(const char *path, const char *text, char *error)
{
    struct fp_litmus *test = lit_alloc(NULL, sizeof *test);
    struct reader reader = {.test = test};

    memset(test, 0, sizeof *test);
    snprintf(test->path, sizeof test->path, "%s", path);
    test->condition = test->invalid_context = test->outside = -1;
    test->ncontexts = test->nteams = 1;
    strcpy(test->contexts[0].name, "default");
    strcpy(test->teams[0].name, "world");
    words_open(&reader.words, path, text, error);
    if (read_file(&reader))
        return test;
    fp_litmus_free(test);
    return NULL;
}

struct fp_litmus *
fp_litmus_read(const char *path, char *error)
{
    enum { SIZE_MAX_BYTES = 1 << 20 };
    FILE *file = fopen(path, "rb");
    if (!file) {
        snprintf(error, FP_LITMUS_ERROR, "%s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = lit_alloc(NULL, SIZE_MAX_BYTES);
    size_t length = fread(text, 1, SIZE_MAX_BYTES, file);
    bool failed = ferror(file) || length == SIZE_MAX_BYTES;
    int why = errno;
    fclose(file);
    struct fp_litmus *test = NULL;
    text[failed ? 0 : length] = 0;
    if (failed)
        snprintf(error, FP_LITMUS_ERROR, "%s: %s", path,
                 length == SIZE_MAX_BYTES ? "too long for a litmus test" : strerror(why));
    else if (memchr(text, 0, length))
        snprintf(error, FP_LITMUS_ERROR, "%s: not a text file", path);
    else
        test = fp_litmus_parse(path, text, error);
    free(text);
    return test;
}
