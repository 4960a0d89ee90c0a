/* match_text.c -- the finding that says how the members of a team called, PE by PE. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/check/match.h"
#include "reference/heap/heap.h"

enum { ALL_LISTED = 16 }; /* up to this many PEs, one value or number each; above, runs */

/* What is being described, and two sets of ranks to work with: a team can be larger than a PE's stack. */
struct scene {
    struct fp_job *job;
    const struct fp_match_team *team;
    const struct fp_match_round *round;
    bool *these, *told;
};

struct text {
    char *at;
    size_t left;
};

static __attribute__((format(printf, 2, 3))) void
put(struct text *text, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text->at, text->left, fmt, args);
    va_end(args);
    size_t used = n < 0 ? 0 : (size_t)n < text->left ? (size_t)n : text->left - 1;
    text->at += used;
    text->left -= used;
}

static bool
has(const struct fp_match_group *group, int rank)
{
    return group->ranks[rank / 64] >> (rank % 64) & 1;
}

static const struct fp_match_group *
group_with(const struct fp_match_round *round, int rank)
{
    const struct fp_match_group *g = round->groups;
    while (g && !has(g, rank))
        g = g->next;
    return g;
}

/* "PE 3", "PEs 0, 1, 2", "PEs 0-62, 64" for the ranks for which `holds` is true. */
static void
put_pes(struct text *text, const struct fp_job *job, const struct fp_match_team *team, const bool *holds)
{
    int n = 0, told = 0;
    for (int r = 0; r < team->size; r++)
        n += holds[r];
    put(text, n == 1 ? "PE " : "PEs ");
    for (int r = 0; r < team->size; r++) {
        if (!holds[r])
            continue;
        int pe = fp_team_world_pe(job, team->index, r), last = pe;
        while (n > ALL_LISTED && r + 1 < team->size && holds[r + 1] &&
               fp_team_world_pe(job, team->index, r + 1) == last + 1)
            r++, last++;
        put(text, told++ ? ", %d" : "%d", pe);
        if (last > pe)
            put(text, "-%d", last);
    }
}

static void
put_team(struct text *text, const struct scene *scene)
{
    const struct fp_match_team *team = scene->team;
    memset(scene->these, true, (size_t)team->size);
    if (team->index == FP_TEAM_WORLD) {
        put(text, "the world team");
    } else if (team->index == FP_TEAM_SHARED) {
        put(text, "the shared team");
    } else {
        put(text, "the team of ");
        put_pes(text, scene->job, team, scene->these);
    }
}

static void
put_place(struct text *text, const struct fp_job *job, const struct fp_place *place)
{
    if (place->region == FP_HEAP) {
        const struct fp_block *block = fp_heap_find(job, place->offset);
        if (block) {
            struct fp_line line = fp_site_line(job->report, fp_site_of(job, block->born_pe, block->born_call.site));
            put(text, "byte %" PRIu64 " of the block of %" PRIu64 " bytes", place->offset - block->offset,
                block->bytes);
            if (line.line)
                put(text, " from %s:%d", line.file, line.line);
        } else {
            put(text, "heap byte %" PRIu64, place->offset);
        }
    } else if (place->region == FP_STATIC) {
        const char *name;
        uint64_t start, bytes;
        if (fp_static_object(job->report, place->offset, &name, &start, &bytes))
            put(text, place->offset == start ? "%s" : "%s + %" PRIu64, name, place->offset - start);
        else
            put(text, "static byte %" PRIu64, place->offset);
    } else {
        put(text, "private memory");
    }
}

static const char *
kind_name(shmem_coll_kind_t kind)
{
    static const char *const names[] = {
#define SHMEM_COLL_ROW(name) #name,
        SHMEM_COLL_ROWS(SHMEM_COLL_ROW)
#undef SHMEM_COLL_ROW
    };
    return names[kind];
}

/* "malloc call 2", as the PE counts its own calls. */
static void
put_number(struct text *text, const struct fp_match_call *call)
{
    for (const char *c = kind_name(call->c.kind); *c; c++)
        put(text, "%c", *c == '_' ? ' ' : *c + ('a' - 'A'));
    put(text, " call %u", (unsigned)call->kind_count);
}

static void
put_split(struct text *text, const shmem_coll_t *c)
{
    if (c->hints == FP_SPLIT_2D)
        put(text, "xrange %d", c->root);
    else
        put(text, "start %td, stride %td, size %d", c->dest_step, c->source_step, c->root);
}

