/* read_op.c -- one operation of a litmus test: `[if r == 1:] [r =] [c:]name[.type](arguments) [until r == 1]`.
 *
 * The letters of the row's argument list (litmus.h) say what is read. Two rows may have one name ("get"): the result
 * tells them apart.
 */
#include <string.h>

#include "reference/model/read.h"

int
read_find_object(const struct fp_litmus *test, const char *name)
{
    for (int i = 0; i < test->nobjects; i++)
        if (!strcmp(test->objects[i].name, name))
            return i;
    return -1;
}

int
read_find_register(const struct fp_litmus *test, const char *name)
{
    for (int i = 0; i < test->nregs; i++)
        if (!strcmp(test->regs[i].name, name))
            return i;
    return -1;
}

enum lit_cmp
read_cmp(struct reader *reader)
{
    for (int i = LIT_EQ; i <= LIT_LE; i++)
        if (words_take(&reader->words, lit_cmp_text[i]))
            return (enum lit_cmp)i;
    words_fail(&reader->words, "expected a comparison (== != < <= > >=), not '%s'", reader->words.next.text);
    return LIT_ANY;
}

bool
read_place(struct reader *reader, struct lit_place *place, bool *indexed)
{
    struct words *words = &reader->words;
    struct word name = words_name(words, "an object");

    place->object = read_find_object(reader->test, name.text);
    place->pe = -1;
    place->first = 0;
    *indexed = false;
    if (!words->failed && place->object < 0)
        return words_fail_at(words, &name, "there is no object '%s': declare it in a line `init %s = 0`", name.text,
                             name.text);
    if (words_take(words, "[")) {
        struct word at = words->next;
        place->first = (int)words_number(words, "the number of an element");
        *indexed = true;
        if (!words_must(words, "]"))
            return false;
        if (place->first < 0 || place->first >= reader->test->objects[place->object].elements)
            return words_fail_at(words, &at, "%s has %d elements", name.text,
                                 reader->test->objects[place->object].elements);
    }
    if (words_take(words, "@")) {
        struct word at = words->next;
        place->pe = (int)words_number(words, "the number of a PE");
        if (!words->failed && (place->pe < 0 || place->pe >= reader->test->npes))
            return words_fail_at(words, &at, "there are %d PEs", reader->test->npes);
    }
    return !words->failed;
}

/* A register of this thread that has a value by now. */
static int
read_register(struct reader *reader, int thread)
{
    struct words *words = &reader->words;
    struct word name = words_name(words, "a register");
    int reg = read_find_register(reader->test, name.text);

    if (words->failed)
        return -1;
    if (reg < 0)
        words_fail_at(words, &name, "there is no register '%s' by now", name.text);
    else if (reader->test->regs[reg].thread != thread)
        words_fail_at(words, &name, "register '%s' belongs to another column", name.text);
    return reg;
}

static bool
read_value(struct reader *reader, int thread, struct lit_value *value)
{
    struct words *words = &reader->words;

    *value = (struct lit_value){.reg = -1};
    if (words->next.kind == WORD_NUMBER || words_is(words, "-")) {
        value->constant = words_number(words, "a number");
        return !words->failed;
    }
    value->reg = read_register(reader, thread);
    if (words_take(words, "+"))
        value->constant = words_number(words, "a number");
    else if (words_take(words, "-"))
        value->constant = -words_number(words, "a number");
    return !words->failed;
}

/* Values, a list of values, or an object that is read. */
static bool
read_source(struct reader *reader, int thread, struct lit_op *op, bool object_only)
{
    struct words *words = &reader->words;
    struct word first = words->next;

    op->local.object = -1;
    if (first.kind == WORD_NAME && read_find_object(reader->test, first.text) >= 0) {
        bool indexed;
        if (!read_place(reader, &op->local, &indexed))
            return false;
        if (op->local.pe >= 0)
            return words_fail_at(words, &first, "a source is the PE's own copy: without @");
        op->count = indexed ? 1 : reader->test->objects[op->local.object].elements;
        return true;
    }
    if (object_only)
        return words_fail(words, "the source of this operation is an object, not '%s'", first.text);
    if (!words_take(words, "{")) {
        op->count = 1;
        return read_value(reader, thread, &op->values[0]);
    }
    op->count = 0;
    while (!words_take(words, "}")) {
        if (op->count && !words_must(words, ","))
            return false;
        if (op->count == LIT_ELEMENTS)
            return words_fail(words, "more than %d elements", LIT_ELEMENTS);
        if (!read_value(reader, thread, &op->values[op->count++]))
            return false;
    }
    return true;
}

