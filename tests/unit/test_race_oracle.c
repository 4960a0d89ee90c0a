/* test_race_oracle.c -- the race observer against the axioms, word for word.
 *
 * Random scripts (fake_net.h) run twice over: the observer judges as it goes; here every event becomes nodes of a
 * graph, the axioms H1 to H15 become edges, and two conflicting accesses race if neither reaches the other. That is
 * slow and holds no cleverness, which is its point. The observer must report something exactly when the graph has a
 * race, and only pairs that the graph has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wunused-function" /* scripts here do not use every step */
#include "fake_net.h"
#include "graph.h"

#define STEPS 28

/* ---- The script as a graph --------------------------------------------------------------------------------------- */

enum kind { O_LOAD, O_STORE, O_PUT, O_GET, O_AMO, O_AMO_READ, O_WAIT, O_SOURCE, O_DEST };

/* An operation or plain store. */
struct item {
    const struct sim_op *op;
    struct sim_op copy;
    int pe, ctx, target, var, sig_var;
    enum fp_order_class class_;
    int issue, effect, signal, local; /* nodes; -1: none */
    uint64_t order;                   /* position in program order */
    int got;                          /* nonblocking fetch: what it read, or 0 */
    bool store;
    int owner; /* store: whose memory */
};
static struct item items[256];
static int nitems;

struct access {
    enum kind kind;
    int pe, owner, var; /* var < 0: private of the owner */
    int start, end;     /* B must come after start's causes; it ends at end (an interval's is a quiet, -1: never) */
    int item;
    uint64_t site;
};
static struct access accesses[512];
static int naccesses;

struct update {
    int effect, var, pe;
    bool joins, releases;
};
static struct update updates[256];
static int nupdates;

static int last_point[NET_PES];
static uint64_t order_now;
static int intervals[NET_PES][256], nintervals[NET_PES]; /* accesses that a quiet ends */
static int leaves[NET_PES], enters[NET_PES];

static enum fp_rules
rules(void)
{
    return job.config.rules;
}

static bool
loose(void)
{
    return rules() != FP_RULES_STRICT;
}

static int
point(int pe)
{
    int p = node();
    edge(last_point[pe], p);
    return last_point[pe] = p;
}

/* Private words are numbered -1, -2 ... */
static int
private_var(const void *address)
{
    return -1 - (int)(((const char *)address - (const char *)privates) / sizeof privates[0][0] % 4);
}

static int
var_of(const struct fp_place *place)
{
    return place->region == FP_PRIVATE ? -1 : (int)((place->offset - fp_heap_internal_bytes(job.npes) - 64) / 64);
}

static void
add_access(enum kind kind, int pe, int owner, int var, int start, int end, int item, uint64_t site)
{
    accesses[naccesses++] = (struct access){kind, pe, owner, var, start, end, item, site};
}

static struct item *
item_of(const struct sim_op *op)
{
    for (int i = nitems; i-- > 0;)
        if (!items[i].store && items[i].copy.id == op->id)
            return &items[i];
    fail_msg("operation without issue");
    return NULL;
}

/* Everything that reading the newest update of (pe, var) acquires comes before `to`. */
static void
reads_from(int pe, int var, int to)
{
    for (int i = nupdates; i-- > 0;) {
        const struct update *u = &updates[i];
        if (u->pe != pe || u->var != var)
            continue;
        if (u->releases)
            edge(u->effect, to);
        if (!u->joins)
            return;
    }
}

