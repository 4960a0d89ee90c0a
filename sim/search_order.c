/* search_order.c -- which steps of one execution could have come the other way round.
 *
 * Happens-before of an execution: the steps of one mover are ordered, what a step enabled comes after it, and dependent
 * steps keep their order. Executions with the same happens-before are the same to every observer. A pair of dependent
 * steps i, j with nothing between them in that order, where j did not need i to be enabled, is a *race*: another
 * execution has j first. To reach it, from the state before i a step has to be tried that begins the way to j without i
 * (its *initials*: the movers of the steps after i that do not happen after i, and of these the first). That is the
 * source set rule of Abdulla, Aronis, Jonsson and Sagonas (Optimal Dynamic Partial Order Reduction, 2014): one initial
 * among those to be tried is enough.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/search_tree.h"

enum search_relation
search_relation(const struct search_access *earlier, const struct search_access *later)
{
    if (earlier->type == SEARCH_ALL || later->type == SEARCH_ALL)
        return SEARCH_CONFLICT;
    if (earlier->space != later->space || earlier->lo >= later->hi || later->lo >= earlier->hi)
        return SEARCH_INDEPENDENT;
    if (earlier->type <= SEARCH_WRITE && later->type <= SEARCH_WRITE)
        return earlier->type == SEARCH_WRITE || later->type == SEARCH_WRITE ? SEARCH_CONFLICT : SEARCH_INDEPENDENT;
    return earlier->type == SEARCH_RELEASE && later->type == SEARCH_ACQUIRE ? SEARCH_EDGE : SEARCH_INDEPENDENT;
}

static bool
enables(const struct search_log *log, const struct search_step *i, const struct search_step *j)
{
    for (uint32_t m = 0; m < i->made_count; m++)
        if (log->made[i->made_from + m] == j->entity)
            return true;
    return false;
}

static enum search_relation
accesses_related(const struct search_log *log, const struct search_step *i, const struct search_step *j)
{
    enum search_relation strongest = SEARCH_INDEPENDENT;
    for (uint32_t a = 0; a < i->access_count; a++)
        for (uint32_t b = 0; b < j->access_count; b++) {
            enum search_relation relation =
                search_relation(&log->accesses[i->access_from + a], &log->accesses[j->access_from + b]);
            if (relation == SEARCH_EDGE)
                return SEARCH_EDGE;
            if (relation == SEARCH_CONFLICT)
                strongest = SEARCH_CONFLICT;
        }
    return strongest;
}

/* Of step i to a later step j. EDGE: ordered for good. */
static enum search_relation
steps_related(const struct search_log *log, const struct search_step *i, const struct search_step *j)
{
    if (i->entity == j->entity || enables(log, i, j))
        return SEARCH_EDGE;
    return accesses_related(log, i, j);
}

/* before: a row of bits for each step, the steps that happen before it. */
struct order {
    uint64_t *rows;
    uint32_t words;
};

static uint64_t *
row(const struct order *order, uint32_t step)
{
    return order->rows + (size_t)step * order->words;
}

static bool
has(const uint64_t *bits, uint32_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static void
add(uint64_t *bits, uint32_t i)
{
    bits[i / 64] |= UINT64_C(1) << (i % 64);
}

/* Whether a step before `x` on the way without i happens before it. */
static bool
has_predecessor(const struct order *order, const struct search_log *log, uint32_t i, uint32_t x)
{
    for (uint32_t y = i + 1; y < x; y++)
        if (!log->steps[y].split && !has(row(order, y), i) && has(row(order, x), y))
            return true;
    return false;
}

/* Makes sure that from the state before step i a way to step j without i is tried. */
static void
race(struct search_tree *tree, const struct order *order, uint32_t i, uint32_t j)
{
    const struct search_log *log = tree->log;
    struct search_node *node = &tree->nodes[i];
    uint32_t wanted = UINT32_MAX;
    for (uint32_t x = i + 1; x <= j; x++) {
        const struct search_step *step = &log->steps[x];
        if (step->split || (x < j && has(row(order, x), i)) || has_predecessor(order, log, i, x))
            continue;
        if (search_is_tried(node, step->entity))
            return;
        if (search_is_enabled(node, step->entity))
            wanted = step->entity; /* the last one: mostly the mover of j itself */
    }
    if (wanted != UINT32_MAX)
        search_try(tree, node, wanted);
    else
        search_try_all(tree, node);
}

/* Step i enabled j, but something between them, which does not come after i, could have enabled it as well: a wait for
 * either of two flags, or for a value that two deliveries can give. Then there is an execution with j before i. */
static bool
another_may_enable(const struct order *order, const struct search_log *log, uint32_t i, uint32_t j)
{
    const struct search_step *enabled = &log->steps[j];
    if (!enables(log, &log->steps[i], enabled) || accesses_related(log, &log->steps[i], enabled) != SEARCH_CONFLICT)
        return false;
    for (uint32_t x = i + 1; x < j; x++)
        if (!log->steps[x].split && !has(row(order, x), i) && log->steps[x].entity != enabled->entity &&
            accesses_related(log, &log->steps[x], enabled) == SEARCH_CONFLICT)
            return true;
    return false;
}

/* The order of step j to all before it; races are handed on for steps from first_new. */
static void
order_step(struct search_tree *tree, const struct order *order, uint32_t j, uint32_t first_new)
{
    const struct search_log *log = tree->log;
    uint64_t *mine = row(order, j);
    for (uint32_t i = j; i-- > 0;) {
        if (log->steps[i].split || has(mine, i))
            continue;
        enum search_relation relation = steps_related(log, &log->steps[i], &log->steps[j]);
        if (relation == SEARCH_INDEPENDENT)
            continue;
        bool reversible = relation == SEARCH_CONFLICT || another_may_enable(order, log, i, j);
        if (reversible && j >= first_new && !log->steps[i].forced)
            tree->races[tree->nraces++] = i;
        const uint64_t *theirs = row(order, i);
        for (uint32_t w = 0; w <= i / 64; w++)
            mine[w] |= theirs[w];
        add(mine, i);
    }
}

void
search_races(struct search_tree *tree, uint32_t first_new)
{
    const struct search_log *log = tree->log;
    struct order order = {.words = log->nsteps / 64 + 1};
    order.rows = calloc((size_t)log->nsteps + 1, order.words * sizeof *order.rows);
    tree->races = malloc(((size_t)log->nsteps + 1) * sizeof *tree->races);
    if (!order.rows || !tree->races)
        fp_env_fail("out of memory for the search: %u steps", log->nsteps);
    for (uint32_t j = 0; j < log->nsteps; j++) {
        if (log->steps[j].split)
            continue;
        tree->nraces = 0;
        order_step(tree, &order, j, first_new);
        for (uint32_t r = 0; r < tree->nraces; r++)
            race(tree, &order, tree->races[r], j);
    }
    free(tree->races);
    free(order.rows);
}