static bool
read_pe_list(struct reader *reader, struct lit_op *op)
{
    struct words *words = &reader->words;

    while (words->next.kind == WORD_NUMBER) {
        struct word at = words->next;
        int64_t pe = words_number(words, "a PE");
        if (pe >= reader->test->npes)
            return words_fail_at(words, &at, "there are %d PEs", reader->test->npes);
        op->pes |= 1u << pe;
        if (!words_take(words, ","))
            break;
    }
    return !words->failed;
}

static bool
read_target(struct reader *reader, struct lit_op *op, bool with_pe)
{
    struct words *words = &reader->words;
    struct word at = words->next;
    bool indexed;

    if (!read_place(reader, &op->place, &indexed))
        return false;
    if (with_pe && op->place.pe < 0)
        return words_fail_at(words, &at, "which PE's copy? %s@0 is that of PE 0", at.text);
    if (!with_pe && op->place.pe >= 0)
        return words_fail_at(words, &at, "this is always the PE's own copy: without @");
    /* For a get it says how much is read; otherwise the source does. */
    op->count = indexed ? 1 : reader->test->objects[op->place.object].elements;
    return true;
}

static bool
read_argument(struct reader *reader, int thread, struct lit_op *op, char letter, int *nvalues)
{
    struct words *words = &reader->words;
    struct word at = words->next;
    bool indexed;

    switch (letter) {
    case 'P':
        return read_target(reader, op, true);
    case 'A':
        if (!read_place(reader, &op->place, &indexed))
            return false;
        op->count = 1;
        return true;
    case 'L':
        if (op->row->kind == LIT_PUT || op->row->kind == LIT_SIG || op->row->kind == LIT_COLL)
            return read_source(reader, thread, op, true);
        return read_target(reader, op, false);
    case 'D': {
        struct lit_place *place = op->row->kind == LIT_COLL ? &op->dest : &op->local;
        if (!read_place(reader, place, &indexed))
            return false;
        return place->pe < 0 || words_fail_at(words, &at, "the destination is the PE's own copy: without @");
    }
    case 'S':
        return read_source(reader, thread, op, false);
    case 'V': {
        struct lit_value *value = op->row->amo == SHMEM_AMO_CSWAP && !*nvalues ? &op->compare : &op->values[0];
        ++*nvalues;
        return read_value(reader, thread, value);
    }
    case 'C':
        if (!read_target(reader, op, false))
            return false;
        op->count = 1;
        op->cmp = read_cmp(reader);
        return read_value(reader, thread, &op->cmp_value);
    case 'U':
        if (!read_place(reader, &op->signal, &indexed))
            return false;
        op->signal_adds = words_take(words, "+=");
        if (!op->signal_adds && !words_must(words, ":="))
            return false;
        return read_value(reader, thread, &op->signal_value);
    case 'N':
        return read_pe_list(reader, op);
    case 'B':
        if (!read_target(reader, op, false))
            return false;
        return reader->test->objects[op->place.object].block ||
               words_fail_at(words, &at, "'%s' is no block: declare it in a line `block %s`", at.text, at.text);
    case 'I':
        if (op->row->kind == LIT_COLL)
            op->root = (int)words_number(words, "the root");
        else
            op->stride = (int)words_number(words, "a stride");
        return !words->failed;
    }
    LIT_BUG("argument of unknown form");
}

static bool
read_arguments(struct reader *reader, int thread, struct lit_op *op)
{
    struct words *words = &reader->words;
    int nvalues = 0;

    if (!words_take(words, "("))
        return !*op->row->arguments || words_must(words, "(");
    for (const char *letter = op->row->arguments; *letter; letter++) {
        if (letter != op->row->arguments && !words_must(words, ","))
            return false;
        if (!read_argument(reader, thread, op, *letter, &nvalues))
            return false;
    }
    return words_must(words, ")");
}

const struct lit_op_row *
read_row_named(const char *name)
{
    for (int i = 0; i < lit_op_row_count; i++)
        if (!strcmp(lit_op_rows[i].name, name))
            return &lit_op_rows[i];
    LIT_BUG("no such operation");
}

static const struct lit_op_row *
find_row(const char *name, bool has_result)
{
    const struct lit_op_row *found = NULL;

    for (int i = 0; i < lit_op_row_count; i++)
        if (!strcmp(lit_op_rows[i].name, name) && (!found || (lit_op_rows[i].result != '-') == has_result))
            found = &lit_op_rows[i];
    return found;
}