/* The arguments in words. */
static void
put_arguments(struct text *text, const struct fp_job *job, const struct fp_match_call *call)
{
    const shmem_coll_t *c = &call->c;
    switch (c->kind) {
    case SHMEM_COLL_MALLOC:
        put(text, "%zu bytes, ", c->nelems);
        break;
    case SHMEM_COLL_CALLOC:
        put(text, "%zu x %zu bytes, ", c->nelems, c->elem_bytes);
        break;
    case SHMEM_COLL_ALIGN:
        put(text, "%zu bytes aligned to %zu, ", c->nelems, c->align);
        break;
    case SHMEM_COLL_REALLOC:
        put(text, "%zu bytes for ", c->nelems);
        put_place(text, job, &call->dest);
        put(text, ", ");
        break;
    case SHMEM_COLL_FREE:
        put_place(text, job, &call->dest);
        put(text, ", ");
        break;
    case SHMEM_COLL_BROADCAST:
        put(text, "%zu element%s, root %d, ", c->nelems, c->nelems == 1 ? "" : "s", c->root);
        break;
    case SHMEM_COLL_REDUCE:
    case SHMEM_COLL_SCAN:
    case SHMEM_COLL_COLLECT:
    case SHMEM_COLL_FCOLLECT:
    case SHMEM_COLL_ALLTOALL:
    case SHMEM_COLL_ALLTOALLS:
        put(text, "%zu element%s, ", c->nelems, c->nelems == 1 ? "" : "s");
        break;
    case SHMEM_COLL_TEAM_SPLIT:
        put_split(text, c);
        put(text, ", ");
        break;
    default:
        break;
    }
    put_number(text, call);
}

/* The one argument that differs. */
static void
put_value(struct text *text, const struct fp_job *job, const struct fp_match_call *call, enum fp_match_difference what)
{
    const shmem_coll_t *c = &call->c;
    switch (what) {
    case FP_MATCH_BYTES:
        if (c->kind == SHMEM_COLL_CALLOC)
            put(text, "%zu x %zu", c->nelems, c->elem_bytes);
        else
            put(text, "%zu", c->nelems);
        break;
    case FP_MATCH_ALIGN:
        put(text, "%zu", c->align);
        break;
    case FP_MATCH_HINTS:
        put(text, "%ld", c->hints);
        break;
    case FP_MATCH_NELEMS:
        put(text, "%zu", c->nelems);
        break;
    case FP_MATCH_ROOT:
        put(text, "%d", c->root);
        break;
    case FP_MATCH_STRIDE:
        put(text, "%td and %td", c->dest_step, c->source_step);
        break;
    case FP_MATCH_DEST:
        put_place(text, job, &call->dest);
        break;
    case FP_MATCH_SOURCE:
        put_place(text, job, &call->source);
        break;
    case FP_MATCH_PSYNC:
        put_place(text, job, &call->psync);
        break;
    case FP_MATCH_PWRK:
        put_place(text, job, &call->pwrk);
        break;
    case FP_MATCH_SPLIT:
        put_split(text, c);
        break;
    default:
        put(text, "%s", c->call.name);
        break;
    }
}

static const char *
value_name(const shmem_coll_t *c, enum fp_match_difference what)
{
    switch (what) {
    case FP_MATCH_BYTES:
        return c->kind == SHMEM_COLL_CALLOC ? "counts and sizes" : "sizes";
    case FP_MATCH_ALIGN:
        return "alignments";
    case FP_MATCH_HINTS:
        return "hints";
    case FP_MATCH_NELEMS:
        return "numbers of elements";
    case FP_MATCH_ROOT:
        return "roots";
    case FP_MATCH_STRIDE:
        return "strides";
    case FP_MATCH_DEST:
        return c->kind == SHMEM_COLL_FREE || c->kind == SHMEM_COLL_REALLOC ? "blocks" : "destinations";
    case FP_MATCH_SOURCE:
        return "sources";
    case FP_MATCH_PSYNC:
        return "pSync arrays";
    case FP_MATCH_PWRK:
        return "pWrk arrays";
    case FP_MATCH_SPLIT:
        return "triplets or ranges";
    default:
        return "types or operations";
    }
}

static bool
is_heap_call(const shmem_coll_t *c)
{
    return c->kind >= SHMEM_COLL_MALLOC && c->kind <= SHMEM_COLL_FREE;
}

static bool
is_team_call(const shmem_coll_t *c)
{
    return c->kind == SHMEM_COLL_TEAM_SPLIT || c->kind == SHMEM_COLL_TEAM_DESTROY;
}

static bool
is_of_library(const shmem_coll_t *c)
{
    return c->kind == SHMEM_COLL_INIT || c->kind == SHMEM_COLL_FINALIZE;
}

