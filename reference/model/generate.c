/* generate.c -- random litmus tests.
 *
 * A draft with too many executions to look at, or with a column that is too long, is thrown away and the next one
 * drawn, so every test states its expectation. A test is a function of seed and number alone.
 */
#include <stdlib.h>
#include <string.h>

#include "reference/model/generate.h"

enum { STATES = 30000, OUTCOMES = 64, CELLS = GEN_ROWS * LIT_PES };

/* Objects: what stands in an `init` line, and the name to look for. */
static const struct object_row {
    const char *name, *init;
} objects[] = {{"x", "x = 0"},
               {"y", "y = 0"},
               {"i", "int i = 0"},
               {"u", "short u = 0"},
               {"a", "a[3] = 0"},
               {"z", "z = 0"},
               {"b", "uint64 b = 1"},
               {"f", "f = 0"},
               {"g", "g = 0"},
               {"s", "s = 0"},
               {"t", "t = 0"},
               {"d", "d = 3"},
               {"di", "int di = 3"},
               {"du", "short du = 3"},
               {"e", "e = 0"},
               {"ei", "int ei = 0"},
               {"eu", "short eu = 0"},
               {"eb", "uint64 eb = 0"},
               {"v2", "v2[2] = {1, 2}"},
               {"v3", "v3[3] = {1, 2, 3}"},
               {"v4", "v4[4] = {1, 2, 3, 4}"},
               {"w2", "w2[2] = 0"},
               {"w3", "w3[3] = 0"},
               {"w4", "w4[4] = 0"},
               {"l", "l = 0"}};

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* Is it named as a word of its own, and not as an operation or a context? */
static bool
names(const char *cell, const char *object)
{
    size_t length = strlen(object);

    for (const char *at = cell; (at = strstr(at, object)); at++)
        if ((at == cell || !is_letter(at[-1])) && !is_letter(at[length]) && at[length] != '(' &&
            !(at[length] == ':' && at[length + 1] != '='))
            return true;
    return false;
}

static bool
is_used(const struct draft *draft, const char *object)
{
    for (int pe = 0; pe < draft->npes; pe++)
        for (int i = 0; i < draft->rows[pe]; i++)
            if (names(draft->cells[pe][i], object))
                return true;
    return false;
}

static void
print_objects(const struct draft *draft, FILE *out)
{
    int count = 0;

    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        if (is_used(draft, objects[i].name))
            fprintf(out, "%s%s", count++ ? ", " : "init ", objects[i].init);
    fprintf(out, count ? "\n" : "init x = 0\n");
    for (int i = 0; i < draft->ncontexts; i++)
        fprintf(out, "ctx %c%s\n", draft->contexts[i],
                draft->contexts[i] == 'n'   ? " nostore"
                : draft->contexts[i] == 'h' ? " shared"
                                            : "");
    if (!draft->team)
        return;
    fprintf(out, "team A =");
    for (int pe = 0, members = 0; pe < draft->npes; pe++)
        if (draft->team >> pe & 1)
            fprintf(out, "%s %d", members++ ? "," : "", pe);
    fprintf(out, "\n");
}

static void
print_columns(const struct draft *draft, FILE *out)
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
print_draft(struct draft *draft, uint64_t seed, uint64_t index, FILE *out)
{
    static const char *const ends[] = {"x", "y", "z", "e"};

    fprintf(out, "name random-%llu-%llu\npes %d\n", (unsigned long long)seed, (unsigned long long)index, draft->npes);
    print_objects(draft, out);
    fprintf(out, "\n");
    print_columns(draft, out);
    for (size_t i = 0, first = draw(draft, 4); i < 4; i++) {
        const char *end = ends[(first + i) % 4];
        if (!is_used(draft, end))
            continue;
        fprintf(out, "\nfinal %s@%d == 0\n", end, (int)draw(draft, 2));
        return;
    }
    fprintf(out, "\n");
}

/* Adds the expectations; false where there are too many executions. */
static bool
print_answers(const char *text, FILE *out)
{
    char error[FP_LITMUS_ERROR];
    struct fp_litmus *test = fp_litmus_parse("generated", text, error);
    bool small = true;

    if (!test) {
        fprintf(stderr, "%s\n%s", error, text);
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

static void
draw_contexts(struct draft *draft)
{
    static const char kinds[] = "ccnh";

    for (unsigned more = draw(draft, 4) == 0 ? 2 : draw(draft, 2); more > 0; more--) {
        char kind = kinds[draw(draft, 4)];
        if (!memchr(draft->contexts, kind, (size_t)draft->ncontexts))
            draft->contexts[draft->ncontexts++] = kind;
    }
}

/* PEs at equal distances, as a team that is split off has them. */
static void
draw_team(struct draft *draft)
{
    int first = any_pe(draft), stride = 1 + (int)draw(draft, 2), size = 1 + (int)draw(draft, 3);

    if (draw(draft, 3))
        return;
    for (int pe = first; pe < draft->npes && size-- > 0; pe += stride)
        draft->team |= 1u << pe;
    if (__builtin_popcount(draft->team) < 2)
        draft->team = 0;
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
        draw_contexts(&draft);
        draw_team(&draft);
        compose(&draft);
        if (draft.overflow)
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
