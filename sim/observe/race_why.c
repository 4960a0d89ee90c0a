/* race_why.c -- why a chain broke: error class, sentence and the weakest repair.
 *
 * The verdict is already there; this file looks for the edge that the programmer thought he had. First it finds out
 * which of the two accesses came first by program order and synchronisation, if any did: its issue is known to the
 * other's PE. Then it looks at what the first PE did between the access and the point that the other PE learned of:
 * a fence, a quiet on the wrong context, a sync, a signal, or nothing. Semantics 2.3 has the classes.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/observe/race_why.h"

static uint64_t
po_of(const struct race_view *view, int pe)
{
    return pe == view->pe ? view->po : clock_po(view->clock, pe);
}

/* What the access knew when it was made. */
static struct race_view
view_of(const struct race *race, const struct race_record *a)
{
    if (a->op && !a->op->coll && a->op->clock)
        return race_view_op(race, a->op);
    return (struct race_view){
        .clock = a->known ? a->known : race->pes[a->pe].clock, .pe = a->pe, .po = a->clock, .vis = 0, .target = -1};
}

static bool
issue_known(const struct race_record *a, const struct race_view *view)
{
    return po_of(view, a->pe) >= a->clock;
}

static void
chain_step(struct race_chain *chain, const struct race_step *step)
{
    const struct race_op *op = chain->first->op;
    bool same = op && step->ctx == op->ctx;

    switch (step->kind) {
    case RACE_STEP_FENCE:
        *(same || !op ? &chain->fence : &chain->other_fence) = step;
        break;
    case RACE_STEP_QUIET:
    case RACE_STEP_PE_QUIET:
        *(same || !op ? &chain->quiet : &chain->other_quiet) = step;
        break;
    case RACE_STEP_SYNC:
        chain->sync = step;
        break;
    case RACE_STEP_BARRIER:
        chain->barrier = step;
        break;
    default:
        break;
    }
    if (step->nostore)
        chain->nostore = step;
}

static struct race_chain
chain_find(const struct race *race, const struct race_record *first, const struct race_record *second,
           struct race_view view)
{
    struct race_chain chain = {.first = first, .second = second, .view = view, .known = issue_known(first, &view)};
    const struct race_pe *rp = &race->pes[first->pe];
    uint64_t upto = po_of(&view, first->pe);

    if (!chain.known || !rp->steps)
        return chain;
    uint64_t from = first->clock + (first->op != NULL); /* the issue itself is no step in between */
    uint64_t oldest = rp->now > RACE_STEPS ? rp->now - RACE_STEPS : 0;
    for (uint64_t clock = from > oldest ? from : oldest; clock <= upto && clock < rp->now; clock++) {
        const struct race_step *step = &rp->steps[clock % RACE_STEPS];
        if (step->clock == clock && step->kind != RACE_STEP_NONE)
            chain_step(&chain, step);
    }
    const struct race_step *last = &rp->steps[upto % RACE_STEPS];
    if (first->pe != view.pe && last->clock == upto && last->kind != RACE_STEP_NONE)
        chain.release = last;
    return chain;
}

/* The later round of a loop puts again where its earlier round did, and that one the reader knows of: not the put came
 * too late, but it did not wait for the read. */
static bool
is_reuse(const struct race *race, const struct race_chain *chain)
{
    const struct race_record *put = chain->first, *read = chain->second;
    const struct race_pe *rp = &race->pes[put->pe];
    uint64_t upto = po_of(&chain->view, put->pe);

    if (chain->known || put->kind != RACE_PUT || put->pe == read->pe || !race_reads[read->kind] ||
        race_atomic[read->kind] || !rp->steps)
        return false;
    for (int i = 0; i < RACE_STEPS; i++) {
        const struct race_step *step = &rp->steps[i];
        if ((step->kind == RACE_STEP_PUT || step->kind == RACE_STEP_SIGNAL) && step->site == put->site &&
            step->clock <= upto && step->clock < put->clock)
            return true;
    }
    return false;
}