/* SHMEM_CTX_INVALID: a context without operations. */
static bool
use_invalid_context(struct reader *reader, const struct word *prefix, struct lit_op *op)
{
    struct fp_litmus *test = reader->test;

    if (test->invalid_context < 0) {
        if (test->ncontexts == LIT_CONTEXTS)
            return words_fail_at(&reader->words, prefix, "more than %d contexts", LIT_CONTEXTS - 1);
        test->invalid_context = test->ncontexts;
        strcpy(test->contexts[test->ncontexts].name, "invalid");
        test->contexts[test->ncontexts++].nostore = true;
        test->as_program_only = true;
    }
    op->ctx = test->invalid_context;
    return true;
}

/* `c:` in front of the name: a context, for sync and collectives a team. */
static bool
resolve_prefix(struct reader *reader, const struct word *prefix, struct lit_op *op)
{
    struct fp_litmus *test = reader->test;

    if (!prefix->text[0])
        return true;
    bool orders = op->row->kind == LIT_FENCE || op->row->kind == LIT_QUIET || op->row->kind == LIT_PE_QUIET ||
                  op->row->kind == LIT_DESTROY;
    if (orders && !strcmp(prefix->text, "invalid"))
        return use_invalid_context(reader, prefix, op);
    for (int i = 0; op->row->flags & LIT_CTX && i < test->ncontexts; i++)
        if (!strcmp(test->contexts[i].name, prefix->text)) {
            op->ctx = i;
            return test->teams[test->contexts[i].team].members >> op->pe & 1 ||
                   words_fail_at(&reader->words, prefix, "PE %d is no member of the team of context %s", op->pe,
                                 prefix->text);
        }
    for (int i = 0; (op->row->kind == LIT_SYNC || op->row->kind == LIT_COLL) && i < test->nteams; i++)
        if (!strcmp(test->teams[i].name, prefix->text)) {
            op->team = i;
            if (!(test->teams[i].members >> op->pe & 1))
                return words_fail_at(&reader->words, prefix, "PE %d is no member of team %s", op->pe, prefix->text);
            return true;
        }
    return words_fail_at(&reader->words, prefix, "'%s' is no %s that %s can be used with", prefix->text,
                         op->row->flags & LIT_CTX ? "context (`ctx NAME`)" : "team (`team NAME = 0, 1`)",
                         op->row->name);
}

static bool
read_head(struct reader *reader, int thread, struct lit_op *op, struct word *result)
{
    struct words *words = &reader->words;
    struct word prefix = {.kind = WORD_END}, name;

    result->text[0] = 0;
    if (words_take(words, "if")) {
        op->guard = read_register(reader, thread);
        op->guard_cmp = read_cmp(reader);
        op->guard_value = words_number(words, "a number");
        if (!words_must(words, ":"))
            return false;
    }
    name = words_name(words, "an operation");
    if (words_take(words, "=")) {
        *result = name;
        name = words_name(words, "an operation");
    }
    if (words_take(words, ":")) {
        prefix = name;
        name = words_name(words, "an operation");
    }
    if (words->failed)
        return false;
    op->row = find_row(name.text, result->text[0] != 0);
    if (!op->row)
        return words_fail_at(words, &name, "there is no operation '%s'", name.text);
    return resolve_prefix(reader, &prefix, op);
}

static bool
read_type(struct reader *reader, struct lit_op *op)
{
    struct words *words = &reader->words;

    op->type = LIT_TYPES;
    if (!words_take(words, "."))
        return true;
    struct word name = words_name(words, "a type");
    for (int i = 0; i < LIT_TYPES; i++)
        if (!strcmp(name.text, lit_types[i].name))
            op->type = (enum lit_type)i;
    return op->type != LIT_TYPES ||
           words_fail_at(words, &name, "'%s' is no type (long, int, short, uint64)", name.text);
}

static bool
take_result(struct reader *reader, int thread, struct lit_op *op, const struct word *result)
{
    struct fp_litmus *test = reader->test;
    struct words *words = &reader->words;

    op->result = -1;
    if (!result->text[0])
        return op->row->result != 'r' ||
               words_fail(words, "%s gives a value: r = %s(...)", op->row->name, op->row->name);
    if (op->row->result == '-')
        return words_fail_at(words, result, "%s gives no value", op->row->name);
    if (read_find_register(test, result->text) >= 0)
        return words_fail_at(words, result, "register '%s' has a value already; each is used once", result->text);
    if (read_find_object(test, result->text) >= 0)
        return words_fail_at(words, result, "'%s' is an object; use st, or a register of another name", result->text);
    if (test->nregs == LIT_REGISTERS)
        return words_fail_at(words, result, "more than %d registers", LIT_REGISTERS);
    strcpy(test->regs[test->nregs].name, result->text);
    test->regs[test->nregs].thread = thread;
    op->result = test->nregs++;
    return true;
}

