/* predict.c -- from what a run's log says was luck to runs that show what it hid. See predict.h.
 *
 * For a candidate (A of PE p, B of PE q) the releases that could be late are taken from the log: first those of p
 * behind A that q acquired before B, the earliest first; then other releases of p behind A; then, where A's PE told
 * others in an order that was no luck, those that q acquired before B, the latest first. Each is tried in two ways, a
 * release in which another candidate's witness was looked for already is not tried again.
 */
#include "sim/predict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/server.h"
#include "sim/sim.h"

#define TRIES_MAX 32
#define TRIES_A_PAIR 8
#define TRIES_A_KIND 2
#define PATIENCE_MORE 1000
/* All tries together make so many times the steps of the run, and more. */
#define STEPS_TIMES 4
#define STEPS_MORE 200000

/* ---- In a child */

static void
keep_finding(struct predict_found *to, const struct fp_finding *finding)
{
    to->finding = *finding;
    for (int i = 0; i < finding->naccesses; i++) {
        struct fp_access *access = &to->finding.accesses[i];
        snprintf(to->notes[i], sizeof to->notes[i], "%s", access->note ? access->note : "");
        access->note = NULL;
        access->nstack = access->nstack < PREDICT_STACK_MAX ? access->nstack : PREDICT_STACK_MAX;
        if (access->nstack > 0)
            memcpy(to->stacks[i], access->stack, (size_t)access->nstack * sizeof *to->stacks[i]);
        access->stack = NULL;
    }
}

/* Pointers of a finding that came from another process: names are literals of this library, which both have. */
static struct fp_finding
finding_of(const struct predict_found *found)
{
    struct fp_finding finding = found->finding;
    for (int i = 0; i < finding.naccesses; i++) {
        finding.accesses[i].note = found->notes[i][0] ? found->notes[i] : NULL;
        finding.accesses[i].stack = finding.accesses[i].nstack > 0 ? found->stacks[i] : NULL;
    }
    finding.now = false;
    return finding;
}

static void
tell(struct sim *sim)
{
    struct predict_told *told = sim->predict->told;
    const struct fp_report *report = sim->job->report;
    told->choices = sim->choices;
    told->steps = sim->steps;
    told->operations = sim->job->ops;
    told->hash = sim->choice_hash;
    for (int i = 0; i < fp_report_count(report) && i < PREDICT_FOUND_MAX; i++)
        keep_finding(&told->found[told->nfound++], fp_report_get(report, i, NULL));
    told->whole = sim->ended == sim->npes || told->nfound > 0;
}

void
sim_predict_leave(struct sim *sim)
{
    if (fp_job_at_end)
        fp_job_at_end(sim->job);
    _exit(0);
}

/* ---- What to try */

struct tried {
    struct sim *sim;
    struct predict_told weak; /* what the run without luck found */
    struct predict_late list[TRIES_MAX];
    int count, failed; /* tried; of these, runs that could not be made, or whose replay showed something else */
    int witnesses;
    uint64_t steps;
};

static int
rank_of(const struct predict_edge *edge, const struct predict_pair *pair, int p)
{
    int a = pair->pe[p], b = pair->pe[!p];
    bool leaves = edge->from == a && edge->released >= pair->clock[p];
    bool comes = edge->to == b && edge->acquired <= pair->clock[!p];
    return leaves && comes ? 1 : leaves ? 2 : comes ? 3 : 0;
}

static bool
is_new(const struct tried *tried, const struct predict_late *late)
{
    for (int i = 0; i < tried->count; i++)
        if (!memcmp(&tried->list[i], late, sizeof *late))
            return false;
    return true;
}

static bool
is_lucky(const struct predict *predict, const struct predict_edge *edge)
{
    struct predict_lucky key = {.pe = edge->to, .look = edge->look};
    for (uint32_t lo = 0, hi = predict->nlucky; edge->wait && lo < hi;) {
        uint32_t mid = lo + (hi - lo) / 2;
        const struct predict_lucky *at = &predict->lucky[mid];
        if (at->pe == key.pe && at->look == key.look)
            return true;
        if (at->pe < key.pe || (at->pe == key.pe && at->look < key.look))
            lo = mid + 1;
        else
            hi = mid;
    }
    return !edge->wait;
}