/* ---- Sentences -------------------------------------------------------------------------------------------------- */

void
race_text_add(struct race_text *text, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text->at, text->left, fmt, args);
    va_end(args);
    if (n < 0)
        return;
    size_t used = (size_t)n < text->left ? (size_t)n : text->left - 1;
    text->at += used;
    text->left -= used;
}

static const char *
name_of(const struct race_record *a)
{
    return a->name ? a->name : "access";
}

/* The base class: what the two accesses are. */
static const char *
base_class(const struct race *race, const struct race_chain *chain)
{
    enum race_access x = chain->first->kind, y = chain->second->kind;
    const char *rule;

    if (race_atomic[x] && race_atomic[y])
        return race_compatible(race, chain->first, chain->second, &rule) ? "E075" : rule;
    if (race_atomic[x] || race_atomic[y]) {
        const struct race_record *atomic = race_atomic[x] ? chain->first : chain->second;
        enum race_access other = race_atomic[x] ? y : x;
        if (atomic->wait)
            return "E078";
        bool foreign = chain->first->pe != chain->second->pe; /* nobody polls for his own update */
        if (other == RACE_LOAD && foreign && (atomic->amo == SHMEM_AMO_SET || atomic->signal))
            return "E071";
        return other == RACE_LOAD || other == RACE_STORE ? "E074" : "E073";
    }
    if (x == RACE_PUT && y == RACE_PUT)
        return "E060";
    if (x == RACE_GET && (y == RACE_PUT || y == RACE_STORE || y == RACE_DEST))
        return chain->known ? "E062" : y == RACE_PUT ? "E061" : "E062";
    if (y == RACE_GET && x == RACE_STORE)
        return "E062";
    return "E061";
}

static const char *
coll_class(const struct race_record *coll, const struct race_record *other, const struct fp_place *place)
{
    if (race_atomic[other->kind])
        return "E073";
    if (coll->kind == RACE_COLL_READ)
        return "E089";
    if (other->pe == place->pe)
        return "E090";
    return other->kind == RACE_GET || other->kind == RACE_LOAD ? "E091" : "E089";
}

/* The first is a plain store whose issue is known but which nothing has made visible. */
static const char *
store_class(const struct race_chain *chain, const struct fp_place *place)
{
    if (chain->nostore)
        return "E068";
    if (chain->fence || chain->quiet)
        return "E066";
    return place->pe == chain->first->pe && chain->second->kind == RACE_GET ? "E093" : "E065";
}

/* The first is an operation of which the second's PE knows, but not that it was delivered. */
static const char *
delivery_class(const struct race_chain *chain, const char *base)
{
    const struct race_op *op = chain->first->op;
    const struct race_step *release = chain->release;

    if (chain->barrier && chain->first->op->ctx != 0)
        return "E069";
    if (chain->sync)
        return "E070";
    if (chain->fence && release && release->ctx != op->ctx && release->target == op->target)
        return "E067";
    if (chain->fence || chain->quiet)
        return "E066";
    if (chain->other_quiet || chain->other_fence)
        return release && release->kind == RACE_STEP_LOCK_CLEAR ? "E085" : "E067";
    if (!release)
        return base;
    switch (release->kind) {
    case RACE_STEP_SIGNAL:
        return "E081";
    case RACE_STEP_LOCK_CLEAR:
        return "E085";
    case RACE_STEP_COLL:
        return base;
    default:
        return "E065";
    }
}

