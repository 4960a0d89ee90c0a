/* read_end.c -- the lines at the end of a litmus test: `final CONDITION` and `expect [PROFILE] VERDICT: OUTCOMES`. */
#include <stdlib.h>
#include <string.h>

#include "reference/model/read.h"

void
read_see_registers(struct fp_litmus *test)
{
    /* In the order of the columns, whatever the rows say. */
    for (int i = 0; i < test->nops; i++)
        if (test->ops[i].result >= 0 && test->nseen < LIT_SEEN) {
            struct lit_seen *seen = &test->seen[test->nseen++];
            seen->reg = test->ops[i].result;
            strcpy(seen->text, test->regs[seen->reg].name);
        }
}

static int
add_node(struct reader *reader, struct lit_node node)
{
    struct fp_litmus *test = reader->test;
    if (test->nnodes == LIT_NODES) {
        words_fail(&reader->words, "the condition has more than %d parts", LIT_NODES);
        return 0;
    }
    test->nodes[test->nnodes] = node;
    return test->nnodes++;
}

static int
see_location(struct reader *reader, int location)
{
    struct fp_litmus *test = reader->test;

    for (int i = 0; i < test->nseen; i++)
        if (test->seen[i].reg < 0 && test->seen[i].location == location)
            return i;
    if (test->nseen == LIT_SEEN) {
        words_fail(&reader->words, "more than %d registers and locations", LIT_SEEN);
        return 0;
    }
    struct lit_seen *seen = &test->seen[test->nseen];
    seen->reg = -1;
    seen->location = location;
    lit_location_name(test, location, seen->text, sizeof seen->text);
    return test->nseen++;
}

static int
read_operand(struct reader *reader)
{
    struct words *words = &reader->words;
    struct fp_litmus *test = reader->test;
    struct word at = words->next;

    if (at.kind == WORD_NUMBER || words_is(words, "-"))
        return add_node(reader, (struct lit_node){.kind = LIT_N_CONSTANT, .constant = words_number(words, "a number")});
    int reg = at.kind == WORD_NAME ? read_find_register(test, at.text) : -1;
    if (reg >= 0) {
        words_any(words);
        for (int i = 0; i < test->nseen; i++)
            if (test->seen[i].reg == reg)
                return add_node(reader, (struct lit_node){.kind = LIT_N_SEEN, .seen = i});
        LIT_BUG("a register that is not observed");
    }
    struct lit_place place;
    bool indexed;
    if (!read_place(reader, &place, &indexed))
        return 0;
    if (place.pe < 0) {
        words_fail_at(words, &at, "which PE's copy? %s@0 is that of PE 0", at.text);
        return 0;
    }
    int location = lit_location(test, place.object, place.pe, place.first);
    return add_node(reader, (struct lit_node){.kind = LIT_N_SEEN, .seen = see_location(reader, location)});
}

static int read_or(struct reader *reader);

static int
read_not(struct reader *reader)
{
    struct words *words = &reader->words;

    if (words_take(words, "!"))
        return add_node(reader, (struct lit_node){.kind = LIT_N_NOT, .left = read_not(reader)});
    if (words_take(words, "(")) {
        int inner = read_or(reader);
        words_must(words, ")");
        return inner;
    }
    int left = read_operand(reader);
    enum lit_cmp cmp = read_cmp(reader);
    int right = read_operand(reader);
    return add_node(reader, (struct lit_node){.kind = LIT_N_CMP, .cmp = cmp, .left = left, .right = right});
}

static int
read_and(struct reader *reader)
{
    int left = read_not(reader);
    while (words_take(&reader->words, "&&")) {
        int right = read_not(reader);
        left = add_node(reader, (struct lit_node){.kind = LIT_N_AND, .left = left, .right = right});
    }
    return left;
}

static int
read_or(struct reader *reader)
{
    int left = read_and(reader);
    while (words_take(&reader->words, "||")) {
        int right = read_and(reader);
        left = add_node(reader, (struct lit_node){.kind = LIT_N_OR, .left = left, .right = right});
    }
    return left;
}

bool
read_final(struct reader *reader)
{
    struct fp_litmus *test = reader->test;
    struct words *words = &reader->words;
    const char *start = words->next.start;

    if (test->condition >= 0)
        return words_fail(words, "a second condition");
    test->condition = read_or(reader);
    if (words->failed)
        return false;
    const char *stop = words->next.start;
    while (stop > start && strchr(" \t\r", stop[-1]))
        stop--;
    snprintf(test->final_text, sizeof test->final_text, "%.*s", (int)(stop - start), start);
    return words_end_line(words);
}