static void
on_issue(const struct sim_event *e)
{
    const struct sim_op *op = e->op;
    const struct net_op *n = (const struct net_op *)((const char *)op - offsetof(struct net_op, op));
    struct item *x = &items[nitems];
    bool nbi = op->flags & SHMEM_OPF_NBI, put = op->kind == SHMEM_OP_PUT;

    *x = (struct item){.copy = *op, .pe = op->origin, .ctx = (int)op->ctx->id, .target = op->target, .var = n->var};
    x->class_ = sim_order_class(op);
    x->order = ++order_now;
    x->issue = point(op->origin);
    x->effect = node();
    x->signal = x->local = -1;
    edge(x->issue, x->effect);
    enum kind kind = put ? O_PUT : op->kind == SHMEM_OP_GET ? O_GET : op->amo == SHMEM_AMO_FETCH ? O_AMO_READ : O_AMO;
    add_access(kind, x->pe, x->target, x->var, x->effect, x->effect, nitems, op->site);
    if (op->kind == SHMEM_OP_GET && nbi) {
        accesses[naccesses - 1].end = -1;
        intervals[x->pe][nintervals[x->pe]++] = naccesses - 1;
    }
    if (put && op->flags & SHMEM_OPF_SIGNAL) {
        x->signal = node();
        x->sig_var = n->sig_var;
        edge(x->issue, x->signal);
        edge(x->effect, x->signal); /* H6 */
        add_access(O_AMO, x->pe, x->target, x->sig_var, x->signal, x->signal, nitems, op->site);
    }
    if (nbi) {
        add_access(put ? O_SOURCE : O_DEST, x->pe, x->pe, private_var(n->local), x->issue, -1, nitems, op->site);
        intervals[x->pe][nintervals[x->pe]++] = naccesses - 1;
    }
    nitems++;
    point(op->origin); /* H2: the return of what returns at once */
}

/* H7: each earlier operation before the later one, where a fence of their context stands between. */
static uint64_t fences[NET_PES][NET_CTXS][64];
static int nfences[NET_PES][NET_CTXS];

static bool
fence_between(int pe, int ctx, uint64_t from, uint64_t to)
{
    for (int i = 0; i < nfences[pe][ctx]; i++)
        if (from < fences[pe][ctx][i] && fences[pe][ctx][i] < to)
            return true;
    return false;
}

static void
order_edges(void)
{
    for (int i = 0; i < nitems; i++)
        for (int k = 0; k < nitems; k++) {
            const struct item *x = &items[i], *y = &items[k];
            if (y->store || x->pe != y->pe || x->order >= y->order)
                continue;
            if (x->store) {
                if (x->owner == y->target && fp_order_has(rules(), FP_EDGE_FENCE, FP_ORDER_STORE, y->class_) &&
                    fence_between(x->pe, y->ctx, x->order, y->order))
                    edge(x->effect, y->effect), edge(x->effect, y->signal);
                continue;
            }
            bool lane = x->ctx == y->ctx && x->target == y->target;
            if (lane && fp_order_has(rules(), FP_EDGE_FENCE, x->class_, y->class_) &&
                fence_between(x->pe, x->ctx, x->order, y->order)) {
                edge(x->effect, y->effect), edge(x->effect, y->signal);
                edge(x->signal, y->effect), edge(x->signal, y->signal);
            }
            if (lane && x->copy.kind == SHMEM_OP_AMO && y->copy.kind == SHMEM_OP_AMO && x->var == y->var &&
                sim_order_amo_same_location(rules()))
                edge(x->effect, y->effect); /* A3 */
        }
}

/* H8, and where stores become visible. */
static void
completes(int pe, int ctx, int target, int at)
{
    for (int i = 0; i < nitems; i++) {
        const struct item *x = &items[i];
        if (x->pe != pe || x->store || x->ctx != ctx || (target >= 0 && x->target != target))
            continue;
        edge(x->effect, at), edge(x->signal, at);
        if (x->got)
            edge(x->got, at);
    }
    for (int i = 0; i < nintervals[pe]; i++) {
        struct access *a = &accesses[intervals[pe][i]];
        const struct item *x = &items[a->item];
        if (x->ctx == ctx && (target < 0 || x->target == target) && a->end < 0)
            a->end = at;
    }
}

/* Those into the memory of `owner`, -1: all. */
static void
publishes(int pe, int owner, int at)
{
    for (int i = 0; i < nitems; i++)
        if (items[i].store && items[i].pe == pe && (owner < 0 || items[i].owner == owner))
            edge(items[i].effect, at);
}

static void
on_plain(const struct sim_event *e)
{
    bool own = e->place.region == FP_PRIVATE;
    int p = point(e->pe), var = own ? private_var(e->address) : var_of(&e->place),
        owner = var < 0 ? e->pe : e->place.pe;
    bool store = e->kind == SIM_EV_STORE;
    int wr = p;
    if (store && var >= 0) {
        wr = node();
        edge(p, wr);
        items[nitems++] = (struct item){
            .pe = e->pe, .issue = p, .effect = wr, .signal = -1, .order = ++order_now, .store = true, .owner = owner};
    }
    add_access(store ? O_STORE : O_LOAD, e->pe, owner, var, p, wr, nitems - 1, e->site);
}

