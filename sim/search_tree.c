/* search_tree.c -- the tree of choices: depth first, one path at a time.
 *
 * Plain enumeration is an odometer: at every node all movers are to be tried, the last node that has one left counts
 * up, and what is behind it starts anew. The reduced search differs in one thing: a node begins with the one mover
 * that the run took, and search_order.c adds those that a race asks for. A mover that was tried goes to sleep for the
 * tries that follow at the node.
 */
#include "sim/search_tree.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void *
grown(void *block, size_t bytes)
{
    block = realloc(block, bytes);
    if (!block)
        fp_env_fail("out of memory for the search");
    return block;
}

/* ---- The log: one mapping that children share, touched as it is used */

static void *
part(char **at, size_t bytes)
{
    void *here = *at;
    *at += (bytes + 63) & ~(size_t)63;
    return here;
}

static struct search_log *
log_open(size_t *bytes, int npes)
{
    size_t entities = SEARCH_UNITS_MAX + (size_t)npes + 1;
    *bytes = sizeof(struct search_log) + SEARCH_STEPS_MAX * (sizeof(struct search_step) + sizeof(uint32_t)) +
             2 * (size_t)SEARCH_ENABLED_MAX * sizeof(uint32_t) + entities * sizeof(uint32_t) +
             2 * (size_t)SEARCH_ACCESSES_MAX * sizeof(struct search_access) +
             SEARCH_SLEEP_MAX * sizeof(struct search_asleep) + (size_t)npes * sizeof(struct search_pe) + 4096;
    char *at = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        fp_env_fail("cannot reserve %zu bytes of address space for the search", *bytes);
    struct search_log *log = part(&at, sizeof *log);
    log->steps = part(&at, SEARCH_STEPS_MAX * sizeof *log->steps);
    log->plan = part(&at, SEARCH_STEPS_MAX * sizeof *log->plan);
    log->enabled = part(&at, (size_t)SEARCH_ENABLED_MAX * sizeof *log->enabled);
    log->made = part(&at, (size_t)SEARCH_ENABLED_MAX * sizeof *log->made);
    log->stamps = part(&at, entities * sizeof *log->stamps);
    log->accesses = part(&at, (size_t)SEARCH_ACCESSES_MAX * sizeof *log->accesses);
    log->sleep_accesses = part(&at, (size_t)SEARCH_ACCESSES_MAX * sizeof *log->sleep_accesses);
    log->sleep = part(&at, SEARCH_SLEEP_MAX * sizeof *log->sleep);
    log->pes = part(&at, (size_t)npes * sizeof *log->pes);
    log->npes = (uint32_t)npes;
    log->step_limit = SEARCH_STEPS_MAX / 2;
    return log;
}

/* Ready for another run. Stamps are by entity: those of the last run are cleared. */
static void
log_reset(struct search_log *log)
{
    for (uint32_t i = 0; i < log->nenabled; i++)
        log->stamps[log->enabled[i]] = 0;
    memset(log->pes, 0, log->npes * sizeof *log->pes);
    log->outcome = SEARCH_UNFINISHED;
    log->nsteps = log->current = log->nenabled = log->naccesses = log->nmade = 0;
    log->turns = 0;
}

/* ---- Nodes */

bool
search_is_enabled(const struct search_node *node, uint32_t entity)
{
    for (uint32_t i = 0; i < node->nenabled; i++)
        if (node->enabled[i] == entity)
            return true;
    return false;
}

bool
search_is_tried(const struct search_node *node, uint32_t entity)
{
    for (uint32_t i = 0; i < node->nwanted; i++)
        if (node->wanted[i] == entity)
            return true;
    return false;
}

void
search_try(struct search_tree *tree, struct search_node *node, uint32_t entity)
{
    if (search_is_tried(node, entity))
        return;
    node->wanted = grown(node->wanted, (node->nwanted + 1) * sizeof *node->wanted);
    node->wanted[node->nwanted++] = entity;
}

void
search_try_all(struct search_tree *tree, struct search_node *node)
{
    for (uint32_t i = 0; i < node->nenabled; i++)
        search_try(tree, node, node->enabled[i]);
}

static void
node_free(struct search_node *node)
{
    for (uint32_t i = 0; i < node->ndone; i++)
        free(node->done[i].accesses);
    free(node->done);
    free(node->enabled);
    free(node->wanted);
    free(node->sleep);
}

static void
cut_behind(struct search_tree *tree, uint32_t count)
{
    while (tree->nnodes > count)
        node_free(&tree->nodes[--tree->nnodes]);
}

static bool
is_asleep(const struct search_node *node, uint32_t entity)
{
    for (uint32_t i = 0; i < node->nsleep; i++)
        if (node->sleep[i]->entity == entity)
            return true;
    return false;
}

static bool
is_done(const struct search_node *node, uint32_t entity)
{
    for (uint32_t i = 0; i < node->ndone; i++)
        if (node->done[i].entity == entity)
            return true;
    return false;
}

