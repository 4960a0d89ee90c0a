/* race_repair.c -- the weakest repair of a race, as a sentence with lines.
 *
 * The class says what is missing; where it goes is between the first access and the point of its PE that the other
 * learned of. In a loop both may be one line, or the later one stands further up: then what is missing goes before
 * the next round. A line of another file than the program's is told with its file.
 */
#include <stdio.h>
#include <string.h>

#include "sim/observe/race_why.h"

/* "line 41", or "stencil.c:41" where two files or a library's are concerned, or the routine's name. */
struct spot {
    char text[160];
    const char *name; /* of the call or access */
    struct fp_line line;
};

static bool
several_files(const struct race *race, const struct race_chain *chain)
{
    struct fp_line x = fp_site_line(race->job->report, chain->first->site);
    struct fp_line y = fp_site_line(race->job->report, chain->second->site);
    return x.line > 0 && y.line > 0 && strcmp(x.file, y.file) != 0;
}

static struct spot
spot_of(const struct race *race, const struct race_chain *chain, fp_site_t site, const char *name)
{
    struct spot spot = {.line = fp_site_line(race->job->report, site), .name = name ? name : "access"};
    const char *file = spot.line.file, *slash = file ? strrchr(file, '/') : NULL;

    if (spot.line.line <= 0)
        snprintf(spot.text, sizeof spot.text, "the %s", name ? name : "access");
    else if (file && (!strncmp(file, "/usr/", 5) || several_files(race, chain)))
        snprintf(spot.text, sizeof spot.text, "%s:%d", slash ? slash + 1 : file, spot.line.line);
    else
        snprintf(spot.text, sizeof spot.text, "line %d", spot.line.line);
    return spot;
}

static struct spot
record_spot(const struct race *race, const struct race_chain *chain, const struct race_record *a)
{
    return spot_of(race, chain, a->site, a->name);
}

/* Where the first PE said that it was done: the flag, the signal, the sync; or the second access itself. */
static struct spot
release_spot(const struct race *race, const struct race_chain *chain)
{
    if (chain->release)
        return spot_of(race, chain, chain->release->site, chain->release->name);
    return record_spot(race, chain, chain->second);
}

/* "between line 4 and line 7". What comes later in the run but not further down in its function does so in the next
 * round of a loop. */
static void
add_between(struct race_text *text, const struct spot *from, const struct spot *to)
{
    const struct fp_line *x = &from->line, *y = &to->line;
    bool alike = x->line > 0 && y->line > 0 && !strcmp(x->file, y->file) && !strcmp(x->function, y->function);

    if (alike && x->line == y->line && strcmp(from->name, to->name) != 0)
        race_text_add(text, "between %s and %s on %s", from->name, to->name, to->text);
    else if (alike && x->line == y->line)
        race_text_add(text, "before the next round of %s", to->text);
    else
        race_text_add(text, "between %s and %s%s", from->text, alike && y->line < x->line ? "the next round of " : "",
                      to->text);
}

/* A fence or quiet on the context of the operation, before `site`. */
static void
fix_with(struct fp_fix *fix, bool fence, const struct race_op *op, fp_site_t site)
{
    *fix = (struct fp_fix){.ctx = op ? op->ctx : 0, .before = site};
    if (fix->ctx)
        fix->call = fence ? "shmem_ctx_fence" : "shmem_ctx_quiet";
    else
        fix->call = fence ? "shmem_fence" : "shmem_quiet";
}

/* Whether a fence in place of nothing would have been enough. */
static bool
fence_suffices(const struct race *race, const struct race_chain *chain)
{
    const struct race_op *op = chain->first->op;
    const struct race_step *release = chain->release;
    bool flag = release &&
                (release->kind == RACE_STEP_AMO || release->kind == RACE_STEP_SIGNAL || release->kind == RACE_STEP_PUT);

    if (chain->first->pe == chain->view.pe) {
        const struct race_op *later = chain->second->op;
        return op && later && op->covered && later->behind && op->ctx == later->ctx && op->target == later->target;
    }
    if (!op)
        return flag && race->publish;
    return flag && op->covered && release->ctx == op->ctx && release->target == op->target;
}