/* One outcome, `r=1 x@1=2`, as it is printed everywhere: all that is observed, in the same order. */
static bool
read_outcome(struct reader *reader, char *text, size_t size)
{
    struct words *words = &reader->words;
    struct fp_litmus *test = reader->test;
    struct word start = words->next;
    int64_t values[LIT_SEEN];
    bool has[LIT_SEEN] = {false};
    size_t used = 0;

    if (words_take(words, "hang")) {
        snprintf(text, size, "hang");
        return true;
    }
    if (!test->nseen) {
        snprintf(text, size, "done");
        return words_must(words, "done");
    }
    while (words->next.kind == WORD_NAME) {
        struct lit_place place;
        bool indexed;
        struct word at = words->next;
        int index = -1, reg = read_find_register(test, at.text), location = -1;
        if (reg >= 0)
            words_any(words);
        else if (!read_place(reader, &place, &indexed))
            return false;
        else if (place.pe >= 0)
            location = lit_location(test, place.object, place.pe, place.first);
        for (int i = 0; i < test->nseen; i++)
            if (reg >= 0 ? test->seen[i].reg == reg : test->seen[i].reg < 0 && test->seen[i].location == location)
                index = i;
        if (index < 0)
            return words_fail_at(words, &at, "'%s' is not observed: it is no register and not in `final`", at.text);
        if (!words_must(words, "="))
            return false;
        values[index] = words_number(words, "a number");
        has[index] = true;
    }
    text[0] = 0;
    for (int i = 0; i < test->nseen; i++) {
        if (!has[i])
            return words_fail_at(words, &start, "this outcome gives no value for %s", test->seen[i].text);
        int more =
            snprintf(text + used, size - used, "%s%s=%lld", i ? " " : "", test->seen[i].text, (long long)values[i]);
        if (more < 0 || used + (size_t)more >= size)
            return words_fail_at(words, &start, "an outcome of more than %zu characters", size - 1);
        used += (size_t)more;
    }
    return !words->failed;
}

static bool
add_outcome(struct reader *reader, struct lit_expect *expect, const char *text)
{
    for (int i = 0; i < expect->noutcomes; i++)
        if (!strcmp(expect->outcomes[i], text))
            return words_fail(&reader->words, "the outcome %s a second time", text);
    if (expect->noutcomes == LIT_OUTCOMES)
        return words_fail(&reader->words, "more than %d outcomes", LIT_OUTCOMES);
    size_t length = strlen(text) + 1;
    expect->outcomes = lit_alloc(expect->outcomes, sizeof *expect->outcomes * (size_t)(expect->noutcomes + 1));
    expect->outcomes[expect->noutcomes] = lit_alloc(NULL, length);
    memcpy(expect->outcomes[expect->noutcomes++], text, length);
    return true;
}

/* A line that begins with white space continues the one before it. */
static bool
continues(struct words *words)
{
    if (words->next.kind != WORD_LINE || (*words->at != ' ' && *words->at != '\t'))
        return false;
    const char *text = words->at + strspn(words->at, " \t\r");
    if (!*text || *text == '\n')
        return false;
    words_any(words);
    return true;
}

/* -1 after saying so: it is none. */
static int
verdict_named(struct reader *reader, const struct word *word)
{
    for (int i = 0; i < 3; i++)
        if (!strcmp(word->text, lit_verdict_text[i]))
            return i;
    if (!reader->words.failed)
        words_fail_at(&reader->words, word, "'%s' is no verdict (sc, weak, racy)", word->text);
    return -1;
}

bool
read_outside(struct reader *reader)
{
    struct word verdict = words_name(&reader->words, "a verdict");

    reader->test->outside = verdict_named(reader, &verdict);
    return reader->test->outside >= 0 && words_end_line(&reader->words);
}

bool
read_expect(struct reader *reader)
{
    struct fp_litmus *test = reader->test;
    struct words *words = &reader->words;
    struct word first = words_name(words, "a profile or a verdict");
    struct lit_expect *expect = &test->any;
    char text[1024];
    int rules = lit_rules(first.text), verdict;

    if (rules >= 0) {
        expect = &test->expect[rules];
        first = words_name(words, "a verdict");
    }
    verdict = verdict_named(reader, &first);
    if (verdict < 0)
        return false;
    if (expect->given)
        return words_fail_at(words, &first, "a second expectation for the same profile");
    *expect = (struct lit_expect){.given = true, .verdict = (enum lit_verdict)verdict, .line = first.line};
    if (!words_must(words, ":"))
        return false;
    do {
        while (continues(words))
            ;
        if (words->next.kind == WORD_LINE || words->next.kind == WORD_END)
            break; /* a ; at the end */
        if (!read_outcome(reader, text, sizeof text) || !add_outcome(reader, expect, text))
            return false;
        while (continues(words))
            ;
    } while (words_take(words, ";"));
    if (!expect->noutcomes)
        return words_fail(words, "no outcome: every test has at least one");
    return words_end_line(words);
}