static const char *
class_of(const struct race *race, const struct race_pair *pair, struct race_chain *chain)
{
    const struct race_record *a = chain->first, *b = chain->second;
    const char *base = base_class(race, chain);

    if (pair->died)
        return a->lock ? "E183" : "E083";
    if (a->lock || b->lock)
        return "E084";
    if (a->kind == RACE_COLL_READ || a->kind == RACE_COLL_WRITE)
        return coll_class(a, b, pair->place);
    if (b->kind == RACE_COLL_READ || b->kind == RACE_COLL_WRITE)
        return coll_class(b, a, pair->place);
    if (race_atomic[a->kind] && race_atomic[b->kind])
        return base;
    if ((race_pending_buffer(a) && a->kind == RACE_SOURCE) || (race_pending_buffer(b) && b->kind == RACE_SOURCE))
        return "E063";
    if (race_pending_buffer(a) || race_pending_buffer(b))
        return "E064";
    if (a->wait || b->wait)
        return "E078";
    if (a->kind == RACE_STORE && chain->known)
        return store_class(chain, pair->place);
    if (a->kind != RACE_PUT && a->kind != RACE_AMO)
        return base;
    if (chain->known)
        return delivery_class(chain, base);
    if (chain->reuse)
        return base;
    if (a->op->signalling && a->kind == RACE_PUT && !race_atomic[b->kind])
        return "E081";
    if (race_atomic[a->kind] || race_atomic[b->kind] || b->kind == RACE_PUT)
        return base;
    chain->hangs_on = a->op;
    return chain->quieted ? "E072" : base;
}

/* Classes, the clause behind them, and what went wrong. */
static const struct why_row {
    const char *rule, *why;
} whys[] = {
    {"E060, S 9.6.1.1", "two puts to the same bytes may arrive in either order"},
    {"E061, S 4.2", "the destination of a put is in use until it is complete"},
    {"E062, S 4.2", "nothing says that the read is over when the bytes are written"},
    {"E063, S 9.6.2.1", "the source of a nonblocking operation is in use until quiet"},
    {"E064, S 9.6.2.2", "the destination of a nonblocking operation is in use until quiet"},
    {"E065, S 9.12.1", "nothing orders the data before the flag"},
    {"E066, S 9.12.1", "a fence orders, per target PE, deliveries behind it; it completes nothing"},
    {"E067, S 9.12", "the fence or quiet was on another context"},
    {"E068, S 9.5", "plain stores are not ordered by a context with SHMEM_CTX_NOSTORE"},
    {"E069, S 9.10.1", "a barrier completes the default context only"},
    {"E070, S 9.10.3", "a sync does not complete remote updates"},
    {"E071, S 9.12.1", "a plain load of a flag neither is atomic nor orders what follows it"},
    {"E072, S 9.12.2", "quiet completes the operation but tells nobody"},
    {"E073, S 3.2", "an atomic and a non-atomic operation meet"},
    {"E074, S 3.2", "an atomic operation and a plain access meet"},
    {"E075, S 3.2", "atomics of different types are not atomic to each other"},
    {"E076, S 3.2", "atomics of different domains are not atomic to each other"},
    {"E077, S 3.2", "a wait and an update of different types are not atomic to each other"},
    {"E078, S 9.11.1", "a wait is only defined on updates by atomics or signals"},
    {"E079, S 9.8", "a signal object is updated by something else than a signal routine"},
    {"E080, S 9.8", "signal set and signal add are not atomic to each other"},
    {"E081, S 9.8.1", "a signal covers the data of its own call only"},
    {"E083, S 9.3.2", "the block ends while an operation on another context still uses it"},
    {"E084, S 9.13.1", "the variable of a lock belongs to the lock routines"},
    {"E085, S 9.13.1", "releasing a lock completes the default context only"},
    {"E183, S 9.13.1", "the block ends while a lock in it is held"},
    {"E089, S 9.10", "a buffer of a collective is touched while a member may be inside"},
    {"E090, S 9.10.5", "the destination was not ready when another member entered"},
    {"E091, S 9.10", "the other PE may still be inside the collective"},
    {"E093, S 9.12", "an atomic operation does not order plain stores before it"},
};