static void
order_repair(const struct race *race, const struct race_chain *chain, struct race_text *text, struct fp_fix *fix)
{
    const struct race_record *a = chain->first;
    struct spot from = record_spot(race, chain, a), to = release_spot(race, chain);
    bool own_ctx = a->op && a->op->ctx != 0, fence = fence_suffices(race, chain);

    fix_with(fix, fence, a->op, chain->release ? chain->release->site : chain->second->site);

    if (fence)
        race_text_add(text, "%s ", own_ctx ? "shmem_ctx_fence on the context" : "shmem_fence");
    else
        race_text_add(text, "%s ", own_ctx ? "shmem_ctx_quiet on the context of the operation" : "shmem_quiet");
    add_between(text, &from, &to);
    if (fence)
        race_text_add(text, " suffices");
    else if (a->op && a->op->covered)
        race_text_add(text, " (a fence is not enough: it orders deliveries per target PE)");
}

/* Bytes are read and written, and the read should be over first. */
static void
read_first_repair(const struct race *race, const struct race_chain *chain, struct race_text *text)
{
    bool first = race_reads[chain->first->kind];
    const struct race_record *read = first ? chain->first : chain->second;
    const struct race_record *write = first ? chain->second : chain->first;
    struct spot from = record_spot(race, chain, read), to = record_spot(race, chain, write);

    race_text_add(text, "the read at %s must be over before %s%s: ", from.text,
                  chain->reuse ? "the next round of " : "the write at ", to.text);
    if (read->pe == write->pe)
        race_text_add(text, "shmem_barrier_all between the two");
    else
        race_text_add(text,
                      "PE %d tells PE %d that it has read (a flag that PE %d waits for before it writes), or "
                      "shmem_barrier_all between the two",
                      read->pe, write->pe, write->pe);
}

static bool
of_coll(const struct race_record *a)
{
    return a->op && a->op->coll;
}

/* The buffer of a collective and another access: the members have to meet between them, and what is an operation has to
 * be complete by then, since no collective completes any. */
static void
coll_repair(const struct race_chain *chain, const struct spot *from, const struct spot *to, struct race_text *text,
            struct fp_fix *fix)
{
    const struct race_record *other = of_coll(chain->first) ? chain->second : chain->first;
    bool barrier = other->op && other->kind != RACE_GET;
    bool second = of_coll(chain->second); /* all members come to the collective: before that one, if it is the later */

    race_text_add(text, "%s ",
                  barrier ? "shmem_barrier_all, or shmem_quiet and a sync of the team," : "a sync of the team");
    *fix = (struct fp_fix){.call = barrier ? "shmem_barrier_all" : "shmem_sync_all",
                           .before = (second ? chain->second : chain->first)->site};
    if (!second && chain->known)
        fix->before = chain->second->site;
    if (!chain->known && to->line.line > 0 && to->line.line < from->line.line)
        race_text_add(text, "between %s and %s", to->text, from->text); /* as they stand in the program */
    else
        add_between(text, from, to);
}

void
race_repair(const struct race *race, const struct race_chain *chain, const char *rule, struct race_text *text,
            struct fp_fix *fix)
{
    const struct race_record *a = chain->first, *b = chain->second;
    struct spot from = record_spot(race, chain, a), to = record_spot(race, chain, b);
    int number = (rule[1] - '0') * 100 + (rule[2] - '0') * 10 + (rule[3] - '0');

