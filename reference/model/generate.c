/* generate.c -- random litmus tests.
 *
 * Operations drawn blindly are nearly always racy, so a test has a style: atomics only (sc or weak), messages (data,
 * perhaps an order, a flag; then a wait and a look at the data), phases between meetings, or anything at all. A draft
 * with too many executions to look at is thrown away and the next one drawn, so every test states its expectation.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "reference/model/litmus.h"

enum { ROWS = 8, CELL = 64, STATES = 30000, OUTCOMES = 64 };
enum style { ATOMS, MESSAGES, PHASES, ANYTHING, STYLES };

struct draft {
    uint64_t random;
    int npes, nregs;
    enum style style;
    bool context, overflow;
    int rows[LIT_PES];
    char cells[LIT_PES][ROWS][CELL];
};

static unsigned
draw(struct draft *draft, unsigned bound)
{
    uint64_t x = draft->random += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((x ^ x >> 31) % bound);
}

static void __attribute__((format(printf, 3, 4))) add(struct draft *draft, int pe, const char *format, ...)
{
    va_list list;

    if (draft->rows[pe] == ROWS) {
        draft->overflow = true;
        return;
    }
    va_start(list, format);
    vsnprintf(draft->cells[pe][draft->rows[pe]++], CELL, format, list);
    va_end(list);
}

static const char *
context(struct draft *draft)
{
    return draft->context && !draw(draft, 3) ? "c:" : "";
}

static int
other_pe(struct draft *draft, int pe)
{
    return draw(draft, 6) ? (pe + 1 + (int)draw(draft, (unsigned)draft->npes - 1)) % draft->npes : pe;
}

static char
one_of(struct draft *draft, const char *letters)
{
    return letters[draw(draft, (unsigned)strlen(letters))];
}

static void
add_atomic(struct draft *draft, int pe)
{
    const char *c = context(draft);
    char x = one_of(draft, draft->style == ATOMS ? "xy" : "xyz");
    int to = (int)draw(draft, draft->style == ATOMS ? 2 : (unsigned)draft->npes), value = 1 + (int)draw(draft, 2);

    switch (draw(draft, 11)) {
    case 0:
    case 1:
    case 2:
        add(draft, pe, "%saset(%c@%d, %d)", c, x, to, value);
        break;
    case 3:
        add(draft, pe, "%sainc(%c@%d)", c, x, to);
        break;
    case 4:
        add(draft, pe, "%saadd(%c@%d, %d)", c, x, to, value);
        break;
    case 5:
    case 6:
    case 7:
        add(draft, pe, "r%d = %safetch(%c@%d)", draft->nregs++, c, x, to);
        break;
    case 8:
        add(draft, pe, "r%d = %safadd(%c@%d, %d)", draft->nregs++, c, x, to, value);
        break;
    case 9:
        add(draft, pe, "r%d = %saswap(%c@%d, %d)", draft->nregs++, c, x, to, value);
        break;
    case 10:
        add(draft, pe, "r%d = %sacas(%c@%d, %d, %d)", draft->nregs++, c, x, to, (int)draw(draft, 2), value);
        break;
    }
}

static void
add_order(struct draft *draft, int pe)
{
    unsigned which = draw(draft, 5);
    if (which < 2)
        add(draft, pe, "%sfence", context(draft));
    else if (which < 4)
        add(draft, pe, "%squiet", context(draft));
    else
        add(draft, pe, "%spe_quiet(%d)", context(draft), (int)draw(draft, (unsigned)draft->npes));
}

static void
add_data(struct draft *draft, int pe, char x, int to)
{
    const char *c = context(draft);

    switch (draw(draft, 6)) {
    case 0:
        add(draft, pe, "%sput(%c@%d, 1)", c, x, to);
        break;
    case 1:
        add(draft, pe, "%sp(%c@%d, 2)", c, x, to);
        break;
    case 2:
        add(draft, pe, "%sput(%c@%d, d)", c, x, to);
        break;
    case 3:
        add(draft, pe, "%sput_nbi(%c@%d, d)", c, x, to);
        break;
    case 4:
        add(draft, pe, "st(%c@%d, 1)", x, to);
        break;
    case 5:
        add(draft, pe, "%saset(%c@%d, 1)", c, x, to);
        break;
    }
}

static void
add_look(struct draft *draft, int pe, char x, int at)
{
    const char *c = context(draft);

    switch (draw(draft, 5)) {
    case 0:
        if (at == pe)
            add(draft, pe, "r%d = ld(%c)", draft->nregs++, x);
        else
            add(draft, pe, "r%d = %sget(%c@%d)", draft->nregs++, c, x, at);
        break;
    case 1:
        add(draft, pe, "r%d = %sg(%c@%d)", draft->nregs++, c, x, at);
        break;
    case 2:
        add(draft, pe, "%sget(e, %c@%d)", c, x, at);
        add(draft, pe, "r%d = ld(e)", draft->nregs++);
        break;
    case 3:
        add(draft, pe, "%sget_nbi(e, %c@%d)", c, x, at);
        if (draw(draft, 3))
            add(draft, pe, "%squiet", c);
        add(draft, pe, "r%d = ld(e)", draft->nregs++);
        break;
    case 4:
        add(draft, pe, "r%d = %safetch(%c@%d)", draft->nregs++, c, x, at);
        break;
    }
}

/* One message: data, an order or none, a flag; at the other end a wait and a look at the data. */
static void
add_message(struct draft *draft)
{
    int from = (int)draw(draft, (unsigned)draft->npes), to = other_pe(draft, from),
        home = draw(draft, 4) ? to : other_pe(draft, to);
    char x = one_of(draft, "xy"), f = one_of(draft, "fg");
    const char *c = context(draft);

    if (!draw(draft, 4)) {
        add(draft, from, "%ssig%s, s += 1)", c, draw(draft, 2) ? "(x@0, 1" : "_nbi(x@0, d");
        char *place = strchr(draft->cells[from][draft->rows[from] - 1], '@');
        if (place)
            place[1] = (char)('0' + to);
        if (draw(draft, 3))
            add(draft, to, "swait(s >= 1)");
        else
            add(draft, to, "r%d = sfetch(s) until r%d >= 1", draft->nregs, draft->nregs), draft->nregs++;
        add_look(draft, to, 'x', to);
        return;
    }
    add_data(draft, from, x, home);
    if (draw(draft, 4))
        add_order(draft, from);
    switch (draw(draft, 5)) {
    case 0:
        add(draft, from, "%sp(%c@%d, 1)", c, f, to);
        break;
    case 1:
        add(draft, from, "%sainc(%c@%d)", c, f, to);
        break;
    default:
        add(draft, from, "%saset(%c@%d, 1)", c, f, to);
        break;
    }
    switch (draw(draft, 4)) {
    case 0:
        add(draft, to, "r%d = test(%c == 1)", draft->nregs++, f);
        break;
    case 1:
        add(draft, to, "r%d = afetch(%c@%d) until r%d >= 1", draft->nregs, f, to, draft->nregs), draft->nregs++;
        break;
    default:
        add(draft, to, "wait(%c >= 1)", f);
        break;
    }
    add_look(draft, to, x, home);
}