/* What the argument letters cannot say. */
static bool
check_shape(struct reader *reader, struct lit_op *op, const struct word *start)
{
    struct words *words = &reader->words;
    const struct lit_object *objects = reader->test->objects;
    unsigned members = reader->test->teams[reader->test->contexts[op->ctx].team].members;
    bool data = op->row->kind == LIT_PUT || op->row->kind == LIT_SIG || op->row->kind == LIT_GET;

    if (reader->test->contexts[op->ctx].team) {
        if (op->row->kind == LIT_PE_QUIET)
            return words_fail_at(words, start, "pe_quiet is not for a context of a team here");
        if (op->place.object >= 0) { /* PEs are named by their number in the team */
            op->place.pe = lit_member(members, op->place.pe);
            if (op->place.pe < 0)
                return words_fail_at(words, start, "the team has %d PEs", __builtin_popcount(members));
        }
    }
    if (op->row->kind == LIT_GET && op->result >= 0 && op->count != 1)
        return words_fail_at(words, start, "a register takes one element");
    if (data && op->place.first + (op->count - 1) * op->stride >= objects[op->place.object].elements)
        return words_fail_at(words, start, "%d elements do not fit into %s", op->count, objects[op->place.object].name);
    if (op->row->kind == LIT_GET && op->local.object >= 0 &&
        op->local.first + op->count > objects[op->local.object].elements)
        return words_fail_at(words, start, "%d elements do not fit into %s", op->count, objects[op->local.object].name);
    if (op->stride < 1)
        return words_fail_at(words, start, "a stride is 1 or more");
    if (op->row->kind == LIT_PUT && !op->count)
        return words_fail_at(words, start, "a put of nothing");
    if (op->guard >= 0 && (op->row->kind == LIT_COLL || op->row->kind == LIT_SYNC || op->row->kind == LIT_BARRIER ||
                           op->row->kind == LIT_MEET))
        return words_fail_at(words, start, "%s cannot be left out by a condition", op->row->name);
    if (!strcmp(op->row->name, "broadcast64")) {
        if (lit_types[objects[op->dest.object].type].bytes != 8 || lit_types[objects[op->local.object].type].bytes != 8)
            return words_fail_at(words, start, "broadcast64 is for elements of 64 bits");
    }
    reader->test->as_program_only |= (op->row->flags & LIT_PROGRAM) != 0;
    if (op->row->kind == LIT_LOCK || op->row->kind == LIT_UNLOCK || op->row->kind == LIT_TRYLOCK)
        reader->test->objects[op->place.object].lock = true;
    return true;
}

static bool
read_until(struct reader *reader, int thread, struct lit_op *op)
{
    struct words *words = &reader->words;

    if (!words_take(words, "until"))
        return true;
    struct word at = words->next;
    bool repeats = op->row->kind == LIT_LOAD || op->row->kind == LIT_SFETCH || op->row->kind == LIT_TEST ||
                   op->row->kind == LIT_TRYLOCK || op->row->amo == SHMEM_AMO_FETCH || op->row->amo == SHMEM_AMO_CSWAP;
    if (!repeats || op->row->flags & LIT_NBI)
        return words_fail_at(words, &at, "%s cannot be repeated: only what changes nothing when it fails",
                             op->row->name);
    if (read_register(reader, thread) != op->result)
        return words_fail_at(words, &at, "it is repeated until its own result is right");
    op->until = read_cmp(reader);
    op->until_value = words_number(words, "a number");
    return !words->failed;
}

bool
read_op(struct reader *reader, int thread, struct lit_op *op)
{
    struct words *words = &reader->words;
    struct word start = words->next, result;

    *op = (struct lit_op){.thread = thread,
                          .pe = reader->test->threads[thread].pe,
                          .line = start.line,
                          .column = start.column,
                          .count = 1,
                          .stride = 1,
                          .result = -1,
                          .guard = -1};
    op->place.object = op->local.object = op->dest.object = op->signal.object = -1;
    op->compare.reg = op->cmp_value.reg = op->signal_value.reg = -1;
    for (int i = 0; i < LIT_ELEMENTS; i++)
        op->values[i].reg = -1;
    if (!read_head(reader, thread, op, &result) || !read_type(reader, op) || !read_arguments(reader, thread, op))
        return false;
    const char *stop = words->next.start;
    if (!take_result(reader, thread, op, &result) || !read_until(reader, thread, op))
        return false;
    if (op->until)
        stop = words->next.start;
    while (stop > start.start && strchr(" \t", stop[-1]))
        stop--;
    snprintf(op->text, sizeof op->text, "%.*s", (int)(stop - start.start), start.start);
    return check_shape(reader, op, &start);
}