static const struct why_row *
why_find(const char *rule)
{
    for (size_t i = 0; i < sizeof whys / sizeof *whys; i++)
        if (!strncmp(whys[i].rule, rule, 4))
            return &whys[i];
    FP_BUG("no sentence for error class %s", rule);
}

static void
message(const struct race_pair *pair, const struct race_chain *chain, const struct why_row *why, struct race_text *text)
{
    const struct race_record *a = chain->first, *b = chain->second;
    const struct race_step *release = chain->release;

    if (a->lock || b->lock)
        race_text_add(text, "%s by PE %d and %s by PE %d meet", name_of(a), a->pe, name_of(b), b->pe);
    else if (chain->known || pair->died || race_pending_buffer(a))
        race_text_add(text, "%s by PE %d is not ordered before %s by PE %d", name_of(a), a->pe, name_of(b), b->pe);
    else
        race_text_add(text, "%s by PE %d and %s by PE %d are not ordered", name_of(a), a->pe, name_of(b), b->pe);
    race_text_add(text, ", on memory of PE %d: ", pair->place->pe);
    if (!strncmp(why->rule, "E066", 4) && chain->fence && a->op && release && release->target >= 0 &&
        release->target != a->op->target)
        race_text_add(text, "a fence orders per target PE, and %s went to PE %d",
                      release->name ? release->name : "the flag", release->target);
    else
        race_text_add(text, "%s",
                      chain->reuse ? "nothing says that the read is over when the next round writes" : why->why);
}

/* ---- The finding ------------------------------------------------------------------------------------------------ */

static struct fp_access
access_of(const struct race_record *a, bool died)
{
    struct fp_access access = {.pe = a->pe, .op = name_of(a), .site = a->site};

    access.kind = died ? FP_FREE : race_atomic[a->kind] ? FP_ATOMIC : race_reads[a->kind] ? FP_READ : FP_WRITE;
    if (a->op && !a->op->coll && !a->op->done)
        access.note = "pending until a quiet on its context";
    return access;
}

struct race_op *
race_explain(struct race *race, const struct race_pair *pair, bool quieted, struct fp_finding *finding)
{
    struct race_view view_a = view_of(race, pair->a);
    struct race_chain chain;

    /* The later access in time may be the earlier one in program order: a put that is delivered after the load it
     * should precede. */
    if (!issue_known(pair->a, pair->view) && !pair->died && issue_known(pair->b, &view_a))
        chain = chain_find(race, pair->b, pair->a, view_a);
    else
        chain = chain_find(race, pair->a, pair->b, *pair->view);

    chain.quieted = quieted;
    chain.reuse = !pair->died && is_reuse(race, &chain);
    const char *rule = class_of(race, pair, &chain);
    /* Neither knows of the other: name the write first, of two the put, so that the words do not depend on which was
     * faster. */
    bool put_last = chain.first->kind == RACE_STORE && chain.second->kind == RACE_PUT;
    bool write_last = race_reads[chain.first->kind] && !race_reads[chain.second->kind];
    if (!chain.known && !pair->died && (write_last || put_last)) {
        chain = chain_find(race, chain.second, chain.first, view_a);
        chain.quieted = quieted;
        chain.reuse = is_reuse(race, &chain);
        rule = class_of(race, pair, &chain);
    }
    const struct why_row *why = why_find(rule);
    struct race_text text = {finding->message, sizeof finding->message};
    struct race_text fix = {finding->repair, sizeof finding->repair};

    memset(finding, 0, sizeof *finding);
    finding->class_ = pair->died ? FP_CLASS_LIFETIME : FP_CLASS_RACE;
    finding->rule = why->rule;
    message(pair, &chain, why, &text);
    race_repair(race, &chain, rule, &fix, &finding->fix);
    finding->accesses[0] = access_of(chain.first, false);
    finding->accesses[1] = access_of(chain.second, pair->died);
    finding->naccesses = 2;
    return chain.hangs_on;
}