static const char *
rule_of(const struct fp_match_call *a, const struct fp_match_call *b, enum fp_match_difference what)
{
    static const char *const clauses[SHMEM_COLL_COUNT] = {
        [SHMEM_COLL_BROADCAST] = "E111, S 9.10.7", [SHMEM_COLL_COLLECT] = "E111, S 9.10.8",
        [SHMEM_COLL_FCOLLECT] = "E111, S 9.10.8",  [SHMEM_COLL_REDUCE] = "E111, S 9.10.9",
        [SHMEM_COLL_SCAN] = "E111, S 9.10.10",     [SHMEM_COLL_ALLTOALL] = "E111, S 9.10.5",
        [SHMEM_COLL_ALLTOALLS] = "E111, S 9.10.6", [SHMEM_COLL_TEAM_SPLIT] = "E122, S 9.4.6",
    };
    if (what == FP_MATCH_KIND && is_of_library(&a->c) && is_of_library(&b->c))
        return "E008, S 9.1";
    if (what == FP_MATCH_KIND && (is_team_call(&a->c) || is_team_call(&b->c)))
        return "E120, S 9.4";
    if (what == FP_MATCH_KIND)
        return is_heap_call(&a->c) || is_heap_call(&b->c) ? "E151, S 9.3" : "E110, S 9.10";
    if (what == FP_MATCH_PSYNC || what == FP_MATCH_PWRK)
        return "E141, S 9.10";
    if (is_heap_call(&a->c))
        return what == FP_MATCH_DEST ? "E156, S 9.3" : "E150, S 9.3";
    return clauses[a->c.kind] ? clauses[a->c.kind] : "E111, S 9.10";
}

/* Different calls: each with who makes it. */
static void
put_calls(struct text *text, const struct scene *scene)
{
    const struct fp_job *job = scene->job;
    const struct fp_match_team *team = scene->team;
    const struct fp_match_round *round = scene->round;
    bool *these = scene->these, *told = scene->told;
    int ntold = 0;
    put(text, "collective calls differ on ");
    put_team(text, scene);
    memset(told, false, (size_t)team->size);
    for (int r = 0; r < team->size; r++) {
        const struct fp_match_group *first = group_with(round, r);
        char words[2][256];
        if (!first || told[r])
            continue;
        for (int s = r; s < team->size; s++) {
            const struct fp_match_group *g = group_with(round, s);
            struct text line = {words[s != r], sizeof words[0]};
            these[s] = false;
            if (!g)
                continue;
            put(&line, "%s (", g->call.c.call.name);
            put_arguments(&line, job, &g->call);
            put(&line, ")");
            these[s] = s == r || strcmp(words[0], words[1]) == 0;
            told[s] |= these[s];
        }
        memset(these, false, (size_t)r);
        int n = 0;
        for (int s = r; s < team->size; s++)
            n += these[s];
        put(text, ntold++ ? ", " : ": ");
        put_pes(text, job, team, these);
        put(text, n == 1 ? " calls %s" : " call %s", words[0]);
    }
}

/* One argument differs: its value on each PE, or in runs of PEs. */
static void
put_values(struct text *text, const struct scene *scene, enum fp_match_difference what)
{
    const struct fp_job *job = scene->job;
    const struct fp_match_team *team = scene->team;
    const struct fp_match_round *round = scene->round;
    bool *these = scene->these;
    const shmem_coll_t *c = &round->groups->call.c;
    bool runs = team->size > ALL_LISTED || round->arrived < team->size;
    put(text, "%s: %s differ between PEs: ", c->call.name, value_name(c, what));
    for (int r = 0, told = 0; r < team->size; r++) {
        const struct fp_match_group *first = group_with(round, r), *g = first;
        if (!first)
            continue;
        put(text, told++ ? ", " : "");
        put_value(text, job, &first->call, what);
        if (!runs)
            continue;
        memset(these, false, (size_t)team->size);
        for (; g && fp_match_difference(&g->call, &first->call) == FP_MATCH_EQUAL; r++) {
            these[r] = true;
            g = r + 1 < team->size ? group_with(round, r + 1) : NULL;
        }
        r--;
        put(text, " on ");
        put_pes(text, job, team, these);
    }
}

/* A line for each way of calling, and who has not come. Only where the accesses cannot show every PE. */
static void
put_details(struct text *text, const struct scene *scene)
{
    const struct fp_job *job = scene->job;
    const struct fp_match_team *team = scene->team;
    const struct fp_match_round *round = scene->round;
    bool *these = scene->these;
    for (const struct fp_match_group *g = round->groups; g && team->size > FP_ACCESS_MAX; g = g->next) {
        struct fp_line line = fp_site_line(job->report, g->site);
        for (int r = 0; r < team->size; r++)
            these[r] = has(g, r);
        put_pes(text, job, team, these);
        put(text, ": %s (", g->call.c.call.name);
        put_arguments(text, job, &g->call);
        put(text, ") at %s:%d\n", line.file, line.line);
    }
    int missing = 0;
    for (int r = 0; r < team->size; r++)
        missing += these[r] = !group_with(round, r);
    if (missing) {
        put_pes(text, job, team, these);
        put(text, missing == 1 ? " has not come to this call\n" : " have not come to this call\n");
    }
}