/* How the release of the edge is made late, in the way-th way; false: there is none. */
static bool
late_of(const struct sim *sim, const struct predict_edge *edge, int way, struct predict_late *late)
{
    memset(late, 0, sizeof *late); /* compared byte by byte */
    late->patience = PATIENCE_MORE + sim->steps; /* not choices: where one thing alone could move, there is none */
    late->steps = late->patience + STEPS_MORE + STEPS_TIMES * sim->steps;
    if (way == 0 && edge->op) {
        late->kind = PREDICT_FLY;
        late->op = edge->op;
        return true;
    }
    late->kind = PREDICT_STAY;
    late->pe = edge->from;
    late->point = edge->point;
    return way == 1;
}

/* ---- Trying */

static bool
same_findings(const struct predict_told *a, const struct predict_told *b)
{
    if (a->nfound != b->nfound || a->nfound == 0)
        return false;
    for (uint32_t i = 0; i < a->nfound; i++) {
        const struct fp_finding *x = &a->found[i].finding, *y = &b->found[i].finding;
        if (x->class_ != y->class_ || strcmp(x->message, y->message) || x->naccesses != y->naccesses)
            return false;
        for (int k = 0; k < x->naccesses; k++)
            if (x->accesses[k].site != y->accesses[k].site || x->accesses[k].pe != y->accesses[k].pe)
                return false;
    }
    return true;
}

/* A trace that nobody keeps. */
static void
scratch_name(char *path, size_t size)
{
    snprintf(path, size, "/tmp/fencepost-XXXXXX");
    int fd = mkstemp(path);
    if (fd < 0)
        fp_env_fail("cannot write in /tmp, which --predict needs");
    close(fd);
}

static void
witness_name(const struct sim *sim, int number, char *path, size_t size)
{
    const struct fp_config *config = &sim->job->config;
    const char *program = config->argc > 0 ? config->argv[0] : "program", *slash = strrchr(program, '/');
    if (sim->served && config->trace[0])
        snprintf(path, size, "%s", config->trace); /* a campaign keeps the run that shows something */
    else if (config->trace[0])
        snprintf(path, size, "%s.predicted-%d", config->trace, number);
    else if (config->in_process || sim->served)
        scratch_name(path, size);
    else
        snprintf(path, size, "%s-predicted-%d.fptrace", slash ? slash + 1 : program, number);
}

static void
report(struct tried *tried, const struct predict_edge *edge, const struct predict_told *told, const char *witness)
{
    struct fp_report *sink = tried->sim->job->report;
    struct fp_line release = fp_site_line(sink, edge->release_site), acquire = fp_site_line(sink, edge->acquire_site);
    for (uint32_t i = 0; i < told->nfound; i++) {
        struct fp_finding finding = finding_of(&told->found[i]);
        finding.predicted = true;
        snprintf(finding.witness, sizeof finding.witness, "%s", witness);
        snprintf(
            finding.luck, sizeof finding.luck,
            "in this run %s by PE %d (%s:%d) happened to come before %s by PE %d (%s:%d), which hid it; in another "
            "legal order it does not",
            edge->release_name, edge->from, release.file, release.line, edge->acquire_name, edge->to, acquire.file,
            acquire.line);
        fp_report_add(sink, &finding);
    }
}

/* One try; true: it found something, and its replay found the same. */
static bool
try(struct tried *tried, const struct predict_edge *edge, const struct predict_late *late)
{
    struct sim *sim = tried->sim;
    struct predict_order order = {.pass = PREDICT_TRY, .late = *late};
    char name[sizeof order.trace];
    witness_name(sim, tried->witnesses + 1, name, sizeof name);
    memcpy(order.trace, name, sizeof name);
    tried->list[tried->count++] = *late;
    bool made = sim_predict_run(sim->predict, &order);
    tried->steps += made ? sim->predict->told->steps : sim->steps;
    bool found = made && sim->predict->told->nfound > 0;
    struct predict_told *first = found ? malloc(sizeof *first) : NULL;
    if (first) {
        *first = *sim->predict->told;
        memset(&order, 0, sizeof order);
        order.pass = PREDICT_TRY;
        memcpy(order.replay, name, sizeof name);
        found = sim_predict_run(sim->predict, &order) && same_findings(first, sim->predict->told);
        bool kept = sim->job->config.trace[0] || !(sim->job->config.in_process || sim->served);
        if (found)
            report(tried, edge, first, kept ? name : "");
        if (!found || !kept)
            unlink(name);
        made = found;
        tried->witnesses += found;
    } else {
        unlink(name);
    }
    free(first);
    tried->failed += !made;
    return found;
}