static void
add_anything(struct draft *draft, int pe)
{
    int to = other_pe(draft, pe);

    switch (draw(draft, 12)) {
    case 0:
    case 1:
        add_data(draft, pe, one_of(draft, "xy"), to);
        break;
    case 2:
    case 3:
        add_look(draft, pe, one_of(draft, "xy"), to);
        break;
    case 4:
    case 5:
        add_order(draft, pe);
        break;
    case 6:
        add(draft, pe, "afadd_nbi(e, z@%d, 1)", to);
        break;
    case 7:
        add(draft, pe, draw(draft, 2) ? "sigadd(s@%d, 1)" : "sigset(s@%d, 1)", to);
        break;
    case 8:
        add(draft, pe, "r%d = sfetch(s)", draft->nregs++);
        break;
    case 9:
        add(draft, pe, "lock(l)");
        add_data(draft, pe, 'x', 0);
        add(draft, pe, "unlock(l)");
        break;
    default:
        add_atomic(draft, pe);
        break;
    }
}

static void
add_meeting(struct draft *draft)
{
    unsigned kind = draw(draft, 5);
    bool quiet = draw(draft, 2);

    for (int pe = 0; pe < draft->npes; pe++) {
        if (kind == 1 && quiet)
            add(draft, pe, "quiet");
        add(draft, pe, kind == 0 ? "sync" : kind == 1 ? "sync" : kind == 2 ? "sum_reduce(e, d)" : "barrier");
    }
}