/* The next mover to try at the node, or UINT32_MAX. */
static uint32_t
left_at(const struct search_node *node)
{
    if (node->split)
        return node->chosen + 1 < node->bound ? node->chosen + 1 : UINT32_MAX;
    for (uint32_t i = 0; i < node->nwanted; i++)
        if (!is_done(node, node->wanted[i]) && !is_asleep(node, node->wanted[i]))
            return node->wanted[i];
    return UINT32_MAX;
}

static void
choose(struct search_node *node, uint32_t what)
{
    node->chosen = what;
    if (node->split)
        return;
    node->done = grown(node->done, (node->ndone + 1) * sizeof *node->done);
    node->done[node->ndone++] = (struct search_done){.entity = what};
}

/* ---- Learning from a run */

static bool
independent(const struct search_done *sleeper, const struct search_done *step)
{
    for (uint32_t a = 0; a < sleeper->count; a++)
        for (uint32_t b = 0; b < step->count; b++)
            if (search_relation(&sleeper->accesses[a], &step->accesses[b]) ||
                search_relation(&step->accesses[b], &sleeper->accesses[a]))
                return false;
    return sleeper->entity != step->entity;
}

/* Who sleeps after the step from `above`: its sleepers and those tried there before, unless they depend on the step. */
static void
sleep_inherit(struct search_node *node, const struct search_node *above)
{
    uint32_t most = above->nsleep + above->ndone;
    const struct search_done *step = &above->done[above->ndone - 1];
    node->sleep = grown(NULL, (most + 1) * sizeof *node->sleep);
    node->nsleep = 0;
    for (uint32_t i = 0; i + 1 < most; i++) {
        const struct search_done *sleeper = i < above->nsleep ? above->sleep[i] : &above->done[i - above->nsleep];
        if (independent(sleeper, step))
            node->sleep[node->nsleep++] = sleeper;
    }
}

static bool
same_access(const struct search_access *a, const struct search_access *b)
{
    return a->space == b->space && a->lo == b->lo && a->hi == b->hi && a->type == b->type;
}

/* What the step touched joins what it touched in other executions. */
static void
done_extend(struct search_done *done, const struct search_access *accesses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = 0;
        while (at < done->count && !same_access(&done->accesses[at], &accesses[i]))
            at++;
        if (at < done->count)
            continue;
        done->accesses = grown(done->accesses, (done->count + 1) * sizeof *done->accesses);
        done->accesses[done->count++] = accesses[i];
    }
}

static void
node_make(struct search_tree *tree, const struct search_step *step)
{
    const struct search_log *log = tree->log;
    if (tree->nnodes == tree->capacity) {
        tree->capacity = tree->capacity ? 2 * tree->capacity : 256;
        tree->nodes = grown(tree->nodes, tree->capacity * sizeof *tree->nodes);
    }
    struct search_node *node = &tree->nodes[tree->nnodes++];
    *node = (struct search_node){.split = step->split, .chosen = step->answer, .bound = step->bound};
    if (step->split)
        return;
    node->nenabled = step->enabled_count;
    node->enabled = grown(NULL, (node->nenabled + 1) * sizeof *node->enabled);
    memcpy(node->enabled, &log->enabled[step->enabled_from], node->nenabled * sizeof *node->enabled);
    search_try(tree, node, step->entity);
    if (tree->mode == SEARCH_PLAIN && !step->forced)
        search_try_all(tree, node);
    choose(node, step->entity);
}

/* The step that a run was in when it ended for everybody: whatever else could have moved then has to be tried. */
static void
learn_cut_off(struct search_tree *tree)
{
    struct search_log *log = tree->log;
    struct search_step *step = &log->steps[log->current];
    log->accesses[log->naccesses++] = (struct search_access){.type = SEARCH_ALL};
    step->access_count++;
}

void
search_learn(struct search_tree *tree)
{
    struct search_log *log = tree->log;
    struct fp_search_counts *counts = &tree->counts;
    bool cut_off = log->outcome == SEARCH_UNFINISHED && log->nsteps > 0;
    counts->executions += log->outcome == SEARCH_FINISHED || log->outcome == SEARCH_UNFINISHED;
    counts->repeats += log->outcome == SEARCH_REPEAT;
    counts->too_long += log->outcome == SEARCH_TOO_LONG;
    counts->astray |= log->outcome == SEARCH_ASTRAY;
    if (counts->astray)
        return;
    if (cut_off)
        learn_cut_off(tree);
    uint32_t first_new = log->plan_count ? log->plan_count - 1 : 0, above = UINT32_MAX;
    for (uint32_t i = 0; i < log->nsteps; i++) {
        const struct search_step *step = &log->steps[i];
        if (i >= tree->nnodes) {
            node_make(tree, step);
            if (above != UINT32_MAX && !step->split && tree->mode == SEARCH_REDUCED)
                sleep_inherit(&tree->nodes[i], &tree->nodes[above]);
        }
        if (step->split)
            continue;
        struct search_node *node = &tree->nodes[i];
        if (tree->mode == SEARCH_REDUCED)
            done_extend(&node->done[node->ndone - 1], &log->accesses[step->access_from], step->access_count);
        above = i;
    }
    if (cut_off)
        search_try_all(tree, &tree->nodes[log->current]);
    if (tree->mode == SEARCH_REDUCED)
        search_races(tree, first_new);
}