static bool
enough(const struct tried *tried)
{
    return tried->count == TRIES_MAX || tried->steps > STEPS_MORE + STEPS_TIMES * tried->sim->steps;
}

/* The candidates of one rank, in the order in which they are to be tried. */
static bool
try_rank(struct tried *tried, const struct predict_pair *pair, int rank, int way, int *left)
{
    const struct predict *predict = tried->sim->predict;
    int tries = 0;
    for (uint32_t k = 0; k<predict->nedges && * left> 0 && tries < TRIES_A_KIND && !enough(tried); k++) {
        const struct predict_edge *edge = &predict->edges[rank == 3 ? predict->nedges - 1 - k : k];
        struct predict_late late;
        if ((rank_of(edge, pair, 0) != rank && rank_of(edge, pair, 1) != rank) || !is_lucky(predict, edge))
            continue;
        if (!late_of(tried->sim, edge, way, &late) || !is_new(tried, &late))
            continue;
        --*left;
        tries++;
        if (try(tried, edge, &late))
            return true;
    }
    return false;
}

static bool
try_pair(struct tried *tried, const struct predict_pair *pair)
{
    int left = TRIES_A_PAIR;
    for (int rank = 1; rank <= 3; rank++)
        for (int way = 0; way < 2; way++)
            if (try_rank(tried, pair, rank, way, &left))
                return true;
    return false;
}

/* ---- After the run */

static int
by_place(const void *a_, const void *b_)
{
    const struct predict_lucky *a = a_, *b = b_;
    if (a->pe != b->pe)
        return a->pe < b->pe ? -1 : 1;
    return a->look < b->look ? -1 : a->look > b->look;
}

static bool
any_luck(const struct predict *predict)
{
    for (uint32_t i = 0; i < predict->nedges; i++)
        if (is_lucky(predict, &predict->edges[i]))
            return true;
    return false;
}

/* Another candidate's witness showed this one too. */
static bool
is_told(const struct fp_report *report, const struct predict_pair *pair)
{
    for (int i = 0; i < fp_report_count(report); i++) {
        const struct fp_finding *finding = fp_report_get(report, i, NULL);
        fp_site_t x = finding->accesses[0].site, y = finding->accesses[1].site;
        if (finding->naccesses >= 2 &&
            ((x == pair->site[0] && y == pair->site[1]) || (x == pair->site[1] && y == pair->site[0])))
            return true;
    }
    return false;
}

static const char *
look_for_witnesses(struct sim *sim)
{
    const struct fp_job *job = sim->job;
    struct predict *predict = sim->predict;
    if (predict->nlucky)
        qsort(predict->lucky, predict->nlucky, sizeof *predict->lucky, by_place);
    if (!any_luck(predict))
        return "nothing hangs on luck";
    struct predict_order order = {.pass = PREDICT_WEAK, .nlucky = predict->nlucky};
    const struct predict_told *told = predict->told;
    if (!sim_predict_run(predict, &order) || told->choices != sim->choices || told->hash != sim->choice_hash ||
        told->operations != sim->job->ops || told->nfound)
        return "the program does not repeat itself";
    struct tried *tried = calloc(1, sizeof *tried);
    if (!tried)
        fp_env_fail("out of memory for --predict");
    tried->sim = sim;
    tried->weak = *told;
    for (uint32_t i = 0; i < tried->weak.npairs && !enough(tried); i++)
        if (!is_told(job->report, &tried->weak.pairs[i]))
            try_pair(tried, &tried->weak.pairs[i]);
    static char text[96]; /* for the footer */
    int n = snprintf(text, sizeof text, "%u pair%s on luck, %d other order%s tried", tried->weak.npairs,
                     tried->weak.npairs == 1 ? " hangs" : "s hang", tried->count, tried->count == 1 ? "" : "s");
    if (tried->failed)
        snprintf(text + n, sizeof text - (size_t)n, " (%d without an answer)", tried->failed);
    free(tried);
    return text;
}

void
sim_predict_end(struct sim *sim)
{
    struct fp_job *job = sim->job;
    if (sim->predict->pass != PREDICT_LOG)
        tell(sim);
    else if (sim->predict->socket >= 0 && sim->ended == sim->npes && !job->ending && !job->cut_short &&
             fp_report_count(job->report) == 0) {
        if (sim->served)
            sim_served_clean(sim);
        job->predicted = look_for_witnesses(sim);
    }
}