static void
watch(const struct sim_event *e)
{
    int p;
    switch (e->kind) {
    case SIM_EV_ISSUE:
        on_issue(e);
        break;
    case SIM_EV_WRITE:
        if (e->op->kind == SHMEM_OP_PUT)
            updates[nupdates++] = (struct update){item_of(e->op)->effect, var_of(&e->place), e->place.pe, false,
                                                  loose() && e->op->bytes == e->op->elem_bytes};
        break;
    case SIM_EV_RMW: {
        const struct item *x = item_of(e->op);
        bool signal = e->op->kind == SHMEM_OP_PUT;
        shmem_amo_t amo = signal ? e->op->sig_op : e->op->amo;
        if (!signal && e->op->flags & SHMEM_OPF_FETCH && !(e->op->flags & SHMEM_OPF_NBI)) {
            /* H5, H10: the PE is inside the call, so its next point is the return */
            p = point(x->pe);
            edge(x->effect, p);
            reads_from(e->place.pe, var_of(&e->place), p);
        } else if (!signal && e->op->flags & SHMEM_OPF_FETCH) {
            /* the value is there at the quiet: a node in between carries what it gives */
            int got = node();
            edge(x->effect, got);
            reads_from(e->place.pe, var_of(&e->place), got);
            items[x - items].got = got;
        }
        if (amo != SHMEM_AMO_FETCH)
            updates[nupdates++] = (struct update){signal ? x->signal : x->effect, var_of(&e->place), e->place.pe,
                                                  amo != SHMEM_AMO_SET, true};
        break;
    }
    case SIM_EV_RETURN:
        p = point(e->pe);
        edge(item_of(e->op)->effect, p);
        break;
    case SIM_EV_FENCE:
        p = point(e->pe);
        fences[e->pe][e->ctx->id][nfences[e->pe][e->ctx->id]++] = ++order_now;
        if (loose())
            publishes(e->pe, -1, p); /* A37 */
        break;
    case SIM_EV_QUIET:
    case SIM_EV_PE_QUIET:
        p = point(e->pe);
        order_now++;
        completes(e->pe, (int)e->ctx->id, e->kind == SIM_EV_QUIET ? -1 : e->target, p);
        publishes(e->pe, e->kind == SIM_EV_QUIET ? -1 : e->target, p);
        break;
    case SIM_EV_SYNC_ENTER:
        enters[e->pe] = point(e->pe);
        publishes(e->pe, -1, enters[e->pe]);
        leaves[e->pe] = point(e->pe);
        break;
    case SIM_EV_SYNC_LEAVE:
        for (int i = 0; i < NET_PES; i++)
            if (enters[i] >= 0)
                edge(enters[i], leaves[e->pe]);
        break;
    case SIM_EV_WAIT:
        p = point(e->pe);
        reads_from(e->pe, var_of(&e->place), p);
        add_access(O_WAIT, e->pe, e->pe, var_of(&e->place), p, p, -1, e->site);
        break;
    case SIM_EV_STORE:
    case SIM_EV_LOAD:
        on_plain(e);
        break;
    default:
        break;
    }
}

/* ---- Races of the graph ------------------------------------------------------------------------------------------ */

static bool
reads(enum kind kind)
{
    return kind == O_LOAD || kind == O_GET || kind == O_AMO_READ || kind == O_WAIT || kind == O_SOURCE;
}

static bool
atomic(enum kind kind)
{
    return kind == O_AMO || kind == O_AMO_READ || kind == O_WAIT;
}

static bool
before(const struct access *a, const struct access *b)
{
    bool own_store = a->kind == O_STORE && a->pe == b->pe &&
                     (b->kind == O_LOAD || b->kind == O_STORE || b->kind == O_WAIT || a->owner == a->pe);
    if (own_store) /* H15: its own thread sees it at once */
        return a->start != b->start && reaches(a->start, b->start);
    if (a->kind == O_SOURCE && loose() && reaches(items[a->item].effect, b->start))
        return true; /* A9 */
    return a->end >= 0 && reaches(a->end, b->start);
}