    if (chain->reuse) {
        read_first_repair(race, chain, text);
        return;
    }
    switch (number) {
    case 63:
    case 64:
        race_text_add(text, "shmem_quiet on the context of the operation ");
        add_between(text, race_pending_buffer(a) ? &from : &to, race_pending_buffer(a) ? &to : &from);
        if (a->pe == b->pe)
            fix_with(fix, false, race_pending_buffer(a) ? a->op : b->op, race_pending_buffer(a) ? b->site : a->site);
        else
            race_text_add(text, ", and PE %d must learn of it: shmem_barrier_all, or a flag that it waits for",
                          race_pending_buffer(a) ? b->pe : a->pe);
        return;
    case 65:
    case 66:
    case 67:
    case 68:
    case 81:
    case 85:
    case 93:
        if (chain->known) {
            order_repair(race, chain, text, fix);
            return;
        }
        race_text_add(text,
                      "wait for the signal of %s as well, for example with one signal a message or SHMEM_SIGNAL_ADD",
                      from.text);
        return;
    case 69:
        if (chain->barrier)
            fix_with(fix, false, a->op, chain->barrier->site);
        race_text_add(text, "shmem_ctx_quiet on the context of %s before the barrier", from.text);
        return;
    case 70:
        fix_with(fix, false, NULL, chain->sync->site);
        race_text_add(text, "shmem_quiet before the sync at %s, or shmem_barrier_all in its place",
                      spot_of(race, chain, chain->sync->site, chain->sync->name).text);
        return;
    case 71:
        race_text_add(
            text, "read it with shmem_wait_until, shmem_test or shmem_atomic_fetch in place of the plain load at %s",
            a->kind == RACE_LOAD ? from.text : to.text);
        return;
    case 74:
        if (a->pe == b->pe && chain->known) {
            order_repair(race, chain, text, fix);
            return;
        }
        race_text_add(text, "make the plain access at %s atomic too, or separate the two by a barrier",
                      race_atomic[a->kind] ? to.text : from.text);
        return;
    case 75:
    case 77:
        race_text_add(text, "use one type for every atomic and wait on this object");
        return;
    case 76:
        race_text_add(
            text, "use contexts of teams that descend from one predefined team for every atomic on this object: those "
                  "of SHMEM_TEAM_WORLD, or those of SHMEM_TEAM_SHARED");
        return;
    case 78:
        race_text_add(text, "update the flag with shmem_atomic_set or a signal");
        return;
    case 84:
        race_text_add(
            text, "leave the variable to shmem_set_lock, shmem_test_lock and shmem_clear_lock; to initialise it, write "
                  "zero on every PE and synchronise before the first of them");
        return;
    case 183:
        race_text_add(text, "shmem_clear_lock before the block is given back");
        return;
    case 79:
    case 80:
        race_text_add(text, "update the signal with one signal operator only");
        return;
    case 83:
        fix_with(fix, false, a->op, b->site);
        race_text_add(text, "shmem_ctx_quiet on the context of %s before the block is given back", from.text);
        return;
    case 89:
    case 90:
    case 91:
        coll_repair(chain, &from, &to, text, fix);
        return;
    case 73:
        if (!of_coll(a) && !of_coll(b))
            break;
        coll_repair(chain, &from, &to, text, fix);
        return;
    }
    if (a->pe == b->pe && chain->known) {
        order_repair(race, chain, text, fix);
        return;
    }
    if (number == 62 && !(chain->known && a->op && a->op->nbi)) {
        read_first_repair(race, chain, text);
        return;
    }
    if (!chain->known && race_reads[b->kind]) { /* whichever comes first: the read may be the one that is too early */
        race_text_add(text, "shmem_barrier_all between %s and %s, or a flag that the later of them waits for",
                      from.text, to.text);
        return;
    }
    if (!a->op) {
        race_text_add(text,
                      "the PE of %s must learn of the store at %s: a flag behind a fence, that it waits for, or "
                      "shmem_barrier_all",
                      to.text, from.text);
        return;
    }
    if (!strcmp(from.text, to.text)) { /* one line, so what tells them apart is the PE */
        race_text_add(text,
                      "PE %d must learn that PE %d is done with %s: shmem_quiet, then a flag that it waits for, or "
                      "shmem_barrier_all",
                      b->pe, a->pe, from.text);
        return;
    }
    race_text_add(
        text,
        "the PE of %s must learn that %s is complete: shmem_quiet, then a flag that it waits for, or shmem_barrier_all",
        to.text, from.text);
}