static void
compose(struct draft *draft)
{
    switch (draft->style) {
    case ATOMS:
        for (int pe = 0; pe < draft->npes; pe++)
            for (int i = 1 + (int)draw(draft, 3); i > 0; i--) {
                add_atomic(draft, pe);
                if (!draw(draft, 4))
                    add_order(draft, pe);
            }
        break;
    case MESSAGES:
        for (int i = 1 + (int)draw(draft, 3); i > 0; i--)
            add_message(draft);
        break;
    case PHASES:
        for (int i = 0; i < 2; i++) {
            for (int pe = 0; pe < draft->npes; pe++)
                for (int k = (int)draw(draft, 3); k > 0; k--) {
                    if (draw(draft, 2))
                        add_atomic(draft, pe);
                    else if (i)
                        add_look(draft, pe, 'x', (int)draw(draft, (unsigned)draft->npes));
                    else
                        add_data(draft, pe, 'x', pe);
                }
            if (!i)
                add_meeting(draft);
        }
        break;
    default:
        for (int pe = 0; pe < draft->npes; pe++)
            for (int i = 1 + (int)draw(draft, 3); i > 0; i--)
                add_anything(draft, pe);
        break;
    }
}

static void
print_program(const struct draft *draft, FILE *out)
{
    int width[LIT_PES], rows = 0;

    for (int pe = 0; pe < draft->npes; pe++) {
        width[pe] = 4;
        for (int i = 0; i < draft->rows[pe]; i++)
            if ((int)strlen(draft->cells[pe][i]) > width[pe])
                width[pe] = (int)strlen(draft->cells[pe][i]);
        if (draft->rows[pe] > rows)
            rows = draft->rows[pe];
    }
    for (int i = -1; i < rows; i++)
        for (int pe = 0; pe < draft->npes; pe++) {
            char head[16];
            snprintf(head, sizeof head, "PE %d", pe);
            const char *cell = i < 0 ? head : i < draft->rows[pe] ? draft->cells[pe][i] : "";
            if (pe < draft->npes - 1)
                fprintf(out, "%-*s | ", width[pe], cell);
            else
                fprintf(out, "%s\n", cell);
        }
}

/* The test without its expectation. */
static void
print_draft(const struct draft *draft, uint64_t seed, uint64_t index, FILE *out)
{
    fprintf(out, "name random-%llu-%llu\npes %d\n", (unsigned long long)seed, (unsigned long long)index, draft->npes);
    fprintf(out, "init x = 0, y = 0, z = 0, f = 0, g = 0, s = 0, d = 3, e = 0, l = 0\n");
    if (draft->context)
        fprintf(out, "ctx c\n");
    fprintf(out, "\n");
    print_program(draft, out);
    fprintf(out, "\n");
    if (draft->style == ATOMS)
        fprintf(out, "final x@0 == 0 && y@1 == 0\n");
    else
        fprintf(out, "final x@%d == 0\n", draft->npes - 1);
}

/* Adds the expectations; false where there are too many executions. */
static bool
print_answers(const char *text, FILE *out)
{
    char error[FP_LITMUS_ERROR];
    struct fp_litmus *test = fp_litmus_parse("generated", text, error);
    bool small = true;

    if (!test) {
        fprintf(stderr, "%s\n", error);
        LIT_BUG("a generated test cannot be read");
    }
    for (int i = 0; i < 3 && small; i++) {
        struct fp_litmus_answer *answer =
            fp_litmus_ask(test, &(struct fp_litmus_question){.rules = lit_rules_text[i], .states_max = STATES});
        small = fp_litmus_complete(answer) && fp_litmus_outcomes(answer) <= OUTCOMES;
        if (small)
            fp_litmus_print_expect(answer, lit_rules_text[i], out);
        fp_litmus_answer_free(answer);
    }
    fp_litmus_free(test);
    return small;
}

char *
fp_litmus_generate(uint64_t seed, uint64_t index)
{
    for (uint64_t attempt = 0;; attempt++) {
        struct draft draft = {.random = seed * UINT64_C(0xd1342543de82ef95) + index * UINT64_C(0x2545f4914f6cdd1d) +
                                        attempt * 977};
        char *text = NULL;
        size_t size = 0;
        draft.npes = 2 + (int)draw(&draft, 3);
        draft.style = (enum style)draw(&draft, STYLES);
        draft.context = !draw(&draft, 3);
        compose(&draft);
        if (draft.overflow) /* a test that lacks its end */
            continue;
        FILE *out = open_memstream(&text, &size);
        if (!out)
            LIT_BUG("no stream in memory");
        print_draft(&draft, seed, index, out);
        fflush(out);
        char *program = strdup(text);
        bool small = program && print_answers(program, out);
        free(program);
        fclose(out);
        if (small)
            return text;
        free(text);
    }
}