static bool
conflict(const struct access *a, const struct access *b)
{
    if (a->owner != b->owner || a->var != b->var || (reads(a->kind) && reads(b->kind)))
        return false;
    if (a->item >= 0 && a->item == b->item && a->site == b->site)
        return false;
    if (atomic(a->kind) && atomic(b->kind))
        return false;
    if (loose() && ((a->kind == O_PUT && b->kind == O_WAIT) || (a->kind == O_WAIT && b->kind == O_PUT)))
        return false; /* A6 */
    return true;
}

static bool racy[STEPS + 40][STEPS + 40];

static int
graph_races(void)
{
    int count = 0;
    order_edges();
    close_graph();
    memset(racy, 0, sizeof racy);
    for (int i = 0; i < naccesses; i++)
        for (int k = 0; k < i; k++) {
            const struct access *a = &accesses[k], *b = &accesses[i];
            if (!conflict(a, b) || before(a, b) || before(b, a))
                continue;
            racy[a->site][b->site] = racy[b->site][a->site] = true;
            count++;
        }
    return count;
}

/* ---- Random scripts ---------------------------------------------------------------------------------------------- */

static uint64_t script_chance;
static int
pick(int n)
{
    script_chance = script_chance * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (int)((script_chance >> 33) % (uint64_t)n);
}

static char log_text[8192];
static size_t log_used;
#define SAY(...) (log_used += (size_t)snprintf(log_text + log_used, sizeof log_text - log_used, __VA_ARGS__))

/* Few accesses of data among much synchronisation: there the verdict hangs by one edge. */
static int data_left;

static void
random_step(int site, bool signals)
{
    int pe = pick(3), to = pick(3), data = pick(2) ? X : Y, flag = pick(2) ? F : G, ctx = pick(4) ? 0 : 2;
    uint64_t *mine = &privates[pe][0];

    SAY("%2d: PE %d ", site, pe);
    ctx_next = ctx;
    int what = pick(26);
    if (what <= 5 || (what >= 15 && what <= 17))
        what = data_left-- > 0 ? what : 6 + pick(9);
    switch (what) {
    case 0:
    case 1:
    case 2:
        SAY("c%d put %c@%d\n", ctx, "XY"[data], to);
        put_(site, pe, to, data, 1, 1, NULL);
        return;
    case 3:
        SAY("c%d put_nbi %c@%d\n", ctx, "XY"[data], to);
        put_(site, pe, to, data, 1, 1, mine);
        return;
    case 4:
    case 5:
        SAY("c%d get %c@%d\n", ctx, "XY"[data], to);
        get_(site, pe, to, data, NULL);
        return;
    case 6:
    case 7:
        SAY("c%d aset %c@%d\n", ctx, "XYZFG"[flag], to);
        amo_(site, "set", pe, to, SHMEM_AMO_SET, 0, flag, 1, NULL);
        return;
    case 8:
    case 9:
        SAY("c%d ainc %c@%d\n", ctx, "XYZFG"[flag], to);
        amo_(site, "inc", pe, to, SHMEM_AMO_INC, 0, flag, 1, NULL);
        return;
    case 10:
        SAY("c%d afadd %c@%d\n", ctx, "XYZFG"[flag], to);
        amo_(site, "fetch_add", pe, to, SHMEM_AMO_ADD, SHMEM_OPF_FETCH, flag, 1, NULL);
        return;
    case 11:
        if (signals) {
            SAY("c%d sig %c@%d %c\n", ctx, "XY"[data], to, "XYZFG"[flag]);
            sig_(site, pe, to, data, 1, flag, SHMEM_AMO_ADD, 1, NULL);
            return;
        }
        /* fall through */
    case 12:
    case 13:
    case 14:
        ctx_next = 0;
        SAY("see %c\n", "XYZFG"[flag]);
        wait_(site, pe, flag, SHMEM_CMP_GE, 0, false, true, SHMEM_TYPE_long);
        return;
    case 15:
    case 16:
        ctx_next = 0;
        SAY("ld %c\n", "XY"[data]);
        plain_(site, pe, pe, data, false);
        return;
    case 17:
        ctx_next = 0;
        SAY("st %c@%d\n", "XY"[data], to);
        st_(site, pe, to, data, 1);
        return;
    case 18:
    case 19:
        ctx_next = 0;
        SAY("c%d fence\n", ctx);
        fence_(site, pe, ctx);
        return;
    case 20:
        ctx_next = 0;
        SAY("c%d quiet %d\n", ctx, pick(3) ? -1 : to);
        quiet_(site, pe, ctx, -1);
        return;
    case 21:
        ctx_next = 0;
        SAY("c%d pe_quiet %d\n", ctx, to);
        quiet_(site, pe, ctx, to);
        return;
    case 23:
        if (signals) {
            SAY("c%d put %c@%d\n", ctx, "XYZFG"[flag], to);
            put_(site, pe, to, flag, 1, 1, NULL);
            return;
        }
        /* fall through */
    case 24:
        SAY("c%d afadd_nbi %c@%d\n", ctx, "XYZFG"[flag], to);
        amo_(site, "fetch_add_nbi", pe, to, SHMEM_AMO_ADD, SHMEM_OPF_FETCH | SHMEM_OPF_NBI, flag, 1,
             &privates[pe][1 + pick(3)]);
        return;
    case 22:
        ctx_next = 0;
        SAY("private %s\n", to ? "ld" : "st");
        private_(site, pe, mine, to == 0, 5);
        return;
    default: {
        ctx_next = 0;
        unsigned members = pick(2) ? ALL : 1u << pe | 1u << (pe + 1) % 3;
        for (int i = 0; i < NET_PES; i++)
            enters[i] = -1;
        bool barrier = members == ALL && pick(2);
        SAY("%s %x\n", barrier ? "barrier" : "sync", members);
        sync_(site, members, barrier ? SHMEM_COLL_BARRIER : SHMEM_COLL_SYNC);
    }
    }
}