/* ---- The next plan */

/* The sleepers of the run: those of the last node before or at the end of the plan that is no choice of data. */
static void
plan_sleep(struct search_tree *tree)
{
    struct search_log *log = tree->log;
    uint32_t at = tree->nnodes;
    log->sleep_count = 0;
    log->sleep_from = UINT32_MAX;
    if (tree->mode != SEARCH_REDUCED)
        return;
    while (at > 0 && tree->nodes[at - 1].split)
        at--;
    if (at == 0)
        return;
    const struct search_node *node = &tree->nodes[at - 1];
    uint32_t used = 0;
    log->sleep_from = at - 1;
    for (uint32_t i = 0; i + 1 < node->nsleep + node->ndone && log->sleep_count < SEARCH_SLEEP_MAX; i++) {
        const struct search_done *sleeper = i < node->nsleep ? node->sleep[i] : &node->done[i - node->nsleep];
        if (used + sleeper->count > SEARCH_ACCESSES_MAX)
            break;
        memcpy(&log->sleep_accesses[used], sleeper->accesses, sleeper->count * sizeof *sleeper->accesses);
        log->sleep[log->sleep_count++] =
            (struct search_asleep){.entity = sleeper->entity, .access_from = used, .access_count = sleeper->count};
        used += sleeper->count;
    }
}

bool
search_next(struct search_tree *tree)
{
    if (tree->counts.astray)
        return false;
    if (tree->begun) {
        uint32_t left = UINT32_MAX;
        while (tree->nnodes > 0 && (left = left_at(&tree->nodes[tree->nnodes - 1])) == UINT32_MAX)
            cut_behind(tree, tree->nnodes - 1);
        if (tree->nnodes == 0) {
            tree->counts.complete = tree->counts.too_long == 0;
            return false;
        }
        choose(&tree->nodes[tree->nnodes - 1], left);
    }
    tree->begun = true;
    search_again(tree);
    return true;
}

void
search_again(struct search_tree *tree)
{
    struct search_log *log = tree->log;
    log_reset(log);
    for (uint32_t i = 0; i < tree->nnodes; i++)
        log->plan[i] = tree->nodes[i].chosen;
    log->plan_count = tree->nnodes;
    plan_sleep(tree);
}

struct fp_search_counts
search_counts(const struct search_tree *tree)
{
    struct fp_search_counts counts = tree->counts;
    for (uint32_t i = 0; i < tree->nnodes; i++) {
        const struct search_node *node = &tree->nodes[i];
        if (node->split)
            counts.left += node->bound - 1 - node->chosen;
        for (uint32_t k = 0; k < node->nwanted; k++)
            counts.left += !is_done(node, node->wanted[k]) && !is_asleep(node, node->wanted[k]);
    }
    return counts;
}

struct search_log *
search_log_of(struct search_tree *tree)
{
    return tree->log;
}

struct search_tree *
search_open(int npes, enum search_mode mode, bool hooked)
{
    struct search_tree *tree = grown(NULL, sizeof *tree);
    *tree = (struct search_tree){.mode = mode};
    tree->log = log_open(&tree->log_bytes, npes);
    tree->log->hooked = hooked;
    return tree;
}

void
search_close(struct search_tree *tree)
{
    cut_behind(tree, 0);
    free(tree->nodes);
    munmap(tree->log, tree->log_bytes);
    free(tree);
}

/* ---- For the front end (reference/job.h) */

static void *
hook_open(int npes, bool plain, bool hooked)
{
    return search_open(npes, plain ? SEARCH_PLAIN : SEARCH_REDUCED, hooked);
}

static bool
hook_next(void *search)
{
    return search_next(search);
}

static void *
hook_log(void *search)
{
    return search_log_of(search);
}

static void
hook_learn(void *search)
{
    search_learn(search);
}

static void
hook_again(void *search)
{
    search_again(search);
}

static struct fp_search_counts
hook_counts(void *search)
{
    return search_counts(search);
}

static void
hook_close(void *search)
{
    search_close(search);
}

const struct fp_search_hooks sim_search_hooks = {.open = hook_open,
                                                 .next = hook_next,
                                                 .log = hook_log,
                                                 .learn = hook_learn,
                                                 .again = hook_again,
                                                 .counts = hook_counts,
                                                 .close = hook_close};
