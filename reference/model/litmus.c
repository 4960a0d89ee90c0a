/* litmus.c -- the tables of a litmus test, and the few questions everybody asks about one. */
#include "reference/model/litmus.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

const struct lit_type_row lit_types[LIT_TYPES] = {
#define LIT_TYPE_ROW(name, ctype, bytes, is_signed) {#name, ctype, bytes, is_signed},
    LIT_TYPE_ROWS(LIT_TYPE_ROW)
#undef LIT_TYPE_ROW
};

const struct lit_op_row lit_op_rows[] = {
#define LIT_OP_ROW(name, kind, arguments, result, flags, amo, routine)                                                 \
    {name, kind, arguments, result, flags, SHMEM_AMO_##amo, routine},
    LIT_OP_ROWS(LIT_OP_ROW)
#undef LIT_OP_ROW
};
const int lit_op_row_count = sizeof lit_op_rows / sizeof lit_op_rows[0];

const char *const lit_cmp_text[] = {"", "==", "!=", ">", ">=", "<", "<="};
const char *const lit_verdict_text[] = {"sc", "weak", "racy"};
const char *const lit_rules_text[] = {"strict", "common", "nv"};

bool
lit_compare(enum lit_cmp cmp, int64_t a, int64_t b)
{
    switch (cmp) {
    case LIT_ANY:
        return true;
    case LIT_EQ:
        return a == b;
    case LIT_NE:
        return a != b;
    case LIT_GT:
        return a > b;
    case LIT_GE:
        return a >= b;
    case LIT_LT:
        return a < b;
    case LIT_LE:
        return a <= b;
    }
    LIT_BUG("no such comparison");
}

int
lit_location(const struct fp_litmus *test, int object, int pe, int element)
{
    return test->objects[object].base + pe * test->objects[object].elements + element;
}

int
lit_member(unsigned members, int rank)
{
    for (int pe = 0; pe < LIT_PES; pe++)
        if (members >> pe & 1 && !rank--)
            return pe;
    return -1;
}

int
lit_rank(unsigned members, int pe)
{
    return __builtin_popcount(members & ((1u << pe) - 1));
}

struct lit_place
lit_place_of(const struct fp_litmus *test, int location)
{
    for (int i = 0; i < test->nobjects; i++) {
        int offset = location - test->objects[i].base, elements = test->objects[i].elements;
        if (offset >= 0 && offset < elements * test->npes)
            return (struct lit_place){.object = i, .pe = offset / elements, .first = offset % elements};
    }
    LIT_BUG("a location of no object");
}

void
lit_location_name(const struct fp_litmus *test, int location, char *text, int size)
{
    struct lit_place place = lit_place_of(test, location);
    const struct lit_object *object = &test->objects[place.object];

    if (object->elements == 1)
        snprintf(text, (size_t)size, "%s@%d", object->name, place.pe);
    else
        snprintf(text, (size_t)size, "%s[%d]@%d", object->name, place.first, place.pe);
}

static int64_t
node_value(const struct fp_litmus *test, const int64_t *seen, int index)
{
    const struct lit_node *node = &test->nodes[index];

    switch (node->kind) {
    case LIT_N_CONSTANT:
        return node->constant;
    case LIT_N_SEEN:
        return seen[node->seen];
    case LIT_N_CMP:
        return lit_compare(node->cmp, node_value(test, seen, node->left), node_value(test, seen, node->right));
    case LIT_N_AND:
        return node_value(test, seen, node->left) && node_value(test, seen, node->right);
    case LIT_N_OR:
        return node_value(test, seen, node->left) || node_value(test, seen, node->right);
    case LIT_N_NOT:
        return !node_value(test, seen, node->left);
    }
    LIT_BUG("no such node");
}

bool
lit_condition_holds(const struct fp_litmus *test, const int64_t *seen)
{
    return test->condition >= 0 && node_value(test, seen, test->condition);
}

int
lit_rules(const char *name)
{
    for (int i = 0; i < 3; i++)
        if (!strcmp(name, lit_rules_text[i]))
            return i;
    return -1;
}

const char *
fp_litmus_name(const struct fp_litmus *test)
{
    return test->name;
}

const char *
fp_litmus_outside(const struct fp_litmus *test)
{
    return test->outside < 0 ? NULL : lit_verdict_text[test->outside];
}

int
fp_litmus_operations(const struct fp_litmus *test)
{
    return test->nops;
}

int
fp_litmus_pes(const struct fp_litmus *test)
{
    return test->npes;
}

unsigned
fp_litmus_expects(const struct fp_litmus *test)
{
    unsigned set = 0;
    for (int i = 0; i < 3; i++)
        if (test->any.given || test->expect[i].given)
            set |= 1u << i;
    return set;
}

static void
expect_free(struct lit_expect *expect)
{
    for (int i = 0; i < expect->noutcomes; i++)
        free(expect->outcomes[i]);
    free(expect->outcomes);
}

void
fp_litmus_free(struct fp_litmus *test)
{
    if (!test)
        return;
    expect_free(&test->any);
    for (int i = 0; i < 3; i++)
        expect_free(&test->expect[i]);
    free(test);
}

void
lit_bug(const char *file, int line, const char *what)
{
    fprintf(stderr, "internal bug: %s:%d: %s\n", file, line, what);
    exit(EX_SOFTWARE);
}

void *
lit_alloc(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "fencepost: out of memory for the executions of a litmus test\n");
        exit(EX_OSERR);
    }
    return memory;
}