static void
add_access(const struct scene *scene, const struct fp_match_group *group, int rank, char (*notes)[256],
           struct fp_finding *f)
{
    struct text note = {notes[f->naccesses], sizeof notes[0]};
    put_arguments(&note, scene->job, &group->call);
    f->accesses[f->naccesses] = (struct fp_access){.pe = fp_team_world_pe(scene->job, scene->team->index, rank),
                                                   .op = group->call.c.call.name,
                                                   .kind = FP_CALL,
                                                   .site = group->site,
                                                   .note = notes[f->naccesses]};
    f->naccesses++;
}

/* Every way of calling first, then as many more PEs as there is room for; in order of the PEs. */
static void
add_accesses(const struct scene *scene, char (*notes)[256], struct fp_finding *f)
{
    const struct fp_match_round *round = scene->round;
    bool *chosen = scene->told;
    int n = 0, size = scene->team->size;
    memset(chosen, false, (size_t)size);
    for (const struct fp_match_group *g = round->groups; g && n < FP_ACCESS_MAX; g = g->next, n++)
        for (int r = 0; r < size; r++)
            if (has(g, r)) {
                chosen[r] = true;
                break;
            }
    for (int r = 0; r < size && n < FP_ACCESS_MAX; r++)
        if (!chosen[r] && group_with(round, r)) {
            chosen[r] = true;
            n++;
        }
    for (int r = 0; r < size; r++)
        if (chosen[r])
            add_access(scene, group_with(round, r), r, notes, f);
}

/* A heap call of the round of which PE `r` has made fewer than those that make it now; NULL: none. */
static const shmem_coll_t *
behind_in(const struct scene *scene, int r)
{
    const struct fp_match_group *own = group_with(scene->round, r);
    for (const struct fp_match_group *g = scene->round->groups; g; g = g->next)
        if (g != own && is_heap_call(&g->call.c) && scene->team->kinds[r][g->call.c.kind] < g->call.kind_count)
            return &g->call.c;
    return NULL;
}

/* PEs that made the call with size 0 or a null pointer: theirs was none. The rule against that, or NULL. */
static const char *
put_skips(struct text *text, const struct scene *scene)
{
    const struct fp_job *job = scene->job;
    const struct fp_match_skip *skips = job->match->skips;
    const char *rule = NULL;
    for (int r = 0; skips && scene->team->index == FP_TEAM_WORLD && r < scene->team->size; r++) {
        const shmem_coll_t *missed = behind_in(scene, r);
        bool is_free = missed && missed->kind == SHMEM_COLL_FREE;
        const shmem_call_t *skip = is_free ? &skips[r].free : &skips[r].allocation;
        if (!missed || !skip->name)
            continue;
        struct fp_line line = fp_site_line(job->report, fp_site_of(job, r, skip->site));
        put(text, "PE %d called %s with %s at %s:%d, which does nothing and meets nobody\n", r, skip->name,
            is_free ? "a null pointer" : "size 0", line.file, line.line);
        rule = is_free ? "E153, S 9.3.2" : "E152, S 9.3.1";
    }
    return rule;
}

void
fp_match_report(struct fp_job *job, const struct fp_match_team *team, const struct fp_match_round *round)
{
    const struct fp_match_group *first = round->groups, *other = first->next;
    enum fp_match_difference what = FP_MATCH_EQUAL;
    for (; other; other = other->next)
        if ((what = fp_match_difference(&first->call, &other->call)) != FP_MATCH_EQUAL)
            break;
    FP_ASSERT(other);
    bool *sets = calloc(2, (size_t)team->size);
    if (!sets)
        fp_env_fail("out of memory");
    struct scene scene = {job, team, round, sets, sets + team->size};
    char notes[FP_ACCESS_MAX][256];
    struct fp_finding f = {.class_ = FP_CLASS_MISMATCH, .rule = rule_of(&first->call, &other->call, what)};
    struct text message = {f.message, sizeof f.message}, details = {f.details, sizeof f.details};
    if (what == FP_MATCH_KIND)
        put_calls(&message, &scene);
    else
        put_values(&message, &scene, what);
    put_details(&details, &scene);
    const char *skipped = what == FP_MATCH_KIND ? put_skips(&details, &scene) : NULL;
    if (skipped)
        f.rule = skipped;
    if (f.details[0])
        f.details[strlen(f.details) - 1] = '\0'; /* no newline at the end */
    add_accesses(&scene, notes, &f);
    snprintf(f.repair, sizeof f.repair, "%s",
             what == FP_MATCH_KIND ? "all members of a team make the same collective calls in the same order"
                                   : "pass the same argument on every PE of the team");
    free(sets);
    fp_report_add(job->report, &f);
}