static void
open_graph(void)
{
    nnodes = nitems = naccesses = nupdates = 0;
    memset(nfences, 0, sizeof nfences);
    memset(nintervals, 0, sizeof nintervals);
    log_used = 0;
    for (int i = 0; i < NET_PES; i++) {
        last_point[i] = -1;
        point(i);
    }
}

static int nclean, nracy, nfound;

/* True if observer and graph agree. */
static bool
agree(enum fp_rules profile, enum policy how, uint64_t seed)
{
    net_open(profile, how, seed, true);
    open_graph();
    script_chance = seed * 7919 + 13;
    tap = watch;
    int steps = 6 + pick(STEPS - 6);
    data_left = pick(3) ? 2 + pick(2) : STEPS;
    for (int i = 0; i < steps; i++)
        random_step(i + 1, profile != FP_RULES_STRICT);
    int findings = net_close(), races = graph_races();
    tap = NULL;
    bool good = (findings > 0) == (races > 0);
    races ? nracy++ : nclean++;
    nfound += findings;
    for (int i = 0; i < findings; i++) {
        const struct fp_finding *f = fp_report_get(job.report, i, NULL);
        if (!racy[f->accesses[0].site][f->accesses[1].site]) {
            print_message("not a race: %d and %d: %s\n", (int)f->accesses[0].site, (int)f->accesses[1].site,
                          f->message);
            good = false;
        }
    }
    if (!good) {
        print_message("seed %d policy %d %s: %d findings, %d races\n%s", (int)seed, (int)how,
                      profile == FP_RULES_STRICT ? "strict" : "common", findings, races, log_text);
        for (int a = 0; a < STEPS + 40; a++)
            for (int b = 0; b < a; b++)
                if (racy[a][b])
                    print_message("    graph: %d and %d\n", b, a);
    }
    net_free();
    return good;
}

static void
observer_is_the_axioms(void **state)
{
    int bad = 0, runs = getenv("ORACLE_RUNS") ? atoi(getenv("ORACLE_RUNS")) : 1500;
    int first = getenv("ORACLE_FIRST") ? atoi(getenv("ORACLE_FIRST")) : 1;
    for (int seed = first; seed < first + runs && bad < 3; seed++)
        for (int how = AT_ONCE; how <= CHANCE; how++)
            for (int profile = FP_RULES_STRICT; profile <= FP_RULES_COMMON; profile++)
                bad += !agree((enum fp_rules)profile, (enum policy)how, (uint64_t)seed);
    print_message("%d scripts with races (%d findings), %d without\n", nracy, nfound, nclean);
    assert_int_equal(bad, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(observer_is_the_axioms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
